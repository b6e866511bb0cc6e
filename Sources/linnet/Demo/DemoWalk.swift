import AsyncPrimitives
import Foundation
internal import Location
import NostrClient
import NostrCore

/// Where somebody of the demo's family goes: a round in a valley that is nowhere in particular.
struct DemoWalk: Sendable {
    /// Degrees north and east of the middle of the round.
    let middle: (latitude: Double, longitude: Double)
    /// Metres from the middle.
    let reach: Double
    /// Seconds for one round; nil for somebody who stays.
    let round: Double?
    /// The battery at a moment, in percent, from seconds since the family set out; nil where it is not told.
    let battery: @Sendable (Double) -> Int?

    /// Where they are so many seconds after they set out.
    func place(after elapsed: Double) -> (latitude: Double, longitude: Double) {
        let turn = round.map { elapsed / $0 * 2 * .pi } ?? 0
        // Two swings of different length make a way that nobody takes for a circle.
        let north = reach * (sin(turn) + 0.3 * sin(3 * turn))
        let east = reach * (cos(turn) - 0.25 * sin(2 * turn))
        let metresPerDegree = 111_195.0
        return (
            middle.latitude + north / metresPerDegree,
            middle.longitude + east / (metresPerDegree * cos(middle.latitude * .pi / 180))
        )
    }
}

/// A receiver that is carried along a walk.
struct DemoReceiver: LocationSource {
    let walk: DemoWalk
    let start: Timestamp
    let time: Time<Timestamp>

    func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        AsyncStream { continuation in
            let task = Task {
                while !Task.isCancelled {
                    continuation.yield(reading(at: time.now()))
                    // Being cancelled is the one way a sleep fails, and then the loop ends.
                    try? await time.clock.sleep(for: max(interval, .seconds(5)))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func reading(at now: Timestamp) -> LocationReading {
        let elapsed = Double(now.seconds - start.seconds)
        let place = walk.place(after: elapsed)
        do {
            return .fix(
                try Fix(
                    latitude: place.latitude, longitude: place.longitude, accuracy: 12, moment: now,
                    battery: walk.battery(elapsed)))
        } catch {
            return .failure(.noFix)
        }
    }
}
