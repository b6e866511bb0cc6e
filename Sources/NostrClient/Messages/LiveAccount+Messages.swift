public import NostrCore
public import NostrNIPs
internal import NostrStore

extension LiveAccount: Messaging {
    /// One's private messages; `nil` for an account without a key.
    public nonisolated var messages: (any Messaging)? { canSign ? self : nil }

    public func state() async -> MessagingState {
        let opened = await mailbox.opened
        let view = await mailView()
        return MessagingState(
            vault: vaultForMessages(isOpen: opened != nil), inbox: gossip.inbox, caughtUp: mail.caughtUp,
            rejected: mail.rejected, unread: opened?.state.unread(in: .known, view) ?? 0,
            unreadRequests: opened?.state.unread(in: .requests, view) ?? 0)
    }

    public func conversations(in folder: MessageFolder) async throws -> [ConversationSummary] {
        let state = try await openedMailbox().state
        let view = await mailView()
        let rooms = state.summaries(in: folder, view)
        return try await summaries(of: rooms, view)
    }

    public func room(_ word: String) async throws -> ChatRoom? {
        try await openedMailbox().state.room(word)
    }

    public func conversation(
        _ room: ChatRoom, before cursor: MessageCursor?, limit: Int
    ) async throws -> ConversationPage {
        let state = try await openedMailbox().state
        let view = await mailView()
        let conversation = try await mailbox.read(room)
        let (items, hasMore) = conversation.stretch(
            before: cursor, limit: min(max(limit, 1), 500), where: view.shows)
        let known = state[room] ?? RoomSummary(room)
        let summary = try await summaries(of: [known], view).first
        let page = ConversationPage(
            summary: summary ?? ConversationSummary(room: room, people: [], subject: nil, newest: nil, unread: 0),
            folder: view.folder(of: known), messages: try await messages(items, of: conversation),
            older: hasMore ? items.first?.place : nil, unreachable: try await unreachable(in: room))
        return page
    }

    public func search(_ text: String, limit: Int) async throws -> [MessageHit] {
        let state = try await openedMailbox().state
        let view = await mailView()
        let words = MessageWords(text)
        guard !words.isEmpty else { return [] }
        let names = try await services.people.profiles(of: Set(state.rooms.values.flatMap(\.writers)))
        var hits = NewestHits(limit: min(max(limit, 1), 200))
        let rooms = state.rooms.values.filter { $0.newest != nil && !view.hides($0) }
            .sorted { ($1.newest?.place ?? .start) < ($0.newest?.place ?? .start) }
        for room in rooms {
            // All of this conversation and of those that follow is older than what was found.
            if let newest = room.newest?.place, hits.isFull, newest < hits.oldest { break }
            let conversation = try await mailbox.pass(room.room)
            let writers = Set(names.filter { words.match(anyOf: $0.value) }.keys)
            for item in conversation.items.reversed() where view.shows(item) {
                if hits.isFull, item.place < hits.oldest { break }
                if let message = item.message, words.match(message, isByName: writers.contains(item.author)) {
                    hits.add(item, in: conversation)
                }
            }
        }
        return try await self.hits(hits, state, view)
    }

    public func receipts(of id: EventID) async throws -> [RecipientReceipt] {
        guard let sealed else { throw MessagingError.locked }
        let parcels = try await parcels(of: id, in: sealed)
        let people = try await persons(Set(parcels.map(\.recipient)))
        return parcels.sorted {
            ($0.recipient == publicKey ? 1 : 0, $0.recipient) < ($1.recipient == publicKey ? 1 : 0, $1.recipient)
        }
        .map { parcel in
            RecipientReceipt(
                recipient: people[parcel.recipient] ?? Person(key: parcel.recipient), basis: parcel.basis,
                relays: parcel.delivery.receipts)
        }
    }

    public func markRead(_ room: ChatRoom) async throws {
        guard let newest = try await openedMailbox().state[room]?.newest?.place else { return }
        if try await mailbox.change(room, { $0.read(upTo: newest) }) { tell(room) }
    }

    public func accept(_ room: ChatRoom) async throws {
        if try await mailbox.change(room, { $0.isAccepted = true }) { tell(room) }
    }

    public func forget(_ room: ChatRoom) async throws {
        try await mailbox.forget(room)
        tell(room)
    }

    private func tell(_ room: ChatRoom) {
        feed.send(.conversation(room))
        feed.send(.messaging)
    }
}

// MARK: - Putting together what screens see

extension LiveAccount {
    /// How the account looks at its messages now.
    func mailView() async -> MailboxView {
        MailboxView(account: publicKey, followed: followed, mutes: await mutes(), now: time.now())
    }

    /// The mailbox's contents.
    ///
    /// - Throws: ``MessagingError``, by name where the vault cannot be read.
    func openedMailbox() async throws -> Mailbox.Opened {
        if vault == .damaged { throw MessagingError(.damaged, VaultState.damage) }
        try await load()
        return try await mailbox.current()
    }

    private func vaultForMessages(isOpen: Bool) -> MessagingState.Vault {
        switch vault {
        case .locked: .locked
        case .opening: .opening
        case .damaged: .damaged(VaultState.damage)
        case .open: isOpen && !mail.isOpening ? .open : .opening
        }
    }

    func persons(_ keys: Set<PublicKey>) async throws -> [PublicKey: Person] {
        try await services.people.persons(keys)
    }

    func summaries(of rooms: [RoomSummary], _ view: MailboxView) async throws -> [ConversationSummary] {
        let people = try await persons(Set(rooms.flatMap(\.room.participants)))
        var found: [ConversationSummary] = []
        for room in rooms {
            let others = room.room.others(than: publicKey)
            let shown = others.isEmpty ? [publicKey] : others
            found.append(
                ConversationSummary(
                    room: room.room, people: shown.map { people[$0] ?? Person(key: $0) },
                    subject: room.subject?.text, newest: try await newest(of: room, view, people),
                    unread: view.unread(of: room)))
        }
        return found
    }

    /// The newest message that is shown: where the very newest is by somebody muted or has expired, one before it.
    private func newest(
        of room: RoomSummary, _ view: MailboxView, _ people: [PublicKey: Person]
    ) async throws -> Message? {
        guard let glimpse = room.newest else { return nil }
        if view.shows(glimpse) {
            return Message(
                id: glimpse.place.id, room: room.room, author: people[glimpse.author] ?? Person(key: glimpse.author),
                createdAt: glimpse.place.createdAt, body: glimpse.body)
        }
        let conversation = try await mailbox.read(room.room)
        let last = conversation.stretch(before: nil, limit: 1, where: view.shows).items
        return last.first.map { item in
            Message(item, in: conversation, author: people[item.author] ?? Person(key: item.author))
        }
    }

    /// A message as screens see it; `nil` when it is not here.
    func kept(_ id: EventID, in room: ChatRoom) async throws -> Message? {
        let conversation = try await mailbox.read(room)
        guard let item = conversation.item(id) else { return nil }
        return try await messages([item], of: conversation).first
    }

    private func messages(
        _ items: [OpenConversation.Item], of conversation: OpenConversation
    ) async throws -> [Message] {
        guard let sealed else { throw MessagingError.locked }
        let people = try await persons(Set(items.map(\.author)))
        var found: [Message] = []
        for item in items {
            var message = Message(item, in: conversation, author: people[item.author] ?? Person(key: item.author))
            if item.author == publicKey { message.delivery = try await progress(of: item.id, in: sealed) }
            found.append(message)
        }
        return found
    }

    private func hits(_ hits: NewestHits, _ state: MailboxState, _ view: MailboxView) async throws -> [MessageHit] {
        let rooms = Set(hits.found.map(\.room))
        let summaries = try await self.summaries(of: rooms.compactMap { state[$0] }, view)
        let byRoom = Dictionary(summaries.map { ($0.room, $0) }) { first, _ in first }
        let people = try await persons(Set(hits.found.map(\.item.author)))
        return hits.found.compactMap { hit in
            byRoom[hit.room].map { summary in
                var message = Message(
                    hit.item, in: OpenConversation(hit.room),
                    author: people[hit.item.author] ?? Person(key: hit.item.author))
                message.reactions = hit.reactions
                return MessageHit(message: message, conversation: summary)
            }
        }
    }

    /// People of a room of whom no relay is known to write to; asks for those not asked lately.
    private func unreachable(in room: ChatRoom) async throws -> [PublicKey] {
        let others = room.others(than: publicKey)
        let routes = try await routes(to: others)
        let unknown = others.filter { routes[$0]?.basis != .inbox }
        // What a page has asked for is announced and read again; that must not ask again.
        let open = unknown.filter { gossip.shouldAsk(.inboxOnPage($0)) }
        if !open.isEmpty { inboxRequests.add(room) }
        return others.filter { routes[$0]?.relays.isEmpty != false }
    }
}

extension Message {
    init(_ item: OpenConversation.Item, in conversation: OpenConversation, author: Person) {
        let body: Body =
            switch item.message?.body {
            case .text(let text): .text(text)
            case .file(let file): .file(file)
            case nil: .deleted
            }
        self.init(id: item.id, room: conversation.room, author: author, createdAt: item.moment, body: body)
        expiration = item.expiration
        guard let message = item.message else { return }
        reactions = conversation.reactions[item.id] ?? []
        replyTo = message.replyTo
        if let replyTo, case .text(let text) = conversation.item(replyTo)?.message?.body {
            replyExcerpt = String(text.prefix(140))
        }
    }
}
