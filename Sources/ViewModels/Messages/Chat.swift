public import NostrClient
public import NostrCore

/// What a conversation and the chat of a circle have in common: how far reading has come, the stretch shown, the pen.
public struct Chat: Equatable, Sendable {
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Whether what is private can be read.
    public private(set) var access: MessageAccess = .opening
    /// The stretch shown.
    public internal(set) var log = MessageLog()
    /// What is being written.
    public private(set) var pen = MessagePen()
    /// Files that no media server has taken yet.
    public private(set) var unsent: [UnsentFileItem] = []

    /// Before what the stretch ends; `nil` at the newest message.
    private(set) var cursor: MessageCursor?
    private var marksRead = true

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened: at the newest message or before another; `isSeen` when a person has it before their eyes.
        case opened(before: MessageCursor?, isSeen: Bool, draft: MessageDraft)
        /// How the vault stands; `nil` for an account without a key.
        case state(MessagingState?)
        /// Send what was written.
        case send(MessageDraft)
        /// It is kept and on its way.
        case sent(EventID)
        /// Its file is kept until a media server takes it.
        case kept
        /// It was not sent, and why.
        case refused(Trouble)
        /// Reading failed.
        case failed(Trouble)
    }

    /// What its screen is to do next.
    enum Step: Equatable {
        /// Ask how the vault stands.
        case readState
        /// Read the stretch.
        case read
        /// Send what was written, which is in order.
        case send(MessageDraft)
    }

    /// Takes in one input and says what to do next; `nil` for nothing.
    mutating func apply(_ input: Input) -> Step? {
        switch input {
        case .opened(let cursor, let isSeen, let draft):
            (self.cursor, pen.draft, marksRead, log.isAtNewest) = (cursor, draft, isSeen, cursor == nil)
            return .readState
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return .read }
            phase = .ready
        case .send(let draft):
            (pen.draft, pen.problem) = (draft, draft.problem)
            if pen.problem == nil { return .send(draft) }
        case .sent(let id): pen.sent = id
        case .kept: pen.isKept = true
        case .refused(let trouble): pen.problem = trouble.sentence
        case .failed(let trouble): phase = .failed(trouble)
        }
        return nil
    }

    /// There is nothing to show.
    mutating func showNothing() { phase = .ready }

    /// Shows a stretch.
    ///
    /// - Parameter hidden: how many more came that are muted: their marks were before the reader's eyes, too.
    /// - Returns: whether everything in it is now to be marked as read.
    mutating func show(
        _ items: [MessageItem], older: MessageCursor?, unread: Int, hidden: Int = 0, unsent: [UnsentFileItem] = []
    ) -> Bool {
        phase = .ready
        self.unsent = unsent
        log.show(items, older: older, unread: unread)
        return marksRead && log.isAtNewest && unread + hidden > 0
    }
}

extension Chat.Input {
    /// Sends, and says how that went.
    ///
    /// - Parameter send: answers `nil` where what was written waits for its file.
    static func outcome(of send: () async throws -> EventID?) async -> Chat.Input {
        do { return try await send().map { .sent($0) } ?? .kept } catch { return .refused(Trouble(error)) }
    }
}

/// A screen that shows a chat.
public protocol ChatScreen: Screen {
    /// Its chat.
    var chat: Chat { get }
    /// An input of its chat.
    static func input(_ chat: Chat.Input) -> Input
}

extension ChatScreen {
    /// How far it has come.
    public var phase: Phase { chat.phase }
    /// Whether what is private can be read.
    public var access: MessageAccess { chat.access }
    /// The messages.
    public var log: MessageLog { chat.log }
    /// What is being written.
    public var pen: MessagePen { chat.pen }
    /// Files that no media server has taken yet.
    public var unsent: [UnsentFileItem] { chat.unsent }
    /// The message the draft answers, when it is here.
    public var answered: MessageItem? { log.message(pen.draft.replyTo) }
}
