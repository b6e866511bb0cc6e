public import Circles
public import NostrClient
public import NostrCore

/// One circle: its chat, its members, where they are, and who asks to join.
public struct CircleState: ChatScreen {
    /// Whose account reads.
    public let own: PublicKey
    /// Which.
    public let circle: CircleID
    /// Its name in addresses.
    public var word: String { circle.hex }
    /// What is said in it.
    public private(set) var chat = Chat()
    /// What to call it; nil where there is no such circle.
    public private(set) var item: CircleItem?
    /// What it is about.
    public private(set) var about = ""
    /// Where its events go.
    public private(set) var relays: [String] = []
    /// All of these, where none is contacted before the person allows it.
    public private(set) var unchosenRelays: [String] = []
    /// What the person is asked about those; `nil` where there is nothing to ask.
    public var relayQuestion: String? { CircleWords.unchosenRelays(unchosenRelays) }
    /// Who is in it.
    public private(set) var members: [CircleMemberItem] = []
    /// Who asks to join.
    public private(set) var requests: [CircleRequestItem] = []
    /// How many people ask to join who are not muted.
    public var asking: Int { requests.count { !$0.isMuted } }
    /// What a person must know before all else.
    public private(set) var warning: String?

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// What can happen to its chat.
        case chat(Chat.Input)
        /// A stretch of it came.
        case read(CirclePage)
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
        /// Send a file, and what was written with it; it is kept until a media server takes it.
        case sendFile(OutgoingFile, String, replyTo: EventID?, CircleID)
    }

    /// A circle not opened yet.
    public init(_ circle: CircleID, own: PublicKey) {
        (self.circle, self.own) = (circle, own)
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .read(let page): return show(page)
        case .chat(let input):
            switch chat.apply(input) {
            case .readState: return [.readState]
            case .read: return [.read(circle, before: chat.cursor, limit: MessageLog.pageSize)]
            case .send(let draft):
                let text = resolveMentions(draft.text.trimmingSpace(), draft.mentions)
                guard let file = draft.file else { return [.send(text, replyTo: draft.replyTo, circle)] }
                return [.sendFile(file, text, replyTo: draft.replyTo, circle)]
            case nil: return []
            }
        }
    }

    /// An input of its chat.
    public static func input(_ chat: Chat.Input) -> Input { .chat(chat) }
    /// Whether the account may write.
    public var canSpeak: Bool { item?.isMember ?? false }

    private mutating func show(_ page: CirclePage) -> [Effect] {
        let item = CircleItem(page.summary, own: own)
        self.item = item
        (about, relays, warning) = (page.about, page.relays.map(\.text), page.warning?.sentence)
        unchosenRelays = page.unchosenRelays.map(\.text)
        members = page.members.map { CircleMemberItem($0, own: own) }
        requests = page.requests.map { CircleRequestItem($0) }
        let lines = items(of: page.lines)
        let isSeen = chat.show(
            lines, older: page.older, unread: item.unread, hidden: page.summary.unreadHidden,
            unsent: page.unsent.map { UnsentFileItem($0, isCircle: true) })
        return isSeen ? [.markRead(circle)] : []
    }
}

extension CircleState {
    private func items(of lines: [CircleLine]) -> [MessageItem] {
        let names = Dictionary(members.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        return lines.map { MessageItem($0, own: own, people: item?.people ?? [], names: names) }
    }

    /// A log that holds one line of the circle.
    func log(of line: CircleLine) -> MessageLog {
        var log = MessageLog()
        log.show(items(of: [line]), older: nil, unread: 0)
        return log
    }
}

extension ScreenModel where S == CircleState {
    /// A circle of an account.
    public init(circle: CircleID, of account: any Account) {
        self.init(CircleState(circle, own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .chat(.state(await account.messagingState()))
                case .read(let id, let cursor, let limit):
                    let circles = try await openCircles(account)
                    var page = try await circles.reader.page(of: id, before: cursor, limit: limit)
                    if cursor == nil { page.unsent = await circles.files.unsent(in: id) }
                    return .read(page)
                case .markRead(let id):
                    // What cannot be marked now is marked when it is opened again.
                    try? await openCircles(account).messaging.markRead(id)
                    return nil
                case .send(let text, let parent, let id):
                    return .chat(
                        await .outcome {
                            try await openCircles(account).messaging.send(text, replyTo: parent, in: id)
                        })
                case .sendFile(let file, let text, let parent, let id):
                    return .chat(
                        await .outcome {
                            try await openCircles(account).files.keep(file, text, replyTo: parent, in: id)
                        })
                }
            } catch {
                return .chat(.failed(Trouble(error)))
            }
        }
    }
}
