public import NostrClient
public import NostrCore
public import NostrNIPs

/// Private messages that live in memory: what a test put in is what screens see.
public actor FakeMessaging: Messaging {
    /// One conversation.
    public struct Conversation: Sendable {
        /// The people.
        public var people: [Person]
        /// Where it lies.
        public var folder: MessageFolder
        /// Its subject.
        public var subject: String?
        /// The messages, oldest first.
        public var messages: [Message] = []
        /// How many are unread.
        public var unread = 0
        /// Who cannot be written to.
        public var unreachable: [PublicKey] = []
        /// Files that no media server has taken yet.
        public var unsent: [UnsentFile] = []
    }

    /// What `state()` answers, but for the counts of unread ones.
    public var standing = MessagingState(
        vault: .open, inbox: [], caughtUp: [], rejected: 0, unread: 0, unreadRequests: 0)
    /// The conversations.
    public private(set) var conversations: [ChatRoom: Conversation] = [:]
    /// What was sent, in order.
    public private(set) var outgoing: [OutgoingMessage] = []
    /// Files that were sent, in order.
    public private(set) var sentFiles: [OutgoingFile] = []
    /// What `openFile(of:in:)` answers.
    private var openedFiles: [EventID: OpenedFile] = [:]
    /// Everything else that was done, in words.
    public private(set) var acts: [String] = []
    /// Thrown by everything that writes, when set.
    public var refusal: (any Error)?
    /// What `receipts(of:)` answers.
    public var receiptsByMessage: [EventID: [RecipientReceipt]] = [:]
    /// Oneself.
    public let own: Person
    private var moment: Timestamp

    /// Belongs to one person; time begins at a moment.
    public init(own: Person, at moment: Timestamp) {
        self.own = own
        self.moment = moment
        if let inbox = try? RelayURL("wss://inbox.example") {
            standing.inbox = [inbox]
            standing.caughtUp = [inbox]
        }
    }

    /// Sets whether messages can be read.
    public func set(vault: MessagingState.Vault) { standing.vault = vault }
    /// Sets one's inbox relays.
    public func set(inbox: [RelayURL]) { standing.inbox = inbox }
    /// Sets what every writing call throws.
    public func refuse(with error: (any Error)?) { refusal = error }
    /// Sets how far a message has come.
    public func set(receipts: [RecipientReceipt], of id: EventID) { receiptsByMessage[id] = receipts }
    /// Says who cannot be written to.
    public func set(unreachable: [PublicKey], in room: ChatRoom) { conversations[room]?.unreachable = unreachable }
    /// Changes a message that is here.
    public func change(_ id: EventID, in room: ChatRoom, _ body: @Sendable (inout Message) -> Void) {
        guard let index = conversations[room]?.messages.firstIndex(where: { $0.id == id }) else { return }
        if var message = conversations[room]?.messages[index] {
            body(&message)
            conversations[room]?.messages[index] = message
        }
    }

    /// Lets somebody write; returns the message.
    @discardableResult
    public func arrive(
        _ text: String, from author: Person, to people: [Person], in folder: MessageFolder = .known,
        subject: String? = nil, emoji: [CustomEmoji] = [], at when: Timestamp? = nil
    ) -> Message {
        let room = ChatRoom(people.map(\.key) + [author.key, own.key])
        var message = made(text, by: author, in: room, at: when)
        message.emoji = emoji
        message.delivery =
            author.key == own.key ? Note.Acceptance(accepted: 1, asked: room.participants.count - 1) : nil
        keep(message, people: people + [author], folder: folder, subject: subject)
        if author.key != own.key { conversations[room]?.unread += 1 }
        return message
    }

    private func made(_ text: String, by author: Person, in room: ChatRoom, at when: Timestamp?) -> Message {
        moment = when ?? moment + .seconds(60)
        let draft = EventDraft(
            kind: 14, tags: room.others(than: author.key).map { ["p", $0.hex] }, content: text, createdAt: moment)
        return Message(
            id: Rumor(draft, author: author.key).id, room: room, author: author, createdAt: moment, body: .text(text))
    }

    private func keep(_ message: Message, people: [Person], folder: MessageFolder, subject: String?) {
        let others = people.filter { $0.key != own.key }
        var conversation = conversations[message.room] ?? Conversation(people: others, folder: folder)
        conversation.messages.append(message)
        if let subject { conversation.subject = subject }
        conversations[message.room] = conversation
    }

    public func state() -> MessagingState {
        var state = standing
        let unread = conversations.values.filter { $0.unread > 0 }
        state.unread = unread.count { $0.folder == .known }
        state.unreadRequests = unread.count { $0.folder == .requests }
        return state
    }

    private func unlocked() throws {
        guard standing.vault == .open else { throw MessagingError.locked }
    }

    private func summary(_ room: ChatRoom) -> ConversationSummary {
        let conversation = conversations[room]
        return ConversationSummary(
            room: room, people: conversation?.people ?? [], subject: conversation?.subject,
            newest: conversation?.messages.last, unread: conversation?.unread ?? 0)
    }

    public func conversations(in folder: MessageFolder) throws -> [ConversationSummary] {
        try unlocked()
        return conversations.filter { $0.value.folder == folder }.keys.map(summary).sorted { a, b in
            (a.newest?.createdAt.seconds ?? 0, a.room.word) > (b.newest?.createdAt.seconds ?? 0, b.room.word)
        }
    }

    public func room(_ word: String) throws -> ChatRoom? {
        try unlocked()
        return conversations.keys.first { $0.word == word }
    }

    public func conversation(_ room: ChatRoom, before cursor: MessageCursor?, limit: Int) throws -> ConversationPage {
        try unlocked()
        let all = (conversations[room]?.messages ?? []).filter { message in
            cursor.map { (message.createdAt.seconds, message.id.hex) < ($0.createdAt.seconds, $0.id.hex) } ?? true
        }
        // No page is longer, as in the program.
        let shown = Array(all.suffix(min(limit, 500)))
        let oldest = shown.first.map { MessageCursor(createdAt: $0.createdAt, id: $0.id) }
        var page = ConversationPage(
            summary: summary(room), folder: conversations[room]?.folder ?? .known, messages: shown,
            older: all.count > shown.count ? oldest : nil, unreachable: conversations[room]?.unreachable ?? [])
        if cursor == nil { page.unsent = conversations[room]?.unsent ?? [] }
        return page
    }

    public func search(_ text: String, limit: Int) throws -> [MessageHit] {
        try unlocked()
        let hits = conversations.keys.flatMap { room in
            (conversations[room]?.messages ?? []).compactMap { message -> MessageHit? in
                guard case .text(let body) = message.body, body.lowercased().contains(text.lowercased()) else {
                    return nil
                }
                return MessageHit(message: message, conversation: summary(room))
            }
        }
        return Array(hits.sorted { $0.message.createdAt > $1.message.createdAt }.prefix(limit))
    }

    public func send(_ message: OutgoingMessage) throws -> Message {
        try act("send")
        outgoing.append(message)
        var sent = made(message.text, by: own, in: message.room, at: nil)
        sent.replyTo = message.replyTo
        sent.expiration = message.lifetime.map { sent.createdAt + $0 }
        sent.delivery = Note.Acceptance(accepted: 0, asked: max(1, message.room.participants.count - 1))
        let people = message.room.participants.map { Person(key: $0) }
        keep(sent, people: conversations[message.room]?.people ?? people, folder: .known, subject: message.subject)
        conversations[message.room]?.folder = .known
        return sent
    }

    /// Says what opens of a message.
    public func set(opened file: OpenedFile, of id: EventID) { openedFiles[id] = file }

    public func send(_ file: OutgoingFile, with message: OutgoingMessage) throws -> Message {
        try act("send a file")
        sentFiles.append(file)
        return try send(message)
    }

    /// Says which files of a conversation no media server has taken yet.
    public func set(unsent: [UnsentFile], in room: ChatRoom) { conversations[room]?.unsent = unsent }

    public func retryFile(_ id: String, in room: ChatRoom) throws { try act("retry file \(id)") }

    public func removeFile(_ id: String, in room: ChatRoom) throws {
        try act("remove file \(id)")
        conversations[room]?.unsent.removeAll { $0.id == id }
    }

    public func openFile(of id: EventID, in room: ChatRoom) throws -> OpenedFile {
        try unlocked()
        guard let file = openedFiles[id] else { throw SealedFileError.another }
        return file
    }

    public func react(to id: EventID, in room: ChatRoom, with content: String, showing picture: String?) throws {
        try act("react \(content) \(picture.map { "\($0) " } ?? "")\(id.hex)")
        let emoji = picture.flatMap { CustomEmoji(shortcode: String(content.dropFirst().dropLast()), url: $0) }
        let reaction = MessageReaction(content: content, author: own.key, emoji: emoji)
        change(id, in: room) { $0.reactions.append(reaction) }
    }

    public func takeBackReactions(_ contents: Set<String>, from id: EventID, in room: ChatRoom) throws {
        try act("unreact \(contents.sorted().joined(separator: " ")) \(id.hex)")
        let own = own.key
        change(id, in: room) { message in
            message.reactions.removeAll { $0.author == own && contents.contains($0.content) }
        }
    }

    public func delete(_ id: EventID, in room: ChatRoom, forEveryone: Bool) throws {
        try act("delete \(id.hex) \(forEveryone ? "for everyone" : "here")")
        conversations[room]?.messages.removeAll { $0.id == id }
    }

    public func resend(_ id: EventID) throws { try act("resend \(id.hex)") }

    public func receipts(of id: EventID) throws -> [RecipientReceipt] {
        try unlocked()
        return receiptsByMessage[id] ?? []
    }

    public func markRead(_ room: ChatRoom) throws {
        try unlocked()
        conversations[room]?.unread = 0
    }

    public func accept(_ room: ChatRoom) throws {
        try act("accept")
        conversations[room]?.folder = .known
    }

    public func forget(_ room: ChatRoom) throws {
        try act("forget")
        conversations[room] = nil
    }

    public func setInbox(_ relays: [RelayURL]) throws -> Event {
        try act("inbox " + relays.map(\.text).joined(separator: " "))
        standing.inbox = relays
        return FakeAuthor(1).event("", kind: 10_050, tags: relays.map { ["relay", $0.text] }, at: moment)
    }

    private func act(_ words: String) throws {
        try unlocked()
        if let refusal { throw refusal }
        acts.append(words)
    }
}
