import AsyncPrimitives
internal import Location
import NostrClient
import NostrCore
import Synchronization
import ViewModels

extension LocationSource {
    /// Reads until a position comes, for so long at most; a source that is of no use is not waited for.
    ///
    /// - Returns: the position, or what was said last; `nil` when nothing was.
    func first(
        within deadline: Duration, clock: any Clock<Duration> = ContinuousClock()
    ) async -> LocationReading? {
        let last = LastReading()
        let readings = readings(every: .seconds(1))
        // Being late is no failure here: what was said until then counts.
        _ = await withDeadline(deadline, on: clock) {
            for await reading in readings {
                last.keep(reading)
                // A receiver that does not know yet may know in a moment.
                if reading != .failure(.noFix) { break }
            }
        }
        return last.reading
    }
}

/// What a source said last.
private final class LastReading: Sendable {
    private let kept = Mutex<LocationReading?>(nil)

    var reading: LocationReading? { kept.withLock { $0 } }

    func keep(_ reading: LocationReading) { kept.withLock { $0 = reading } }
}

extension PlaceOutcome {
    /// What a reading means, without where it is.
    init(_ reading: LocationReading?) {
        switch reading {
        case .fix(let fix): self = .found(accuracy: fix.accuracy)
        case .failure(let failure): self = .failed(failure)
        case nil: self = .nothing
        }
    }
}
