internal import NostrCore
internal import NostrNIPs

/// A version with its private part, as far as it could be read.
struct ReadVersion: Hashable, Sendable {
    let event: Event
    let reading: PrivateReading

    /// Everything on the list, each thing once, where both parts can be read the private ones too.
    fileprivate func items(withPrivate: Bool) -> [ListItem] {
        var found: [ListItem] = []
        var seen: Set<ThingKey> = []
        let tags = event.tags + (withPrivate ? reading.items?.tags ?? [] : [])
        for item in tags.compactMap(ListItem.init(tag:)) where seen.insert(ThingKey(item)).inserted {
            found.append(item)
        }
        return found
    }

    /// Tags that are neither items nor headings; all tags of events that are no lists.
    fileprivate func unknownTags(withPrivate: Bool) -> [Tag] {
        let tags = event.tags + (withPrivate ? reading.items?.tags ?? [] : [])
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
    init(from old: ReadVersion, to new: ReadVersion) {
        self.init()
        if new.event.kind == ProfileMetadata.kind {
            compareProfiles(old.event, new.event)
            return
        }
        let withPrivate = [old, new].allSatisfy { $0.reading == .none || $0.reading.items != nil }
        compareItems(old.items(withPrivate: withPrivate), new.items(withPrivate: withPrivate))
        let unknown = ListDifference(
            from: old.unknownTags(withPrivate: withPrivate), to: new.unknownTags(withPrivate: withPrivate))
        addedUnknown = unknown.added.count
        droppedUnknown = unknown.dropped.count
        compareHeadings(old.event, new.event)
        if new.event.kind == RelayList.kind { compareUsages(old.event, new.event) }
        if !PublicList.kinds.contains(new.event.kind), new.event.kind != FollowList.kind {
            note("content", old.event.content, new.event.content)
        }
    }

    private mutating func compareItems(_ old: [ListItem], _ new: [ListItem]) {
        let before = Set(old.map(ThingKey.init))
        let after = Set(new.map(ThingKey.init))
        added = new.filter { !before.contains(ThingKey($0)) }
        dropped = old.filter { !after.contains(ThingKey($0)) }
    }

    private mutating func compareProfiles(_ old: Event, _ new: Event) {
        // A profile that is no JSON object has no fields.
        let before = ProfileMetadata(old)?.fields ?? [:]
        let after = ProfileMetadata(new)?.fields ?? [:]
        for name in Set(before.keys).union(after.keys).sorted() { note(name, before[name], after[name]) }
        let tags = ListDifference(from: old.tags, to: new.tags)
        addedUnknown = tags.added.count
        droppedUnknown = tags.dropped.count
    }

    private mutating func compareHeadings(_ old: Event, _ new: Event) {
        for name in ["title", "name", "description", "image"] {
            note(name, old.tags.firstValue(name), new.tags.firstValue(name))
        }
    }

    private mutating func compareUsages(_ old: Event, _ new: Event) {
        let before = Dictionary(RelayList(old)?.entries.map { ($0.relay, $0.usage) } ?? []) { first, _ in first }
        for entry in RelayList(new)?.entries ?? [] {
            guard let usage = before[entry.relay], usage != entry.usage else { continue }
            note(entry.relay.text, usage.words, entry.usage.words)
        }
    }

    private mutating func note(_ name: String, _ before: String?, _ after: String?) {
        // Fields are compared by their bytes, as everything that is signed.
        let isSame = before.map { Array($0.utf8) } == after.map { Array($0.utf8) }
        if !isSame { fields.append(FieldChange(name: name, before: before, after: after)) }
    }
}

extension RelayList.Usage {
    fileprivate var words: String {
        switch self {
        case .read: "read"
        case .write: "write"
        default: "read and write"
        }
    }
}
