public import NostrCore
public import NostrNIPs

/// The private messages of an unlocked account (NIP-17), as screens need them.
///
/// Everything is read from the encrypted vault on disk. Every call that throws throws ``MessagingError`` or what an
/// account throws.
public protocol Messaging: Sendable {
    /// The conversations of a folder, the one with the newest message first.
    func conversations(in folder: MessageFolder) async throws -> [ConversationSummary]
    /// How many conversations there are in all folders.
    func conversationCount() async throws -> Int
    /// The room behind a page's address (``/NostrNIPs/ChatRoom/word``), when there is such a conversation.
    func room(_ word: String) async throws -> ChatRoom?
    /// A stretch of one conversation, newest last; an unknown room is an empty conversation.
    func conversation(_ room: ChatRoom, before cursor: MessageCursor?, limit: Int) async throws -> ConversationPage
    /// Messages whose text, subject or writer matches every word, newest first.
    func search(_ text: String, limit: Int) async throws -> [MessageHit]

    /// Wraps and sends one message to everybody in the room and to the account itself; returns once it is durable and
    /// queued.
    func send(_ message: OutgoingMessage) async throws -> Message
    /// Encrypts a file, uploads it, and sends what opens it to everybody in the room; what is written with it follows as
    /// a message of its own.
    ///
    /// - Throws: ``SealedFileError`` too.
    func send(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> Message
    /// Encrypts a file and keeps it until a media server has it, over restarts; what opens it, and what is written with
    /// it, goes out then.
    ///
    /// - Returns: the message, where it went at once; `nil` where it waits, see ``ConversationPage/unsent``.
    /// - Throws: ``SealedFileError`` too, for what is not taken up.
    func keep(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> EventID?
    /// Has a file that waits tried now.
    func retryFile(_ id: String, in room: ChatRoom) async throws
    /// Takes a file back that waits.
    func removeFile(_ id: String, in room: ChatRoom) async throws
    /// Fetches the file of a message, checks and decrypts it; in memory only.
    ///
    /// - Throws: ``SealedFileError`` too.
    func openFile(of id: EventID, in room: ChatRoom) async throws -> OpenedFile
    /// Reacts to a message within its room.
    ///
    /// - Parameter picture: the address of the picture of a custom emoji that was pressed; one that stands neither at
    ///   the message nor among the account's own emoji is not sent.
    func react(to id: EventID, in room: ChatRoom, with content: String, showing picture: String?) async throws
    /// Takes the account's own reactions to a message back, of those the ones with these contents.
    func takeBackReactions(_ contents: Set<String>, from id: EventID, in room: ChatRoom) async throws
    /// Deletes the account's own copy of a message, here and on the relays that hold its wraps; for everyone, also asks
    /// the others to (NIP-17, kind 5 in a wrap), which only its author can.
    func delete(_ id: EventID, in room: ChatRoom, forEveryone: Bool) async throws
    /// Offers a message again to the relays that do not have it.
    func resend(_ id: EventID) async throws
    /// How far a message of the account's own has come, per recipient.
    func receipts(of id: EventID) async throws -> [RecipientReceipt]

    /// Marks everything in a conversation as read.
    func markRead(_ room: ChatRoom) async throws
    /// Takes a conversation out of the requests; sending into it does the same.
    func accept(_ room: ChatRoom) async throws
    /// Forgets a conversation here, with all its messages; new messages bring it back as a request.
    func forget(_ room: ChatRoom) async throws
}

extension Messaging {
    /// Reacts to a message within its room.
    public func react(to id: EventID, in room: ChatRoom, with content: String) async throws {
        try await react(to: id, in: room, with: content, showing: nil)
    }

    /// Counts those of each folder.
    public func conversationCount() async throws -> Int {
        var count = 0
        for folder in MessageFolder.allCases { count += try await conversations(in: folder).count }
        return count
    }

    /// Sends no files.
    public func send(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> Message {
        throw SealedFileError.unavailable
    }

    /// Keeps no files: one goes at once or not at all.
    public func keep(_ file: OutgoingFile, with message: OutgoingMessage) async throws -> EventID? {
        try await send(file, with: message).id
    }

    /// Keeps no files.
    public func retryFile(_ id: String, in room: ChatRoom) async throws {}

    /// Keeps no files.
    public func removeFile(_ id: String, in room: ChatRoom) async throws {}

    /// Opens no files.
    public func openFile(of id: EventID, in room: ChatRoom) async throws -> OpenedFile {
        throw SealedFileError.unavailable
    }
}

/// Where a conversation lies.
public enum MessageFolder: String, Hashable, Sendable, CaseIterable {
    /// With people whom the account follows, has written to, or has accepted.
    case known
    /// From strangers.
    case requests
}

/// Whether messages can be read now, and how the account is reachable.
public struct MessagingState: Hashable, Sendable {
    /// Whether the vault is open.
    public enum Vault: Hashable, Sendable {
        /// The key is locked: nothing can be read or sent.
        case locked
        /// Messages already here are being read.
        case opening
        /// Open.
        case open
        /// The vault's records do not open with this key; they are kept as they are.
        case damaged
    }

    /// Whether messages can be read.
    public var vault: Vault
    /// One's own inbox relays (kind 10050); empty when others cannot know where to write.
    public var inbox: [RelayURL]
    /// Inbox relays that have sent all they hold since the program started.
    public var caughtUp: Set<RelayURL>
    /// Wraps that came and could not be opened since the program started: junk, or for another key.
    public var rejected: Int
    /// Unread conversations of the known folder, and of the requests.
    public var unread: Int, unreadRequests: Int

    /// The state at one moment; ``AccountChange/messaging`` says when it is another.
    public init(
        vault: Vault, inbox: [RelayURL], caughtUp: Set<RelayURL>, rejected: Int, unread: Int, unreadRequests: Int
    ) {
        self.vault = vault
        self.inbox = inbox
        self.caughtUp = caughtUp
        self.rejected = rejected
        self.unread = unread
        self.unreadRequests = unreadRequests
    }
}

/// A conversation in a list of conversations.
public struct ConversationSummary: Hashable, Sendable, Identifiable {
    /// Who is in it.
    public var room: ChatRoom
    /// The others, as far as known; the account itself for notes to itself.
    public var people: [Person]
    /// The newest subject.
    public var subject: String?
    /// The newest message.
    public var newest: Message?
    /// How many messages of others came after the last one read, and are shown.
    public var unread: Int
    /// How many more came, of people, with words or in threads that are muted.
    public var unreadHidden = 0

    public var id: ChatRoom { room }

    /// A conversation as the list shows it; a room without messages has no newest one.
    public init(room: ChatRoom, people: [Person], subject: String?, newest: Message?, unread: Int) {
        self.room = room
        self.people = people
        self.subject = subject
        self.newest = newest
        self.unread = unread
    }
}

/// One private message.
public struct Message: Hashable, Sendable, Identifiable {
    /// What it says.
    public enum Body: Hashable, Sendable {
        /// Plain text (kind 14).
        case text(String)
        /// An encrypted file somewhere (kind 15).
        case file(EncryptedFile)
        /// Taken back by its author; the text is gone.
        case deleted
    }

    /// The rumor's id, the same for everybody in the room.
    public var id: EventID
    /// The people it is among; they make up its address.
    public var room: ChatRoom
    /// Who wrote it.
    public var author: Person
    /// When its author says.
    public var createdAt: Timestamp
    /// What it says.
    public var body: Body
    /// The custom emoji its text may name (NIP-30).
    public var emoji: [CustomEmoji] = []
    /// The message it answers.
    public var replyTo: EventID?
    /// The start of that message's text, when it is here.
    public var replyExcerpt: String?
    /// Reactions to it: content and who.
    public var reactions: [MessageReaction]
    /// When it disappears (NIP-40).
    public var expiration: Timestamp?
    /// For the account's own: recipients who have it on at least one relay, of all; `nil` for the messages of others.
    public var delivery: Note.Acceptance?

    /// A message that replies to nothing, with no reactions; set what it has besides afterwards.
    public init(id: EventID, room: ChatRoom, author: Person, createdAt: Timestamp, body: Body) {
        self.id = id
        self.room = room
        self.author = author
        self.createdAt = createdAt
        self.body = body
        replyTo = nil
        replyExcerpt = nil
        reactions = []
        expiration = nil
        delivery = nil
    }
}

/// A reaction to a message.
public struct MessageReaction: Hashable, Sendable {
    /// `+`, an emoji, or `:shortcode:`.
    public var content: String
    /// Who.
    public var author: PublicKey
    /// The custom emoji that `:shortcode:` stands for (NIP-30), where it came along.
    public var emoji: CustomEmoji?

    /// A reaction as its author wrote it: an emoji, or `+` for a like.
    public init(content: String, author: PublicKey, emoji: CustomEmoji? = nil) {
        self.content = content
        self.author = author
        self.emoji = emoji
    }
}

/// A place in a conversation: before this message, in (created_at, id) order.
public struct MessageCursor: Hashable, Sendable {
    /// The moment of the oldest message shown.
    public let createdAt: Timestamp
    /// The id of its rumor, which orders messages of one second.
    public let id: EventID

    /// The place right before a message, in the order of dates and, within a second, of ids.
    public init(createdAt: Timestamp, id: EventID) {
        self.createdAt = createdAt
        self.id = id
    }
}

/// A stretch of a conversation.
public struct ConversationPage: Hashable, Sendable {
    /// The conversation.
    public var summary: ConversationSummary
    /// Whether it is among the requests.
    public var folder: MessageFolder
    /// The messages, oldest first.
    public var messages: [Message]
    /// Where older ones start; `nil` at the beginning.
    public var older: MessageCursor?
    /// Everybody in the room whose inbox relays are not known: they cannot be written to yet.
    public var unreachable: [PublicKey]
    /// Files of the account's that no media server has taken yet, in the order they were sent in; only of a stretch that
    /// ends with the newest message.
    public var unsent: [UnsentFile] = []

    /// A stretch of a conversation; without an older cursor it begins with the first message.
    public init(
        summary: ConversationSummary, folder: MessageFolder, messages: [Message], older: MessageCursor?,
        unreachable: [PublicKey]
    ) {
        self.summary = summary
        self.folder = folder
        self.messages = messages
        self.older = older
        self.unreachable = unreachable
    }
}

/// A message a search found.
public struct MessageHit: Hashable, Sendable, Identifiable {
    /// What matched.
    public var message: Message
    /// Where it was found.
    public var conversation: ConversationSummary

    public var id: EventID { message.id }

    /// A message that was found, with the conversation it can be opened in.
    public init(message: Message, conversation: ConversationSummary) {
        self.message = message
        self.conversation = conversation
    }
}

/// What a person wrote and means to send.
public struct OutgoingMessage: Hashable, Sendable {
    /// To whom.
    public var room: ChatRoom
    /// What is to be sent; ``MessagingError`` says what is refused.
    public var text: String
    /// The message it answers.
    public var replyTo: EventID?
    /// A new subject for the conversation.
    public var subject: String?
    /// After how long it disappears (NIP-40); `nil` for never.
    public var lifetime: Duration?

    /// A message that answers nothing, changes no subject and stays; nothing is refused before it is sent.
    public init(room: ChatRoom, text: String) {
        self.room = room
        self.text = text
    }
}

/// How far a message of the account's own has come on its way to one recipient.
public struct RecipientReceipt: Hashable, Sendable, Identifiable {
    /// How the recipient's relays were found.
    public enum Basis: Hashable, Sendable {
        /// Their inbox list (kind 10050).
        case inbox
        /// They have none; their read relays (NIP-65) stand in.
        case relayList
        /// Neither is known yet.
        case unknown
    }

    /// To whom; the account itself for its own copy.
    public var recipient: Person
    /// How their relays were found.
    public var basis: Basis
    /// Each of those relays and what it said.
    public var relays: [PublishReceipt]

    public var id: PublicKey { recipient.key }

    /// Joins what is known of one recipient.
    public init(recipient: Person, basis: Basis, relays: [PublishReceipt]) {
        self.recipient = recipient
        self.basis = basis
        self.relays = relays
    }
}
