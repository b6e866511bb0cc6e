public import NostrClient
public import NostrCore

/// A note that came for a timeline, by its place; of a repost, what is reposted too: a note and its reposts are one card.
public struct ArrivedNote: Hashable, Sendable {
    /// Its place; of a repost, the repost's.
    public let cursor: TimelineCursor
    /// What it reposts; `nil` for what is no repost, and for one that names an address alone.
    public let reposted: EventID?

    /// A note that came just now.
    public init(_ cursor: TimelineCursor, reposting reposted: EventID? = nil) {
        self.cursor = cursor
        self.reposted = reposted
    }

    /// The mark of its place; of a repost, a hyphen and the id of what is reposted follow.
    public var mark: String { cursor.mark + (reposted.map { "-" + $0.hex } ?? "") }
}
