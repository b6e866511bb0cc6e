internal import Synchronization

/// Hands every change of a store to all its readers; a slow reader slows nobody and holds a bounded queue.
package final class ChangeBroadcaster: Sendable {
    /// How many changes wait for one reader.
    package static let capacity = 1024

    private struct Reader {
        weak let queue: ChangeQueue?
    }

    private let readers = Mutex<[Reader]>([])

    /// Nobody reads yet.
    package init() {}

    /// Every change sent from now on, until the reader's task is cancelled or it drops the stream.
    package func stream() -> AsyncStream<StoreChange> {
        let queue = ChangeQueue(capacity: Self.capacity)
        readers.withLock { $0.append(Reader(queue: queue)) }
        return AsyncStream(unfolding: { await queue.next() }, onCancel: { queue.finish() })
    }

    /// Sends changes to all readers, in order.
    package func send(_ changes: [StoreChange]) {
        guard !changes.isEmpty else { return }
        let queues = readers.withLock { readers in
            readers.removeAll { $0.queue == nil }
            return readers.compactMap(\.queue)
        }
        for queue in queues { queue.add(changes) }
    }
}
