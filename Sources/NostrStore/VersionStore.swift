public import NostrCore

/// A store that also keeps every version of some people's replaceable and addressable events.
public protocol VersionStore: Sendable {
    /// From now on keeps every version of these authors' replaceable and addressable events that
    /// ``EventStore/save(_:from:)`` is given, also those that are superseded; adds to what was asked before.
    /// What is in the store already counts as a version. Deletion (NIP-09) by their author takes versions away too
    /// only when `a` or `e` tags name them and the author is not in this set: an author's own history stays. A version whose
    /// expiration (NIP-40) has passed is gone.
    func keepVersions(of authors: Set<PublicKey>) async throws
    /// The authors whose versions are kept.
    func versionedAuthors() async throws -> Set<PublicKey>
    /// The kept versions of an author's events of a kind with this `d` identifier (empty for replaceable kinds), newest
    /// first; at the same second the lower id first.
    func versions(of author: PublicKey, kind: Kind, identifier: String) async throws -> [Event]
    /// For each address of an author that has versions: how many, and when the newest was made; by kind, then by the
    /// bytes of the identifier.
    func versionCounts(of author: PublicKey) async throws -> [VersionCount]
    /// One kept version.
    func version(_ id: EventID) async throws -> Event?
    /// Forgets the versions of an author and stops keeping them.
    func forgetVersions(of author: PublicKey) async throws
}

/// How many versions of one address are kept.
public struct VersionCount: Hashable, Sendable {
    /// What it is.
    public let kind: Kind
    /// The `d` identifier; empty for replaceable kinds.
    public let identifier: String
    /// How many versions.
    public let count: Int
    /// When the newest was made.
    public let newest: Timestamp

    /// The count at one address, as a store found it.
    public init(kind: Kind, identifier: String, count: Int, newest: Timestamp) {
        self.kind = kind
        self.identifier = identifier
        self.count = count
        self.newest = newest
    }

    /// Whether this count comes before another in a list: by kind, then by the bytes of the identifier.
    package func isListed(before other: VersionCount) -> Bool {
        guard kind == other.kind else { return kind < other.kind }
        return identifier.utf8.lexicographicallyPrecedes(other.identifier.utf8)
    }
}

extension Event {
    /// Whether there can be versions of it: it is replaceable or addressable.
    package var hasVersions: Bool {
        switch kind.retention {
        case .replaceable, .addressable: true
        case .regular, .ephemeral: false
        }
    }
}
