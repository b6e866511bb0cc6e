public import NostrClient
public import NostrCore

/// A note as a screen shows it.
///
/// One property for each thing that a card says; all of them are read from one note at once, and change together.
public struct NoteItem: Hashable, Sendable, Identifiable {
    /// The note; of a repost, the note inside.
    public let id: EventID
    /// Its place in the timeline; of a repost, the repost's.
    public let cursor: TimelineCursor
    /// Who wrote it.
    public let author: PersonItem
    /// When, by the author's clock.
    public let createdAt: Timestamp
    /// The title of an article.
    public let title: String?
    /// What it says.
    public let parts: [ContentPart]
    /// The reason of a content warning (NIP-36), empty for none given; `nil` without a warning.
    public let warning: String?
    /// The note it answers.
    public let replyTo: EventID?
    /// Who reposted it here.
    public let repostedBy: PersonItem?
    /// The notes it quotes, where known.
    public let quoted: [EventID: NoteItem]
    /// How others answered it, as far as is known.
    public let counts: Counts
    /// What was paid for it; `nil` where nothing was.
    public let zaps: ZapsItem?
    /// What the account reacted.
    public let ownReaction: String?
    /// Whether the account reposted it.
    public let isRepostedByMe: Bool
    /// Whether the account wrote it.
    public let isOwn: Bool
    /// For the account's own notes: how many relays have it, of how many asked.
    public let delivery: Delivery?

    /// How many answers of each sort a note has.
    public struct Counts: Hashable, Sendable {
        /// Notes that answer it.
        public let replies: Int
        /// Notes that repost it.
        public let reposts: Int
        /// Reactions of every sort.
        public let reactions: Int
    }

    /// How far a note of the account has come.
    public struct Delivery: Hashable, Sendable {
        /// Relays that have it.
        public let accepted: Int
        /// Relays it was offered to.
        public let asked: Int
    }

    /// Reads what a screen needs from a note; a repost shows the note inside, or nothing when it is not known yet.
    ///
    /// - Parameter own: whose account looks.
    public init?(_ note: Note, own: PublicKey) {
        let isRepost = [6, 16].contains(note.event.kind.rawValue)
        if isRepost {
            guard let inner = note.reposted.first else { return nil }
            self.init(inner, own: own, cursor: note.event.cursor, repostedBy: PersonItem(note.author), depth: 0)
        } else {
            self.init(note, own: own, cursor: note.event.cursor, repostedBy: nil, depth: 0)
        }
    }

    private init(_ note: Note, own: PublicKey, cursor: TimelineCursor, repostedBy: PersonItem?, depth: Int) {
        let event = note.event
        id = event.id
        self.cursor = cursor
        author = PersonItem(note.author)
        createdAt = event.createdAt
        title = event.kind == 30_023 ? event.tags.firstValue("title").map { oneLine($0, limit: 200) } : nil
        parts = contentParts(of: event) { note.mentioned[$0].map { PersonItem($0).name } }
        warning = event.tags.named("content-warning").first.map { oneLine($0.value ?? "", limit: 120) }
        replyTo = repliedNote(event)
        self.repostedBy = repostedBy
        // One level of quotes: a quote inside a quote is a link.
        let cards = depth == 0 ? note.quoted : [:]
        quoted = cards.mapValues {
            NoteItem($0, own: own, cursor: $0.event.cursor, repostedBy: nil, depth: 1)
        }
        counts = Counts(replies: note.replies, reposts: note.reposts, reactions: note.reactions)
        zaps = ZapsItem(note)
        ownReaction = note.ownReaction
        isRepostedByMe = note.isRepostedByMe
        isOwn = event.pubkey == own
        delivery = note.delivery.map { Delivery(accepted: $0.accepted, asked: $0.asked) }
    }
}

extension NoteItem {
    /// The notes it quotes, in the order of the text; those the text does not name come last.
    public var quotedInOrder: [NoteItem] {
        var rest = quoted
        var found: [NoteItem] = []
        for case .note(let id) in parts {
            if let note = rest.removeValue(forKey: id) { found.append(note) }
        }
        return found + rest.values.sorted { $0.id < $1.id }
    }
}

extension Event {
    /// Where this event stands in a timeline.
    var cursor: TimelineCursor { TimelineCursor(createdAt: createdAt, id: id) }
}

extension NoteItem {
    /// A note alone; `nil` when nobody has it, or it cannot be read now.
    public static func load(_ id: EventID, of account: any Account) async -> NoteItem? {
        // A note nobody has is no note; the page says so.
        let thread = try? await account.timeline.thread(id, hints: [])
        return thread?.focus.flatMap { NoteItem($0, own: account.publicKey) }
    }
}
