public import NostrClient
public import NostrCore
public import NostrNIPs

/// One private conversation: its messages, and the pen.
public struct ConversationState: Screen {
    /// Whose account reads.
    public let own: PublicKey
    /// Its name in addresses.
    public let word: String
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Whether messages can be read.
    public private(set) var access: MessageAccess = .opening
    /// Whether there is no such conversation here.
    public private(set) var isMissing = false
    /// Who is in it.
    public private(set) var room: ChatRoom?
    /// What to call it.
    public private(set) var conversation: ConversationItem?
    /// Where it lies: requests are accepted or forgotten first.
    public private(set) var folder: MessageFolder = .known
    /// The messages.
    public private(set) var log = MessageLog()
    /// People who cannot be written to yet.
    public private(set) var unreachable: [PersonItem] = []
    /// How long the account's messages last here.
    public private(set) var usualLifetime: MessageLifetime = .kept
    /// The message being written.
    public private(set) var pen = MessagePen()

    private var marksRead = true
    private var place: MessageCursor?

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened: at the newest message or before a place; `isSeen` when a person has it before their eyes.
        case opened(before: MessageCursor?, isSeen: Bool, draft: MessageDraft)
        /// How messages stand; `nil` for an account without a key.
        case state(MessagingState?)
        /// The room behind the word, when there is one.
        case found(ChatRoom?)
        /// A stretch of it came.
        case read(ConversationPage)
        /// The receipts of a message of the account came.
        case receipts(EventID, [RecipientReceipt])
        /// Send what was written.
        case send(MessageDraft)
        /// It is kept and on its way.
        case sent(EventID)
        /// It was not sent, and why.
        case refused(Trouble)
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Ask how messages stand.
        case readState
        /// Find the room behind the word.
        case find(String)
        /// Read a stretch.
        case read(ChatRoom, before: MessageCursor?, limit: Int)
        /// Read how far a message of the account has come.
        case readReceipts(EventID)
        /// Mark everything as read.
        case markRead(ChatRoom)
        /// Send.
        case send(OutgoingMessage)
    }

    /// How many of the account's messages are asked after one by one.
    static let mostReceipts = 8

    /// A conversation not opened yet.
    public init(_ word: String, own: PublicKey) {
        self.word = word
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let place, let isSeen, let draft):
            self.place = place
            pen.draft = draft
            marksRead = isSeen
            log.isAtNewest = place == nil
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return [.find(word)] }
            phase = .ready
            return []
        case .found(let room):
            self.room = room
            if let room { return [.read(room, before: place, limit: MessageLog.pageSize)] }
            phase = .ready
            isMissing = true
            return []
        case .read(let page): return show(page)
        case .receipts(let id, let receipts):
            if let index = log.messages.firstIndex(where: { $0.id == id }), !receipts.isEmpty {
                log.messages[index].delivery = DeliveryItem(receipts.map { RecipientItem($0, own: own) }, own: own)
            }
            return []
        case .send(let draft): return send(draft)
        case .sent(let id):
            pen.sent = id
            return []
        case .refused(let trouble):
            pen.problem = trouble.sentence
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }

    /// Whether it must be accepted or forgotten first.
    public var isRequest: Bool { folder == .requests }
    /// The message the draft answers, when it is here.
    public var answered: MessageItem? { log.message(pen.draft.replyTo) }

    private mutating func send(_ draft: MessageDraft) -> [Effect] {
        pen.draft = draft
        pen.problem = draft.problem
        guard pen.problem == nil, let room else { return [] }
        return [.send(draft.outgoing(to: room, usual: usualLifetime))]
    }

    private mutating func show(_ page: ConversationPage) -> [Effect] {
        phase = .ready
        let item = ConversationItem(page.summary, own: own)
        conversation = item
        folder = page.folder
        let people = Dictionary(item.people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        unreachable = page.unreachable.filter { $0 != own }.map { people[$0] ?? PersonItem(Person(key: $0)) }
        usualLifetime = page.messages.last { $0.author.key == own }.map(MessageLifetime.init(of:)) ?? .kept
        log.show(items(page.messages, people: item.people), older: page.older, unread: item.unread)
        let reading: [Effect] =
            marksRead && log.isAtNewest && item.unread > 0 ? [.markRead(page.summary.room)] : []
        return reading + worthAskingAfter(page.messages).map(Effect.readReceipts)
    }

    private func items(_ messages: [Message], people: [PersonItem]) -> [MessageItem] {
        let known = Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return messages.map { message in
            let answered = message.replyTo.flatMap { known[$0] }
            return MessageItem(message, own: own, people: people, answered: answered)
        }
    }

    /// The newest of the account's own, and those not everybody has.
    private func worthAskingAfter(_ messages: [Message]) -> [EventID] {
        let mine = Array(messages.filter { $0.author.key == own && $0.body != .deleted }.reversed())
        let open = mine.dropFirst().filter { message in message.delivery.map { $0.accepted < $0.asked } ?? false }
        return (mine.prefix(1) + open).prefix(Self.mostReceipts).map(\.id)
    }
}

extension ScreenModel where S == ConversationState {
    /// A conversation of an account.
    public init(conversation word: String, of account: any Account) {
        self.init(ConversationState(word, own: account.publicKey)) { effect in
            await performConversation(effect, account)
        }
    }
}

private func performConversation(
    _ effect: ConversationState.Effect, _ account: any Account
) async -> ConversationState.Input? {
    do {
        switch effect {
        case .readState: return .state(await account.messagingState())
        case .find(let word): return .found(try await openMessages(account).room(word))
        case .read(let room, let place, let limit):
            return .read(try await openMessages(account).conversation(room, before: place, limit: limit))
        case .readReceipts(let id):
            // Without them the phrase is made of the counts alone.
            guard let receipts = try? await openMessages(account).receipts(of: id) else { return nil }
            return .receipts(id, receipts)
        case .markRead(let room):
            // What cannot be marked now is marked when it is opened again.
            try? await openMessages(account).markRead(room)
            return nil
        case .send(let message):
            do { return .sent(try await openMessages(account).send(message).id) } catch {
                return .refused(Trouble(error))
            }
        }
    } catch {
        return .failed(Trouble(error))
    }
}
