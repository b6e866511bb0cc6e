internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

/// The answer to an app's token, sent again until the app is heard of.
///
/// Source: NIP-46, "Direct connection initiated by the client".
struct TokenHandshake: Hashable, Sendable {
    let client: PublicKey
    let secret: String
    let relays: [RelayURL]
    /// The moment of the last answer's event.
    var last: Timestamp

    init(_ token: NostrConnectURI, begun: Timestamp) {
        client = token.client
        secret = token.secret
        relays = token.relays
        last = begun - .seconds(1)
    }
}

extension AnswerSender {
    /// One fresh event with the token's secret, to all its relays; those that took it.
    func greet(_ handshake: inout TokenHandshake, id: String) async -> [RelayURL] {
        handshake.last = max(environment.time.now(), handshake.last + .seconds(1))
        let response = RemoteResponse(id: id, result: handshake.secret)
        let (client, moment) = (handshake.client, handshake.last)
        do {
            let content = try await environment.key.seal(response, for: client, by: .nip44)
            let draft = EventDraft(
                kind: RemoteSigning.kind, tags: [["p", client.hex]], content: content, createdAt: moment)
            let event = try await environment.key.use { try await $0.sign(draft) }
            return await publish(event, to: handshake.relays).takers
        } catch {
            return []  // The key is locked or slow: the next greeting may do better.
        }
    }
}
