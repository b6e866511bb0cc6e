/// A place a person has given a name: home, school.
public struct NamedPlace: Hashable, Sendable {
    /// The radii that are taken, in metres: smaller than 50 no telephone can tell.
    public static let radii = 50.0...50_000.0

    /// What it is known by, also after it was renamed.
    public let id: String
    /// What people call it.
    public var name: String
    /// Its middle.
    public let centre: Coordinate
    /// How far it reaches, in metres.
    public let radius: Double

    /// Takes a place; a radius out of range is held in ``radii``, and one that is no number is the smallest.
    public init(id: String, name: String, centre: Coordinate, radius: Double) {
        self.id = id
        self.name = name
        self.centre = centre
        self.radius =
            radius.isNaN ? Self.radii.lowerBound : min(max(radius, Self.radii.lowerBound), Self.radii.upperBound)
    }

    /// Whether a position is inside; `nil` when it does not decide.
    ///
    /// Inside is whose whole circle lies inside; outside is whose whole circle lies outside, beyond a margin of a tenth
    /// of the radius, at least 20 m, so that standing at the edge is neither.
    public func contains(_ fix: Fix) -> Bool? {
        let distance = centre.distance(to: fix.place)
        if distance + fix.accuracy <= radius { return true }
        if distance - fix.accuracy > radius + max(20, radius / 10) { return false }
        return nil
    }
}

extension NamedPlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, radius
        case latitude = "lat"
        case longitude = "lon"
    }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`, and ``FixProblem/place`` for a middle that is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let centre = Coordinate(latitude: latitude, longitude: longitude) else { throw FixProblem.place }
        self.init(
            id: try values.decode(String.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
            centre: centre, radius: try values.decode(Double.self, forKey: .radius))
    }

    /// Writes the place for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(name, forKey: .name)
        try values.encode(centre.latitude, forKey: .latitude)
        try values.encode(centre.longitude, forKey: .longitude)
        try values.encode(radius, forKey: .radius)
    }
}
