public import AsyncPrimitives
public import NostrCore

/// Goes a recorded way again, in the time it is given: for trying things out, and for demonstrations.
///
/// It tells where it is as often as it is asked to, between the points too. Between two segments it has no fix. At the
/// end it begins again, or says that it is gone, and ends. Fixes are dated now, not when the way was recorded.
public struct GPXReplay: LocationSource {
    private let track: GPXTrack
    private let start: Timestamp
    private let isLooping: Bool
    private let accuracy: Double
    private let time: Time<Timestamp>

    /// Sets out on the way.
    ///
    /// - Parameters:
    ///   - track: the way.
    ///   - start: when it is set out on; before that it stays at its beginning.
    ///   - isLooping: whether it begins again at its end.
    ///   - accuracy: metres; GPX tells none.
    ///   - time: what the rests between readings run on, and the date that each reading gets.
    /// - Throws: ``FixProblem/accuracy``.
    public init(
        _ track: GPXTrack, from start: Timestamp, isLooping: Bool = false, accuracy: Double = 5,
        time: Time<Timestamp>
    ) throws(FixProblem) {
        _ = try Fix(latitude: 0, longitude: 0, accuracy: accuracy, moment: Timestamp(seconds: 0))
        self.track = track
        self.start = start
        self.isLooping = isLooping
        self.accuracy = accuracy
        self.time = time
    }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let steps = StepCount()
        let ends = StepCount()
        return AsyncStream(unfolding: {
            if steps.next() > 0 { await time.pause(for: max(interval, shortestRest)) }
            if Task.isCancelled { return nil }
            return reading(at: time.now()) ?? (ends.next() == 0 ? .failure(.sourceGone) : nil)
        })
    }

    /// What it tells at a moment; `nil` at the end.
    func reading(at now: Timestamp) -> LocationReading? {
        // Apart as numbers: their difference as integers could overflow.
        var elapsed = Double(now.seconds) - Double(start.seconds)
        if isLooping, elapsed > 0 {
            elapsed = track.seconds > 0 ? elapsed.truncatingRemainder(dividingBy: track.seconds) : 0
        }
        switch track.whereabouts(after: elapsed) {
        case .on(let place, let altitude, let speed):
            return LocationReading { () throws(FixProblem) in
                try Fix(place: place, accuracy: accuracy, moment: now, altitude: altitude, speed: speed)
            }
        case .gap: return .failure(.noFix)
        case .ended: return nil
        }
    }
}
