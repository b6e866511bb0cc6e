internal import AsyncPrimitives
internal import Synchronization

/// A queue and how many work through it: none while it is empty, as most clients are silent most of the time, and a task
/// that waits costs two kilobytes.
final class Workload<Element: Sendable>: Sendable {
    private let queue: BoundedQueue<Element>
    private let workers = Mutex(0)
    private let most: Int

    /// - Parameters:
    ///   - capacity: the weight from which whoever adds waits.
    ///   - most: how many work at the same time.
    init(capacity: Int, most: Int) {
        queue = BoundedQueue(capacity: capacity)
        self.most = most
    }

    /// Adds an element.
    ///
    /// - Returns: whether a worker is to begin, which takes its work by ``next(atMost:)`` until there is none.
    func add(_ element: Element, weight: Int) -> Bool {
        queue.sendNow(element, weight: weight)
        return workers.withLock { workers in
            guard workers < most, !queue.isEmpty else { return false }
            workers += 1
            return true
        }
    }

    /// Waits while much is to be done; no longer once it is finished or the task is cancelled.
    func waitWhileFull() async {
        await queue.waitWhileFull()
    }

    /// What a worker does next; `nil` when it is to end, and then it must.
    func next(atMost most: Int) -> [Element]? {
        // Within the lock: what is added after this look finds one worker fewer, and another begins.
        workers.withLock { workers in
            let some = queue.receiveNow(atMost: most)
            guard some.isEmpty else { return some }
            workers -= 1
            return nil
        }
    }

    /// Nothing more is added; what is there is still worked through.
    func finish() {
        queue.finish()
    }
}
