public import Circles
public import NostrClient
public import NostrCore

/// One circle: its chat, its members, where they are, and who asks to join.
public struct CircleState: Screen {
    /// Whose account reads.
    public let own: PublicKey
    /// Which.
    public let circle: CircleID
    /// Its name in addresses.
    public var word: String { circle.hex }
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Whether what is private can be read.
    public private(set) var access: MessageAccess = .opening
    /// What to call it; nil where there is no such circle.
    public private(set) var item: CircleItem?
    /// What it is about.
    public private(set) var about = ""
    /// Where its events go.
    public private(set) var relays: [String] = []
    /// Who is in it.
    public private(set) var members: [CircleMemberItem] = []
    /// Who asks to join.
    public private(set) var requests: [CircleRequestItem] = []
    /// The lines, oldest first.
    public private(set) var messages: [MessageItem] = []
    /// Where older ones start; nil at the beginning.
    public private(set) var older: MessageCursor?
    /// Whether the newest line is among them.
    public private(set) var isAtNewest = true
    /// The first line not read before.
    public private(set) var firstUnread: EventID?
    /// What a person must know before all else.
    public private(set) var warning: String?
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
        /// Opened: at the newest line or before a place; `isSeen` when a person has it before their eyes.
        case opened(before: MessageCursor?, isSeen: Bool, draft: MessageDraft)
        /// How the vault stands; nil for an account without a key.
        case state(MessagingState?)
        /// A stretch of it came.
        case read(CirclePage)
        /// Say what was written.
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
        /// Ask how the vault stands.
        case readState
        /// Read a stretch.
        case read(CircleID, before: MessageCursor?, limit: Int)
        /// Mark everything as read.
        case markRead(CircleID)
        /// Say something.
        case say(String, replyTo: EventID?, CircleID)
    }

    /// A circle not opened yet.
    public init(_ circle: CircleID, own: PublicKey) {
        (self.circle, self.own) = (circle, own)
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let place, let isSeen, let draft):
            (self.place, self.draft, marksRead, isAtNewest) = (place, draft, isSeen, place == nil)
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return [.read(circle, before: place, limit: ConversationState.pageSize)] }
            phase = .ready
            return []
        case .read(let page): return take(page)
        case .send(let draft):
            self.draft = draft
            problem = draft.problem
            guard problem == nil else { return [] }
            return [.say(resolveMentions(draft.text.trimmingSpace(), draft.mentions), replyTo: draft.replyTo, circle)]
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

    /// The lines by day.
    public var days: [ConversationState.Day] { messagesByDay(messages) }
    /// The line the draft answers, when it is here.
    public var answered: MessageItem? { draft.replyTo.flatMap { id in messages.first { $0.id == id } } }
    /// Whether one may say something.
    public var canSpeak: Bool { item?.isMember ?? false }

    private mutating func take(_ page: CirclePage) -> [Effect] {
        phase = .ready
        let item = CircleItem(page.summary, own: own)
        self.item = item
        (about, relays, warning, older) = (page.about, page.relays.map(\.text), page.warning?.sentence, page.older)
        members = page.members.map { CircleMemberItem($0, own: own) }
        requests = page.requests.map { CircleRequestItem($0) }
        let names = Dictionary(members.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        messages = grouped(page.lines.map { MessageItem($0, own: own, people: item.people, names: names) })
        if isAtNewest, item.unread > 0 {
            firstUnread = messages.filter { !$0.isOwn && !$0.isNews }.suffix(item.unread).first?.id
        }
        return marksRead && isAtNewest && item.unread > 0 ? [.markRead(circle)] : []
    }

    private func grouped(_ messages: [MessageItem]) -> [MessageItem] {
        var items: [MessageItem] = []
        for var item in messages {
            if let last = items.last { item.startsGroup = !standTogether(item, last) }
            items.append(item)
        }
        return items
    }
}

extension ScreenModel where S == CircleState {
    /// A circle of an account.
    public init(circle: CircleID, of account: any Account) {
        self.init(CircleState(circle, own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .state(await account.messages?.state())
                case .read(let id, let place, let limit):
                    return .read(try await openCircles(account).reader.page(of: id, before: place, limit: limit))
                case .markRead(let id):
                    // What cannot be marked now is marked when it is opened again.
                    try? await openCircles(account).messaging.markRead(id)
                    return nil
                case .say(let text, let parent, let id):
                    do { return .sent(try await openCircles(account).messaging.send(text, replyTo: parent, in: id)) } catch {
                        return .refused(Trouble(error))
                    }
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
