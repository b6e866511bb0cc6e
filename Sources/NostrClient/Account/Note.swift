public import NostrCore

/// A note with what is shown around it.
public struct Note: Hashable, Sendable, Identifiable {
    /// The note itself (kinds 1, 6, 16, 20 to 22, 1111, 30023, 34235, 34236).
    public var event: Event
    /// Who wrote it, as far as a profile is known here.
    public var author: Person
    /// For a repost: the note inside, verified; `nil` when it is not known yet.
    public var reposted: [Note]
    /// Notes it quotes, in order, where known (one level deep).
    public var quoted: [EventID: Note]
    /// Notes it quotes that are not shown because of what the account has muted, and why.
    public var hiddenQuotes: [EventID: MuteReason]
    /// People it mentions, where known.
    public var mentioned: [PublicKey: Person]
    /// How many replies, reposts and reactions are known here.
    public var replies: Int, reposts: Int, reactions: Int
    /// What was paid for it, from receipts that count.
    public var zaps: ZapTally
    /// How it stands, where it is a poll.
    public var poll: NotePoll?
    /// The account's own reaction.
    public var ownReaction: String?
    /// Whether the account reposted it.
    public var isRepostedByMe: Bool
    /// For the account's own notes: how many relays have it, of how many asked.
    public var delivery: Acceptance?
    /// Its text, where it was read to find what it names; ``text(isCard:)`` for one that draws it.
    var readText: NoteText?

    public var id: EventID { event.id }

    /// How far a note of the account's own has come.
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
        hiddenQuotes = [:]
        mentioned = [:]
        replies = 0
        reposts = 0
        reactions = 0
        zaps = ZapTally()
        poll = nil
        ownReaction = nil
        isRepostedByMe = false
        delivery = nil
        readText = nil
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
    /// Why the note itself is not shown, which is here; `nil` for one that is shown or not here.
    public var hiddenFocus: MuteReason?
    /// The note's id, when it is here, shown or not.
    public var focusID: EventID?
    /// What of the ancestors and of these replies is muted, in order.
    public var hiddenAncestors: [Hidden] = [], hiddenReplies: [Hidden] = []

    /// A note that is not shown, and where it would stand.
    public struct Hidden: Hashable, Sendable {
        /// The note.
        public var id: EventID
        /// Why it is not shown.
        public var reason: MuteReason
        /// How many replies lie between it and the note.
        public var depth: Int
        /// How many of those that are shown stand before it.
        public var place: Int

        /// A note that is not shown.
        public init(id: EventID, reason: MuteReason, depth: Int = 0, place: Int) {
            self.id = id
            self.reason = reason
            self.depth = depth
            self.place = place
        }
    }

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
        focusID = focus?.id
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
    /// What it is published as in place of a note.
    public var mediaPost: MediaPost?
    /// What wrote it, where that is to be told (NIP-89); `nil` to say nothing.
    public var client: String?

    /// A note to be written; a new one needs only a text.
    public init(
        text: String, replyTo: EventID? = nil, quote: EventID? = nil, contentWarning: String? = nil,
        attachments: [Tag] = [], mediaPost: MediaPost? = nil
    ) {
        self.mediaPost = mediaPost
        self.attachments = attachments
        self.text = text
        self.replyTo = replyTo
        self.quote = quote
        self.contentWarning = contentWarning
    }
}
