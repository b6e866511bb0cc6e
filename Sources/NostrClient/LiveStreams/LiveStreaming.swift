public import NostrCore
public import NostrNIPs

/// Live streams and their chats (NIP-53); implemented by ``LiveStreams``.
public protocol LiveStreaming: Sendable {
    /// The streams that are known here, from the store; asks relays for more.
    func list() async throws -> LiveStreamList
    /// A stream and its chat, from the store; listens to its relays for a while from now on.
    ///
    /// Looked at again within ``LiveStreams/lease``, it goes on listening.
    /// - Parameter hints: where the stream may be found, as a link to it says.
    func room(_ address: EventAddress, hints: [RelayURL]) async throws -> LiveRoom
    /// Says something in a stream's chat.
    ///
    /// - Parameter parent: the line it answers.
    /// - Throws: ``AccountError``: read-only, nothing to say, or an answer to a line that is not here.
    func send(_ text: String, in address: EventAddress, replyTo parent: EventID?) async throws -> Event
    /// Reacts to a line of a stream's chat, or to the stream itself.
    func react(to id: EventID, in address: EventAddress, with content: String) async throws -> Event
    /// Asks relays to delete a line of the account's own (NIP-09).
    func delete(_ id: EventID) async throws -> Event
}

extension LiveStreams: LiveStreaming {}
