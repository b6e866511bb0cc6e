public import NostrClient
public import NostrCore
public import NostrNIPs

/// One private conversation: its messages, and the pen.
public struct ConversationState: Screen {
    /// The messages of one day, by Greenwich time.
    public struct Day: Hashable, Sendable {
        /// Its first second.
        public let start: Timestamp
        /// Its messages, oldest first.
        public let messages: [MessageItem]
    }

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
    /// The messages, oldest first.
    public private(set) var messages: [MessageItem] = []
    /// Where older ones start; `nil` at the beginning.
    public private(set) var older: MessageCursor?
    /// Whether the newest message is among them.
    public private(set) var isAtNewest = true
    /// The first message not read before.
    public private(set) var firstUnread: EventID?
    /// People who cannot be written to yet.
    public private(set) var unreachable: [PersonItem] = []
    /// How long one's messages last here.
    public private(set) var usualLifetime: MessageLifetime = .kept
    /// What was filled in.
    public private(set) var draft = MessageDraft()
    /// Why it was not sent.
    public private(set) var problem: String?
    /// What was sent.
    public private(set) var sent: EventID?

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
        /// The receipts of one's own message came.
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
        /// Read how far one's own message has come.
        case readReceipts(EventID)
        /// Mark everything as read.
        case markRead(ChatRoom)
        /// Send.
        case send(OutgoingMessage)
    }

    /// How many messages a stretch has.
    public static let pageSize = 50
    /// How many of one's own messages are asked after one by one.
    static let mostReceipts = 8
    /// Messages of one person this close stand together.
    static let groupSpan: Int64 = 300

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
            self.draft = draft
            marksRead = isSeen
            isAtNewest = place == nil
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return [.find(word)] }
            phase = .ready
            return []
        case .found(let room):
            self.room = room
            if let room { return [.read(room, before: place, limit: Self.pageSize)] }
            phase = .ready
            isMissing = true
            return []
        case .read(let page): return take(page)
        case .receipts(let id, let receipts):
            if let index = messages.firstIndex(where: { $0.id == id }), !receipts.isEmpty {
                messages[index].delivery = DeliveryItem(receipts.map { RecipientItem($0, own: own) }, own: own)
            }
            return []
        case .send(let draft): return send(draft)
        case .sent(let id):
            sent = id
            return []
        case .refused(let trouble):
            problem = trouble.sentence
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }

    /// Whether it must be accepted or forgotten first.
    public var isRequest: Bool { folder == .requests }
    /// The messages by day.
    public var days: [Day] { messagesByDay(messages) }

    /// The message the draft answers, when it is here.
    public var answered: MessageItem? { draft.replyTo.flatMap { id in messages.first { $0.id == id } } }

    private mutating func send(_ draft: MessageDraft) -> [Effect] {
        self.draft = draft
        problem = draft.problem
        guard problem == nil, let room else { return [] }
        return [.send(draft.outgoing(to: room, usual: usualLifetime))]
    }

    private mutating func take(_ page: ConversationPage) -> [Effect] {
        phase = .ready
        let item = ConversationItem(page.summary, own: own)
        conversation = item
        folder = page.folder
        older = page.older
        let people = Dictionary(item.people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        unreachable = page.unreachable.filter { $0 != own }.map { people[$0] ?? PersonItem(Person(key: $0)) }
        usualLifetime = page.messages.last { $0.author.key == own }.map(MessageLifetime.init(of:)) ?? .kept
        messages = items(page.messages, people: item.people)
        if isAtNewest, item.unread > 0 {
            firstUnread = messages.filter { !$0.isOwn }.suffix(item.unread).first?.id
        }
        let reading: [Effect] =
            marksRead && isAtNewest && item.unread > 0 ? [.markRead(page.summary.room)] : []
        return reading + worthAskingAfter(page.messages).map(Effect.readReceipts)
    }

    private func items(_ messages: [Message], people: [PersonItem]) -> [MessageItem] {
        let known = Dictionary(messages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var items: [MessageItem] = []
        items.reserveCapacity(messages.count)
        for message in messages {
            let answered = message.replyTo.flatMap { known[$0] }
            var item = MessageItem(message, own: own, people: people, answered: answered)
            if let last = items.last { item.startsGroup = !standTogether(item, last) }
            items.append(item)
        }
        return items
    }

    /// The newest of one's own, and those not everybody has.
    private func worthAskingAfter(_ messages: [Message]) -> [EventID] {
        let mine = Array(messages.filter { $0.author.key == own && $0.body != .deleted }.reversed())
        let open = mine.dropFirst().filter { message in message.delivery.map { $0.accepted < $0.asked } ?? false }
        return (mine.prefix(1) + open).prefix(Self.mostReceipts).map(\.id)
    }
}

/// Messages by the day they were written on.
func messagesByDay(_ messages: [MessageItem]) -> [ConversationState.Day] {
    var days: [ConversationState.Day] = []
    var current: [MessageItem] = []
    for message in messages {
        if let last = current.last, day(of: last.createdAt) != day(of: message.createdAt) {
            days.append(ConversationState.Day(start: day(of: last.createdAt), messages: current))
            current = []
        }
        current.append(message)
    }
    if let last = current.last {
        days.append(ConversationState.Day(start: day(of: last.createdAt), messages: current))
    }
    return days
}

/// Whether a message stands under the name of the one before.
func standTogether(_ item: MessageItem, _ last: MessageItem) -> Bool {
    let (gap, overflow) = item.createdAt.seconds.subtractingReportingOverflow(last.createdAt.seconds)
    return item.author.key == last.author.key && !overflow && gap < ConversationState.groupSpan
        && day(of: item.createdAt) == day(of: last.createdAt) && item.reply == nil && !item.isNews && !last.isNews
}

/// The first second of a moment's day.
func day(of moment: Timestamp) -> Timestamp {
    let rest = ((moment.seconds % 86_400) + 86_400) % 86_400
    return moment - .seconds(rest)
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
        case .readState: return .state(await account.messages?.state())
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
