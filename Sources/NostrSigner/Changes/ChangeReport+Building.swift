internal import NostrCore
internal import NostrNIPs

extension ChangeReport {
    /// Whether signing an event of a kind replaces or deletes something, so that it is looked at before it is signed.
    static func isNeeded(for kind: Kind) -> Bool {
        kind == DeletionRequest.kind || [0, 3].contains(kind) || (10_000...10_063).contains(kind.rawValue)
            || (30_000...30_078).contains(kind.rawValue)
    }

    /// Whether a person can be told what events of a kind mean.
    static func isKnown(_ kind: Kind) -> Bool {
        kind == FollowList.kind || kind == ProfileMetadata.kind || kind == DeletionRequest.kind
            || PublicList.kinds.contains(kind) || SigningSummary.plainKinds.contains(kind) || kind == 30_078
    }

    /// What a draft would change against the version in force.
    ///
    /// - Parameters:
    ///   - current: the version in force; `nil` when none is known.
    ///   - isFresh: whether it could be asked for just now.
    ///   - read: the private part of a content, for one that may have one; `nil` when it could not be read.
    init(
        of draft: EventDraft, against current: Event?, isFresh: Bool, read: (String) async -> PrivateItems?
    ) async {
        let old = await VersionContent(current, kind: draft.kind, read: read)
        let new = await VersionContent(
            kind: draft.kind, tags: draft.tags, content: draft.content, read: read)
        let change = VersionChange(from: old, to: new)
        let gone = change.dropped.count + change.droppedUnknown
        let empties = Self.precious.contains(draft.kind) && old.hasEntries && !new.hasEntries
        // A private part that could not be read and that is not carried over as it was is gone, whatever was in it.
        let replacesUnread = old.privateTags == nil && draft.content != current?.content
        var remarks: Set<ReplacementSummary.Remark> = []
        if current == nil { remarks.insert(.isFirst) }
        if !isFresh { remarks.insert(.isNotFresh) }
        if replacesUnread { remarks.insert(.replacesUnread) }
        if let current, current.createdAt > draft.createdAt { remarks.insert(.isBackdated) }
        self.init(
            .replacement(ReplacementSummary(change, kind: draft.kind, remarks)), change: change, current: current,
            isCurrentFresh: isFresh,
            losesMuch: gone > Self.handful || empties || replacesUnread || Self.emptiesProfile(change, draft.kind, new),
            isUnknownKind: !Self.isKnown(draft.kind),
            isBlind: current == nil && !isFresh && PublicList.kinds.union([FollowList.kind]).contains(draft.kind))
    }

    /// Lists that a person would miss at once.
    private static let precious: Set<Kind> = [FollowList.kind, .muteList, RelayList.kind]

    private static func emptiesProfile(_ change: VersionChange, _ kind: Kind, _ new: VersionContent) -> Bool {
        guard kind == ProfileMetadata.kind else { return false }
        return change.fields.count { $0.after == nil && $0.before?.isEmpty == false } > handful
            || !change.fields.isEmpty && ProfileMetadata.isEmpty(new.content)
    }

    /// What a deletion would delete.
    init(deleting draft: EventDraft, of account: PublicKey, found: [Event]) {
        let ids = draft.tags.named("e").count
        let addresses = draft.tags.named("a").compactMap { $0.value.flatMap { EventAddress($0) } }
            .filter { $0.author == account }
        let own = found.filter { $0.pubkey == account }
        let kinds = Set(addresses.map(\.kind)).union(own.map(\.kind))
        self.init(
            .deletion(events: ids, addresses: addresses.count),
            deleted: own,
            losesMuch: ids + addresses.count > Self.handful || !kinds.isDisjoint(with: Self.precious.union([0])))
    }
}

extension ReplacementSummary {
    /// Counts what changes.
    init(_ change: VersionChange, kind: Kind, _ remarks: Set<Remark>) {
        func people(_ items: [ListItem]) -> Int { items.count { if case .person = $0 { true } else { false } } }
        self.init(kind: kind)
        (added, dropped) = (change.added.count, change.dropped.count)
        (addedPeople, droppedPeople) = (people(change.added), people(change.dropped))
        (addedUnknown, droppedUnknown) = (change.addedUnknown, change.droppedUnknown)
        let relays = change.usages.map(\.relay.text)
        fields = FieldNames(change.fields.map(\.name) + relays)
        fieldsAdded = FieldNames(change.fields.filter { $0.before == nil }.map(\.name))
        fieldsRemoved = FieldNames(change.fields.filter { $0.after == nil }.map(\.name))
        fieldsChanged = FieldNames(change.fields.filter { $0.before != nil && $0.after != nil }.map(\.name) + relays)
        self.remarks = remarks
    }
}

extension ProfileMetadata {
    /// Whether a content says nothing of anybody.
    fileprivate static func isEmpty(_ content: String) -> Bool {
        // What is no JSON object says nothing.
        guard case .object(let members)? = try? JSONValue(Array(content.utf8)) else { return true }
        return members.isEmpty
    }
}

extension VersionContent {
    fileprivate init(_ event: Event?, kind: Kind, read: (String) async -> PrivateItems?) async {
        guard let event else {
            self.init(kind: kind, tags: [], content: "", privateTags: [])
            return
        }
        await self.init(kind: event.kind, tags: event.tags, content: event.content, read: read)
    }

    fileprivate init(kind: Kind, tags: [Tag], content: String, read: (String) async -> PrivateItems?) async {
        var privateTags: [Tag]? = []
        if PublicList.kinds.contains(kind), ContentCipher(ofPrivatePart: content) != nil {
            privateTags = await read(content)?.tags
        }
        self.init(kind: kind, tags: tags, content: content, privateTags: privateTags)
    }

    /// Whether anything stands on the list, as far as it shows.
    fileprivate var hasEntries: Bool {
        privateTags?.isEmpty != true || tags.contains { ListItem(tag: $0) != nil }
    }
}

extension ContentCipher {
    /// How the private part of a list is encrypted; `nil` without one.
    init?(ofPrivatePart content: String) {
        if content.isEmpty { return nil }
        if LegacyEncryption.isPayload(content) {
            self = .nip04
        } else if content.utf8.count >= 64, content.utf8.allSatisfy(\.isBase64) {
            self = .nip44
        } else {
            return nil
        }
    }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="):
            true
        default: false
        }
    }
}
