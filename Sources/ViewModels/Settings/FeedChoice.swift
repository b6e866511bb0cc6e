public import NostrCore
public import NostrNIPs

/// Which feed a person reads: the notes of whom they follow, or others.
public enum FeedChoice: Hashable, Sendable {
    /// Whom the account follows.
    case following
    /// What one relay gives out.
    case relay(RelayURL)
    /// A list of the account's own: of relays, people, notes or topics; the identifier is empty where there is one list.
    case list(Kind, identifier: String)
    /// A list that somebody else made and everybody can read.
    case shared(EventAddress)
    /// A topic, lowercase, without `#`.
    case topic(String)
    /// What much is made of.
    case trending
}

extension FeedChoice {
    /// What a list is made of, as far as it can be read as a feed.
    public enum ListContent: Hashable, Sendable {
        case relays, people, notes, topics
    }

    /// The kinds of lists that are offered as feeds, in the order shown.
    public static let offered: [Kind] = [
        .followSets, .starterPacks, .interests, .interestSets, .bookmarks, .bookmarkSets, .relayFeeds, .relaySets,
    ]

    /// What lists of a kind are made of; `nil` for those that are no feed.
    public static func content(of kind: Kind) -> ListContent? {
        switch kind {
        case .followSets, .starterPacks, .mediaFollows, .mediaStarterPacks, .wikiAuthors, .codeFollows: .people
        case .interests, .interestSets: .topics
        case RelayList.kind, .directMessageRelays, .searchRelays, .blockedRelays, .relayFeeds, .privateRelays,
            .wikiRelays, .relaySets:
            .relays
        case .bookmarks, .pinnedNotes, .bookmarkSets, .articleCurationSets, .videoCurationSets, .pictureCurationSets:
            .notes
        default: nil
        }
    }

    /// The choice as one word, for forms, settings and the command line.
    ///
    /// Shape: `following`, `trending`, `relay:wss://…`, `tag:birds`, `list:30000:birders`, and of somebody else's
    /// `list-of:30000:KEY:birders`.
    public var word: String {
        switch self {
        case .following: "following"
        case .relay(let relay): "relay:" + relay.text
        case .list(let kind, let identifier): "list:\(kind.rawValue):" + identifier
        case .shared(let address): "list-of:" + address.description
        case .topic(let topic): "tag:" + topic
        case .trending: "trending"
        }
    }

    /// Reads a ``word``; `nil` for anything else.
    public init?(word: String) {
        let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, word.utf8.count <= 2000 else { return nil }
        let rest = parts.count > 1 ? String(parts[1]) : ""
        switch (name, rest.isEmpty) {
        case ("following", true): self = .following
        case ("trending", true): self = .trending
        case ("relay", false):
            // What is no address is no choice.
            guard let relay = try? RelayURL(rest) else { return nil }
            self = .relay(relay)
        case ("tag", false):
            guard let topic = Self.topic(rest) else { return nil }
            self = .topic(topic)
        case ("list", false):
            let halves = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard let number = halves.first.flatMap({ UInt16($0) }), Self.content(of: Kind(number)) != nil else {
                return nil
            }
            self = .list(Kind(number), identifier: halves.count > 1 ? String(halves[1]) : "")
        case ("list-of", false):
            guard let address = EventAddress(rest), Self.content(of: address.kind) != nil else { return nil }
            self = .shared(address)
        default: return nil
        }
    }

    /// A topic as it is compared; `nil` for what is no single word.
    static func topic(_ text: String) -> String? {
        let topic = text.lowercased()
        guard !topic.isEmpty, topic.utf8.count <= 200, !topic.contains(where: \.isWhitespace) else { return nil }
        return topic
    }
}

extension FeedChoice: Codable {
    /// Reads a ``word``; one that is none, perhaps of a later version, is the feed of whom the account follows.
    public init(from decoder: any Decoder) throws {
        self = FeedChoice(word: try decoder.singleValueContainer().decode(String.self)) ?? .following
    }

    /// Writes the ``word``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
