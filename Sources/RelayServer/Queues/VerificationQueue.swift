internal import AsyncPrimitives
internal import NostrCore

/// Checks events of all connections in small batches on all cores, fairly: what arrives while one batch runs is taken into
/// the next by whoever has had the fewest checks, so that a flood of events holds up nobody else's.
actor VerificationQueue {
    private enum Turn {
        case checked([Result<Event, EventRejection>])
        case lead
    }

    private struct Waiting {
        var events: [UnverifiedEvent]
        var turn: CheckedContinuation<Turn, Never>
    }

    private var isRunning = false
    private var queue: FairQueue<Waiting>
    private let portion: Int
    private let batch: Int
    private let verify: @Sendable ([UnverifiedEvent]) async -> [Result<Event, EventRejection>]

    /// - Parameters:
    ///   - portion: how many events of one client are in a batch at most, unless there is room left.
    ///   - batch: about how many events are checked together.
    ///   - verify: checks events.
    init(
        portion: Int = 32, batch: Int = 128,
        verify: @escaping @Sendable ([UnverifiedEvent]) async -> [Result<Event, EventRejection>] = {
            await NostrCore.verify($0)
        }
    ) {
        (self.portion, self.batch, self.verify) = (portion, batch, verify)
        queue = FairQueue(headStart: portion)
    }

    /// How many wait for the batch after this one.
    var waitingCount: Int { queue.count }
    /// Rings when one more waits.
    nonisolated let arrivals = Doorbell()

    /// Checks events; results in the order of the input.
    func check(_ events: [UnverifiedEvent], of asker: Asker) async -> [Result<Event, EventRejection>] {
        var results: [Result<Event, EventRejection>] = []
        var rest = events[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(portion))
            rest = rest.dropFirst(some.count)
            results += await checkPortion(some, of: asker)
        }
        return results
    }

    private func checkPortion(_ events: [UnverifiedEvent], of asker: Asker) async -> [Result<Event, EventRejection>] {
        if isRunning {
            let turn = await withCheckedContinuation {
                queue.add(Waiting(events: events, turn: $0), of: asker, cost: events.count)
                arrivals.ring()
            }
            if case .checked(let results) = turn { return results }
        } else {
            queue.add(events.count, to: asker)
        }
        isRunning = true
        var all = events
        var others: [Waiting] = []
        while all.count < batch, let (_, next) = queue.next() {
            all += next.events
            others.append(next)
        }
        let results = await verify(all)
        var start = events.count
        for other in others {
            let end = start + other.events.count
            other.turn.resume(returning: .checked(Array(results[start..<end])))
            start = end
        }
        passOn()
        return Array(results.prefix(events.count))
    }

    /// Lets somebody who came meanwhile lead the next batch, so that nobody works for the others for ever.
    private func passOn() {
        guard let (_, next) = queue.next() else {
            isRunning = false
            return
        }
        next.turn.resume(returning: .lead)
    }
}
