internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The time machine: versions are kept by the store, compared here, and published again as the newest.
extension LiveAccount {
    func histories() async throws -> [HistorySummary] {
        guard let versions else { return [] }
        try await load()
        let summaries = try await versions.versionCounts(of: publicKey)
            // Drafts have a page of their own, and a version for every pause in writing.
            .filter { $0.kind != DraftWrap.kind }
            .map { count in
                HistorySummary(
                    address: ownAddress(count.kind, count.identifier), versions: count.count, newest: count.newest)
            }
        return summaries.sorted {
            ($1.newest, $0.address.kind, $0.address.identifier) < ($0.newest, $1.address.kind, $1.address.identifier)
        }
    }

    func versionList(of address: EventAddress) async throws -> [EventVersion] {
        guard let versions, address.author == publicKey else { return [] }
        try await load()
        let events = try await versions.versions(
            of: publicKey, kind: address.kind, identifier: address.identifier)
        var read: [(event: Event, reading: PrivateReading)] = []
        for event in events { read.append((event, await privateReading(of: event))) }
        let contents = read.map { VersionContent($0.event, $0.reading) }
        let current = try await storedVersion(at: address)
        return read.indices.map { index in
            let older = read.indices.contains(index + 1) ? contents[index + 1] : nil
            return EventVersion(
                event: read[index].event, isCurrent: read[index].event.id == current?.id,
                change: older.map { VersionChange(from: $0, to: contents[index]) },
                privatePart: read[index].reading.part)
        }
    }

    /// Publishes an earlier version again: content and tags as they were, the private part still encrypted.
    func restore(_ id: EventID) async throws -> Event {
        guard canSign else { throw AccountError.readOnly }
        guard let version = try await versions?.version(id), version.pubkey == publicKey,
            let address = version.address
        else { throw AccountError(.unknownEvent, "This version is not kept here.") }
        recentEdits.removeAll { $0.address == address }
        return try await changingLists.take {
            let newest = try await newest(at: address, called: address.kind.listName)
            if let newest, newest.tags == version.tags, newest.content == version.content {
                return try await adopt(newest)
            }
            let now = time.now()
            // What has expired would be gone at once.
            let tags = version.tags.isExpired(now: now) ? version.tags.filter { $0.name != "expiration" } : version.tags
            return try await send(
                EventDraft(
                    kind: version.kind, tags: tags, content: version.content,
                    createdAt: max(now, newest.map { $0.createdAt + .seconds(1) } ?? now)))
        }
    }
}

extension VersionContent {
    /// What a version says, with its private part as far as it was read.
    init(_ event: Event, _ reading: PrivateReading) {
        self.init(
            kind: event.kind, tags: event.tags, content: event.content,
            privateTags: reading == .none ? [] : reading.items?.tags)
    }
}
