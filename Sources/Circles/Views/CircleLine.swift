public import NostrClient
public import NostrCore
public import NostrNIPs

/// A line of a circle's chat.
public struct CircleLine: Hashable, Sendable, Identifiable {
    /// What it says.
    public enum Body: Hashable, Sendable {
        /// Words.
        case text(String)
        /// Taken back by its author.
        case deleted
        /// The account muted who wrote it, or what it says; nothing of that is here.
        case muted(MuteReason)
        /// The author changed who is in the circle, or what it says of itself.
        case change(CircleLineChange)
    }

    /// The rumor's id, or that of the event that changed the group.
    public var id: EventID
    /// Who.
    public var author: Person
    /// When, as they say.
    public var createdAt: Timestamp
    /// What.
    public var body: Body
    /// The custom emoji its text may name (NIP-30).
    public var emoji: [CustomEmoji] = []
    /// The line it answers.
    public var replyTo: EventID?
    /// The start of that line.
    public var replyExcerpt: String?
    /// Sealed files it names, in order.
    public var files: [CircleFile] = []
    /// Reactions to it.
    public var reactions: [MessageReaction] = []
    /// For the account's own: relays that took it, of all; nil for those of others.
    public var delivery: Note.Acceptance?
    /// Whether not everybody has it: it was said in a branch that came to nothing.
    public var isAstray = false
    /// Whether it came from a leaf that was never shown to be its author's.
    public var isUnverified = false

    /// A line that replies to nothing and is not one of the account's own; set the rest afterwards.
    public init(id: EventID, author: Person, createdAt: Timestamp, body: Body) {
        (self.id, self.author, self.createdAt, self.body) = (id, author, createdAt, body)
        (replyTo, replyExcerpt, delivery) = (nil, nil, nil)
    }
}

/// A sealed file that a line names, as its author describes it.
public struct CircleFile: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// Its MIME type.
    public var type: String
    /// Width and height, as `<width>x<height>`.
    public var dimensions: String?
    /// What it looks like from far away, as BlurHash.
    public var blurhash: String?
    /// The same as ThumbHash.
    public var thumbhash: String?
    /// Whether a key for it is kept here.
    public var canOpen: Bool

    /// A file as its sender described it; nothing of this is checked before the file is opened.
    public init(name: String, type: String, dimensions: String?, canOpen: Bool) {
        (self.name, self.type, self.dimensions, self.canOpen) = (name, type, dimensions, canOpen)
    }
}

/// What a line says that changed.
public struct CircleLineChange: Hashable, Sendable {
    /// Who came.
    public var added: [Person] = []
    /// Who was removed.
    public var removed: [Person] = []
    /// Who left.
    public var left: [Person] = []
    /// Who became an admin.
    public var promoted: [Person] = []
    /// Who is one no more.
    public var demoted: [Person] = []
    /// The new name.
    public var name: String?
    /// The new relays.
    public var relays: [String]?

    /// A change of nothing.
    public init() {}
}
