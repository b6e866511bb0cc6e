internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

extension ReplacementSummary {
    /// What a new version changes, as one or two sentences with counts.
    var sentence: String {
        let name = Self.names[kind] ?? "event of kind \(kind.rawValue)"
        let parts = self.parts
        var sentence =
            parts.isEmpty ? "Publishes the \(name) again without a change that shows" : parts.joined(separator: ", ")
        sentence = sentence.prefix(1).uppercased() + sentence.dropFirst()
        if ![ProfileMetadata.kind, FollowList.kind, .muteList].contains(kind) { sentence += " (\(name))" }
        sentence += "."
        switch (remarks.contains(.isFirst), remarks.contains(.isNotFresh)) {
        case (true, false): sentence += " It is the first one."
        case (true, true): sentence += " The current version could not be found, so what would go is not known."
        case (false, true): sentence += " Compared with the version that is here; relays could not be asked."
        case (false, false): break
        }
        if remarks.contains(.replacesUnread) {
            sentence += " A private part that cannot be read now would be replaced."
        }
        if remarks.contains(.isBackdated) {
            sentence += " It is dated before the current version, so relays will not take it."
        }
        return sentence
    }

    private var parts: [String] {
        var parts =
            switch kind {
            case ProfileMetadata.kind: profile
            case FollowList.kind: follows
            case RelayList.kind, .directMessageRelays, .searchRelays, .blockedRelays, .privateRelays, .relayFeeds,
                .wikiRelays:
                Self.counted("adds", added, "drops", dropped, "relay", "relays") + usages
            case .muteList: Self.counted("mutes", added, "unmutes", dropped, "entry", "entries")
            default: Self.counted("adds", added, "drops", dropped, "entry", "entries") + headings
            }
        if addedUnknown > 0 { parts.append("adds \(Self.count(addedUnknown, "unknown entry", "unknown entries"))") }
        if droppedUnknown > 0 {
            parts.append("drops \(Self.count(droppedUnknown, "unknown entry", "unknown entries"))")
        }
        return parts
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

    private var follows: [String] {
        var parts: [String] = []
        if addedPeople > 0 { parts.append("follows \(Self.count(addedPeople, "more person", "more people"))") }
        if droppedPeople > 0 { parts.append("stops following \(Self.count(droppedPeople, "person", "people"))") }
        return parts
            + Self.counted(
                "adds", added - addedPeople, "drops", dropped - droppedPeople, "other entry", "other entries")
    }

    private var usages: [String] {
        fields.count == 0 ? [] : ["changes what \(Self.count(fields.count, "relay is", "relays are")) used for"]
    }

    private var headings: [String] {
        fields.count == 0 ? [] : ["changes \(Self.list(fields))"]
    }

    private var profile: [String] {
        [("changes", fieldsChanged), ("adds", fieldsAdded), ("removes", fieldsRemoved)].compactMap { verb, fields in
            fields.count == 0 ? nil : "\(verb) \(Self.list(fields, Self.profileNames)) of the profile"
        }
    }

    private static let profileNames = [
        "display_name": "display name", "nip05": "Nostr address", "lud16": "Lightning address",
    ]

    /// “a, b and 3 more”.
    private static func list(_ fields: FieldNames, _ known: [String: String] = [:]) -> String {
        let names = fields.names.map { known[$0] ?? $0 }
        if fields.count > FieldNames.kept {
            return names.prefix(3).joined(separator: ", ") + " and \(fields.count - 3) more"
        }
        return names.count < 2
            ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    private static func counted(
        _ adding: String, _ added: Int, _ dropping: String, _ dropped: Int, _ one: String, _ many: String
    ) -> [String] {
        [
            added > 0 ? "\(adding) \(count(added, one, many))" : nil,
            dropped > 0 ? "\(dropping) \(count(dropped, one, many))" : nil,
        ].compactMap { $0 }
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
