internal import AsyncPrimitives
public import Location
internal import Synchronization

/// From where the place of this machine is read; it outlives the times the account is unlocked.
public final class LocationSourceSetting: Sendable {
    private let source = Mutex<(any LocationSource)?>(nil)
    /// Rings when the source is another.
    let changed = Doorbell()

    /// No source.
    public init() {}

    /// Reads from this source while a circle has use for it; nil reads from none.
    ///
    /// Readings that a page pushes count all the same.
    public func set(_ source: (any LocationSource)?) {
        self.source.withLock { $0 = source }
        changed.ring()
    }

    var current: (any LocationSource)? { source.withLock { $0 } }
}
