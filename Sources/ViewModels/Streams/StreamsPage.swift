public import NostrClient
internal import NostrCore

/// The live streams that are known.
public struct StreamsPage: Hashable, Sendable {
    /// Live now.
    public let live: [StreamItem]
    /// Announced.
    public let planned: [StreamItem]
    /// Over.
    public let ended: [StreamItem]
    /// Whether relays are still being asked.
    public let isLooking: Bool

    /// Whether there is nothing at all.
    public var isEmpty: Bool { live.isEmpty && planned.isEmpty && ended.isEmpty }

    /// Reads what a screen needs.
    public init(_ list: LiveStreamList) {
        live = list.live.compactMap(StreamItem.init)
        planned = list.planned.compactMap(StreamItem.init)
        ended = list.ended.compactMap(StreamItem.init)
        isLooking = list.isLooking
    }

    /// The streams as an account sees them.
    public static func load(of account: any Account) async throws(Trouble) -> StreamsPage {
        guard let streams = account.streams else {
            return StreamsPage(LiveStreamList([], now: Timestamp(seconds: 0), isLooking: false))
        }
        return StreamsPage(try await troubled { try await streams.list() })
    }
}
