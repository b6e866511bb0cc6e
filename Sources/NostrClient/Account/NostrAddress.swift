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
