internal import NostrCore

extension Fix: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude = "lat"
        case longitude = "lon"
        case accuracy = "acc"
        case moment = "ts"
        case altitude = "alt"
        case speed
        case battery = "batt"
    }

    /// Reads a position that was kept, with the same checks as a new one.
    ///
    /// - Throws: `DecodingError` for what is no position.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        do {
            try self.init(
                latitude: try values.decode(Double.self, forKey: .latitude),
                longitude: try values.decode(Double.self, forKey: .longitude),
                accuracy: try values.decode(Double.self, forKey: .accuracy),
                moment: try values.moment(.moment),
                altitude: try values.decodeIfPresent(Double.self, forKey: .altitude),
                speed: try values.decodeIfPresent(Double.self, forKey: .speed),
                battery: try values.decodeIfPresent(Int.self, forKey: .battery))
        } catch is FixProblem {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no position"))
        }
    }

    /// Writes the position for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(place.latitude, forKey: .latitude)
        try values.encode(place.longitude, forKey: .longitude)
        try values.encode(accuracy, forKey: .accuracy)
        try values.encode(moment, .moment)
        try values.encodeIfPresent(altitude, forKey: .altitude)
        try values.encodeIfPresent(speed, forKey: .speed)
        try values.encodeIfPresent(battery, forKey: .battery)
    }
}

/// Moments lie in records as whole seconds.
extension KeyedDecodingContainer {
    func moment(_ key: Key) throws -> Timestamp {
        Timestamp(seconds: try decode(Int64.self, forKey: key))
    }

    func momentIfPresent(_ key: Key) throws -> Timestamp? {
        try decodeIfPresent(Int64.self, forKey: key).map(Timestamp.init(seconds:))
    }
}

extension KeyedEncodingContainer {
    mutating func encode(_ moment: Timestamp, _ key: Key) throws {
        try encode(moment.seconds, forKey: key)
    }

    mutating func encodeIfPresent(_ moment: Timestamp?, _ key: Key) throws {
        try encodeIfPresent(moment?.seconds, forKey: key)
    }
}
