internal import AsyncPrimitives
internal import Synchronization

/// Requests to relays that screens wait for: each once, the oldest first, a few at a time.
final class PendingRequests<Request: Hashable & Sendable>: Sendable {
    private struct State {
        var waiting: [Request] = []
        var running: Set<Request> = []
    }

    private static var mostWaiting: Int { 512 }
    private let changes: Broadcast<AccountChange>
    private let state = Mutex(State())
    private let bell = Doorbell()

    /// - Parameter changes: where the end of each request is told.
    init(_ changes: Broadcast<AccountChange>) {
        self.changes = changes
    }

    /// Adds a request unless it waits or runs.
    func add(_ request: Request) {
        let isNew = state.withLock { state in
            guard !state.running.contains(request), !state.waiting.contains(request) else { return false }
            // The newest requests are for what is on screen now.
            if state.waiting.count >= Self.mostWaiting { state.waiting.removeFirst() }
            state.waiting.append(request)
            return true
        }
        if isNew { bell.ring() }
    }

    /// Whether a request waits or runs.
    func contains(_ request: Request) -> Bool {
        contains { $0 == request }
    }

    /// Whether a request of some kind waits or runs.
    func contains(where matches: (Request) -> Bool) -> Bool {
        state.withLock { $0.running.contains(where: matches) || $0.waiting.contains(where: matches) }
    }

    /// Serves requests until cancelled.
    ///
    /// - Parameter perform: asks relays; returns what to tell screens when the request has ended.
    func serve(atMost limit: Int, _ perform: @escaping @Sendable (Request) async -> AccountChange) async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                while let request = next(limit) {
                    group.addTask {
                        let change = await perform(request)
                        self.finish(request)
                        self.changes.send(change)
                    }
                }
                await bell.wait()
            }
        }
    }

    private func next(_ limit: Int) -> Request? {
        state.withLock { state in
            guard state.running.count < limit, !state.waiting.isEmpty else { return nil }
            let request = state.waiting.removeFirst()
            state.running.insert(request)
            return request
        }
    }

    private func finish(_ request: Request) {
        state.withLock { _ = $0.running.remove(request) }
        bell.ring()
    }
}
