internal import AsyncPrimitives
package import NostrCore
package import NostrNIPs
package import NostrRelay
internal import NostrStore
internal import Synchronization

/// Questions to relays, and offers, that end at their deadline whatever the network does.
///
/// The pool promises to end in time; a second clock beside it makes that promise unbreakable.
extension Gossip {
    /// Of so many events is noted in one go where they say that people are.
    private static let notedAtOnce = 16

    /// Asks relays and hands on what comes while it comes.
    package func fetch(
        _ requests: [RelayURL: [Filter]], deadline: Duration,
        _ receive: @escaping @Sendable (FetchUpdate) async -> Void
    ) async {
        guard !requests.isEmpty else { return }
        let stream = await context.network.fetch(requests, deadline: deadline)
        _ = await withDeadline(deadline + .seconds(1), on: context.time.clock) {
            for await update in stream { await receive(update) }
        }
    }

    /// Asks relays a small question and waits for all there is to hear.
    package func collect(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> [FetchUpdate] {
        let updates = Mutex<[FetchUpdate]>([])
        await fetch(requests, deadline: deadline) { update in updates.withLock { $0.append(update) } }
        return updates.withLock { $0 }
    }

    /// Asks relays and keeps what comes.
    package func ask(_ requests: [RelayURL: [Filter]], deadline: Duration) async {
        await fetch(requests, deadline: deadline) { update in
            if case .events(let events, let relay) = update { await self.keep(events, from: relay) }
        }
    }

    /// Asks for what stands at some addresses, each where it may be found, and keeps what comes.
    ///
    /// - Parameter limit: at how many relays each is looked for.
    package func ask(for pointers: [AddressPointer], limit: Int = 8, deadline: Duration) async {
        let (router, now) = (self.router, context.time.now())
        var requests: [RelayURL: [Filter]] = [:]
        for pointer in pointers {
            for relay in router.relays(holding: pointer, limit: limit, now: now) {
                // A relay that is asked for more answers nothing.
                guard requests[relay, default: []].count < 20 else { continue }
                requests[relay, default: []].append(pointer.address.filter)
            }
        }
        await ask(requests, deadline: deadline)
    }

    /// Offers an event to one relay; being stopped looks like a relay that did not answer in time.
    package func offer(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome {
        let network = context.network
        let outcome =
            await withDeadline(deadline + .seconds(1), on: context.time.clock) {
                await network.publish(event, to: relay, deadline: deadline)
            } ?? .timedOut
        await noteQuestion(outcome, of: event, at: relay)
        return outcome
    }

    /// Keeps what a relay sent, and learns where people are from it.
    ///
    /// - Returns: whether it could be kept.
    @discardableResult
    package func keep(_ events: [Event], from relay: RelayURL) async -> Bool {
        do {
            _ = try await context.store.save(events, from: relay)
        } catch {
            context.report("events could not be kept", error)
            return false
        }
        let now = context.time.now()
        // Pages look at what stands under the lock: some hundred events take milliseconds to read and one to note.
        let hints = events.map { (author: $0.pubkey, claimed: $0.relayHints) }
        knowledge.withLock { $0.router.hints.age(now: now) }
        for some in hints.chunked(by: Self.notedAtOnce) {
            knowledge.withLock { known in
                for (author, claimed) in some {
                    for hint in claimed { known.router.hints.note(hint.relay, for: hint.person, .claimed) }
                    known.router.hints.note(relay, for: author, .seen)
                }
            }
        }
        return true
    }

    /// The same question for several relays, those that are blocked left out.
    package func requests(_ filters: [Filter], of relays: [RelayURL]) -> [RelayURL: [Filter]] {
        let blocked = router.blocked
        return Dictionary(relays.filter { !blocked.contains($0) }.map { ($0, filters) }) { first, _ in first }
    }
}
