public import NostrClient
public import NostrCore

/// A search through one's own messages; nothing leaves this machine.
public struct MessageSearchState: Screen {
    /// A message that was found.
    public struct Hit: Hashable, Sendable, Identifiable {
        /// The message.
        public let message: MessageItem
        /// Its conversation.
        public let conversation: ConversationItem

        public var id: EventID { message.id }
    }

    /// Whose account searches.
    public let own: PublicKey
    /// What is searched.
    public private(set) var text = ""
    /// How far it has come; ready with nothing to show before the first search.
    public private(set) var phase: Phase = .ready
    /// Whether messages can be read.
    public private(set) var access: MessageAccess = .opening
    /// What was found, newest first.
    public private(set) var hits: [Hit] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Search for a text.
        case search(String)
        /// How messages stand; `nil` for an account without a key.
        case state(MessagingState?)
        /// What came for a text.
        case found(String, [MessageHit])
        /// The search failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Ask how messages stand.
        case readState
        /// Search.
        case search(String, limit: Int)
    }

    /// The most messages shown.
    public static let limit = 50

    /// A search not begun.
    public init(own: PublicKey) {
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .search(let text):
            self.text = oneLine(text, limit: 200)
            hits = []
            phase = self.text.isEmpty ? .ready : .loading
            return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open, !text.isEmpty { return [.search(text, limit: Self.limit)] }
            phase = .ready
            return []
        case .found(let text, let found):
            guard text == self.text else { return [] }
            phase = .ready
            hits = found.map { hit in
                let people = roomPeople(hit.conversation, own: own)
                return Hit(
                    message: MessageItem(hit.message, own: own, people: people, answered: nil),
                    conversation: ConversationItem(hit.conversation, own: own))
            }
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }
}

extension ScreenModel where S == MessageSearchState {
    /// A search through the messages of an account.
    public init(searchingMessagesOf account: any Account) {
        self.init(MessageSearchState(own: account.publicKey)) { effect in
            switch effect {
            case .readState: return .state(await account.messages?.state())
            case .search(let text, let limit):
                do { return .found(text, try await openMessages(account).search(text, limit: limit)) } catch {
                    return .failed(Trouble(error))
                }
            }
        }
    }
}
