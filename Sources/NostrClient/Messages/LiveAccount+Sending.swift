public import NostrCore
public import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Writing private messages: one rumor, a wrap for everybody in the room and for oneself, all durable before it returns.
extension LiveAccount {
    /// The most people a message goes to, oneself not counted.
    ///
    /// Every message is encrypted, stored and sent once for each, to up to five relays; NIP-17 itself advises another
    /// scheme above ten.
    static let mostRecipients = 50
    /// Relays of one recipient that get a wrap at most.
    private static let relaysPerRecipient = 5

    public func send(_ message: OutgoingMessage) async throws -> Message {
        try await load()
        let room = ChatRoom(message.room.participants + [publicKey])
        let subject = message.subject?.trimmingWhiteSpace()
        guard !message.text.trimmingWhiteSpace().isEmpty || subject?.isEmpty == false else {
            throw MessagingError.empty
        }
        guard !message.text.holdsSecretKey, subject?.holdsSecretKey != true else {
            throw MessagingError.holdsSecretKey
        }
        let now = try await moment(for: room)
        let expiration = message.lifetime.map { now + $0 }
        let draft = ChatMessage.draft(
            message.text, to: room, by: publicKey, replyTo: message.replyTo.map { EventPointer(id: $0) },
            subject: subject?.isEmpty == false ? subject : nil, expiration: expiration, createdAt: now)
        let id = try await dispatch(draft, in: room, expiration: expiration)
        guard let sent = try await kept(id, in: room) else { throw MessagingError.unknownMessage }
        return sent
    }

    public func react(to id: EventID, in room: ChatRoom, with content: String) async throws {
        let target = try await existing(id, in: room)
        let emoji = try await ownEmoji(named: content)
        let draft = ChatReaction.draft(
            content.isEmpty ? "+" : content, to: target, by: publicKey, emoji: emoji, createdAt: time.now())
        try await dispatch(draft, in: room, expiration: nil)
    }

    public func delete(_ id: EventID, in room: ChatRoom, forEveryone: Bool) async throws {
        if forEveryone {
            let target = try await existing(id, in: room)
            guard target.author == publicKey else { throw MessagingError.notOwn }
            let draft = ChatDeletion.draft(
                deleting: [target.rumor], in: room, by: publicKey, createdAt: max(time.now(), target.createdAt))
            try await dispatch(draft, in: room, expiration: nil)
        }
        let wraps = try await mailbox.remove(id, in: room)
        feed.send(.conversation(room))
        feed.send(.messaging)
        try await askToDelete(wraps)
    }

    public func resend(_ id: EventID) async throws {
        guard let sealed else { throw MessagingError.locked }
        for parcel in try await parcels(of: id, in: sealed) { mail.outbox.insert(parcel) }
        let again = mail.outbox.offerAgain(id, now: time.now())
        guard !again.isEmpty else { throw MessagingError.unknownMessage }
        for parcel in again {
            try await sealed.apply(try ParcelRecord.changes(for: parcel, in: sealed))
        }
        mailing.ring()
        feed.send(.receipt(id))
    }

    /// Now, or the second after the newest message where that is of this moment: messages of one second have no order.
    private func moment(for room: ChatRoom) async throws -> Timestamp {
        let now = time.now()
        guard let newest = try await mailbox.current().state[room]?.newest?.place.createdAt,
            newest >= now, newest < now + .seconds(10)
        else { return now }
        return newest + .seconds(1)
    }

    private func existing(_ id: EventID, in room: ChatRoom) async throws -> ChatMessage {
        guard let message = try await mailbox.read(room).item(id)?.message else { throw MessagingError.unknownMessage }
        return message
    }

    private func ownEmoji(named content: String) async throws -> CustomEmoji? {
        guard content.hasPrefix(":") else { return nil }
        let list = try await store.query([Filter(authors: [publicKey], kinds: [.emojiList], limit: 1)]).first
        return list?.tags.customEmoji.first { ":\($0.shortcode):" == content }
    }

    // MARK: Wrapping

    /// Wraps a rumor for everybody, keeps it and what goes out at once, and lets the outbox offer it.
    @discardableResult
    private func dispatch(_ draft: EventDraft, in room: ChatRoom, expiration: Timestamp?) async throws -> EventID {
        guard let sealed else { throw MessagingError.locked }
        let rumor = Rumor(draft, author: publicKey)
        guard room.participants.count <= Self.mostRecipients + 1 else {
            throw MessagingError(
                .tooManyPeople,
                "A private message goes to at most \(Self.mostRecipients) people, because it is encrypted for each of "
                    + "them apart.")
        }
        guard rumor.json.utf8.count <= GiftWrap.longestRumor else {
            throw MessagingError(.tooLong, "This message is longer than every program can read; send it in parts.")
        }
        let routes = try await routes(to: room.participants)
        var parcels: [Parcel] = []
        for recipient in room.participants {
            let wrap = try await wrap(rumor, for: recipient, expiration: expiration)
            parcels.append(parcel(wrap, of: rumor.id, in: room, to: recipient, routes[recipient] ?? (.unknown, [])))
        }
        guard let own = parcels.first(where: { $0.recipient == publicKey })?.delivery.event else {
            throw MessagingError.unknownMessage
        }
        let sending = try parcels.flatMap { try ParcelRecord.changes(for: $0, in: sealed) }
        try await mailbox.keep(rumor, in: room, ownWrap: own, expiration: expiration, now: time.now(), sending)
        for parcel in parcels { mail.outbox.insert(parcel) }
        mailing.ring()
        feed.send(.conversation(room))
        feed.send(.messaging)
        return rumor.id
    }

    /// Wraps a rumor that is no message for one person, and lets the outbox offer it; durable before it returns.
    ///
    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - relays: where the recipient said they read, besides what their lists say.
    func sendGift(
        _ rumor: Rumor, to recipient: PublicKey, clearing: [RecordChange], besides relays: [RelayURL] = []
    ) async throws {
        guard let sealed else { throw MessagingError.locked }
        let route = try await routes(to: [recipient])[recipient] ?? (.unknown, [])
        let wrap = try await wrap(rumor, for: recipient, expiration: nil)
        var parcel = parcel(wrap, of: nil, in: nil, to: recipient, route)
        let named = relays.filter(router.trusts).map { Destination(relay: $0, purpose: .readOf(recipient)) }
        parcel.delivery.add(named, now: time.now())
        try await sealed.apply(try ParcelRecord.changes(for: parcel, in: sealed) + clearing)
        mail.outbox.insert(parcel)
        mailing.ring()
    }

    private func wrap(_ rumor: Rumor, for recipient: PublicKey, expiration: Timestamp?) async throws -> Event {
        guard let signer else { throw AccountError.readOnly }
        let payload = try await signer.encrypt(try rumor.sealable(), for: recipient, by: .nip44)
        let now = time.now()
        let seal = try await signer.sign(sealDraft(payload, now: now, expiration: expiration))
        let bits = try await mining.policy().wraps
        guard bits > 0 else { return try wrapped(seal, for: recipient, now: now, expiration: expiration) }
        // A generator of its own: the account's must not be held across a wait.
        var random = SystemRandomNumberGenerator()
        return try await GiftWrap.wrap(
            seal, for: recipient, now: now, expiration: expiration, using: &random
        ) { draft, author in try await ProofOfWork.mine(draft, author: author, bits: bits) }
    }

    private func parcel(
        _ wrap: Event, of rumor: EventID?, in room: ChatRoom?, to recipient: PublicKey,
        _ route: (basis: RecipientReceipt.Basis, relays: [RelayURL])
    ) -> Parcel {
        let now = time.now()
        // Where somebody receives is looked up, again after a while; until then a wrap waits rather than lie on relays
        // that everybody reads, when there may be an inbox list.
        let wasAsked = !gossip.allows(.inbox(recipient))
        let isSettled = recipient == publicKey && route.basis == .inbox
        let relays = route.basis == .inbox || wasAsked ? route.relays : []
        let mustAsk = !isSettled && (!wasAsked || relays.isEmpty)
        var delivery = Delivery(event: wrap, queuedAt: now, strangers: mustAsk ? [recipient] : [])
        delivery.add(relays.map { Destination(relay: $0, purpose: .readOf(recipient)) }, now: now)
        return Parcel(delivery: delivery, rumor: rumor, room: room, recipient: recipient, basis: route.basis)
    }

    /// Asks the inbox relays to delete wraps addressed to oneself; whoever is named in `p` may ask that (NIP-59).
    private func askToDelete(_ wraps: [EventID]) async throws {
        guard let signer, let sealed, !wraps.isEmpty else { return }
        let tags = wraps.map { Tag(["e", $0.hex]) } + [["k", String(GiftWrap.kind.rawValue)]]
        let request = try await signer.sign(
            EventDraft(kind: DeletionRequest.kind, tags: tags, createdAt: time.now()))
        let parcel = parcel(request, of: nil, in: nil, to: publicKey, (.inbox, mailRelays))
        try await sealed.apply(try ParcelRecord.changes(for: parcel, in: sealed))
        mail.outbox.insert(parcel)
        mailing.ring()
    }

    // MARK: Routes

    /// Where people receive messages, as far as known here: their inbox list, else where they read (NIP-65).
    func routes(
        to people: [PublicKey]
    ) async throws -> [PublicKey: (basis: RecipientReceipt.Basis, relays: [RelayURL])] {
        let others = Set(people).subtracting([publicKey])
        let lists = try await store.query([Filter(authors: others, kinds: [.directMessageRelays])])
        try await learnRelayLists(of: others)
        var routes: [PublicKey: (basis: RecipientReceipt.Basis, relays: [RelayURL])] = [:]
        for person in others {
            let list = lists.first { $0.pubkey == person }.flatMap(PublicList.init)
            let inbox = (list?.relays ?? []).filter(router.trusts)
            let read = (router.lists[person]?.read ?? []).filter(router.trusts)
            routes[person] =
                if !inbox.isEmpty {
                    (.inbox, Array(inbox.prefix(Self.relaysPerRecipient)))
                } else if !read.isEmpty {
                    (.relayList, Array(read.prefix(3)))
                } else {
                    (.unknown, [])
                }
        }
        if people.contains(publicKey) {
            routes[publicKey] = (mail.inbox.isEmpty ? .relayList : .inbox, mailRelays)
        }
        return routes
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
