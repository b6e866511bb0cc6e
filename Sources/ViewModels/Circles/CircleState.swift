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
    /// The lines.
    public private(set) var log = MessageLog()
    /// What a person must know before all else.
    public private(set) var warning: String?
    /// The line being written.
    public private(set) var pen = MessagePen()

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
        /// Ask how the vault stands.
        case readState
        /// Read a stretch.
        case read(CircleID, before: MessageCursor?, limit: Int)
        /// Mark everything as read.
        case markRead(CircleID)
        /// Send a line.
        case send(String, replyTo: EventID?, CircleID)
    }

    /// A circle not opened yet.
    public init(_ circle: CircleID, own: PublicKey) {
        (self.circle, self.own) = (circle, own)
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened(let place, let isSeen, let draft):
            (self.place, pen.draft, marksRead, log.isAtNewest) = (place, draft, isSeen, place == nil)
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return [.read(circle, before: place, limit: MessageLog.pageSize)] }
            phase = .ready
            return []
        case .read(let page): return show(page)
        case .send(let draft):
            pen.draft = draft
            pen.problem = draft.problem
            guard pen.problem == nil else { return [] }
            return [.send(resolveMentions(draft.text.trimmingSpace(), draft.mentions), replyTo: draft.replyTo, circle)]
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

    /// The line the draft answers, when it is here.
    public var answered: MessageItem? { log.message(pen.draft.replyTo) }
    /// Whether the account may write.
    public var canSpeak: Bool { item?.isMember ?? false }

    private mutating func show(_ page: CirclePage) -> [Effect] {
        phase = .ready
        let item = CircleItem(page.summary, own: own)
        self.item = item
        (about, relays, warning) = (page.about, page.relays.map(\.text), page.warning?.sentence)
        members = page.members.map { CircleMemberItem($0, own: own) }
        requests = page.requests.map { CircleRequestItem($0) }
        let names = Dictionary(members.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let lines = page.lines.map { MessageItem($0, own: own, people: item.people, names: names) }
        log.show(lines, older: page.older, unread: item.unread)
        return marksRead && log.isAtNewest && item.unread > 0 ? [.markRead(circle)] : []
    }
}

extension ScreenModel where S == CircleState {
    /// A circle of an account.
    public init(circle: CircleID, of account: any Account) {
        self.init(CircleState(circle, own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .state(await account.messagingState())
                case .read(let id, let place, let limit):
                    return .read(try await openCircles(account).reader.page(of: id, before: place, limit: limit))
                case .markRead(let id):
                    // What cannot be marked now is marked when it is opened again.
                    try? await openCircles(account).messaging.markRead(id)
                    return nil
                case .send(let text, let parent, let id):
                    do {
                        return .sent(try await openCircles(account).messaging.send(text, replyTo: parent, in: id))
                    } catch {
                        return .refused(Trouble(error))
                    }
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
