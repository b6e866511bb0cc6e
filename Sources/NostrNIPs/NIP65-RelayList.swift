public import NostrCore

/// Where a person writes and where they read mentions: kind 10002.
///
/// On reading, addresses are normalised, duplicates merged and garbage left out; on writing back every tag this type
/// did not change stays byte for byte. Source: NIP-65.
public struct RelayList: Hashable, Sendable {
    /// The kind of a relay list.
    public static let kind: Kind = 10_002

    /// What a relay is for.
    public struct Usage: OptionSet, Hashable, Sendable {
        /// One bit per purpose.
        public let rawValue: UInt8
        /// Bits of ``read`` and ``write``; others are kept and mean nothing.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The person looks here for mentions.
        public static let read = Usage(rawValue: 1)
        /// The person publishes here.
        public static let write = Usage(rawValue: 2)
        /// Both; written without a marker.
        public static let both: Usage = [.read, .write]
    }

    /// One relay and what it is for.
    public struct Entry: Hashable, Sendable {
        /// The relay.
        public let relay: RelayURL
        /// What it is for; never empty.
        public let usage: Usage
    }

    /// All tags, in order.
    public private(set) var tags: [Tag]
    /// The content, untouched; NIP-65 gives it no meaning.
    public let content: String
    private let base: [Tag]
    private let baseMoment: Timestamp?

    /// An empty list, for a person who has none.
    public init() {
        tags = []
        content = ""
        base = []
        baseMoment = nil
    }

    /// Reads an event; `nil` unless it is of kind 10002.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        tags = event.tags
        content = event.content
        base = event.tags
        baseMoment = event.createdAt
    }

    /// Reads the tags of a list that is not published yet.
    init(tags: [Tag]) {
        self.init()
        self.tags = tags
    }

    /// The relays in order of first appearance, each once, the purposes of duplicates merged.
    public var entries: [Entry] {
        var order: [RelayURL] = []
        var usages: [RelayURL: Usage] = [:]
        for (relay, usage) in tags.compactMap(Self.read) {
            if usages[relay] == nil { order.append(relay) }
            usages[relay, default: []].formUnion(usage)
        }
        return order.map { Entry(relay: $0, usage: usages[$0] ?? []) }
    }

    /// Where the person publishes, in order.
    public var writeRelays: [RelayURL] { entries.filter { $0.usage.contains(.write) }.map(\.relay) }

    /// Where the person looks for mentions, in order.
    public var readRelays: [RelayURL] { entries.filter { $0.usage.contains(.read) }.map(\.relay) }

    /// Sets what a relay is for, in its place or at the end; an empty usage takes the relay out.
    public mutating func set(_ relay: RelayURL, _ usage: Usage) {
        guard entries.first(where: { $0.relay == relay })?.usage ?? [] != usage else { return }
        let place = tags.firstIndex { Self.read($0)?.0 == relay }
        tags.removeAll { Self.read($0)?.0 == relay }
        guard !usage.isEmpty else { return }
        tags.insert(Self.tag(relay, usage), at: place ?? tags.count)
    }

    /// What changed since the list was read; look at `dropped` before publishing.
    public var difference: ListDifference { ListDifference(from: base, to: tags) }

    /// The list as a draft, later than the event it replaces.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(
            kind: Self.kind, tags: tags, content: content, createdAt: momentReplacing(baseMoment, now: now))
    }

    private static func read(_ tag: Tag) -> (RelayURL, Usage)? {
        guard tag.name == "r", let relay = tag.relay(at: 1) else { return nil }
        switch tag[2] {
        case nil, "": return (relay, .both)
        case "read": return (relay, .read)
        case "write": return (relay, .write)
        // An unknown marker is no purpose we may use the relay for.
        default: return nil
        }
    }

    private static func tag(_ relay: RelayURL, _ usage: Usage) -> Tag {
        switch usage {
        case .read: ["r", relay.text, "read"]
        case .write: ["r", relay.text, "write"]
        default: ["r", relay.text]
        }
    }
}
