public import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
public import NostrRelay

/// A signer that was woken for one request: reads it, decides, signs, answers, and is done.
///
/// Small enough for a notification extension: the same ``LiveSigner`` that runs in the open, without listening. A request
/// that needs the person is kept for when the program is opened, and what has been asked before is not done again.
public struct WokenSigner: Sendable {
    private let signer: LiveSigner
    private let pool: RelayPool
    private let time: Time<Timestamp>

    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// The request was processed.
        case processed(ProcessedRequest)
        /// The message is for another account.
        case notOurs
        /// No relay had the request in time.
        case notFound
        /// It took longer than a push may.
        case timedOut
    }

    /// Runs the signer and the relays it answers through only while it works; nobody else may run them.
    public init(_ signer: LiveSigner, pool: RelayPool, time: Time<Timestamp>) {
        self.signer = signer
        self.pool = pool
        self.time = time
    }

    /// Processes the request that a message names to its end.
    ///
    /// - Parameter deadline: how long all of it may take; a notification extension has 30 seconds.
    public func answer(_ message: WakeMessage, deadline: Duration = .seconds(25)) async -> Outcome {
        guard message.signer == signer.account else { return .notOurs }
        let outcome = await withDeadline(deadline, on: time.clock) { () async -> Outcome in
            await withTaskGroup(of: Outcome?.self) { group in
                group.addTask {
                    await pool.run()
                    return nil
                }
                group.addTask { await process(message) }
                defer { group.cancelAll() }
                for await outcome in group {
                    if let outcome { return outcome }
                }
                return .timedOut
            }
        }
        return outcome ?? .timedOut
    }

    private func process(_ message: WakeMessage) async -> Outcome {
        if let embedded = message.embedded {
            return .processed(await signer.process(embedded, receivedFrom: message.relay))
        }
        guard let event = await fetch(message) else { return .notFound }
        return .processed(await signer.process(event.unverified, receivedFrom: message.relay))
    }

    /// Requests are not kept long, and the push may be faster than the relay: it is asked twice.
    private func fetch(_ message: WakeMessage) async -> Event? {
        let since = time.now() - .seconds(120)
        for attempt in 0..<2 {
            if attempt > 0 { await time.pause(for: .seconds(2)) }
            // Some relays give out what passes through them by its tags only.
            let filters = [
                Filter(ids: [message.event]),
                Filter(kinds: [RemoteSigning.kind], tags: ["p": [message.signer.hex]], since: since, limit: 5),
            ]
            let asked = await pool.fetch([message.relay: filters], deadline: .seconds(10))
            for await case .events(let events, _) in asked {
                if let event = events.first(where: { $0.id == message.event }) { return event }
            }
        }
        return nil
    }
}
