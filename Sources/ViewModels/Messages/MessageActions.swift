public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What a person does with private messages, from what stands in a form to the account's messages.
///
/// Every failure is a ``Trouble``.
public struct MessageActions: Sendable {
    private let account: any Account

    /// The messages of an account.
    public init(of account: any Account) {
        self.account = account
    }

    /// How many conversations wait to be read.
    public func unread() async -> UnreadItem { UnreadItem(await account.messagingState()) }
    /// How far a message of the account has come, per recipient.
    public func receipts(of id: EventID) async throws(Trouble) -> [RecipientItem] {
        let own = account.publicKey
        return try await perform { try await $0.receipts(of: id).map { RecipientItem($0, own: own) } }
    }
    /// People the account may write to, for completion; at most eight.
    public func people(called text: String) async -> [PersonItem] {
        let text = oneLine(text, limit: 80)
        guard !text.isEmpty else { return [] }
        // No answer is no completion; the person types on.
        return ((try? await account.people.matching(text, limit: 8)) ?? []).map { PersonItem($0) }
    }

    /// Reacts to a message.
    ///
    /// - Parameter posted: what it says, or what a ``ReactionItem`` posts.
    public func react(to id: EventID, in word: String, with posted: String) async throws(Trouble) {
        let (said, picture) = ReactionItem.pressed(posted)
        let content = oneLine(said, limit: ReactionItem.longest)
        guard !content.isEmpty else { throw Trouble(ConversationWords.noReaction, canRetry: false) }
        try await perform {
            try await $0.react(to: id, in: try await room(word, $0), with: content, showing: picture)
        }
    }
    /// Takes the account's own reactions back of which one posts this.
    public func takeBack(_ posted: String, from id: EventID, in word: String) async throws(Trouble) {
        let contents = ReactionItem.contents(like: ReactionItem.pressed(posted).content)
        try await perform { try await $0.takeBackReactions(contents, from: id, in: try await room(word, $0)) }
    }
    /// Deletes the account's copy of a message; for everyone, also asks the others to.
    public func delete(_ id: EventID, in word: String, forEveryone: Bool) async throws(Trouble) {
        try await perform { try await $0.delete(id, in: try await room(word, $0), forEveryone: forEveryone) }
    }
    /// Offers a message again to the relays that do not have it.
    public func resend(_ id: EventID) async throws(Trouble) { try await perform { try await $0.resend(id) } }
    /// Opens the file of a message; in memory only.
    public func openFile(of id: EventID, in word: String) async throws(Trouble) -> OpenedFile {
        try await perform { try await $0.openFile(of: id, in: try await room(word, $0)) }
    }
    /// Has a file that waits for a media server tried now.
    public func retryFile(_ id: String, in word: String) async throws(Trouble) {
        try await perform { try await $0.retryFile(id, in: try await room(word, $0)) }
    }
    /// Takes a file back that waits for a media server.
    public func removeFile(_ id: String, in word: String) async throws(Trouble) {
        try await perform { try await $0.removeFile(id, in: try await room(word, $0)) }
    }
    /// Whether there is such a conversation; also where that cannot be told.
    public func exists(_ word: String) async -> Bool {
        do { return try await openMessages(account).room(word) != nil } catch { return true }
    }
    /// Takes a conversation out of the requests.
    public func accept(_ word: String) async throws(Trouble) {
        try await perform { try await $0.accept(try await room(word, $0)) }
    }
    /// Forgets a conversation with all its messages.
    public func forget(_ word: String) async throws(Trouble) {
        try await perform { try await $0.forget(try await room(word, $0)) }
    }
    /// Publishes where private messages are to be sent.
    ///
    /// - Parameter text: addresses of relays, one a line.
    public func setInbox(_ text: String) async throws(Trouble) {
        var relays: [RelayURL] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            do { relays.append(try RelayURL(String(word))) } catch {
                throw Trouble(ConversationWords.noRelay(oneLine(String(word), limit: 60)))
            }
        }
        guard (1...10).contains(relays.count) else { throw Trouble(ConversationWords.inboxSize) }
        let named = relays
        do { _ = try await account.setInbox(named) } catch { throw Trouble(error) }
    }

    private func room(_ word: String, _ messages: any Messaging) async throws -> ChatRoom {
        guard let room = try await messages.room(word) else {
            throw Trouble(ConversationWords.noConversation, canRetry: false)
        }
        return room
    }

    private func perform<Value: Sendable>(
        _ body: (any Messaging) async throws -> Value
    ) async throws(Trouble) -> Value {
        do { return try await body(openMessages(account)) } catch { throw Trouble(error) }
    }
}
