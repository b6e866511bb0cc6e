internal import Synchronization

/// A value that others watch: each gets the value as it is and then the newest whenever it changes.
///
/// Values that are replaced before a watcher looks are not kept for it.
public final class CurrentValue<Value: Sendable & Equatable>: Sendable {
    private let current: Mutex<Value>
    private let changes = Broadcast<Value>(capacity: 1)

    /// - Parameter value: the value until the first change.
    public init(_ value: Value) {
        current = Mutex(value)
    }

    /// The value now.
    public var value: Value { current.withLock { $0 } }

    /// The value now and whenever it changes, until the watcher's task is cancelled, it drops the stream, or
    /// ``finish()``.
    public func values() -> AsyncStream<Value> {
        current.withLock { changes.listen(startingWith: $0) }
    }

    /// Replaces the value and tells the watchers, if it differs.
    public func set(_ value: Value) {
        current.withLock { current in
            guard current != value else { return }
            current = value
            changes.send(value)
        }
    }

    /// Ends every watcher's stream; the value stays.
    public func finish() {
        changes.finish()
    }
}
