public import NostrCore

/// The media servers a person keeps their files on, the one they trust most first: kind 10063.
///
/// Garbage and repetitions are left out on reading; on writing back every tag that is no server stays as it was.
/// Source: BUD-03.
public struct MediaServerList: Hashable, Sendable {
    /// The kind of the list.
    public static let kind: Kind = 10_063
    /// The most servers of a list that are heeded.
    public static let most = 20

    /// The servers, in order.
    public private(set) var servers: [MediaServer]
    private let otherTags: [Tag]
    private let content: String
    private let baseMoment: Timestamp?

    /// An empty list.
    public init() {
        (servers, otherTags, content, baseMoment) = ([], [], "", nil)
    }

    /// Reads an event; `nil` for another kind.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        let named = event.tags.named("server").compactMap { $0.value.flatMap { MediaServer($0) } }
        servers = Array(named.withoutDuplicates().prefix(Self.most))
        otherTags = event.tags.filter { $0.name != "server" }
        (content, baseMoment) = (event.content, event.createdAt)
    }

    /// Puts other servers in the place of those there are.
    public mutating func set(_ servers: [MediaServer]) {
        self.servers = Array(servers.withoutDuplicates().prefix(Self.most))
    }

    /// The list to be published; it is newer than the one it was read from.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(
            kind: Self.kind, tags: servers.map { ["server", $0.address] } + otherTags, content: content,
            createdAt: max(now, baseMoment.map { $0 + .seconds(1) } ?? now))
    }
}
