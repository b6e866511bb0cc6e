internal import NostrCore
internal import NostrNIPs

/// What a new version changes, as one or two sentences with counts.
struct ChangeWords {
    let headline: String

    /// - Parameters:
    ///   - isFirst: whether no version is known yet.
    ///   - isFresh: whether the version in force could be asked for just now.
    init(_ change: VersionChange, kind: Kind, isFirst: Bool, isFresh: Bool) {
        var parts: [String]
        switch kind {
        case ProfileMetadata.kind: parts = Self.profile(change)
        case FollowList.kind: parts = Self.follows(change)
        case RelayList.kind, .directMessageRelays, .searchRelays, .blockedRelays, .privateRelays, .relayFeeds,
            .wikiRelays:
            parts = Self.entries(change, "relay", "relays") + Self.usages(change)
        case .muteList:
            parts = Self.counted("mutes", change.added.count, "unmutes", change.dropped.count, "entry", "entries")
        default:
            parts = Self.entries(change, "entry", "entries") + Self.headings(change)
        }
        if change.addedUnknown > 0 {
            parts.append("adds \(Self.count(change.addedUnknown, "unknown entry", "unknown entries"))")
        }
        if change.droppedUnknown > 0 {
            parts.append("drops \(Self.count(change.droppedUnknown, "unknown entry", "unknown entries"))")
        }
        let name = Self.names[kind] ?? "event of kind \(kind.rawValue)"
        var sentence =
            parts.isEmpty ? "Publishes the \(name) again without a change that shows" : parts.joined(separator: ", ")
        sentence = sentence.prefix(1).uppercased() + sentence.dropFirst()
        if Self.needsName(kind) { sentence += " (\(name))" }
        sentence += "."
        if isFirst, isFresh { sentence += " It is the first one." }
        if isFirst, !isFresh { sentence += " The version in force could not be found, so what would go is not known." }
        if !isFirst, !isFresh { sentence += " Compared with the version that is here; relays could not be asked." }
        headline = sentence
    }

    private static func needsName(_ kind: Kind) -> Bool {
        ![ProfileMetadata.kind, FollowList.kind, .muteList].contains(kind)
    }

    private static let names: [Kind: String] = [
        0: "profile", 3: "follow list", .muteList: "mute list", .pinnedNotes: "pinned notes",
        RelayList.kind: "relay list",
        .bookmarks: "bookmarks", .communities: "communities", .publicChats: "public chats",
        .blockedRelays: "blocked relays", .searchRelays: "search relays", .groups: "groups", .interests: "topics",
        .emojiList: "emoji", .directMessageRelays: "relays for direct messages", .privateRelays: "private relays",
        .fileServers: "file servers", .followSets: "follow set", .relaySets: "relay set", .bookmarkSets: "bookmark set",
        .interestSets: "topic set", .emojiSets: "emoji set", 30_023: "article", 30_024: "article draft",
        30_078: "data of an app", 10_019: "wallet for nutzaps",
    ]

    private static func follows(_ change: VersionChange) -> [String] {
        func people(_ items: [ListItem]) -> Int { items.count { if case .person = $0 { true } else { false } } }
        let (won, lost) = (people(change.added), people(change.dropped))
        var parts: [String] = []
        if won > 0 { parts.append("follows \(count(won, "more person", "more people"))") }
        if lost > 0 { parts.append("stops following \(count(lost, "person", "people"))") }
        let others = (change.added.count - won, change.dropped.count - lost)
        return parts + counted("adds", others.0, "drops", others.1, "other entry", "other entries")
    }

    private static func entries(_ change: VersionChange, _ one: String, _ many: String) -> [String] {
        counted("adds", change.added.count, "drops", change.dropped.count, one, many)
    }

    private static func counted(
        _ adding: String, _ added: Int, _ dropping: String, _ dropped: Int, _ one: String, _ many: String
    ) -> [String] {
        [
            added > 0 ? "\(adding) \(count(added, one, many))" : nil,
            dropped > 0 ? "\(dropping) \(count(dropped, one, many))" : nil,
        ].compactMap { $0 }
    }

    private static func usages(_ change: VersionChange) -> [String] {
        change.fields.isEmpty ? [] : ["changes what \(count(change.fields.count, "relay is", "relays are")) used for"]
    }

    private static func headings(_ change: VersionChange) -> [String] {
        let names = change.fields.map(\.name)
        return names.isEmpty ? [] : ["changes \(list(names))"]
    }

    private static func profile(_ change: VersionChange) -> [String] {
        let words = ["display_name": "display name", "nip05": "Nostr address", "lud16": "Lightning address"]
        func named(_ fields: [VersionChange.FieldChange]) -> [String] {
            fields.map { words[$0.name] ?? String($0.name.prefix(40).filter { !$0.isNewline }) }
        }
        let removed = named(change.fields.filter { $0.after == nil }),
            added = named(change.fields.filter { $0.before == nil })
        let changed = named(change.fields.filter { $0.before != nil && $0.after != nil })
        return [("changes", changed), ("adds", added), ("removes", removed)].compactMap { verb, names in
            names.isEmpty ? nil : "\(verb) \(list(names)) of the profile"
        }
    }

    /// “a, b and 3 more”.
    private static func list(_ names: [String]) -> String {
        if names.count > 4 { return names.prefix(3).joined(separator: ", ") + " and \(names.count - 3) more" }
        return names.dropLast().isEmpty
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
