public import NostrCore

/// A note with what is shown around it.
public struct Note: Hashable, Sendable, Identifiable {
    /// The note itself (kinds 1, 6, 16, 1111, 30023).
    public var event: Event
    /// Who wrote it, as far as a profile is known here.
    public var author: Person
    /// For a repost: the note inside, verified; `nil` when it is not known yet.
    public var reposted: [Note]
    /// Notes it quotes, in order, where known (one level deep).
    public var quoted: [EventID: Note]
    /// Notes it quotes that are not shown because of what the account has muted.
    public var hiddenQuotes: Set<EventID>
    /// People it mentions, where known.
    public var mentioned: [PublicKey: Person]
    /// How many replies, reposts and reactions are known here.
    public var replies: Int, reposts: Int, reactions: Int
    /// What was paid for it, from receipts that count.
    public var zaps: ZapTally
    /// The account's own reaction.
    public var ownReaction: String?
    /// Whether the account reposted it.
    public var isRepostedByMe: Bool
    /// For one's own notes: how many relays have it, of how many asked.
    public var delivery: Acceptance?

    public var id: EventID { event.id }

    /// How far one's own note has come.
    public struct Acceptance: Hashable, Sendable {
        /// How many relays have it.
        public var accepted: Int
        /// How many relays it was or will be offered to.
        public var asked: Int

        /// Counts that are known already.
        public init(accepted: Int, asked: Int) {
            self.accepted = accepted
            self.asked = asked
        }
    }

    /// A note of which only the event and its author are known.
    public init(event: Event, author: Person) {
        self.event = event
        self.author = author
        reposted = []
        quoted = [:]
        hiddenQuotes = []
        mentioned = [:]
        replies = 0
        reposts = 0
        reactions = 0
        zaps = ZapTally()
        ownReaction = nil
        isRepostedByMe = false
        delivery = nil
    }
}

/// A conversation around one note.
public struct NoteThread: Hashable, Sendable {
    /// From the root down to just above the note, as far as known.
    public var ancestors: [Note]
    /// The note, when found.
    public var focus: Note?
    /// The replies, as a tree in pre-order with depth 0 for direct replies, oldest first.
    public var replies: [Reply]
    /// The last of these replies when more follow it; the next part of the thread comes after it.
    public var next: EventID?
    /// Whether relays are still being asked.
    public var isLoading: Bool

    /// A reply and its place in the tree.
    public struct Reply: Hashable, Sendable {
        /// The reply.
        public var note: Note
        /// How many replies lie between it and the note; 0 for a direct one.
        public var depth: Int

        /// Counts that are known already.
        public init(note: Note, depth: Int) {
            self.note = note
            self.depth = depth
        }
    }

    /// A thread as far as it is known here: without a focus, the note itself has not come yet.
    public init(ancestors: [Note], focus: Note?, replies: [Reply], next: EventID? = nil, isLoading: Bool) {
        self.ancestors = ancestors
        self.focus = focus
        self.replies = replies
        self.next = next
        self.isLoading = isLoading
    }
}

/// What a person wrote and means to publish.
public struct Composition: Hashable, Sendable {
    /// The text; `@name` completions are already `nostr:npub…`, emoji `:code:`.
    public var text: String
    /// The note it answers.
    public var replyTo: EventID?
    /// The note it quotes.
    public var quote: EventID?
    /// A content warning (NIP-36); empty for one without a reason.
    public var contentWarning: String?
    /// What is known of files it shows: `imeta` tags (NIP-92); addresses the text does not name are put under it.
    public var attachments: [Tag]

    /// A note to be written; a new one needs only a text.
    public init(
        text: String, replyTo: EventID? = nil, quote: EventID? = nil, contentWarning: String? = nil,
        attachments: [Tag] = []
    ) {
        self.attachments = attachments
        self.text = text
        self.replyTo = replyTo
        self.quote = quote
        self.contentWarning = contentWarning
    }
}
