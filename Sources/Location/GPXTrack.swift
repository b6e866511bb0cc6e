public import NostrCore

/// A recorded way: points in segments; between two segments the receiver had lost it.
public struct GPXTrack: Hashable, Sendable {
    /// One point of a track.
    public struct Point: Hashable, Sendable {
        /// Where.
        public let place: Coordinate
        /// Metres above sea level.
        public let altitude: Double?
        /// When, if the file tells.
        public let moment: Timestamp?

        /// A place on the way; a GPX file names it in degrees of WGS 84.
        public init(place: Coordinate, altitude: Double? = nil, moment: Timestamp? = nil) {
            self.place = place
            self.altitude = altitude
            self.moment = moment
        }
    }

    /// The speed at which a way without times is gone: 1.4 m/s, a person walking.
    public static let walkingSpeed = 1.4

    /// The segments, each with at least one point; at least one.
    public let segments: [[Point]]
    private let stops: [Stop]

    /// A point on the time line.
    private struct Stop: Hashable {
        let seconds: Double
        let point: Point
        let beginsSegment: Bool
    }

    /// Reads a GPX 1.1 document: at most 16 MiB, 200 000 points, 32 elements deep, no document type.
    ///
    /// - Throws: ``GPXProblem``.
    public init(gpx bytes: [UInt8]) throws(GPXProblem) {
        var reader = try GPXReader(bytes)
        let segments = try reader.segmentsOfDocument()
        self.segments = segments
        stops = Self.stops(of: segments)
    }

    /// Takes segments; those without points are left out, and without any it is `nil`.
    public init?(segments: [[Point]]) {
        let found = segments.filter { !$0.isEmpty }
        guard !found.isEmpty else { return nil }
        self.segments = found
        stops = Self.stops(of: found)
    }

    /// How long the way takes, in seconds.
    public var seconds: Double { stops.last?.seconds ?? 0 }

    /// A position on the way after a time.
    public enum Whereabouts: Hashable, Sendable {
        /// On the way, at a height in metres and a speed in metres per second.
        case on(Coordinate, altitude: Double?, speed: Double?)
        /// Between two segments.
        case gap
        /// Behind the end.
        case ended
    }

    /// The position some seconds after the beginning; between two points the way is straight, at even speed.
    public func whereabouts(after seconds: Double) -> Whereabouts {
        guard let next = firstStop(after: seconds) else {
            guard let last = stops.last, seconds <= last.seconds else { return .ended }
            return .on(last.point.place, altitude: last.point.altitude, speed: 0)
        }
        // Before the beginning the position is its first point.
        guard next > 0 else { return .on(stops[0].point.place, altitude: stops[0].point.altitude, speed: 0) }
        let (from, to) = (stops[next - 1], stops[next])
        if to.beginsSegment, seconds > from.seconds { return .gap }
        let span = to.seconds - from.seconds
        let part = (seconds - from.seconds) / span
        let altitude: Double? =
            if let low = from.point.altitude, let high = to.point.altitude {
                low + (high - low) * part
            } else {
                from.point.altitude
            }
        return .on(
            from.point.place.point(towards: to.point.place, part: part), altitude: altitude,
            speed: to.beginsSegment ? nil : from.point.place.distance(to: to.point.place) / span)
    }

    /// The index of the first stop later than a time, by halving.
    private func firstStop(after seconds: Double) -> Int? {
        var (low, high) = (0, stops.count)
        while low < high {
            let middle = (low + high) / 2
            if stops[middle].seconds > seconds { high = middle } else { low = middle + 1 }
        }
        return low < stops.count ? low : nil
    }

    /// By the times of the file where every point has one and none goes back; else at walking speed.
    private static func stops(of segments: [[Point]]) -> [Stop] {
        let moments = segments.joined().map(\.moment)
        let isTimed = zip(moments, moments.dropFirst()).allSatisfy { a, b in
            if let a, let b { a <= b } else { false }
        }
        var stops: [Stop] = []
        for segment in segments {
            for (index, point) in segment.enumerated() {
                var seconds = 0.0
                if let last = stops.last {
                    if isTimed, let first = moments.first ?? nil, let moment = point.moment {
                        seconds = Double(moment.seconds - first.seconds)
                    } else {
                        seconds = last.seconds + last.point.place.distance(to: point.place) / walkingSpeed
                    }
                }
                stops.append(Stop(seconds: seconds, point: point, beginsSegment: index == 0))
            }
        }
        return stops
    }
}

extension GPXTrack: CustomStringConvertible, CustomDebugStringConvertible {
    /// How many points it has, without where they are.
    public var description: String { "a track of \(stops.count) points" }

    /// The same.
    public var debugDescription: String { description }
}
