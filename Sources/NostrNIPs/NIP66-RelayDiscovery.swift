public import NostrCore

/// What a monitor found out about a relay: kind 30166.
///
/// A claim of one stranger: never needed to use a relay, never reason enough to drop one. Source: NIP-66; read only.
public struct RelayDiscovery: Hashable, Sendable {
    /// The kind of a discovery.
    public static let kind: Kind = 30_166

    /// A key that holds or does not hold, such as `auth` and `!payment`.
    public struct Requirement: Hashable, Sendable {
        /// What is asked for, such as `auth`, `writes`, `pow`, `payment`.
        public let name: String
        /// Whether the relay asks for it.
        public let isRequired: Bool

        init(_ text: String) {
            isRequired = !text.hasPrefix("!")
            name = isRequired ? text : String(text.dropFirst())
        }
    }

    /// Who says so.
    public let monitor: PublicKey
    /// When.
    public let createdAt: Timestamp
    /// The relay.
    public let relay: RelayURL
    /// How long opening a connection took.
    public let openTime: Duration?
    /// How long reading took.
    public let readTime: Duration?
    /// How long writing took.
    public let writeTime: Duration?
    /// `clearnet`, `tor`, `i2p` or `loki`.
    public let network: String?
    /// The type of relay, such as `PrivateInbox`.
    public let types: [String]
    /// The NIPs it was found to support.
    public let supportedNIPs: [Int]
    /// What it asks for.
    public let requirements: [Requirement]
    /// Its topics.
    public let topics: [String]
    /// Kinds it takes.
    public let acceptedKinds: [Kind]
    /// Kinds it does not take.
    public let refusedKinds: [Kind]
    /// Where it stands, as geohashes.
    public let geohashes: [String]
    /// The relay's own document, where the monitor passes it on.
    public let information: RelayInformation?

    /// Reads an event; `nil` unless it is of kind 30166 and its `d` tag the address of a relay.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let relay = event.tags.first(where: { $0.name == "d" })?.relay(at: 1) else {
            return nil
        }
        func values(_ name: String) -> [String] { event.tags.named(name).compactMap { $0.text(at: 1) } }
        func time(_ name: String) -> Duration? {
            event.tags.firstValue(name).flatMap { Int32(decimal: $0) }.map { .milliseconds($0) }
        }
        self.relay = relay
        monitor = event.pubkey
        createdAt = event.createdAt
        openTime = time("rtt-open")
        readTime = time("rtt-read")
        writeTime = time("rtt-write")
        network = values("n").first
        types = values("T")
        supportedNIPs = values("N").compactMap { Int(decimal: $0) }
        requirements = values("R").map(Requirement.init)
        topics = values("t")
        acceptedKinds = values("k").compactMap { UInt16(decimal: $0) }.map { Kind($0) }
        refusedKinds = values("k").filter { $0.hasPrefix("!") }.compactMap { UInt16(decimal: $0.dropFirst()) }
            .map { Kind($0) }
        geohashes = values("g")
        information = RelayInformation(json: Array(event.content.utf8))
    }
}

/// A monitor's promise to look at relays regularly: kind 10166.
///
/// Source: NIP-66; read only.
public struct RelayMonitor: Hashable, Sendable {
    /// The kind of an announcement.
    public static let kind: Kind = 10_166

    /// The monitor.
    public let key: PublicKey
    /// How often it publishes what it found.
    public let frequency: Duration?
    /// What it looks at, such as `open`, `read`, `nip11`.
    public let checks: [String]
    /// How long it waits per check; the empty name stands for all.
    public let timeouts: [String: Duration]
    /// Where it stands, as geohashes.
    public let geohashes: [String]

    /// Reads an event; `nil` unless it is of kind 10166.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        key = event.pubkey
        frequency = event.tags.firstValue("frequency").flatMap { Int32(decimal: $0) }.map { .seconds($0) }
        checks = event.tags.named("c").compactMap { $0.text(at: 1) }
        var timeouts: [String: Duration] = [:]
        for tag in event.tags.named("timeout") {
            // The text of the NIP puts the time first, its example the check: both orders are read.
            if let first = tag[1], let time = Int32(decimal: first) {
                timeouts[tag[2] ?? ""] = .milliseconds(time)
            } else if let check = tag[1], let second = tag[2], let time = Int32(decimal: second) {
                timeouts[check] = .milliseconds(time)
            }
        }
        self.timeouts = timeouts
        geohashes = event.tags.named("g").compactMap { $0.text(at: 1) }
    }
}
