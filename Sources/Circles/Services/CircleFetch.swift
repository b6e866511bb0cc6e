internal import AsyncPrimitives
internal import NostrClient
internal import NostrCore
internal import NostrRelay
internal import Synchronization

/// One question about a circle to all of its relays, read while they answer.
///
/// What a relay gave is read as soon as that relay has ended, so that a relay which says nothing holds up none that
/// answers. Once one has given all it has, the others have ``patience`` between two words.
final class CircleFetch: Sendable {
    /// How long relays may say nothing once another has given all it has.
    static let patience: Duration = .seconds(10)
    /// How many fetched events are put in order together: more than any circle writes between two visits.
    private static let mostFetched = 8192

    private struct State {
        /// What a relay gave that is not handed on.
        var events: [RelayURL: [Event]] = [:]
        /// What was found where one answer is enough.
        var found: [Event] = []
        var isComplete = false
    }

    private let state = Mutex(State())
    private let progress = Doorbell()
    private let gossip: Gossip
    private let time: Time<Timestamp>

    init(_ gossip: Gossip, _ time: Time<Timestamp>) { (self.gossip, self.time) = (gossip, time) }

    /// How many events have come and are not handed on; several relays may have given the same.
    var waiting: Int { state.withLock { $0.events.values.map(\.count).max() ?? 0 } }

    /// Asks relays for all that they have.
    ///
    /// - Parameters:
    ///   - deadline: when it ends, whatever relays do.
    ///   - didGrow: hears that more has come.
    ///   - receive: takes what one relay gave.
    /// - Returns: whether a relay gave all it has.
    func all(
        _ requests: [RelayURL: [Filter]], deadline: Duration, didGrow: @escaping @Sendable () async -> Void,
        receive: @escaping @Sendable ([Event]) async -> Void
    ) async -> Bool {
        await withTaskGroup { group in
            group.addTask {
                await self.gossip.fetch(requests, deadline: deadline) { update in
                    let ready = self.receive(update)
                    self.progress.ring()
                    if ready.isEmpty { await didGrow() } else { await receive(ready) }
                    self.progress.ring()
                }
            }
            group.addTask { await self.untilOthersAreSilent() }
            await group.next()
            group.cancelAll()
        }
        // Of relays that were cut off in the middle.
        let rest = state.withLock { state in
            defer { state.events = [:] }
            return state.events.values.filter { !$0.isEmpty }
        }
        for events in rest { await receive(events) }
        return state.withLock(\.isComplete)
    }

    /// Asks relays for a few events: the first to have one is enough.
    ///
    /// - Returns: what was found, and whether a relay answered in full.
    func first(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> (events: [Event], isAnswered: Bool) {
        await withTaskGroup { group in
            group.addTask {
                await self.gossip.fetch(requests, deadline: deadline) { update in
                    self.keep(update)
                    self.progress.ring()
                }
            }
            group.addTask {
                while self.state.withLock({ $0.found.isEmpty }), !Task.isCancelled { await self.progress.wait() }
            }
            await group.next()
            group.cancelAll()
        }
        return state.withLock { ($0.found, $0.isComplete) }
    }

    private func keep(_ update: FetchUpdate) {
        state.withLock { state in
            switch update {
            case .events(let events, _): state.found += events
            case .ended(_, let ending): if ending == .complete { state.isComplete = true }
            }
        }
    }

    /// Keeps what came; gives what is to be read now.
    private func receive(_ update: FetchUpdate) -> [Event] {
        state.withLock { state in
            switch update {
            case .events(let events, let relay):
                state.events[relay, default: []] += events
                // Anybody can fill a relay with what looks like the circle's; it is not kept all at once.
                guard state.events[relay, default: []].count >= Self.mostFetched else { return [] }
                return state.events.removeValue(forKey: relay) ?? []
            case .ended(let relay, let ending):
                if ending == .complete { state.isComplete = true }
                return state.events.removeValue(forKey: relay) ?? []
            }
        }
    }

    /// Returns when one relay has given all it has and no other says anything any more.
    private func untilOthersAreSilent() async {
        while !Task.isCancelled {
            if state.withLock(\.isComplete) {
                let isHeard = await withDeadline(Self.patience, on: time.clock) {
                    await self.progress.wait()
                    return true
                }
                if isHeard == nil { return }
            } else {
                await progress.wait()
            }
        }
    }
}
