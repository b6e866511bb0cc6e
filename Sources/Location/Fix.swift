public import NostrCore

/// A measured position: where, how exactly, and when.
///
/// What is essential is checked and refused; what only adds to it (altitude, speed, battery) is left out when it is out
/// of range. Its description says nothing of where it is.
public struct Fix: Hashable, Sendable {
    /// The middle of the circle the position is in.
    public let place: Coordinate
    /// The radius of that circle in metres, 0…20 016 000.
    public let accuracy: Double
    /// When it was measured.
    public let moment: Timestamp
    /// Metres above the ellipsoid, -12 000…100 000.
    public let altitude: Double?
    /// Metres per second over ground, 0…12 000.
    public let speed: Double?
    /// The battery of the device in percent, 0…100.
    public let battery: Int?

    /// The moments taken: from 1970 to the end of the year 9999.
    static let moments = Timestamp(seconds: 0)...Timestamp(seconds: 253_402_300_799)

    /// Takes a position at a checked place.
    ///
    /// - Parameters:
    ///   - place: where.
    ///   - accuracy: metres; sources write a negative number for "not measured", which is no position at all.
    ///   - moment: when it was measured.
    ///   - altitude: metres.
    ///   - speed: metres per second.
    ///   - battery: percent.
    /// - Throws: ``FixProblem/accuracy`` and ``FixProblem/moment`` when these are out of range or no numbers.
    public init(
        place: Coordinate, accuracy: Double, moment: Timestamp, altitude: Double? = nil, speed: Double? = nil,
        battery: Int? = nil
    ) throws(FixProblem) {
        guard (0...Coordinate.farthest).contains(accuracy) else { throw .accuracy }
        guard Self.moments.contains(moment) else { throw .moment }
        self.init(
            checked: place, accuracy: accuracy, moment: moment,
            altitude: altitude.flatMap { (-12_000...100_000).contains($0) ? $0 : nil },
            speed: speed.flatMap { (0...12_000).contains($0) ? $0 : nil },
            battery: battery.flatMap { (0...100).contains($0) ? $0 : nil })
    }

    /// Takes a position as numbers.
    ///
    /// - Throws: ``FixProblem``, ``FixProblem/place`` when latitude or longitude is out of range or no number.
    public init(
        latitude: Double, longitude: Double, accuracy: Double, moment: Timestamp, altitude: Double? = nil,
        speed: Double? = nil, battery: Int? = nil
    ) throws(FixProblem) {
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else { throw .place }
        try self.init(
            place: place, accuracy: accuracy, moment: moment, altitude: altitude, speed: speed, battery: battery)
    }

    private init(
        checked place: Coordinate, accuracy: Double, moment: Timestamp, altitude: Double?, speed: Double?, battery: Int?
    ) {
        self.place = place
        self.accuracy = accuracy
        self.moment = moment
        self.altitude = altitude
        self.speed = speed
        self.battery = battery
    }
}

/// Which number of a position is out of range; never the number itself.
public enum FixProblem: Error, Hashable, Sendable {
    /// Latitude or longitude.
    case place
    /// The accuracy, also when it is negative.
    case accuracy
    /// The moment.
    case moment
}

extension Fix {
    /// The same position, dated no later than a moment: a clock that is fast must not make later positions look old.
    public func dated(noLaterThan limit: Timestamp) -> Fix {
        guard moment > limit else { return self }
        let held = min(max(limit, Self.moments.lowerBound), Self.moments.upperBound)
        return Fix(
            checked: place, accuracy: accuracy, moment: held, altitude: altitude, speed: speed, battery: battery)
    }

    /// A coarser position of the same moment; altitude and speed stay behind, for they could be matched with a map.
    func coarsened(to place: Coordinate, accuracy: Double) -> Fix {
        Fix(
            checked: place, accuracy: min(max(accuracy, self.accuracy), Coordinate.farthest), moment: moment,
            altitude: nil, speed: nil, battery: battery)
    }
}

extension Fix: CustomStringConvertible, CustomDebugStringConvertible {
    /// Two words without the place: where somebody is belongs in no log.
    public var description: String { "a position" }

    /// The same two words.
    public var debugDescription: String { description }
}
