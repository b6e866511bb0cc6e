public import NostrCore
internal import NostrNIPs

extension MemoryEventStore: VersionStore {
    /// Keeps every version of these authors' events from now on, and those that are here already.
    public func keepVersions(of authors: Set<PublicKey>) {
        let new = authors.subtracting(versioned)
        guard !new.isEmpty else { return }
        versioned.formUnion(new)
        for event in query([Filter(authors: new)]) where event.hasVersions { versions[event.id] = event }
    }

    /// The authors whose versions are kept.
    public func versionedAuthors() -> Set<PublicKey> { versioned }

    /// The kept versions at one address, newest first.
    public func versions(of author: PublicKey, kind: Kind, identifier: String) -> [Event] {
        let address = EventAddress(kind: kind, author: author, identifier: identifier)
        return current.filter { $0.address == address }.sorted { $0.isListed(before: $1) }
    }

    /// For each address of an author that has versions: how many, and when the newest was made.
    public func versionCounts(of author: PublicKey) -> [VersionCount] {
        var moments: [EventAddress: [Timestamp]] = [:]
        for event in current where event.pubkey == author {
            if let address = event.address { moments[address, default: []].append(event.createdAt) }
        }
        let counts = moments.compactMap { address, moments in
            moments.max().map {
                VersionCount(kind: address.kind, identifier: address.identifier, count: moments.count, newest: $0)
            }
        }
        return counts.sorted { $0.isListed(before: $1) }
    }

    /// One kept version.
    public func version(_ id: EventID) -> Event? {
        current.first { $0.id == id }
    }

    /// Forgets the versions of an author and stops keeping them.
    public func forgetVersions(of author: PublicKey) {
        versioned.remove(author)
        versions = versions.filter { $0.value.pubkey != author }
    }

    private var current: [Event] {
        let now = now()
        return versions.values.filter { !$0.tags.isExpired(now: now) }
    }
}
