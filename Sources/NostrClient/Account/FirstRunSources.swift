public import NostrCore

/// Where somebody who is new is led: relays to look at, people and topics to offer.
///
/// All of these hosts and people are run by others and may go; every list can be empty, and then less is offered.
public struct FirstRunSources: Hashable, Sendable {
    /// A list of topics that a relay keeps up to date (NIP-51, kind 30015).
    public struct TopicList: Hashable, Sendable {
        /// The relay.
        public var relay: RelayURL
        /// The `d` tag of the list.
        public var identifier: String

        /// A list that its relay publishes itself (NIP-51); nothing is asked yet.
        public init(relay: RelayURL, identifier: String) {
            self.relay = relay
            self.identifier = identifier
        }
    }

    /// Relays that hold the relay lists of many people.
    public var relayLists: [RelayURL] = []
    /// Relays that hold what monitors found out about relays (NIP-66).
    public var relayMonitors: [RelayURL] = []
    /// Relays to offer where too few were found.
    public var usualRelays: [RelayURL] = []
    /// Relays where those are looked for who are writing now.
    public var activePeople: [RelayURL] = []
    /// People to offer by name: those who make Nostr.
    public var creators: [PublicKey] = []
    /// Where topics are looked for, the first first.
    public var topicLists: [TopicList] = []
    /// Topics to offer where too few were found.
    public var usualTopics: [String] = []

    /// Nothing but topics to offer.
    public init() {
        usualTopics = [
            "nostr", "bitcoin", "lightning", "art", "photography", "music", "tech", "news", "podcasting", "gm",
            "introductions", "memes",
        ]
    }

    /// The real network.
    public static var standard: FirstRunSources {
        var sources = FirstRunSources()
        sources.relayLists = relays([
            "wss://relay.damus.io", "wss://relay.primal.net", "wss://indexer.coracle.social", "wss://relay.nos.social",
        ])
        sources.relayMonitors = relays(["wss://relay.nostr.watch", "wss://relaypag.es"])
        sources.usualRelays = relays([
            "wss://relay.damus.io", "wss://relay.primal.net", "wss://nos.lol", "wss://relay.nos.social",
        ])
        sources.activePeople = relays([
            "wss://premium.primal.net", "wss://nostr.wine", "wss://pyramid.fiatjaf.com", "wss://relay.damus.io",
        ])
        // fiatjaf, who began Nostr, and utxo, who makes clients and relays.
        sources.creators = [
            "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d",
            "e2ccf7cf20403f3f2a4a55b328f0de3be38558a7d5f33632fdaaefc726c1c8eb",
        ].compactMap { try? PublicKey(hex: $0) }
        sources.topicLists = [
            ("wss://feeds.nostrarchives.com/hashtags/trending", "trending"),
            ("wss://feeds.nostrarchives.com/hashtags/all", "all"),
        ].compactMap { text, identifier in
            (try? RelayURL(text)).map { TopicList(relay: $0, identifier: identifier) }
        }
        return sources
    }

    /// Sources that all are the same few relays: a network of the person's own, or a simulated one.
    public static func within(_ relays: [RelayURL]) -> FirstRunSources {
        var sources = FirstRunSources()
        sources.relayLists = relays
        sources.relayMonitors = relays
        sources.usualRelays = relays
        sources.activePeople = relays
        sources.topicLists = relays.map { TopicList(relay: $0, identifier: "trending") }
        return sources
    }

    private static func relays(_ texts: [String]) -> [RelayURL] {
        // Constants of this file; a test parses each of them.
        texts.compactMap { try? RelayURL($0) }
    }
}
