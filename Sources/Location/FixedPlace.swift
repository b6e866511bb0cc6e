public import AsyncPrimitives
public import NostrCore

/// A place that does not move: a kitchen tablet, or a place a person enters by hand.
public struct FixedPlace: LocationSource {
    private let place: Coordinate
    private let accuracy: Double
    private let time: Time<Timestamp>

    /// A spot that every reading tells again.
    ///
    /// - Parameters:
    ///   - place: where it is.
    ///   - accuracy: how exactly it is known, in metres.
    ///   - time: what the rests between readings run on, and the date that each reading gets.
    /// - Throws: ``FixProblem/accuracy`` when it is negative, too large or no number.
    public init(
        _ place: Coordinate, accuracy: Double = 10, time: Time<Timestamp>
    ) throws(FixProblem) {
        _ = try Fix(place: place, accuracy: accuracy, moment: Timestamp(seconds: 0))
        self.place = place
        self.accuracy = accuracy
        self.time = time
    }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let steps = StepCount()
        return AsyncStream(unfolding: {
            if steps.next() > 0 { await time.pause(for: max(interval, shortestRest)) }
            if Task.isCancelled { return nil }
            return LocationReading { () throws(FixProblem) in
                try Fix(place: place, accuracy: accuracy, moment: time.now())
            }
        })
    }
}
