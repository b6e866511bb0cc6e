internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import Synchronization

/// An answer on its way to an app: encrypted once, sent in as many events as it takes.
struct OutgoingAnswer: Sendable {
    /// The event of the request.
    let request: EventID
    /// The app.
    let client: PublicKey
    /// The encrypted response.
    let content: String
    /// Where to.
    let relays: [RelayURL]
}

extension LiveSigner {
    /// Encrypts a response for an app, as its request was.
    func sealed(_ response: RemoteResponse, for client: PublicKey, _ cipher: ContentCipher) async throws -> String {
        let text = response.json
        return try await withKey { try await $0.encrypt(text, for: client, by: cipher) }
    }

    /// An answer to where its app listens.
    func outgoing(_ content: String, to client: PublicKey, about request: EventID) -> OutgoingAnswer {
        state.withLock { state in
            OutgoingAnswer(
                request: request, client: client, content: content,
                relays: state.answerRelays(of: .remote(client), cameBy: state.progress.relays(of: request)))
        }
    }

    /// Sends an answer until a relay takes it, each time in a fresh event.
    ///
    /// - Returns: whether one did.
    @discardableResult @concurrent
    func deliver(_ answer: OutgoingAnswer) async -> Bool {
        if await send(answer) > 0 { return true }
        for wait in configuration.resendAfter {
            // Cancelled: the program ends; the app asks again, and gets the same answer.
            guard (try? await clock.sleep(for: wait)) != nil else { return false }
            if await send(answer) > 0 { return true }
        }
        state.withLock { $0.progress.set(answer.request, .answered(undelivered: answer.content)) }
        logger.warning(
            "no relay took the answer to an app",
            metadata: ["app": "\(answer.client.hex.prefix(8))", "relays": "\(answer.relays.count)"])
        return false
    }

    /// Sends an answer once; counts the relays that took it.
    private func send(_ answer: OutgoingAnswer) async -> Int {
        let moment = state.withLock { $0.progress.answerMoment(answer.content, now: now()) }
        let draft = EventDraft(
            kind: RemoteSigning.kind, tags: [["p", answer.client.hex]], content: answer.content, createdAt: moment)
        // A key that is locked again by now counts as a relay that took nothing: there is another try.
        guard let event = try? await withKey({ try await $0.sign(draft) }) else { return 0 }
        let relays = state.withLock { state in
            let free = answer.relays.filter { (state.relays[$0]?.inFlight ?? 0) < configuration.answersInFlight }
            return free.isEmpty ? answer.relays : free
        }
        return await publish(event, to: relays) { [self] in
            state.withLock { $0.progress.didDeliver(answer.request) }
        }.count
    }

    /// Offers an event to relays at once, and keeps their figures.
    ///
    /// - Parameter whenTaken: called as soon as a relay has taken it.
    /// - Returns: those that took it.
    func publish(
        _ event: Event, to relays: [RelayURL], whenTaken: @Sendable () -> Void = {}
    ) async -> [RelayURL] {
        await withTaskGroup(of: (RelayURL, Bool).self) { group in
            for relay in relays {
                state.withLock { $0.relays[relay, default: SignerState.RelayFigures()].inFlight += 1 }
                group.addTask { [network, configuration] in
                    let outcome = await network.publish(event, to: relay, deadline: configuration.publishDeadline)
                    if case .accepted = outcome { return (relay, true) }
                    return (relay, false)
                }
            }
            var takers: [RelayURL] = []
            for await (relay, isTaken) in group {
                state.withLock { state in
                    state.relays[relay]?.inFlight -= 1
                    if isTaken { state.relays[relay]?.taken += 1 } else { state.relays[relay]?.refused += 1 }
                }
                if isTaken {
                    if takers.isEmpty { whenTaken() }
                    takers.append(relay)
                }
            }
            return takers
        }
    }
}
