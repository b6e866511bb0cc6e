public import NostrCore
public import NostrNIPs

/// What an account needs to know that no event says.
public struct AccountConfiguration: Hashable, Sendable {
    /// How relays are chosen.
    public var routing: RoutingPolicy
    /// Relays that search (NIP-50), for accounts without a list of their own (kind 10007).
    public var searchRelays: [RelayURL]
    /// Relays that are searched for drafts too, until the account says otherwise: where programs put them that do not heed
    /// the account's own lists.
    public var draftRelays: [RelayURL]
    /// Media servers for accounts without a list of their own (kind 10063).
    public var mediaServers: [MediaServer]
    /// How long relays are waited for.
    public var deadlines: Deadlines
    /// How far back the home timeline is gathered when the program starts; `nil` lets the number of follows decide.
    public var homeWindow: Duration?
    /// The kinds of the home timeline.
    public var homeKinds: Set<Kind>
    /// How long requests for missing people and notes are collected before they are asked together.
    public var coalescing: Duration
    /// How often health is looked at and routes are made again.
    public var housekeeping: Duration
    /// The most entries a change may take out of a list before it stops and says so.
    public var mostDroppedEntries: Int
    /// How long and how often an event is offered.
    public var patience: PublishPatience
    /// How much work goes into what is published while the account itself says nothing of it.
    public var work: WorkPolicy
    /// Whether a list of inbox relays (kind 10050) is published when there is none that can be used.
    public var tendsInbox: Bool
    /// Where somebody who is new is led.
    public var firstRun: FirstRunSources

    /// How long relays are waited for; every wait on the network has one of these.
    public struct Deadlines: Hashable, Sendable {
        /// For profiles, follow lists and relay lists.
        public var discovery: Duration
        /// For a stretch of a timeline.
        public var timeline: Duration
        /// For a conversation.
        public var thread: Duration
        /// For a search.
        public var search: Duration
        /// For a relay's answer to an event.
        public var publish: Duration

        /// Defaults in seconds: 8, 15, 8, 5, 10.
        public init(
            discovery: Duration = .seconds(8), timeline: Duration = .seconds(15), thread: Duration = .seconds(8),
            search: Duration = .seconds(5), publish: Duration = .seconds(10)
        ) {
            self.discovery = discovery
            self.timeline = timeline
            self.thread = thread
            self.search = search
            self.publish = publish
        }
    }

    /// All else begins as a program on the open network wants it; tests and the simulated Nostr change it.
    public init(routing: RoutingPolicy, searchRelays: [RelayURL], deadlines: Deadlines = Deadlines()) {
        self.routing = routing
        self.searchRelays = searchRelays
        self.deadlines = deadlines
        homeWindow = nil
        homeKinds = NoteKinds.home
        coalescing = .milliseconds(100)
        housekeeping = .seconds(60)
        mostDroppedEntries = 5
        patience = PublishPatience()
        work = WorkPolicy(wraps: WorkPolicy.usualForWraps)
        draftRelays = []
        mediaServers = []
        tendsInbox = true
        firstRun = .within(routing.indexers)
    }

    /// The real network: well-known indexers, and well-known relays for accounts without a list.
    ///
    /// All of these hosts are run by other people and may go; every one can be configured.
    public static var standard: AccountConfiguration {
        var standard = AccountConfiguration(
            routing: RoutingPolicy(
                indexers: relays([
                    "wss://indexer.coracle.social", "wss://purplepag.es", "wss://relay.damus.io",
                    "wss://relay.primal.net",
                ]),
                fallback: relays(["wss://relay.damus.io", "wss://relay.primal.net", "wss://nos.lol"])),
            searchRelays: relays(["wss://search.nostrarchives.com", "wss://relay.nostr.band"]))
        standard.draftRelays = relays([
            "wss://relay.damus.io", "wss://relay.primal.net", "wss://nos.lol", "wss://relay.nostr.band",
        ])
        standard.mediaServers = [MediaServer("https://blossom.primal.net")].compactMap { $0 }
        standard.firstRun = .standard
        return standard
    }

    /// How far back the home timeline is gathered: the more people, the shorter, so that a start costs about the same.
    ///
    /// Why these spans: docs/decisions/0031-how-far-back-home-reaches.md.
    public func window(follows: Int) -> Duration {
        if let homeWindow { return homeWindow }
        let days =
            switch follows {
            case ...30: 14
            case ...150: 7
            case ...400: 3
            default: 2
            }
        return .seconds(days * 86_400)
    }

    private static func relays(_ texts: [String]) -> [RelayURL] {
        // Constants of this file; a test parses each of them.
        texts.compactMap { try? RelayURL($0) }
    }
}
