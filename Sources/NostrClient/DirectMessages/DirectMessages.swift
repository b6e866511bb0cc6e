internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrSigner
package import NostrStore
internal import Synchronization

/// The private messages of one account (NIP-17), while it is unlocked.
///
/// Everything is read from the encrypted vault on disk. Every call that throws throws ``MessagingError`` or what an
/// account throws.
public actor DirectMessages: UnlockedService, Messaging {
    let context: AccountContext
    let unlocked: UnlockedContext
    let messages: MessageStore
    let inbox: Inbox
    let delivery: WrapDelivery
    let wrapper: GiftWrapper
    private let lists: Lists
    private let list: InboxList
    let people: People
    /// Files that were opened.
    let files: SealedFiles
    /// Files that no media server has taken yet.
    let unsent: UnsentFiles
    /// Conversations on a page of which somebody's inbox relays are not known.
    private let wanted = Mutex<Set<ChatRoom>>([])
    private let wants = Doorbell()
    /// Told when rumors of some kinds came that are no messages.
    private var observers: [(kinds: Set<Kind>, tell: @Sendable () -> Void)] = []

    /// Reads what is needed to list the conversations.
    init(_ unlocked: UnlockedContext, inbox: Inbox, delivery: WrapDelivery, lists: Lists) async throws {
        self.unlocked = unlocked
        context = unlocked.account
        self.inbox = inbox
        self.delivery = delivery
        self.lists = lists
        list = InboxList(
            context, gossip: unlocked.gossip, publishing: unlocked.publishing, replaceable: unlocked.replaceable)
        people = unlocked.people
        files = SealedFiles(context, signedBy: unlocked.signer, gossip: unlocked.gossip)
        let changes = context.changes
        unsent = UnsentFiles(unlocked, in: Self.unsentFiles) { file in
            changes.send(.conversation(ChatRoom(unsentIn: file.chat)))
            changes.send(.messaging)
        }
        wrapper = GiftWrapper(
            context: context, signer: unlocked.signer, routes: inbox.routes, mining: unlocked.publishing.mining)
        // Whom one follows says which conversations are known ones.
        try await unlocked.gossip.load()
        messages = try await MessageStore(account: context.publicKey, records: unlocked.sealed)
    }

    /// Takes up what was on its way, and opens what came while the account was locked.
    func open() async {
        do {
            try await delivery.open(unlocked.sealed)
            try await inbox.open(self)
            for room in try await messages.dropExpired(now: context.time.now()) {
                context.changes.send(.conversation(room))
            }
        } catch {
            context.report("messages could not be read from disk", error)
        }
    }

    /// Sees that the account can be written to, and looks up where people of conversations on screen receive messages.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.list.tend() }
            group.addTask { await self.unsent.run { try await self.deliver($0, $1, isKept: true) } }
            await self.lookUpWanted()
        }
    }

    private func lookUpWanted() async {
        while !Task.isCancelled {
            for room in wanted.withLock({ rooms in
                defer { rooms = [] }
                return rooms
            }) {
                await inbox.routes.discover(Set(room.others(than: context.publicKey)))
                context.changes.send(.conversation(room))
            }
            await wants.wait()
        }
    }

    /// What may have waited for the signer goes on.
    public func signerDidReturn() async { await unsent.signerDidReturn() }

    /// Forgets everything that was decrypted; what comes from now on waits closed.
    public func wipe() async {
        observers = []
        files.wipe()
        await unsent.wipe()
        await inbox.close()
        await delivery.close()
        await messages.wipe()
    }

    // MARK: Reading

    /// How many conversations of the known folder, and of the requests, have something to read.
    func unread() async -> (known: Int, requests: Int) {
        let conversations = await messages.conversations
        var view = await visibility()
        // What cannot be read now counts as it is.
        view.silenced = (try? await messages.silenced(in: Array(conversations.rooms.values), for: view)) ?? []
        return (conversations.unread(in: .known, view), conversations.unread(in: .requests, view))
    }

    /// The conversations of a folder, the one with the newest message first.
    public func conversations(in folder: MessageFolder) async throws -> [ConversationSummary] {
        let view = await visibility()
        var rooms = await messages.conversations.summaries(in: folder, view)
        if folder == .known { rooms = await roomsOfUnsentFiles() + rooms }
        return try await summaries(of: rooms, view)
    }

    /// How many conversations there are in all folders; nothing is decrypted for it.
    public func conversationCount() async -> Int {
        let (conversations, view) = (await messages.conversations, await visibility())
        return MessageFolder.allCases.reduce(0) { $0 + conversations.summaries(in: $1, view).count }
    }

    /// The room behind a page's address (``/NostrNIPs/ChatRoom/word``), when there is such a conversation.
    public func room(_ word: String) async -> ChatRoom? {
        if let known = await messages.conversations.room(word) { return known }
        return await roomsOfUnsentFiles().map(\.room).first { $0.word == word }
    }

    /// A stretch of one conversation, newest last; an unknown room is an empty conversation.
    public func conversation(
        _ room: ChatRoom, before cursor: MessageCursor?, limit: Int
    ) async throws -> ConversationPage {
        let view = await visibility()
        let (items, hasMore) = try await messages.page(
            of: room, before: cursor, limit: min(max(limit, 1), 500), for: view)
        var known = await messages.conversations[room] ?? RoomSummary(room)
        let waiting = cursor == nil ? await unsent.files(in: room.nameOfUnsent) : []
        if !waiting.isEmpty { known.isAccepted = true }
        let summary = try await summaries(of: [known], view).first
        var page = ConversationPage(
            summary: summary ?? ConversationSummary(room: room, people: [], subject: nil, newest: nil, unread: 0),
            folder: view.folder(of: known), messages: try await shown(items, in: room),
            older: hasMore ? items.first?.cursor : nil, unreachable: try await unreachable(in: room))
        page.unsent = waiting
        return page
    }

    /// Messages whose text, subject or writer matches every word, newest first.
    public func search(_ text: String, limit: Int) async throws -> [MessageHit] {
        let conversations = await messages.conversations
        let view = await visibility()
        let words = MessageWords(text)
        guard !words.isEmpty else { return [] }
        let names = try await people.profiles(of: Set(conversations.rooms.values.flatMap(\.writers)))
        let writers = Set(names.filter { words.match(anyOf: $0.value) }.keys)
        let hits = try await messages.search(words, by: writers, limit: min(max(limit, 1), 200), for: view)
        let summaries = try await summaries(of: Set(hits.map(\.room)).compactMap { conversations[$0] }, view)
        let byRoom = Dictionary(summaries.map { ($0.room, $0) }) { first, _ in first }
        let persons = try await people.persons(Set(hits.map(\.item.author)))
        return hits.compactMap { hit in
            byRoom[hit.room].map { summary in
                let author = persons[hit.item.author] ?? Person(key: hit.item.author)
                return MessageHit(message: Message(hit.item, in: hit.room, author: author), conversation: summary)
            }
        }
    }

    /// How far a message of the account's own has come, per recipient.
    public func receipts(of id: EventID) async throws -> [RecipientReceipt] {
        let wraps = try await delivery.wraps(of: id, in: unlocked.sealed)
        let persons = try await people.persons(Set(wraps.map(\.recipient)))
        let own = context.publicKey
        return wraps.sorted { a, b in
            // The account's own copy comes last.
            if (a.recipient == own) != (b.recipient == own) { return b.recipient == own }
            return a.recipient < b.recipient
        }
        .map { wrap in
            RecipientReceipt(
                recipient: persons[wrap.recipient] ?? Person(key: wrap.recipient), basis: wrap.basis,
                relays: wrap.delivery.receipts)
        }
    }

    // MARK: Deciding

    /// Marks everything in a conversation as read.
    public func markRead(_ room: ChatRoom) async throws {
        guard let newest = await messages.conversations[room]?.newest?.place else { return }
        if try await messages.decide(about: room, { $0.read(upTo: newest) }) { conversationDidChange(room) }
    }

    /// Takes a conversation out of the requests; sending into it does the same.
    public func accept(_ room: ChatRoom) async throws {
        if try await messages.decide(about: room, { $0.isAccepted = true }) { conversationDidChange(room) }
    }

    /// Forgets a conversation here, with all its messages; new messages bring it back as a request.
    public func forget(_ room: ChatRoom) async throws {
        try await unsent.removeAll(in: room.nameOfUnsent)
        try await messages.forget(room)
        conversationDidChange(room)
    }

    nonisolated func conversationDidChange(_ room: ChatRoom) {
        context.changes.send(.conversation(room))
        context.changes.send(.messaging)
    }

    // MARK: Putting together what screens see

    /// How the account looks at its messages now.
    func visibility() async -> MessageVisibility {
        MessageVisibility(
            account: context.publicKey, followed: unlocked.gossip.followed, mutes: await lists.mutes(),
            now: context.time.now())
    }

    private func summaries(of rooms: [RoomSummary], _ view: MessageVisibility) async throws -> [ConversationSummary] {
        let persons = try await people.persons(Set(rooms.flatMap(\.room.participants)))
        var view = view
        view.silenced = try await messages.silenced(in: rooms, for: view)
        var found: [ConversationSummary] = []
        for room in rooms {
            let others = room.room.others(than: context.publicKey)
            let shown = others.isEmpty ? [context.publicKey] : others
            var summary = ConversationSummary(
                room: room.room, people: shown.map { persons[$0] ?? Person(key: $0) },
                subject: room.subject.flatMap { view.shows($0) ? $0.text : nil },
                newest: try await newest(of: room, view, persons), unread: view.unread(of: room))
            summary.unreadHidden = room.unread.count - summary.unread
            found.append(summary)
        }
        return found
    }

    /// The newest message that is shown: where the very newest is by somebody muted or has expired, one before it.
    private func newest(
        of room: RoomSummary, _ view: MessageVisibility, _ persons: [PublicKey: Person]
    ) async throws -> Message? {
        guard let glimpse = room.newest else { return nil }
        if view.shows(glimpse) {
            return Message(
                id: glimpse.place.id, room: room.room, author: persons[glimpse.author] ?? Person(key: glimpse.author),
                createdAt: glimpse.place.createdAt, body: glimpse.body)
        }
        let last = try await messages.page(of: room.room, before: nil, limit: 1, for: view).items
        return last.first.map { Message($0, in: room.room, author: persons[$0.author] ?? Person(key: $0.author)) }
    }

    /// Messages as screens see them.
    func shown(_ items: [StoredMessage], in room: ChatRoom) async throws -> [Message] {
        let persons = try await people.persons(Set(items.map(\.author)))
        var found: [Message] = []
        for item in items {
            var message = Message(item, in: room, author: persons[item.author] ?? Person(key: item.author))
            if item.author == context.publicKey {
                message.delivery = try await delivery.progress(of: item.id, in: unlocked.sealed)
            }
            found.append(message)
        }
        return found
    }

    /// People of a room of whom no relay is known to write to; asks for those not asked lately.
    private func unreachable(in room: ChatRoom) async throws -> [PublicKey] {
        let others = room.others(than: context.publicKey)
        let routes = try await inbox.routes.routes(to: others)
        let unknown = others.filter { routes[$0]?.basis != .inbox }
        // What a page has asked for is announced and read again; that must not ask again.
        let open = unknown.filter { unlocked.gossip.shouldAsk(.inboxOnPage($0)) }
        if !open.isEmpty {
            wanted.withLock { _ = $0.insert(room) }
            wants.ring()
        }
        return others.filter { routes[$0]?.relays.isEmpty != false }
    }
}

// MARK: - Reading wraps

extension DirectMessages: GiftWrapReader {
    func read(_ wraps: [Event], clearing: [RecordChange]) async throws -> (oldestNew: Timestamp?, rejected: Int) {
        let new = await messages.unseen(wraps)
        let opened = try await unlocked.signer.open(new)
        let outcome = try await messages.file(new, opened, now: context.time.now(), clearing: clearing)
        for room in outcome.rooms { context.changes.send(.conversation(room)) }
        if !outcome.rooms.isEmpty { context.changes.send(.messaging) }
        for observer in observers where !observer.kinds.isDisjoint(with: outcome.others) { observer.tell() }
        return (new.map(\.createdAt).min(), outcome.rejected)
    }

    func forgetSeen(before moment: Timestamp) async throws { try await messages.forgetSeen(before: moment) }
}

// MARK: - For other services

extension DirectMessages: RumorMail {
    package nonisolated var ownRelays: [RelayURL] { inbox.routes.own }

    package func isListed(_ person: PublicKey) async throws -> Bool {
        let routes = inbox.routes
        var basis = try await routes.routes(to: [person])[person]?.basis
        if basis != .inbox {
            await routes.discover([person])
            basis = try await routes.routes(to: [person])[person]?.basis
        }
        return basis == .inbox || basis == .relayList
    }

    package func rumors(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)] {
        try await messages.others(of: kinds)
    }

    package func rumorWasRemoved() async { await messages.otherWasRemoved() }

    package func observe(_ kinds: Set<Kind>, _ tell: @escaping @Sendable () -> Void) {
        observers.append((kinds, tell))
    }

    package func waiting() async -> Int { await delivery.waitingBesideMessages }
}

extension Message {
    init(_ item: StoredMessage, in room: ChatRoom, author: Person) {
        let body: Body =
            switch item.message?.body {
            case .text(let text): .text(text)
            case .file(let file): .file(file)
            case nil: .deleted
            }
        self.init(id: item.id, room: room, author: author, createdAt: item.moment, body: body)
        emoji = item.message?.emoji ?? []
        expiration = item.expiration
        reactions = item.reactions
        replyTo = item.message?.replyTo
        replyExcerpt = item.replyExcerpt
    }
}
