import AsyncPrimitives
internal import Location
import NostrClient
import NostrCore

/// The place that an account entered for a machine that does not move, read anew as often as it is told.
struct KeptPlace: LocationSource {
    /// How exactly it counts, in metres.
    static let accuracy = 10.0

    /// Throws where it cannot be read now.
    let place: @Sendable () async throws -> Coordinate?
    let time: Time<Timestamp>

    func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let reader = KeptPlaceReader(place: place, time: time, interval: max(interval, .seconds(1)))
        return AsyncStream(unfolding: { await reader.next() })
    }
}

/// One reader of a kept place.
private actor KeptPlaceReader {
    private let place: @Sendable () async throws -> Coordinate?
    private let time: Time<Timestamp>
    private let interval: Duration
    private var hasTold = false

    init(place: @escaping @Sendable () async throws -> Coordinate?, time: Time<Timestamp>, interval: Duration) {
        self.place = place
        self.time = time
        self.interval = interval
    }

    func next() async -> LocationReading? {
        // Being cancelled is the one way a sleep fails, and that is looked at next.
        if hasTold { try? await time.clock.sleep(for: interval) }
        hasTold = true
        if Task.isCancelled { return nil }
        do {
            guard let place = try await place() else { return .failure(.noDevice) }
            return .fix(try Fix(place: place, accuracy: KeptPlace.accuracy, moment: time.now()))
        } catch {
            // Locked, most of all: the account says when it is not.
            return .failure(.notAllowed)
        }
    }
}
