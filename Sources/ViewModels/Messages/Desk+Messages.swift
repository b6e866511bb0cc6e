internal import NostrClient
public import NostrCore
internal import NostrNIPs

extension Desk {
    // Screens

    /// The conversations with people one knows, or the requests of strangers.
    public func conversations(requests: Bool = false) -> ScreenModel<ConversationsState> {
        ScreenModel(conversations: requests ? .requests : .known, of: account)
    }
    /// One private conversation.
    public func conversation(_ word: String) -> ScreenModel<ConversationState> {
        ScreenModel(conversation: word, of: account)
    }
    /// The first message to somebody.
    public func newConversation() -> ScreenModel<NewConversationState> {
        ScreenModel(newConversationOf: account)
    }
    /// A search through one's messages.
    public func messageSearch() -> ScreenModel<MessageSearchState> {
        ScreenModel(searchingMessagesOf: account)
    }

    // Reading on the spot

    /// How many conversations wait to be read.
    public func unread() async -> UnreadItem { UnreadItem(await account.messages?.state()) }
    /// How far one's own message has come, per recipient.
    public func messageReceipts(of id: EventID) async throws(Trouble) -> [RecipientItem] {
        try await answer { try await openMessages($0).receipts(of: id).map { RecipientItem($0, own: own) } }
    }
    /// People one may write to, for completion; at most eight.
    public func people(called text: String) async -> [PersonItem] {
        let text = oneLine(text, limit: 80)
        guard !text.isEmpty else { return [] }
        // No answer is no completion; the person types on.
        return ((try? await account.people.matching(text, limit: 8)) ?? []).map { PersonItem($0) }
    }

    // Acting

    /// Reacts to a message.
    public func react(to id: EventID, in word: String, with content: String) async throws(Trouble) {
        let content = oneLine(content, limit: 24)
        guard !content.isEmpty else { throw Trouble("That is no reaction.", canRetry: false) }
        try await answer { try await openMessages($0).react(to: id, in: try await room(word), with: content) }
    }
    /// Deletes one's own copy of a message; for everyone, also asks the others to.
    public func delete(_ id: EventID, in word: String, forEveryone: Bool) async throws(Trouble) {
        try await answer {
            try await openMessages($0).delete(id, in: try await room(word), forEveryone: forEveryone)
        }
    }
    /// Offers a message again to the relays that do not have it.
    public func resend(_ id: EventID) async throws(Trouble) {
        try await answer { try await openMessages($0).resend(id) }
    }
    /// Takes a conversation out of the requests.
    public func accept(_ word: String) async throws(Trouble) {
        try await answer { try await openMessages($0).accept(try await room(word)) }
    }
    /// Forgets a conversation with all its messages.
    public func forget(_ word: String) async throws(Trouble) {
        try await answer { try await openMessages($0).forget(try await room(word)) }
    }
    /// Publishes where one wants private messages.
    ///
    /// - Parameter text: addresses of relays, one a line.
    public func setInbox(_ text: String) async throws(Trouble) {
        var relays: [RelayURL] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            do { relays.append(try RelayURL(String(word))) } catch {
                throw Trouble("“\(oneLine(String(word), limit: 60))” is no relay: it should begin with wss://.")
            }
        }
        guard (1...10).contains(relays.count) else { throw Trouble("Name one relay, or a few: at most ten.") }
        let named = relays
        try await answer { _ = try await openMessages($0).setInbox(named) }
    }

    private func room(_ word: String) async throws -> ChatRoom {
        guard let room = try await openMessages(account).room(word) else {
            throw Trouble("There is no such conversation here.", canRetry: false)
        }
        return room
    }

    private func answer<Value: Sendable>(
        _ body: (any Account) async throws -> Value
    ) async throws(Trouble) -> Value {
        do { return try await body(account) } catch { throw Trouble(error) }
    }
}
