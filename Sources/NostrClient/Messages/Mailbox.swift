internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The private messages of one account where they rest, read and changed while the vault is open.
///
/// Unlocking reads the summaries of the conversations and no message; a conversation is decrypted, on all cores, when
/// it is opened. What belongs together becomes durable together: a message, its place in the summary, and the mark
/// that its wrap was seen.
actor Mailbox {
    static let messages = "messages"
    static let rooms = "conversations"
    static let seen = "wraps-seen"
    static let others = "rumors"

    /// Rumors of other kinds are kept for the parts of the program that will read them, up to so many.
    static let mostOthers = 5000
    /// A wrap that names more people than this is no conversation.
    static let mostPeople = 256

    struct Opened {
        let records: SealedRecords
        var state: MailboxState
        /// Wraps that need not be opened again, and their dates.
        var seen: [EventID: Timestamp]
        var conversations = ConversationCache()
        var others: Int
    }

    let account: PublicKey
    private let turns = Turns()
    /// Grows when the vault is locked: what was begun before must not come back after.
    private(set) var generation = 0
    var opened: Opened?
    /// Records that did not open since the vault was unlocked.
    private(set) var damaged = 0

    init(account: PublicKey) {
        self.account = account
    }

    /// Reads what is needed to list the conversations.
    func unlock(_ records: SealedRecords) async throws {
        try await turns.take {
            guard opened == nil else { return }
            let generation = self.generation
            // A summary or a mark that is damaged is counted; the messages themselves lie elsewhere.
            let rooms = try await records.values(in: Self.rooms) { try? RoomSummaryRecord.decode($0) }
            let marks = try await records.values(in: Self.seen) { SeenMark($0) }
            let others = try await records.values(in: Self.others) { _ in true }
            guard generation == self.generation else { return }
            damaged = (rooms.count - rooms.compactMap(\.self).count)
            let seen = Dictionary(marks.compactMap { $0 }.map { ($0.wrap, $0.createdAt) }) { first, _ in first }
            opened = Opened(
                records: records, state: MailboxState(rooms.compactMap(\.self)), seen: seen, others: others.count)
        }
    }

    /// Forgets everything that was decrypted.
    func lock() {
        generation += 1
        opened = nil
    }

    /// Whether the vault's contents are here.
    var isOpen: Bool { opened != nil }

    /// Those of some wraps that were not opened before.
    func unseen(_ wraps: [Event]) -> [Event] {
        guard let seen = opened?.seen else { return wraps }
        var batch: Set<EventID> = []
        return wraps.filter { seen[$0.id] == nil && batch.insert($0.id).inserted }
    }

    /// Forgets wraps dated before a moment: relays are not asked for them any more.
    func forgetSeen(before moment: Timestamp) async throws {
        try await turns.take {
            let opened = try current()
            let old = opened.seen.filter { $0.value < moment }.keys
            guard !old.isEmpty else { return }
            try await opened.records.apply(old.map { opened.records.remove(.init(Self.seen, $0.hex)) })
            for id in old { self.opened?.seen[id] = nil }
        }
    }

    // MARK: Changing

    /// What a change did.
    struct Outcome: Sendable {
        /// Conversations that look different now.
        var rooms: Set<ChatRoom> = []
        /// Wraps that could not be believed.
        var rejected = 0
        /// Kinds of rumors that came and are no messages.
        var others: Set<Kind> = []
    }

    /// The rumors of some kinds that are no messages, each with the change that takes it out.
    func others(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)] {
        let records = try current().records
        // What does not read was damaged on the disk; it stays where it is and counts towards the bound.
        let found = try await records.values(in: Self.others) { try? Rumor(json: String(decoding: $0, as: UTF8.self)) }
        return found.compactMap(\.self).filter { kinds.contains($0.kind) }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            .map { ($0, records.remove(.init(Self.others, $0.id.hex))) }
    }

    /// One of those was taken out.
    func otherWasTaken() {
        if let count = opened?.others { opened?.others = max(0, count - 1) }
    }

    /// Takes opened wraps in; a message that is here already is not taken twice, whatever wrap brought it.
    ///
    /// - Parameter clearing: becomes durable with it.
    func take(
        _ wraps: [Event], _ gifts: [Result<Gift, GiftRejection>], now: Timestamp, clearing: [RecordChange] = []
    ) async throws -> Outcome {
        try await turns.take {
            var filing = Filing(try current(), clearing)
            for (wrap, gift) in zip(wraps, gifts) {
                try filing.markSeen(wrap)
                switch gift {
                case .failure: filing.outcome.rejected += 1
                case .success(let gift): try await take(gift, into: &filing, now: now)
                }
            }
            return try await finish(&filing)
        }
    }

    /// Keeps what one wrote oneself, together with what is needed to send it.
    func keep(
        _ rumor: Rumor, in room: ChatRoom, ownWrap: Event, expiration: Timestamp?, now: Timestamp,
        _ sending: [RecordChange]
    ) async throws {
        try await turns.take {
            var filing = Filing(try current(), sending)
            try filing.markSeen(ownWrap)
            let record = MailRecord(rumor, arrivedAt: now, wraps: [ownWrap.id], expiration: expiration)
            try filing.file(record, rumor.id, in: room)
            _ = try await finish(&filing)
        }
    }

    /// Takes a message out here; returns the wraps it came in.
    func remove(_ id: EventID, in room: ChatRoom) async throws -> [EventID] {
        try await turns.take {
            let opened = try current()
            let place = SealedRecords.Place(Self.messages, group: room.word, id.hex)
            guard let bytes = try await opened.records.value(place), var record = MailRecord(bytes),
                record.content != .removed
            else { throw MessagingError.unknownMessage }
            record.content = .removed
            var conversation = try await conversation(room)
            conversation.remove(id)
            let summary = RoomSummary(conversation, keeping: opened.state[room], account: account)
            try await store([try opened.records.put(record.bytes, at: place)], summary, conversation)
            return record.wraps
        }
    }

    /// Forgets a conversation; marks stay, so that copies of its messages are known when they come again.
    func forget(_ room: ChatRoom) async throws {
        try await turns.take {
            let opened = try current()
            let generation = self.generation
            let word = room.word
            let records = try await opened.records.values(in: Self.messages, group: word) { MailRecord($0) }
            var changes: [RecordChange] = [opened.records.remove(.init(Self.rooms, word))]
            for case var record? in records {
                guard let id = record.id else { continue }
                record.content = .removed
                changes.append(try opened.records.put(record.bytes, at: .init(Self.messages, group: word, id.hex)))
            }
            try await opened.records.apply(changes)
            guard generation == self.generation else { return }
            self.opened?.state[room] = nil
            self.opened?.conversations.drop(room)
        }
    }

    /// Changes what a person decided about a conversation; returns whether that changed anything.
    func change(_ room: ChatRoom, _ body: @Sendable (inout RoomSummary) -> Void) async throws -> Bool {
        try await turns.take {
            let opened = try current()
            var summary = opened.state[room] ?? RoomSummary(room)
            let old = opened.state[room]
            body(&summary)
            guard summary != old else { return false }
            try await store([], summary, nil)
            return true
        }
    }

    /// Takes out what has disappeared by now (NIP-40); returns the conversations it was in.
    func dropExpired(now: Timestamp) async throws -> Set<ChatRoom> {
        try await turns.take {
            let due = try current().state.rooms.values.filter { $0.expires.map { $0 <= now } ?? false }
            for summary in due {
                let opened = try current()
                var conversation = try await conversation(summary.room)
                var changes: [RecordChange] = []
                for item in conversation.items where item.expiration.map({ $0 <= now }) ?? false {
                    let place = SealedRecords.Place(Self.messages, group: summary.room.word, item.id.hex)
                    guard let bytes = try await opened.records.value(place), var record = MailRecord(bytes) else {
                        continue
                    }
                    record.content = .removed
                    changes.append(try opened.records.put(record.bytes, at: place))
                    conversation.remove(item.id)
                }
                let rest = RoomSummary(conversation, keeping: summary, account: account)
                try await store(changes, rest, conversation)
            }
            return Set(due.map(\.room))
        }
    }

    // MARK: Reading

    /// The whole conversation, decrypted; empty when there is none.
    func read(_ room: ChatRoom) async throws -> OpenConversation {
        if let known = opened?.conversations.take(room) { return known }
        return try await turns.take { try await conversation(room) }
    }

    /// A conversation without keeping it: for work that goes through all of them.
    func pass(_ room: ChatRoom) async throws -> OpenConversation {
        if let known = opened?.conversations.take(room) { return known }
        return try await load(room)
    }

    /// The vault's contents.
    ///
    /// - Throws: ``MessagingError/Code/locked``.
    func current() throws -> Opened {
        guard let opened else { throw MessagingError.locked }
        return opened
    }

    /// The whole conversation; the caller has its turn.
    func conversation(_ room: ChatRoom) async throws -> OpenConversation {
        if let known = opened?.conversations.take(room) { return known }
        let generation = self.generation
        let read = try await load(room)
        guard generation == self.generation else { throw MessagingError.locked }
        opened?.conversations.keep(read)
        return read
    }

    private func load(_ room: ChatRoom) async throws -> OpenConversation {
        let found = try await current().records.values(in: Self.messages, group: room.word) { MailRecord($0) }
        let records = found.compactMap(\.self)
        damaged += found.count - records.count
        return OpenConversation(room, records)
    }

    private func store(
        _ changes: [RecordChange], _ summary: RoomSummary, _ conversation: OpenConversation?
    ) async throws {
        let records = try current().records
        let generation = self.generation
        let place = SealedRecords.Place(Self.rooms, summary.room.word)
        try await records.apply(changes + [try records.put(try RoomSummaryRecord.encode(summary), at: place)])
        guard generation == self.generation else { return }
        opened?.state[summary.room] = summary
        if let conversation { opened?.conversations.keep(conversation) }
    }
}

extension MessagingError {
    static let locked = MessagingError(.locked, "The account is locked; unlock it to read and write messages.")
    package static let unknownMessage = MessagingError(.unknownMessage, "This message is not here.")
    package static let notOwn = MessagingError(.notOwn, "Only its author can take a message back for everyone.")
    package static let empty = MessagingError(.empty, "There is nothing to send yet.")
    package static let holdsSecretKey = MessagingError(
        .holdsSecretKey, "This text holds a secret key. Whoever has it can write in your name, so it was not sent.")
}
