internal import NostrCore

/// Checks events of all connections together: what arrives while one batch runs makes up the next, so that signatures
/// are checked in large batches on all cores whoever sent them.
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
    private var waiting: [Waiting] = []

    /// Checks events; results in the order of the input.
    func check(_ events: [UnverifiedEvent]) async -> [Result<Event, EventRejection>] {
        if isRunning {
            let turn = await withCheckedContinuation { waiting.append(Waiting(events: events, turn: $0)) }
            if case .checked(let results) = turn { return results }
        }
        isRunning = true
        let others = waiting
        waiting = []
        let results = await verify(events + others.flatMap(\.events))
        var start = events.count
        for other in others {
            let end = start + other.events.count
            other.turn.resume(returning: .checked(Array(results[start..<end])))
            start = end
        }
        passOn()
        return Array(results.prefix(events.count))
    }

    /// Lets the first that came meanwhile lead the next batch, so that nobody works for the others for ever.
    private func passOn() {
        guard !waiting.isEmpty else {
            isRunning = false
            return
        }
        waiting.removeFirst().turn.resume(returning: .lead)
    }
}
