public import NostrClient
public import NostrCore

/// The conversations: with people one knows, or the requests of strangers.
public struct ConversationsState: Screen {
    /// Whose account reads.
    public let own: PublicKey
    /// Which of them.
    public let folder: MessageFolder
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Whether messages can be read.
    public private(set) var access: MessageAccess = .opening
    /// The conversations, the one with the newest message first.
    public private(set) var conversations: [ConversationItem] = []
    /// Unread conversations of the known folder, and of the requests.
    public private(set) var unread = UnreadItem(nil)
    /// One's own inbox relays; empty when others cannot know where to write.
    public private(set) var inbox: [RelayURL] = []
    /// Inbox relays that have sent all they hold.
    public private(set) var caughtUp = 0
    /// Relays to name as inbox, where there is none.
    public private(set) var suggestedInbox: [String] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// How messages stand; `nil` for an account without a key.
        case state(MessagingState?)
        /// The conversations.
        case read([ConversationSummary])
        /// Where one reads public notes.
        case ownRelays([RelayURL])
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Ask how messages stand.
        case readState
        /// Read the conversations.
        case read(MessageFolder)
        /// Read where one reads public notes.
        case readOwnRelays
    }

    /// A list not opened yet.
    public init(_ folder: MessageFolder, own: PublicKey) {
        self.folder = folder
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            unread = UnreadItem(state)
            inbox = state?.inbox ?? []
            caughtUp = state?.caughtUp.count ?? 0
            guard access == .open else {
                phase = .ready
                conversations = []
                return []
            }
            return inbox.isEmpty ? [.read(folder), .readOwnRelays] : [.read(folder)]
        case .read(let summaries):
            phase = .ready
            conversations = summaries.map { ConversationItem($0, own: own) }
            return []
        case .ownRelays(let relays):
            suggestedInbox = relays.prefix(3).map(\.text)
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }

    /// Whether these are the requests of strangers.
    public var isRequests: Bool { folder == .requests }
    /// Whether inbox relays are still being read for the first time.
    public var isCatchingUp: Bool { access == .open && caughtUp < inbox.count }
    /// Whether others cannot know where to write.
    public var lacksInbox: Bool { access == .open && phase == .ready && inbox.isEmpty }
}

extension ScreenModel where S == ConversationsState {
    /// The conversations of an account.
    public init(conversations folder: MessageFolder, of account: any Account) {
        self.init(ConversationsState(folder, own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .state(await account.messages?.state())
                case .read(let folder): return .read(try await openMessages(account).conversations(in: folder))
                case .readOwnRelays: return .ownRelays(try await account.people.person(account.publicKey).readRelays)
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

/// The messages of an account that has a key.
func openMessages(_ account: any Account) throws -> any Messaging {
    guard let messages = account.messages else {
        throw Trouble("This account can only read public notes: Linnet has no key for it.", canRetry: false)
    }
    return messages
}
