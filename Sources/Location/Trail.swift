public import NostrCore

/// Where a member has been, if they opted in: positions of the last days, bounded and thinned.
///
/// When there are too many, those go that the others tell well enough: a point is left out when going evenly in time
/// from its neighbours would have passed nearer than some metres, so that turns and stays remain. It is sealed before
/// it is kept.
public struct Trail: Hashable, Sendable {
    /// As many days can be kept.
    public static let days = 1...365
    /// More positions are thinned.
    public static let mostPoints = 4096
    private static let firstTolerance = 10.0

    /// How many days are kept.
    public private(set) var days: Int
    /// The positions, oldest first, one per second at most.
    public private(set) var points: [Fix] = []

    /// An empty trail.
    ///
    /// - Parameter days: how many are kept, held in ``days-swift.type.property``.
    public init(days: Int) {
        self.days = min(max(days, Self.days.lowerBound), Self.days.upperBound)
    }

    /// Adds a position, also one that comes late; one of a second that has one is ignored.
    public mutating func add(_ fix: Fix, now: Timestamp) {
        let fix = fix.dated(noLaterThan: now)
        defer { forget(now: now) }
        let place = index(notBefore: fix.moment)
        if place < points.count, points[place].moment == fix.moment { return }
        points.insert(fix, at: place)
        guard points.count > Self.mostPoints else { return }
        var tolerance = Self.firstTolerance
        // 10 m doubled 20 times is beyond half the Earth; who jumps farther loses the oldest.
        while points.count > Self.mostPoints / 4 * 3, tolerance < Coordinate.farthest {
            points = thinned(toWithin: tolerance)
            tolerance *= 2
        }
        points.removeFirst(max(0, points.count - Self.mostPoints))
    }

    /// Drops what is older than the days kept; to be called once in a while for members who are silent.
    public mutating func forget(now: Timestamp) {
        let oldest = now - .seconds(Int64(days) * 86_400)
        points.removeFirst(index(notBefore: oldest))
    }

    /// Keeps another number of days from now on.
    public mutating func keep(days: Int, now: Timestamp) {
        self.days = min(max(days, Self.days.lowerBound), Self.days.upperBound)
        forget(now: now)
    }

    /// The points without those that others tell to within some metres; the first and the last always stay.
    ///
    /// Source: Douglas and Peucker 1973, with the distance taken at the same time (Meratnia and de By 2004).
    public func thinned(toWithin tolerance: Double) -> [Fix] {
        guard points.count > 2 else { return points }
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[0] = true
        isKept[points.count - 1] = true
        var spans = [0...points.count - 1]
        while let span = spans.popLast() {
            guard let (index, distance) = farthest(in: span), distance > tolerance else { continue }
            isKept[index] = true
            spans.append(span.lowerBound...index)
            spans.append(index...span.upperBound)
        }
        return zip(points, isKept).filter(\.1).map(\.0)
    }

    /// The point farthest from where one would have been, going evenly between the ends.
    private func farthest(in span: ClosedRange<Int>) -> (index: Int, metres: Double)? {
        guard span.count > 2 else { return nil }
        let (from, to) = (points[span.lowerBound], points[span.upperBound])
        let shrink = cosine(ofDegrees: from.place.latitude)
        let whole = Double(to.moment.seconds - from.moment.seconds)
        let (eastEnd, northEnd) = offset(to, from: from, shrink)
        var found: (index: Int, metres: Double)?
        for index in span.lowerBound + 1..<span.upperBound {
            let part = Double(points[index].moment.seconds - from.moment.seconds) / whole
            let (east, north) = offset(points[index], from: from, shrink)
            let (x, y) = (east - eastEnd * part, north - northEnd * part)
            let metres = (x * x + y * y).squareRoot()
            if metres > found?.metres ?? -1 { found = (index, metres) }
        }
        return found
    }

    /// Metres east and north on a plane at the first point, the short way around.
    private func offset(_ fix: Fix, from origin: Fix, _ shrink: Double) -> (east: Double, north: Double) {
        let east = (fix.place.longitude - origin.place.longitude).remainder(dividingBy: 360)
        return (
            east * shrink * Coordinate.metresPerDegree,
            (fix.place.latitude - origin.place.latitude) * Coordinate.metresPerDegree
        )
    }

    /// The first point not before a moment, by halving.
    private func index(notBefore moment: Timestamp) -> Int {
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].moment < moment { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Trail: Codable {
    private enum CodingKeys: String, CodingKey { case days, points }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(days: try values.decode(Int.self, forKey: .days))
        let kept = try values.decode([Fix].self, forKey: .points)
        for fix in kept.suffix(Self.mostPoints).sorted(by: { $0.moment < $1.moment })
        where points.last?.moment != fix.moment { points.append(fix) }
    }

    /// Writes the trail for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(days, forKey: .days)
        try values.encode(points, forKey: .points)
    }
}

extension Trail: CustomStringConvertible, CustomDebugStringConvertible {
    /// How long it is, without where.
    public var description: String { "a trail of \(points.count) points" }

    /// The same.
    public var debugDescription: String { description }
}
