#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A point on the Earth.
///
/// Unit: degrees of WGS 84; latitude -90…90, longitude -180..<180. Distances and bearings are those on a sphere of the
/// Earth's mean radius: at most 0.6 % off, less than any fix is. Its description says nothing of where it is.
public struct Coordinate: Hashable, Sendable {
    /// Degrees north of the equator, -90…90.
    public let latitude: Double
    /// Degrees east of Greenwich, -180..<180.
    public let longitude: Double

    /// The Earth's mean radius in metres (IUGG, R1).
    static let earthRadius = 6_371_008.8
    /// The metres in one degree of a great circle.
    static let metresPerDegree = earthRadius * .pi / 180
    /// The greatest distance there is between two points, in metres.
    public static let farthest = earthRadius * .pi

    /// Takes degrees, or is `nil` outside -90…90 and -180…180; what is no number is outside.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        // Adding zero takes the sign off a negative zero, which would be equal and yet written otherwise.
        self.latitude = latitude + 0
        self.longitude = (longitude == 180 ? -180 : longitude) + 0
    }

    /// Takes degrees that were computed: the latitude is held in its range, the longitude is wound into its own.
    ///
    /// What is not finite becomes zero: our own arithmetic makes none of it from checked coordinates.
    package init(wrapping latitude: Double, _ longitude: Double) {
        self.latitude = latitude.isFinite ? min(max(latitude, -90), 90) + 0 : 0
        let wound = longitude.isFinite ? longitude.remainder(dividingBy: 360) : 0
        self.longitude = (wound >= 180 ? -180 : wound) + 0
    }

    /// The metres to another point along the great circle (haversine formula).
    public func distance(to other: Coordinate) -> Double {
        let north = sin(radians(other.latitude - latitude) / 2)
        let east = sin(radians(other.longitude - longitude) / 2)
        let square = north * north + cos(radians(latitude)) * cos(radians(other.latitude)) * east * east
        return 2 * Self.earthRadius * asin(min(1, square.squareRoot()))
    }

    /// The direction in which the great circle to another point begins: degrees clockwise from north, 0..<360.
    public func bearing(to other: Coordinate) -> Double {
        let (from, to) = (radians(latitude), radians(other.latitude))
        let turn = radians(other.longitude - longitude)
        let angle = degrees(
            atan2(sin(turn) * cos(to), cos(from) * sin(to) - sin(from) * cos(to) * cos(turn)))
        // A tiny negative angle plus 360 rounds to 360, which is north again.
        let positive = angle < 0 ? angle + 360 : angle
        return positive < 360 ? positive : 0
    }

    /// The point reached by going some metres along the great circle that begins at a bearing.
    ///
    /// - Parameters:
    ///   - distance: metres; what is not finite stays here.
    ///   - bearing: degrees clockwise from north.
    public func destination(distance: Double, bearing: Double) -> Coordinate {
        guard distance.isFinite, bearing.isFinite, distance != 0 else { return self }
        let arc = distance.remainder(dividingBy: 2 * Self.farthest) / Self.earthRadius
        let (start, course) = (radians(latitude), radians(bearing))
        let height = sin(start) * cos(arc) + cos(start) * sin(arc) * cos(course)
        let end = asin(min(max(height, -1), 1))
        let turn = atan2(sin(course) * sin(arc) * cos(start), cos(arc) - sin(start) * sin(end))
        return Coordinate(wrapping: degrees(end), longitude + degrees(turn))
    }

    /// The point a part of the way to another; 0 is here, 1 is there.
    func point(towards other: Coordinate, part: Double) -> Coordinate {
        destination(distance: distance(to: other) * min(max(part, 0), 1), bearing: bearing(to: other))
    }
}

extension Coordinate: CustomStringConvertible, CustomDebugStringConvertible {
    /// Two words without the place: where somebody is belongs in no log.
    public var description: String { "a place" }

    /// The same two words.
    public var debugDescription: String { description }
}

/// The cosine of a latitude in degrees: how much shorter its circle is than the equator.
func cosine(ofDegrees angle: Double) -> Double { max(0, cos(radians(angle))) }

private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

private func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
