public import NostrClient
internal import NostrCore

/// The conversations of an account: with people it knows, or the requests of strangers.
public struct ConversationsView: Equatable, Sendable {
    /// Which of them.
    public let folder: MessageFolder
    /// Whether messages can be read.
    public let access: MessageAccess
    /// Unread conversations of the known folder, and of the requests.
    public let unread: UnreadItem
    /// The conversations, the one with the newest message first.
    public private(set) var conversations: [ConversationItem] = []
    /// Why there is nothing to show.
    public private(set) var trouble: Trouble?
    /// Whether inbox relays are still being read for the first time.
    public let isCatchingUp: Bool
    /// Relays to name as inbox, where there is none.
    public private(set) var suggestedInbox: [String] = []
    private let hasInbox: Bool

    private init(_ folder: MessageFolder, _ state: MessagingState?) {
        self.folder = folder
        access = MessageAccess(state)
        unread = UnreadItem(state)
        let inbox = state?.inbox ?? []
        hasInbox = !inbox.isEmpty
        isCatchingUp = access == .open && (state?.caughtUp.count ?? 0) < inbox.count
    }

    /// Whether these are the requests of strangers.
    public var isRequests: Bool { folder == .requests }
    /// Whether others cannot know where to write.
    public var lacksInbox: Bool { access == .open && trouble == nil && !hasInbox }

    /// Reads the conversations of an account; what fails is told in ``trouble``.
    public static func load(requests: Bool = false, of account: any Account) async -> ConversationsView {
        var view = ConversationsView(requests ? .requests : .known, await account.messagingState())
        guard view.access == .open else { return view }
        do {
            let own = account.publicKey
            if !view.hasInbox {
                view.suggestedInbox = try await account.people.person(own).readRelays.prefix(3).map(\.text)
            }
            view.conversations = try await openMessages(account).conversations(in: view.folder).map {
                ConversationItem($0, own: own)
            }
        } catch {
            view.trouble = Trouble(error)
        }
        return view
    }
}

/// The messages of an account that has a key and is unlocked.
func openMessages(_ account: any Account) throws -> any Messaging {
    guard account.canSign else { throw Trouble(ConversationWords.noKey, canRetry: false) }
    guard let messages = account.messages else { throw MessagingError.locked }
    return messages
}
