internal import NostrCore
public import NostrNIPs

/// A name at a domain that a person claims in their profile (NIP-05), and whether the domain says the same.
public struct NostrAddress: Hashable, Sendable {
    /// What is known of the claim.
    public enum Standing: String, Hashable, Sendable, CaseIterable {
        /// The domain was not asked, or long ago.
        case unknown
        /// The domain is being asked.
        case checking
        /// The domain names this key.
        case verified
        /// The domain names another key, or none.
        case mismatch
        /// The domain gives no answer that could be read.
        case unreachable
    }

    /// The name and the domain.
    public var identifier: InternetIdentifier
    /// Whether the domain says the same.
    public var standing: Standing

    /// A claim as it stands.
    public init(_ identifier: InternetIdentifier, _ standing: Standing) {
        self.identifier = identifier
        self.standing = standing
    }
}

/// Fetches what domains say of their names; the composition root knows how.
public protocol NamesFetching: Sendable {
    /// The document with a domain's names, in bounded time and length, without following a redirect.
    ///
    /// - Throws: when there is none to be had.
    ///
    /// Source: NIP-05.
    func document(for identifier: InternetIdentifier) async throws -> [UInt8]
}

/// Why a name leads to nobody.
public enum NameFailure: Error, Hashable, Sendable {
    /// The domain does not know the name.
    case nobody
    /// The domain gives no answer that could be read.
    case unreachable
}

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
