internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// A live stream among notes; how it stands depends on the moment at which it is drawn.
public struct StreamCard: Hashable, Sendable {
    private let activity: LiveActivity
    private let event: EventID
    private let host: Person
    private let author: Person

    /// Reads it from an event; `nil` for what is no stream.
    init?(_ note: Note) {
        guard let activity = LiveActivity(note.event) else { return nil }
        self.activity = activity
        event = note.id
        author = note.author
        host =
            activity.host == author.key
            ? author : note.mentioned[activity.host] ?? Person(key: activity.host)
    }

    /// What a screen needs at a moment; `nil` for a stream that no address leads to.
    public func item(now: Timestamp) -> StreamItem? {
        StreamItem(
            LiveStream(
                activity: activity, event: event, status: activity.status(now: now), host: host,
                isHostConfirmed: activity.isHostConfirmed, author: author, chatters: 0))
    }
}
