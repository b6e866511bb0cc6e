public import NostrCore
public import NostrNIPs

/// Something changed; screens read again what they show.
public enum AccountChange: Hashable, Sendable {
    /// A note for the home timeline was stored; `reposts` is what it reposts, where it is a repost that names an event.
    case homeNote(EventID, author: PublicKey, createdAt: Timestamp, reposts: EventID? = nil)
    /// A reply, reaction, repost or deletion touching this note was stored.
    case touched(EventID)
    /// A person's profile or relay list changed.
    case person(PublicKey)
    /// The account's own follow list changed.
    case follows
    /// A relay answered about an event of the account's own.
    case receipt(EventID)
    /// The state of the connections changed.
    case connection
    /// Older notes that a page of this timeline was waiting for have come, or there are none.
    case timeline(TimelineSource)
    /// Relays have answered this search; search again to read what came from the store.
    case search(String)
    /// A note was stored that stands in a feed which somebody looked at lately; `reposts` as for home.
    case feedNote(TimelineSource, EventID, createdAt: Timestamp, reposts: EventID? = nil)
    /// A message, reaction or deletion came or went in a private conversation.
    case conversation(ChatRoom)
    /// Whether messages can be read, or how many are unread, changed.
    case messaging
    /// Relays answered which live streams there are; list them again.
    case streams
    /// Something in a live stream's chat, or the stream itself, changed.
    case stream(EventAddress)
    /// Something in a circle changed.
    case circle(CircleID)
    /// Which circles there are, or what waits for an answer, changed.
    case circles
    /// Something came that concerns the account, or some of it was read.
    case notifications
    /// The key may have been locked or unlocked.
    case lock
    /// One of the account's lists or drafts changed.
    case lists
    /// What the account mutes changed; read again what is shown.
    case mutes
    /// Work on what is being published began, went on or ended; ask ``WorkControl``.
    case work
    /// Changes were missed; read everything again.
    case missed
}
