internal import Synchronization

/// A source that others push: the page in a browser, a program on the system's bus.
///
/// Only the newest reading waits for a reader who is slow. Of two readers, the later one is served.
public final class PushedReadings: LocationSource {
    private struct State {
        var number = 0
        var reader: AsyncStream<LocationReading>.Continuation?
    }

    private let state = Mutex(State())

    /// Nobody reads yet.
    public init() {}

    /// Hands over what came; without a reader it is dropped.
    public func push(_ reading: LocationReading) {
        state.withLock { $0.reader }?.yield(reading)
    }

    /// Whether somebody reads: what pushes can rest when nobody does.
    public var isRead: Bool { state.withLock { $0.reader != nil } }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let (stream, reader) = AsyncStream.makeStream(of: LocationReading.self, bufferingPolicy: .bufferingNewest(1))
        let (number, former) = state.withLock { state in
            defer { state.reader = reader }
            state.number &+= 1
            return (state.number, state.reader)
        }
        former?.finish()
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { state in
                if state.number == number { state.reader = nil }
            }
        }
        return stream
    }
}
