public import NostrClient
public import NostrCore
internal import NostrNIPs

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
    /// What it is besides its words.
    public let content: NoteContent
    /// What it says.
    public let parts: [ContentPart]
    /// The pictures, films and sounds that the text names.
    public let media: [MediaItem]
    /// The reason of a content warning (NIP-36), empty for none given; `nil` without a warning.
    public let warning: String?
    /// The note it answers.
    public let replyTo: EventID?
    /// What it is a comment on, where that is no event that is read as a note.
    public let commented: CommentedThing?
    /// Who reposted it here.
    public let repostedBy: PersonItem?
    /// The notes it quotes, where known.
    public let quoted: [EventID: NoteItem]
    /// What stands in the place of notes it quotes that are muted.
    public let hiddenQuotes: [HiddenNoteItem]
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
        var read: [EventID: NoteItem] = [:]
        self.init(note, own: own, read: &read)
    }

    /// The same for one of a page of notes.
    ///
    /// - Parameter read: what other notes of the page quote, as far as it was read: many may quote the same.
    init?(_ note: Note, own: PublicKey, read: inout [EventID: NoteItem]) {
        let cursor = note.event.cursor
        let isRepost = [6, 16].contains(note.event.kind.rawValue)
        if isRepost {
            guard let inner = note.reposted.first else { return nil }
            let reposter = PersonItem(note.author)
            self.init(inner, own: own, cursor: cursor, repostedBy: reposter, depth: 0, read: &read)
        } else {
            self.init(note, own: own, cursor: cursor, repostedBy: nil, depth: 0, read: &read)
        }
    }

    private init(
        _ note: Note, own: PublicKey, cursor: TimelineCursor, repostedBy: PersonItem?, depth: Int,
        read: inout [EventID: NoteItem]
    ) {
        let event = note.event
        id = event.id
        self.cursor = cursor
        author = PersonItem(note.author)
        createdAt = event.createdAt
        title = NoteContent.hasTitle(event.kind) ? event.tags.firstValue("title").map { oneLine($0, limit: 200) } : nil
        content = NoteContent(note)
        // One level of quotes: a quote inside a quote is a link.
        let cards = depth == 0 ? note.quoted : [:]
        let cited = cards.compactMap { id, card in card.event.address.map { ($0, id) } }
        let places = Dictionary(cited) { first, _ in first }
        let isCard = depth > 0
        let written = contentParts(of: note.text(isCard: isCard), isCard: isCard, cited: places) {
            note.mentioned[$0].map(shownName(of:))
        }
        let shown = NoteMedia(event, parts: written, without: content.addresses)
        // What nobody can read as words is not shown as words.
        parts = content.replacesWords ? [] : shown.parts
        media = shown.items
        warning = event.tags.named("content-warning").first.map { oneLine($0.value ?? "", limit: 120) }
        replyTo = repliedNote(event)
        commented = CommentedThing(event)
        self.repostedBy = repostedBy
        quoted = Self.quoted(cards, own: own, read: &read)
        hiddenQuotes =
            depth == 0
            ? note.hiddenQuotes.sorted { $0.key < $1.key }.map { HiddenNoteItem($0.key, $0.value) } : []
        counts = Counts(replies: note.replies, reposts: note.reposts, reactions: note.reactions)
        zaps = ZapsItem(note)
        ownReaction = note.ownReaction
        isRepostedByMe = note.isRepostedByMe
        isOwn = event.pubkey == own
        delivery = note.delivery.map { Delivery(accepted: $0.accepted, asked: $0.asked) }
    }

    private static func quoted(
        _ cards: [EventID: Note], own: PublicKey, read: inout [EventID: NoteItem]
    ) -> [EventID: NoteItem] {
        var quoted: [EventID: NoteItem] = [:]
        for (id, card) in cards {
            if let known = read[id] {
                quoted[id] = known
                continue
            }
            let cursor = card.event.cursor
            let item = NoteItem(card, own: own, cursor: cursor, repostedBy: nil, depth: 1, read: &read)
            (quoted[id], read[id]) = (item, item)
        }
        return quoted
    }
}

extension NoteItem {
    /// The notes it quotes, in the order of the text; those the text does not name come last.
    public var quotedInOrder: [NoteItem] {
        guard !quoted.isEmpty else { return [] }
        var named: Set<EventID> = []
        var found: [NoteItem] = []
        for case .note(let id) in parts {
            if let note = quoted[id], named.insert(id).inserted { found.append(note) }
        }
        return found + quoted.values.filter { !named.contains($0.id) }.sorted { $0.id < $1.id }
    }
}

extension Event {
    /// Where this event stands in a timeline.
    var cursor: TimelineCursor { TimelineCursor(createdAt: createdAt, id: id) }
}

extension NoteItem {
    /// A note alone; `nil` when nobody has it, or it cannot be read now.
    ///
    /// - Parameter evenMuted: whether its reader asked for exactly this one, to do something with it.
    public static func load(_ id: EventID, evenMuted: Bool = false, of account: any Account) async -> NoteItem? {
        // A note nobody has is no note; the page says so.
        let timeline = account.timeline
        let found = try? await evenMuted ? timeline.named(id) : timeline.thread(id, hints: []).focus
        return found.flatMap { NoteItem($0, own: account.publicKey) }
    }
}
