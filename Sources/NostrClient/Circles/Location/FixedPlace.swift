internal import NostrCore

/// A place that does not move: a kitchen tablet, or a place a person enters by hand.
public struct FixedPlace: LocationSource {
    private let place: Coordinate
    private let accuracy: Double
    private let time: AccountTime

    /// Takes the place, how exactly it is known in metres, and the time.
    ///
    /// - Throws: ``FixProblem/accuracy`` when it is negative, too large or no number.
    public init(_ place: Coordinate, accuracy: Double = 10, time: AccountTime) throws(FixProblem) {
        _ = try Fix(place: place, accuracy: accuracy, moment: Timestamp(seconds: 0))
        self.place = place
        self.accuracy = accuracy
        self.time = time
    }

    public func readings(every interval: Duration) -> AsyncStream<LocationReading> {
        let steps = StepCount()
        return AsyncStream(unfolding: {
            if steps.next() > 0 { await time.pause(max(interval, shortestRest)) }
            if Task.isCancelled { return nil }
            return LocationReading { () throws(FixProblem) in
                try Fix(place: place, accuracy: accuracy, moment: time.now())
            }
        })
    }
}
