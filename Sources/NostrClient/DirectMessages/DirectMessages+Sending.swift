internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrSigner
package import NostrStore

/// Writing private messages: one rumor, a wrap for everybody in the room and for the account itself, all durable before
/// it returns.
extension DirectMessages {
    /// The most people a message goes to, the account not counted.
    ///
    /// Every message is encrypted, stored and sent once for each, to up to five relays; NIP-17 itself advises another
    /// scheme above ten.
    static let mostRecipients = 50

    /// Wraps and sends one message to everybody in the room and to the account itself; returns once it is durable and
    /// queued.
    public func send(_ message: OutgoingMessage) async throws -> Message {
        try await send(message, clearing: [])
    }

    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - file: the file that waits whose words these are.
    func send(
        _ message: OutgoingMessage, clearing: [RecordChange], of file: String? = nil
    ) async throws -> Message {
        try await unlocked.publishing.load()
        let room = ChatRoom(message.room.participants + [context.publicKey])
        let subject = message.subject?.trimmingWhiteSpace()
        guard !message.text.trimmingWhiteSpace().isEmpty || subject?.isEmpty == false else {
            throw MessagingError.empty
        }
        guard !message.text.holdsSecretKey, subject?.holdsSecretKey != true else {
            throw MessagingError.holdsSecretKey
        }
        let now = await moment(for: room)
        let expiration = message.lifetime.map { now + $0 }
        let draft = ChatMessage.draft(
            message.text, to: room, by: context.publicKey, replyTo: message.replyTo.map { EventPointer(id: $0) },
            subject: subject?.isEmpty == false ? subject : nil, expiration: expiration,
            tags: try await OwnEmoji.tags(namedIn: message.text, of: context), createdAt: now)
        let id = try await dispatch(draft, in: room, expiration: expiration, clearing: clearing, of: file)
        guard let item = try await messages.item(id, in: room),
            let sent = try await shown([item], in: room).first
        else { throw MessagingError.unknownMessage }
        return sent
    }

    /// Reacts to a message within its room.
    public func react(
        to id: EventID, in room: ChatRoom, with content: String, showing picture: String?
    ) async throws {
        let target = try await existing(id, in: room)
        var emoji: CustomEmoji?
        if content.hasPrefix(":") {
            let muted = await visibility().mutes.people
            let shown = try await messages.item(id, in: room)?.reactions.filter { !muted.contains($0.author) }
            emoji = try await OwnEmoji(context).meant(
                by: content, showing: picture, among: (shown ?? []).compactMap(\.emoji))
        }
        let draft = ChatReaction.draft(
            content.isEmpty ? "+" : content, to: target, by: context.publicKey, emoji: emoji,
            createdAt: context.time.now())
        try await dispatch(draft, in: room, expiration: nil)
    }

    /// Takes the account's own reactions to a message back, of those the ones with these contents.
    public func takeBackReactions(_ contents: Set<String>, from id: EventID, in room: ChatRoom) async throws {
        let own = try await messages.reactions(by: context.publicKey, saying: contents, to: id, in: room)
        guard let newest = own.map(\.createdAt).max() else { throw MessagingError.unknownMessage }
        let draft = ChatDeletion.draft(
            deleting: own, in: room, by: context.publicKey, createdAt: max(context.time.now(), newest))
        try await dispatch(draft, in: room, expiration: nil)
    }

    /// Deletes the account's own copy of a message, here and on the relays that hold its wraps; for everyone, also asks
    /// the others to (NIP-17, kind 5 in a wrap), which only its author can.
    public func delete(_ id: EventID, in room: ChatRoom, forEveryone: Bool) async throws {
        if forEveryone {
            let target = try await existing(id, in: room)
            guard target.author == context.publicKey else { throw MessagingError.notOwn }
            let draft = ChatDeletion.draft(
                deleting: [target.rumor], in: room, by: context.publicKey,
                createdAt: max(context.time.now(), target.createdAt))
            try await dispatch(draft, in: room, expiration: nil)
        }
        let wraps = try await messages.remove(id, in: room)
        conversationDidChange(room)
        try await askToDelete(wraps)
    }

    /// Offers a message again to the relays that do not have it.
    public func resend(_ id: EventID) async throws {
        guard try await delivery.offerAgain(id, in: unlocked.sealed) else { throw MessagingError.unknownMessage }
        context.changes.send(.receipt(id))
    }

    /// Now, or the second after the newest message where that is of this moment: messages of one second have no order.
    func moment(for room: ChatRoom) async -> Timestamp {
        let now = context.time.now()
        guard let newest = await messages.conversations[room]?.newest?.place.createdAt,
            newest >= now, newest < now + .seconds(10)
        else { return now }
        return newest + .seconds(1)
    }

    func existing(_ id: EventID, in room: ChatRoom) async throws -> ChatMessage {
        guard let message = try await messages.item(id, in: room)?.message else { throw MessagingError.unknownMessage }
        return message
    }

    /// Wraps a rumor for everybody, keeps it and what goes out at once, and lets the outbox offer it.
    ///
    /// - Parameter clearing: becomes durable with it.
    @discardableResult
    func dispatch(
        _ draft: EventDraft, in room: ChatRoom, expiration: Timestamp?, clearing: [RecordChange] = [],
        of file: String? = nil
    ) async throws -> EventID {
        let rumor = Rumor(draft, author: context.publicKey)
        guard room.participants.count <= Self.mostRecipients + 1 else {
            throw MessagingError(.tooManyPeople, limit: Self.mostRecipients)
        }
        guard rumor.json.utf8.count <= GiftWrap.longestRumor else {
            throw MessagingError(.tooLong)
        }
        let routes = try await inbox.routes.routes(to: room.participants)
        var outgoing: [OutgoingWrap] = []
        for recipient in room.participants {
            let route = routes[recipient] ?? .unknown
            let key = wrapper.key()
            let wrap = try await wrapper.wrap(rumor, for: recipient, by: route, expiration: expiration, under: key)
            outgoing.append(wrapper.outgoing(wrap, of: rumor.id, in: room, to: recipient, route, under: key))
        }
        guard let own = outgoing.first(where: { $0.recipient == context.publicKey })?.delivery.event else {
            throw MessagingError.unknownMessage
        }
        let sending = try outgoing.flatMap { try OutgoingWrapRecord.changes(for: $0, in: unlocked.sealed) }
        if let file { try await unsent.claim(file) }
        try await messages.keep(
            rumor, in: room, ownWrap: own, expiration: expiration, now: context.time.now(), sending + clearing)
        await delivery.insert(outgoing)
        conversationDidChange(room)
        return rumor.id
    }

    /// Asks the inbox relays to delete wraps addressed to the account; NIP-59 lets those named in `p` ask that.
    private func askToDelete(_ wraps: [EventID]) async throws {
        guard !wraps.isEmpty else { return }
        let tags = wraps.map { Tag(["e", $0.hex]) } + [["k", String(GiftWrap.kind.rawValue)]]
        let request = try await unlocked.signer.sign(
            EventDraft(kind: DeletionRequest.kind, tags: tags, createdAt: context.time.now()))
        let route = InboxRoutes.Route(basis: .inbox, relays: inbox.routes.own)
        let outgoing = wrapper.outgoing(request, of: nil, in: nil, to: context.publicKey, route)
        try await unlocked.sealed.apply(try OutgoingWrapRecord.changes(for: outgoing, in: unlocked.sealed))
        await delivery.insert([outgoing])
    }

    package func send(
        _ rumor: Rumor, to recipient: PublicKey, clearing: [RecordChange], besides relays: [RelayURL]
    ) async throws {
        let route = try await inbox.routes.routes(to: [recipient])[recipient] ?? .unknown
        let key = wrapper.key()
        let wrap = try await wrapper.wrap(rumor, for: recipient, by: route, expiration: nil, under: key)
        var outgoing = wrapper.outgoing(wrap, of: nil, in: nil, to: recipient, route, under: key)
        // Those in private networks, too: the person is asked about them.
        let named = relays.filter(unlocked.gossip.router.permits).map {
            Destination(relay: $0, purpose: .readOf(recipient))
        }
        outgoing.delivery.add(named, now: context.time.now())
        try await unlocked.sealed.apply(
            try OutgoingWrapRecord.changes(for: outgoing, in: unlocked.sealed) + clearing)
        await delivery.insert([outgoing])
    }
}

extension String {
    /// Whether a secret key stands in it: an `nsec1…` or `ncryptsec1…` that decodes.
    package var holdsSecretKey: Bool {
        split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.contains { word in
            let code = word.lowercased()
            // What does not decode is a word like any other.
            if code.hasPrefix("nsec1") { return Self.isSecretKey(code) }
            return code.hasPrefix("ncryptsec1") && (try? EncryptedSecretKey(code)) != nil
        }
    }

    private static func isSecretKey(_ code: String) -> Bool {
        do {
            _ = try SecretKey.parse(nsec: code)
            return true
        } catch {
            return false
        }
    }
}
