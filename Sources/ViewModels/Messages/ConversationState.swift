public import NostrClient
public import NostrCore
public import NostrNIPs

/// One private conversation: its messages, and the pen.
public struct ConversationState: ChatScreen {
    /// Whose account reads.
    public let own: PublicKey
    /// Its name in addresses.
    public let word: String
    /// What is said in it.
    public private(set) var chat = Chat()
    /// Whether there is no such conversation here.
    public private(set) var isMissing = false
    /// Who is in it.
    public private(set) var room: ChatRoom?
    /// What to call it.
    public private(set) var conversation: ConversationItem?
    /// Where it lies: requests are accepted or forgotten first.
    public private(set) var folder: MessageFolder = .known
    /// People who cannot be written to yet.
    public private(set) var unreachable: [PersonItem] = []
    /// How long the account's messages last here.
    public private(set) var usualLifetime: MessageLifetime = .kept

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// What can happen to its chat.
        case chat(Chat.Input)
        /// The room behind the word, when there is one.
        case found(ChatRoom?)
        /// A stretch of it came.
        case read(ConversationPage)
        /// The receipts of a message of the account came.
        case receipts(EventID, [RecipientReceipt])
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
        /// Send a file, and what was written with it; it is kept until a media server takes it.
        case sendFile(OutgoingFile, OutgoingMessage)
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
        case .chat(let input):
            switch chat.apply(input) {
            case .readState: return [.readState]
            case .read: return [.find(word)]
            case .send(let draft):
                guard let room else { return [] }
                let message = draft.outgoing(to: room, usual: usualLifetime)
                if let file = draft.file { return [.sendFile(file, message)] }
                return [.send(message)]
            case nil: return []
            }
        case .found(let room):
            self.room = room
            if let room { return [.read(room, before: chat.cursor, limit: MessageLog.pageSize)] }
            chat.showNothing()
            isMissing = true
            return []
        case .read(let page): return show(page)
        case .receipts(let id, let receipts):
            if let index = log.messages.firstIndex(where: { $0.id == id }), !receipts.isEmpty {
                chat.log.messages[index].delivery = DeliveryItem(receipts.map { RecipientItem($0, own: own) }, own: own)
            }
            return []
        }
    }

    /// Whether it must be accepted or forgotten first.
    public var isRequest: Bool { folder == .requests }
    /// An input of its chat.
    public static func input(_ chat: Chat.Input) -> Input { .chat(chat) }

    private mutating func show(_ page: ConversationPage) -> [Effect] {
        let item = ConversationItem(page.summary, own: own)
        conversation = item
        folder = page.folder
        let people = Dictionary(item.people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        unreachable = page.unreachable.filter { $0 != own }.map { people[$0] ?? PersonItem(Person(key: $0)) }
        usualLifetime = page.messages.last { $0.author.key == own }.map(MessageLifetime.init(of:)) ?? .kept
        let messages = items(page.messages, people: item.people)
        let isRead = chat.show(
            messages, older: page.older, unread: item.unread, hidden: page.summary.unreadHidden,
            unsent: page.unsent.map { UnsentFileItem($0) })
        return (isRead ? [.markRead(page.summary.room)] : []) + worthAskingAfter(page.messages).map(Effect.readReceipts)
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
        case .readState: return .chat(.state(await account.messagingState()))
        case .find(let word): return .found(try await openMessages(account).room(word))
        case .read(let room, let cursor, let limit):
            return .read(try await openMessages(account).conversation(room, before: cursor, limit: limit))
        case .readReceipts(let id):
            // Without them the phrase is made of the counts alone.
            guard let receipts = try? await openMessages(account).receipts(of: id) else { return nil }
            return .receipts(id, receipts)
        case .markRead(let room):
            // What cannot be marked now is marked when it is opened again.
            try? await openMessages(account).markRead(room)
            return nil
        case .send(let message):
            return .chat(await .outcome { try await openMessages(account).send(message).id })
        case .sendFile(let file, let message):
            return .chat(await .outcome { try await openMessages(account).keep(file, with: message) })
        }
    } catch {
        return .chat(.failed(Trouble(error)))
    }
}
