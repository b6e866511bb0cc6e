public import NostrCore

/// Says once when another member's battery runs low, and again only after it had recovered.
///
/// Low is below 20 percent, recovered 20 and more. Source: Whistle. The owner's battery never alerts.
public struct BatteryAlerts: Hashable, Sendable {
    /// Percent from which a battery is not low.
    public static let recovered = 20
    private let owner: PublicKey
    private var low: Set<PublicKey> = []

    /// Nobody's is low.
    ///
    /// - Parameter owner: who reads.
    public init(owner: PublicKey) {
        self.owner = owner
    }

    /// Takes the charge a member told.
    ///
    /// - Parameters:
    ///   - battery: percent; `nil` changes nothing.
    ///   - member: whose it is.
    /// - Returns: whether to alert.
    public mutating func receive(_ battery: Int?, of member: PublicKey) -> Bool {
        guard let battery, member != owner else { return false }
        guard battery < Self.recovered else {
            low.remove(member)
            return false
        }
        return low.insert(member).inserted
    }

    /// Forgets who is not a member any more.
    public mutating func keep(_ members: Set<PublicKey>) { low.formIntersection(members) }
}

extension BatteryAlerts: Codable {
    private enum CodingKeys: String, CodingKey { case owner, low }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`, and ``/NostrCore/HexError`` for a key that is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(owner: try PublicKey(hex: try values.decode(String.self, forKey: .owner)))
        low = Set(try values.decode([String].self, forKey: .low).map { try PublicKey(hex: $0) })
    }

    /// Writes who is low, for a record.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(owner.hex, forKey: .owner)
        try values.encode(low.sorted().map(\.hex), forKey: .low)
    }
}
