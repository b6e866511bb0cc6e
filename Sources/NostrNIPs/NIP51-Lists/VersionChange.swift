public import NostrCore

/// What one version changed against another.
public struct VersionChange: Hashable, Sendable {
    /// Entries that came and went, public and private, in order.
    public var added: [ListItem], dropped: [ListItem]
    /// Entries of meanings Linnet does not know that came and went.
    public var addedUnknown: Int, droppedUnknown: Int
    /// Fields of a profile that changed: name, value before, value after.
    public var fields: [FieldChange]
    /// Relays of a relay list (NIP-65) that are there for something else now.
    public var usages: [UsageChange]

    /// One field of a profile.
    public struct FieldChange: Hashable, Sendable {
        /// The field.
        public var name: String
        /// What it said before; `nil` when it was not there.
        public var before: String?
        /// What it says now; `nil` when it is gone.
        public var after: String?

        /// A change of one field; the same text before and after is no change, and not refused.
        public init(name: String, before: String?, after: String?) {
            self.name = name
            self.before = before
            self.after = after
        }
    }

    /// What one relay of a relay list was for, and is now.
    public struct UsageChange: Hashable, Sendable {
        /// The relay.
        public var relay: RelayURL
        /// What it was for, and what it is for now.
        public var before: RelayList.Usage, after: RelayList.Usage

        /// A change of what one relay is for.
        public init(relay: RelayURL, before: RelayList.Usage, after: RelayList.Usage) {
            self.relay = relay
            self.before = before
            self.after = after
        }
    }

    /// Nothing changed.
    public init() {
        added = []
        dropped = []
        addedUnknown = 0
        droppedUnknown = 0
        fields = []
        usages = []
    }
}

/// What one version says, published or about to be, with its private part as far as it could be read.
public struct VersionContent: Hashable, Sendable {
    /// Its kind.
    public var kind: Kind
    /// Its tags.
    public var tags: [Tag]
    /// Its content.
    public var content: String
    /// The tags of its private part; empty without one, `nil` when there is one that could not be read.
    public var privateTags: [Tag]?

    /// What a version says; an event's own author and date do not count for it.
    public init(kind: Kind, tags: [Tag], content: String, privateTags: [Tag]?) {
        self.kind = kind
        self.tags = tags
        self.content = content
        self.privateTags = privateTags
    }

    /// Everything on the list, each thing once, where both parts can be read the private ones too.
    fileprivate func items(withPrivate: Bool) -> [ListItem] {
        var found: [ListItem] = []
        var seen: Set<ThingKey> = []
        let tags = self.tags + (withPrivate ? privateTags ?? [] : [])
        for item in tags.compactMap(ListItem.init(tag:)) where seen.insert(ThingKey(item)).inserted {
            found.append(item)
        }
        return found
    }

    /// Tags that are neither items nor headings; all tags of events that are no lists.
    fileprivate func unknownTags(withPrivate: Bool) -> [Tag] {
        let tags = self.tags + (withPrivate ? privateTags ?? [] : [])
        return tags.filter { ListItem(tag: $0) == nil && !VersionChange.headings.contains($0.name ?? "") }
    }
}

/// What makes two items the same thing, as ``/NostrNIPs/ListItem/isSameThing(as:)`` has it, for looking up.
private struct ThingKey: Hashable {
    private let name: String
    private let value: [UInt8]

    init(_ item: ListItem) {
        let tag = item.tag
        name = tag.name ?? ""
        if case .group(let id, let relay, _) = item {
            value = Array("\(id) \(relay?.text ?? "")".utf8)
        } else {
            value = Array((tag.value ?? "").utf8)
        }
    }
}

extension VersionChange {
    /// Tags that say what a list is, shown as fields.
    fileprivate static let headings = ["d", "title", "name", "description", "image", "alt", "client", "k"]

    /// What changed from one version to the next.
    ///
    /// Private items count only when both versions' private parts could be read; a thing that moved between the two
    /// parts neither came nor went.
    public init(from old: VersionContent, to new: VersionContent) {
        self.init()
        if new.kind == ProfileMetadata.kind {
            compareProfiles(old, new)
            return
        }
        let withPrivate = old.privateTags != nil && new.privateTags != nil
        compareItems(old.items(withPrivate: withPrivate), new.items(withPrivate: withPrivate))
        let unknown = ListDifference(
            from: old.unknownTags(withPrivate: withPrivate), to: new.unknownTags(withPrivate: withPrivate))
        addedUnknown = unknown.added.count
        droppedUnknown = unknown.dropped.count
        compareHeadings(old, new)
        if new.kind == RelayList.kind { compareUsages(old, new) }
        if !PublicList.kinds.contains(new.kind), new.kind != FollowList.kind {
            note("content", old.content, new.content)
        }
    }

    private mutating func compareItems(_ old: [ListItem], _ new: [ListItem]) {
        let before = Set(old.map(ThingKey.init))
        let after = Set(new.map(ThingKey.init))
        added = new.filter { !before.contains(ThingKey($0)) }
        dropped = old.filter { !after.contains(ThingKey($0)) }
    }

    private mutating func compareProfiles(_ old: VersionContent, _ new: VersionContent) {
        // A profile that is no JSON object has no fields.
        let before = ProfileMetadata(json: old.content)?.fields ?? [:]
        let after = ProfileMetadata(json: new.content)?.fields ?? [:]
        for name in Set(before.keys).union(after.keys).sorted() { note(name, before[name], after[name]) }
        let tags = ListDifference(from: old.tags, to: new.tags)
        addedUnknown = tags.added.count
        droppedUnknown = tags.dropped.count
    }

    private mutating func compareHeadings(_ old: VersionContent, _ new: VersionContent) {
        for name in ["title", "name", "description", "image"] {
            note(name, old.tags.firstValue(name), new.tags.firstValue(name))
        }
    }

    private mutating func compareUsages(_ old: VersionContent, _ new: VersionContent) {
        let before = Dictionary(RelayList(tags: old.tags).entries.map { ($0.relay, $0.usage) }) { first, _ in first }
        for entry in RelayList(tags: new.tags).entries {
            guard let usage = before[entry.relay], usage != entry.usage else { continue }
            usages.append(UsageChange(relay: entry.relay, before: usage, after: entry.usage))
        }
    }

    private mutating func note(_ name: String, _ before: String?, _ after: String?) {
        // Fields are compared by their bytes, as everything that is signed.
        let isSame = before.map { Array($0.utf8) } == after.map { Array($0.utf8) }
        if !isSame { fields.append(FieldChange(name: name, before: before, after: after)) }
    }
}
