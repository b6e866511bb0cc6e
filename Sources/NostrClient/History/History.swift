internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore

/// Every version of the account's own profile, lists and other replaceable events that was ever seen here: kept by the
/// store, compared here, and published again as the newest.
public struct History: VersionHistory {
    private let context: AccountContext
    private let versions: any VersionStore
    private let publishing: Publishing
    private let replaceable: ReplaceableEvents
    private let lists: Lists

    /// `nil` where no versions are kept.
    init?(_ context: AccountContext, publishing: Publishing, replaceable: ReplaceableEvents, lists: Lists) {
        guard let versions = context.versions else { return nil }
        self.versions = versions
        self.context = context
        self.publishing = publishing
        self.replaceable = replaceable
        self.lists = lists
    }

    /// What there are versions of, the one changed last first.
    public func histories() async throws -> [HistorySummary] {
        try await publishing.load()
        let summaries = try await versions.versionCounts(of: context.publicKey)
            // Drafts have a page of their own, and a version for every pause in writing.
            .filter { $0.kind != DraftWrap.kind }
            .map { count in
                HistorySummary(
                    address: context.ownAddress(count.kind, count.identifier), versions: count.count,
                    newest: count.newest)
            }
        return summaries.sorted {
            ($1.newest, $0.address.kind, $0.address.identifier) < ($0.newest, $1.address.kind, $1.address.identifier)
        }
    }

    /// All versions of one address, newest first.
    public func versions(of address: EventAddress) async throws -> [EventVersion] {
        guard address.author == context.publicKey else { return [] }
        try await publishing.load()
        let events = try await versions.versions(
            of: context.publicKey, kind: address.kind, identifier: address.identifier)
        var read: [(event: Event, reading: PrivateReading)] = []
        for event in events { read.append((event, await lists.privateReading(of: event))) }
        let contents = read.map { VersionContent($0.event, $0.reading) }
        let current = try await context.storedVersion(at: address)
        return read.indices.map { index in
            let older = read.indices.contains(index + 1) ? contents[index + 1] : nil
            return EventVersion(
                event: read[index].event, isCurrent: read[index].event.id == current?.id,
                change: older.map { VersionChange(from: $0, to: contents[index]) },
                privatePart: read[index].reading.part)
        }
    }

    /// Publishes an earlier version again, as the newest: content and tags as they were, the private part still
    /// encrypted.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func restore(_ id: EventID) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        guard let version = try await versions.version(id), version.pubkey == context.publicKey,
            let address = version.address
        else { throw AccountError(.unknownVersion) }
        await lists.forgetEdits(at: address)
        return try await replaceable.change {
            let newest = try await replaceable.newest(at: address)
            if let newest, newest.tags == version.tags, newest.content == version.content {
                return try await replaceable.adopt(newest)
            }
            let now = context.time.now()
            // What has expired would be gone at once.
            let tags = version.tags.isExpired(now: now) ? version.tags.filter { $0.name != "expiration" } : version.tags
            return try await publishing.send(
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
