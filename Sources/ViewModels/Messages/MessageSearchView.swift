public import NostrClient
public import NostrCore

/// A search through an account's own messages; nothing leaves this machine.
public struct MessageSearchView: Equatable, Sendable {
    /// A message that was found.
    public struct Hit: Hashable, Sendable, Identifiable {
        /// The message.
        public let message: MessageItem
        /// Its conversation.
        public let conversation: ConversationItem

        public var id: EventID { message.id }
    }

    /// What is searched; empty before the first search.
    public let text: String
    /// Whether messages can be read.
    public let access: MessageAccess
    /// What was found, newest first.
    public private(set) var hits: [Hit] = []
    /// Why there is nothing to show.
    public private(set) var trouble: Trouble?

    /// The most messages shown.
    public static let limit = 50

    /// Searches the messages of an account; what fails is told in ``trouble``.
    public static func load(_ text: String, of account: any Account) async -> MessageSearchView {
        var view = MessageSearchView(
            text: oneLine(text, limit: 200), access: MessageAccess(await account.messagingState()))
        guard view.access == .open, !view.text.isEmpty else { return view }
        do {
            let own = account.publicKey
            view.hits = try await openMessages(account).search(view.text, limit: limit).map { hit in
                let people = roomPeople(hit.conversation, own: own)
                return Hit(
                    message: MessageItem(hit.message, own: own, people: people, answered: nil),
                    conversation: ConversationItem(hit.conversation, own: own))
            }
        } catch {
            view.trouble = Trouble(error)
        }
        return view
    }

    private init(text: String, access: MessageAccess) {
        (self.text, self.access) = (text, access)
    }
}
