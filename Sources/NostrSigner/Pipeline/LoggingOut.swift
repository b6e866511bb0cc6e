internal import NostrCore
internal import NostrNIPs

// `logout` is answered, then the app is unpaired.
extension SigningStep {
    /// Begins with a `logout`.
    ///
    /// A request made before the app was paired, give or take five minutes, is a replay.
    static func logOut(
        _ request: IdentifiedRequest, _ client: SignerClient, made: Timestamp, _ state: inout SignerState
    ) -> SigningStep {
        guard made >= client.connected - .seconds(300) else { return over(request.event, .outOfTime, &state) }
        return .reply(
            .done(RequestResult(text: "ack"), by: .harmless), to: request,
            purpose: .farewell(request, client))
    }
}

/// An app that logged out is forgotten before it hears so.
struct DepartureStep: Hashable, Sendable {
    let request: IdentifiedRequest
    let client: SignerClient
    let farewell: OutgoingAnswer

    /// Sends the answer once the app is out of the records.
    func next(_ outcome: Result<Void, any Error>, _ state: inout SignerState) -> SigningStep {
        if case .failure(let error) = outcome { return .fail(request, error, &state) }
        // Nothing of the app is left that could answer, should this be lost and the same `logout` come again.
        state.progress.set(request.event, .gone(farewell))
        return .end(.answer(farewell))
    }
}
