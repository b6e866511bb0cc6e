internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The private messages of one account where they rest; exists while the account is unlocked.
///
/// Opening it reads the summaries of the conversations and no message. A page of a conversation is found by the
/// conversation's index and only its messages are decrypted. What belongs together becomes durable together: a message,
/// its place in the index and in the summary, and the mark that its wrap was seen.
actor MessageStore {
    static let messages = "messages"
    static let rooms = "conversations"
    static let index = "message-index"
    static let seen = "wraps-seen"
    static let others = "rumors"

    /// Rumors of other kinds are kept for the parts of the program that will read them, up to so many.
    static let mostOthers = 5000
    /// A wrap that names more people than this is no conversation.
    static let mostPeople = 256
    /// Of how many conversations the index stays in memory.
    private static let mostIndexes = 24

    let account: PublicKey
    let records: SealedRecords
    private let gate = SerialGate()
    private var isWiped = false
    private(set) var conversations = RoomSummaries()
    /// Wraps that need not be opened again, and their dates.
    private(set) var seen: [EventID: Timestamp] = [:]
    private var otherCount = 0
    /// The one used last is the last.
    private var indexes: [(room: ChatRoom, index: SealedIndex)] = []
    /// Conversations whose index could not be read.
    private var damagedIndexes: Set<String> = []
    /// Records that did not open since the vault was unlocked.
    private(set) var damaged = 0
    /// Which unread messages say what is muted.
    var verdicts = UnreadVerdicts()

    /// Reads what is needed to list the conversations.
    init(account: PublicKey, records: SealedRecords) async throws {
        self.account = account
        self.records = records
        // A summary or a mark that is damaged is counted; the messages themselves lie elsewhere.
        let rooms = try await records.values(in: Self.rooms) { try? RoomSummaryRecord.decode($0) }
        let marks = try await records.values(in: Self.seen) { SeenMark($0) }
        otherCount = try await records.values(in: Self.others) { _ in true }.count
        conversations = RoomSummaries(rooms.compactMap(\.self))
        damaged = rooms.count - conversations.rooms.count
        seen = Dictionary(marks.compactMap { $0 }.map { ($0.wrap, $0.createdAt) }) { first, _ in first }
    }

    /// Forgets everything that was decrypted, once what is being written is on the disk; nothing can be asked after.
    func wipe() async {
        await gate.run {
            isWiped = true
            conversations = RoomSummaries()
            seen = [:]
            indexes = []
            verdicts = UnreadVerdicts()
        }
    }

    /// Works when everything before has been written.
    ///
    /// - Throws: ``MessagingError/Code/locked`` after ``wipe()``.
    func inTurn<R: Sendable>(_ body: () async throws -> R) async throws -> R {
        try await gate.run {
            guard !isWiped else { throw MessagingError.locked }
            return try await body()
        }
    }

    /// Those of some wraps that were not opened before.
    func unseen(_ wraps: [Event]) -> [Event] {
        var batch: Set<EventID> = []
        return wraps.filter { seen[$0.id] == nil && batch.insert($0.id).inserted }
    }

    /// Forgets wraps dated before a moment: relays are not asked for them any more.
    func forgetSeen(before moment: Timestamp) async throws {
        try await inTurn {
            let old = seen.filter { $0.value < moment }.keys
            try await records.apply(old.map { records.remove(.init(Self.seen, $0.hex)) })
            for id in old { seen[id] = nil }
        }
    }

    // MARK: Rumors that are no messages

    /// The rumors of some kinds that are no messages, each with the change that takes it out.
    func others(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)] {
        // What does not read was damaged on the disk; it stays where it is and counts towards the bound.
        let found = try await records.values(in: Self.others) { try? Rumor(json: String(decoding: $0, as: UTF8.self)) }
        return found.compactMap(\.self).filter { kinds.contains($0.kind) }
            .sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
            .map { ($0, records.remove(.init(Self.others, $0.id.hex))) }
    }

    /// One of those was taken out.
    func otherWasRemoved() { otherCount = max(0, otherCount - 1) }

    /// Whether more of those are kept.
    func hasRoom(forOthers count: Int) -> Bool { otherCount + count < Self.mostOthers }

    // MARK: Changing conversations

    /// Takes a message out here; returns the wraps it came in.
    func remove(_ id: EventID, in room: ChatRoom) async throws -> [EventID] {
        try await change(room) { change in
            guard let wraps = try await change.remove(id) else { throw MessagingError.unknownMessage }
            return wraps
        }
    }

    /// Changes what a person decided about a conversation; returns whether that changed anything.
    func decide(about room: ChatRoom, _ body: @Sendable (inout RoomSummary) -> Void) async throws -> Bool {
        try await inTurn {
            let old = conversations[room]
            var summary = old ?? RoomSummary(room)
            body(&summary)
            guard summary != old else { return false }
            let address = SealedRecords.Address(Self.rooms, room.word)
            try await records.apply([try records.put(try RoomSummaryRecord.encode(summary), at: address)])
            conversations[room] = summary
            return true
        }
    }

    /// Forgets a conversation; marks stay, so that copies of its messages are known when they come again.
    func forget(_ room: ChatRoom) async throws {
        try await inTurn {
            let word = room.word
            var changes: [RecordChange] = [
                records.remove(.init(Self.rooms, word)), records.removeAll(in: Self.index, group: word),
                records.removeAll(in: MessageAnnotations.table, group: word),
            ]
            try await records.forEach(in: Self.messages, group: word, { $0.flatMap(RumorRecord.init) }) { record in
                guard var record, let id = record.id else { return }
                record.content = .removed
                changes.append(try records.put(record.bytes, at: .init(Self.messages, group: word, id.hex)))
            }
            try await records.apply(changes)
            conversations[room] = nil
            indexes.removeAll { $0.room == room }
        }
    }

    /// Takes out what has disappeared by now (NIP-40); returns the conversations it was in.
    func dropExpired(now: Timestamp) async throws -> Set<ChatRoom> {
        let due = conversations.rooms.values.filter { $0.expires.map { $0 <= now } ?? false }.map(\.room)
        for room in due {
            try await change(room) { change in
                var gone: [EventID] = []
                try await change.index.forEach { entry in
                    guard let entry = MessageEntry(entry), let moment = entry.expiration, moment <= now else { return }
                    gone.append(entry.cursor.id)
                }
                for id in gone { _ = try await change.remove(id) }
                change.summaryIsStale()
            }
        }
        return Set(due)
    }

    // MARK: Indexes, for who has the turn

    /// Works at one conversation, on its turn, and makes what was done durable.
    private func change<R: Sendable>(
        _ room: ChatRoom, _ body: (inout ConversationChange) async throws -> R
    ) async throws -> R {
        try await inTurn {
            try await repairing {
                var change = try await self.change(of: room)
                let result = try await body(&change)
                try await records.apply(try await change.changes())
                didSave(change)
                return result
            }
        }
    }

    /// A conversation, to be changed.
    func change(of room: ChatRoom) async throws -> ConversationChange {
        ConversationChange(room, records, try await index(of: room), conversations[room], of: account)
    }

    /// Changes of a conversation are on the disk.
    func didSave(_ change: ConversationChange) {
        var change = change
        change.didSave()
        if change.looksDifferent { conversations[change.room] = change.summary }
        keep(change.index, of: change.room)
    }

    /// Wraps were opened and what came of them is on the disk.
    func didSave(seen more: [EventID: Timestamp], others: Int) {
        seen.merge(more) { _, new in new }
        otherCount += others
    }

    /// Does something once more where an index turns out to be damaged: it is made anew then.
    func repairing<R>(_ body: () async throws -> R) async throws -> R {
        do { return try await body() } catch let damage as SealedIndex.Damaged {
            damagedIndexes.insert(damage.group)
            indexes.removeAll { $0.room.word == damage.group }
            return try await body()
        }
    }

    /// The index of a conversation; made from the messages where there is none yet.
    func index(of room: ChatRoom) async throws -> SealedIndex {
        if let known = indexes.last(where: { $0.room == room })?.index { return known }
        let word = room.word
        if !damagedIndexes.contains(word),
            let kept = try await SealedIndex(records, table: Self.index, group: word)
        {
            keep(kept, of: room)
            return kept
        }
        let made = try await makeIndex(of: word)
        damagedIndexes.remove(word)
        keep(made, of: room)
        return made
    }

    /// Keeps an index, and lets go of the one not used for longest.
    func keep(_ index: SealedIndex, of room: ChatRoom) {
        indexes.removeAll { $0.room == room }
        indexes.append((room, index))
        indexes.removeFirst(max(0, indexes.count - Self.mostIndexes))
    }

    /// Makes the index and the annotations of a conversation from its messages: the first time, and where they are
    /// damaged.
    private func makeIndex(of word: String) async throws -> SealedIndex {
        var draft = IndexDraft()
        try await records.forEach(
            in: Self.messages, group: word, { $0.flatMap(RumorRecord.init).map(IndexDraft.Part.init) }
        ) { part in
            if let part { draft.add(part) } else { damaged += 1 }
        }
        var index = SealedIndex(records, table: Self.index, group: word, sorted: draft.entries())
        let annotations = draft.annotations()
        // What is empty is written with the first message.
        guard !draft.isEmpty || !annotations.isEmpty else { return index }
        var changes = [records.removeAll(in: MessageAnnotations.table, group: word)] + (try index.changes())
        for (id, annotation) in annotations {
            let address = SealedRecords.Address(MessageAnnotations.table, group: word, id.hex)
            changes.append(try records.put(try annotation.encoded(), at: address))
        }
        try await records.apply(changes)
        index.didSave()
        return index
    }
}
