internal import NostrCore
internal import NostrNIPs

/// What a domain said of one claim, kept so that it is not asked again and again.
struct NameVerdict: Hashable, Sendable {
    static let table = "nip05"
    /// How long an answer counts, and for how long a domain that gave none is left alone.
    private static let lifetime: Duration = .seconds(6 * 3600)
    private static let pause: Duration = .seconds(15 * 60)

    var identifier: InternetIdentifier
    /// Verified, mismatch or unreachable.
    var standing: NostrAddress.Standing
    var checkedAt: Timestamp

    /// Whether it still counts.
    func isFresh(_ now: Timestamp) -> Bool {
        let lifetime = standing == .unreachable ? Self.pause : Self.lifetime
        return checkedAt <= now && checkedAt + lifetime > now
    }

    init(_ identifier: InternetIdentifier, _ standing: NostrAddress.Standing, at moment: Timestamp) {
        self.identifier = identifier
        self.standing = standing
        checkedAt = moment
    }

    /// Reads the standing, the moment and the claim, each behind a space.
    init?(record: [UInt8]) {
        let parts = String(decoding: record, as: UTF8.self).split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let standing = NostrAddress.Standing(rawValue: String(parts[0])),
            let seconds = Int64(parts[1]), let identifier = InternetIdentifier(String(parts[2]))
        else { return nil }
        self.init(identifier, standing, at: Timestamp(seconds: seconds))
    }

    var record: [UInt8] {
        Array("\(standing.rawValue) \(checkedAt.seconds) \(identifier.local)@\(identifier.domain)".utf8)
    }
}
