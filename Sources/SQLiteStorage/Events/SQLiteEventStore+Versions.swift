public import NostrCore
internal import NostrNIPs
public import NostrStore

extension SQLiteEventStore: VersionStore {
    /// Keeps every version of these authors' events from now on, and those that are here already; returns after the
    /// commit is on the disk.
    public func keepVersions(of authors: Set<PublicKey>) async throws {
        guard !authors.isSubset(of: versioned.all) else { return }
        _ = try await writer.perform { try $0.keepVersions(of: authors) }
    }

    /// The authors whose versions are kept.
    public func versionedAuthors() async throws -> Set<PublicKey> { versioned.all }

    /// The kept versions at one address, newest first.
    public func versions(of author: PublicKey, kind: Kind, identifier: String) async throws -> [Event] {
        let address = EventAddress(kind: kind, author: author, identifier: identifier)
        return try await read { reader in
            guard let number = try reader.authors.find(author, in: reader.db) else { return [] }
            return try VersionRows(db: reader.db).versions(at: address, author: number, now: reader.now)
        }
    }

    /// For each address of an author that has versions: how many, and when the newest was made.
    public func versionCounts(of author: PublicKey) async throws -> [VersionCount] {
        try await read { reader in
            guard let number = try reader.authors.find(author, in: reader.db) else { return [] }
            return try VersionRows(db: reader.db).counts(author: number, now: reader.now)
        }
    }

    /// One kept version.
    public func version(_ id: EventID) async throws -> Event? {
        try await read { try VersionRows(db: $0.db).version(id, now: $0.now) }
    }

    /// Forgets the versions of an author and stops keeping them.
    public func forgetVersions(of author: PublicKey) async throws {
        _ = try await writer.perform { try $0.forgetVersions(of: author) }
    }
}
