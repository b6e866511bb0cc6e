internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore

/// Taking part in a chat.
extension LiveStreams {
    /// The longest line, in characters.
    public static let longestLine = 2000

    /// Says something in a stream's chat, at the relays where the chat is.
    ///
    /// - Throws: ``AccountError``.
    public func send(_ text: String, in address: EventAddress, replyTo parent: EventID?) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        let words = String(text.trimmingWhiteSpace().prefix(Self.longestLine))
        guard !words.isEmpty else { throw AccountError.empty }
        var answered: Event?
        if let parent { answered = try await line(parent, in: address) }
        let relays = await self.relays(of: address)
        let draft = LiveChatMessage.draft(
            in: AddressPointer(address: address, relays: Array(relays.prefix(1))), replyTo: answered, text: words,
            emoji: try await OwnEmoji(context).all, createdAt: context.time.now())
        return try await publishing.send(draft, only: relays, purpose: .conversation)
    }

    /// Reacts to a line of a stream's chat, or to the stream itself.
    ///
    /// - Throws: ``AccountError``.
    public func react(to id: EventID, in address: EventAddress, with content: String) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        guard let target = try await context.store.query([Filter(ids: [id])]).first,
            target.address == address || LiveChatMessage(target)?.activity.address == address
        else { throw AccountError.unknownEvent }
        let relays = await self.relays(of: address)
        let emoji = try await OwnEmoji(context).all.first { ":\($0.shortcode):" == content }
        var draft = Reaction.draft(
            to: target, content: content, emoji: emoji, relay: relays.first, createdAt: context.time.now())
        if target.address == nil {
            // By this address the others in the room find it.
            draft.tags.append(AddressPointer(address: address, relays: Array(relays.prefix(1))).tag("a"))
        }
        return try await publishing.send(draft, only: relays, purpose: .conversation)
    }

    /// Asks relays to delete a line of the account's own.
    public func delete(_ id: EventID) async throws -> Event {
        try await publishing.delete([id])
    }

    private func line(_ id: EventID, in address: EventAddress) async throws -> Event {
        guard let event = try await context.store.query([Filter(ids: [id])]).first,
            LiveChatMessage(event)?.activity.address == address
        else { throw AccountError.unknownEvent }
        return event
    }
}
