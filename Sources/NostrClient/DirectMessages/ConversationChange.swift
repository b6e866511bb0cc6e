internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Changes of one conversation on their way to the disk: rumors, the index over its messages, what was said about them,
/// and the summary.
///
/// Whatever order rumors come in, the conversation that results is the same.
struct ConversationChange {
    let room: ChatRoom
    let account: PublicKey
    private let records: SealedRecords
    private let word: String
    private(set) var index: SealedIndex
    private(set) var summary: RoomSummary
    /// Whether anything changed that can be seen; another wrap around a known rumor cannot.
    private(set) var looksDifferent = false
    /// Rumors that are new or changed.
    private var rumors: [EventID: RumorRecord] = [:]
    /// What the disk has of rumors that were looked up together.
    private var lookedUp: [EventID: RumorRecord?] = [:]
    private var annotations: [EventID: MessageAnnotations] = [:]
    private var changedAnnotations: Set<EventID> = []
    /// Whether the summary must be worked out again from the whole index.
    private var isSummaryStale = false

    init(
        _ room: ChatRoom, _ records: SealedRecords, _ index: SealedIndex, _ summary: RoomSummary?, of account: PublicKey
    ) {
        self.room = room
        self.records = records
        self.index = index
        self.account = account
        word = room.word
        self.summary = summary ?? RoomSummary(room)
    }

    /// What rests of a rumor of this conversation, as it will be.
    func rumor(_ id: EventID) async throws -> RumorRecord? {
        if let changed = rumors[id] { return changed }
        if let known = lookedUp[id] { return known }
        return try await records.value(.init(MessageStore.messages, group: word, id.hex)).flatMap(RumorRecord.init)
    }

    /// Takes what the disk has of a rumor, so that it need not be asked for this one alone.
    mutating func know(_ id: EventID, _ kept: RumorRecord?) {
        lookedUp.updateValue(kept, forKey: id)
    }

    /// Notes another wrap around a rumor that is here, so that it can be deleted too.
    mutating func noteCopy(of known: RumorRecord, _ id: EventID, in wrap: EventID) {
        guard known.wraps.count < RumorRecord.mostWraps, !known.wraps.contains(wrap) else { return }
        rumors[id] = known
        rumors[id]?.wraps.append(wrap)
    }

    /// Adds a rumor that is not here yet.
    mutating func add(_ record: RumorRecord) async throws {
        guard let rumor = record.rumor else { return }
        looksDifferent = true
        rumors[rumor.id] = record
        if ChatMessage(rumor) != nil { return try await addMessage(record, rumor) }
        if let reaction = ChatReaction(rumor) { return try await add(reaction) }
        if let deletion = ChatDeletion(rumor) { try await add(deletion) }
    }

    /// Takes a message out here, as if it had never been; returns the wraps it came in, `nil` when it is not here.
    mutating func remove(_ id: EventID) async throws -> [EventID]? {
        guard var record = try await rumor(id), record.content != .removed else { return nil }
        if let entry = MessageEntry(record) { try await index.remove(entry.cursor.indexKey) }
        if let reaction = record.rumor.flatMap(ChatReaction.init) {
            try await annotate(reaction.target) { $0.removeReaction(id) }
        }
        record.content = .removed
        rumors[id] = record
        summaryIsStale()
        return record.wraps
    }

    /// The summary must be worked out again from the whole index.
    mutating func summaryIsStale() {
        isSummaryStale = true
        looksDifferent = true
    }

    /// The changes that make all of this durable.
    mutating func changes() async throws -> [RecordChange] {
        if isSummaryStale { try await workOutSummary() }
        var changes = try index.changes()
        for (id, record) in rumors {
            changes.append(try records.put(record.bytes, at: .init(MessageStore.messages, group: word, id.hex)))
        }
        for id in changedAnnotations {
            guard let annotation = annotations[id] else { continue }
            let address = SealedRecords.Address(MessageAnnotations.table, group: word, id.hex)
            changes.append(try records.put(try annotation.encoded(), at: address))
        }
        if looksDifferent {
            changes.append(try records.put(try RoomSummaryRecord.encode(summary), at: .init(MessageStore.rooms, word)))
        }
        return changes
    }

    /// The changes are on the disk.
    mutating func didSave() { index.didSave() }

    // MARK: Rumors

    private mutating func addMessage(_ record: RumorRecord, _ rumor: Rumor) async throws {
        var record = record
        if try await isTakenBack(rumor) {
            record.retract()
            rumors[rumor.id] = record
        }
        guard let entry = MessageEntry(record) else { return }
        try await index.put(entry.indexed)
        summary.add(StoredMessage(entry, record), account: account)
    }

    private mutating func add(_ reaction: ChatReaction) async throws {
        guard try await !isTakenBack(reaction.rumor) else { return }
        try await annotate(reaction.target) { $0.add(reaction) }
    }

    /// Only what is by the same author goes; what has not come yet goes when it comes.
    private mutating func add(_ deletion: ChatDeletion) async throws {
        summary.hasDeletions = true
        for target in deletion.targets {
            try await annotate(target) { $0.noteDeletion(by: deletion.author) }
            guard var record = try await rumor(target), let rumor = record.rumor, rumor.pubkey == deletion.author else {
                continue
            }
            if let reaction = ChatReaction(rumor) {
                try await annotate(reaction.target) { $0.removeReaction(target) }
            } else if ChatMessage(rumor) != nil {
                record.retract()
                rumors[target] = record
                if let entry = MessageEntry(record) { try await index.put(entry.indexed) }
                isSummaryStale = true
            }
        }
    }

    /// Where nobody took anything back, no message that comes can have been taken back before.
    private mutating func isTakenBack(_ rumor: Rumor) async throws -> Bool {
        guard summary.hasDeletions else { return false }
        return try await annotation(of: rumor.id).isTakenBack(by: rumor.pubkey)
    }

    private mutating func annotation(of id: EventID) async throws -> MessageAnnotations {
        if let known = annotations[id] { return known }
        let address = SealedRecords.Address(MessageAnnotations.table, group: word, id.hex)
        let kept = try await records.value(address).flatMap(MessageAnnotations.decode) ?? MessageAnnotations()
        annotations[id] = kept
        return kept
    }

    private mutating func annotate(_ id: EventID, _ body: (inout MessageAnnotations) -> Void) async throws {
        var annotation = try await annotation(of: id)
        let old = annotation
        body(&annotation)
        guard annotation != old else { return }
        annotations[id] = annotation
        changedAnnotations.insert(id)
    }

    // MARK: The summary

    private mutating func workOutSummary() async throws {
        var tally = SummaryTally(keeping: summary, account: account)
        try await index.forEach { entry in
            guard let entry = MessageEntry(entry) else { throw SealedIndex.Damaged(group: word) }
            tally.add(entry)
        }
        summary = tally.summary
        if let newest = tally.newest, let record = try await rumor(newest.cursor.id) {
            summary.newest = RoomSummary.Glimpse(StoredMessage(newest, record))
        }
        if let entry = tally.subject,
            let text = try await rumor(entry.cursor.id)?.rumor.flatMap(ChatMessage.init)?.subject
        {
            summary.subject = RoomSummary.Subject(place: entry.cursor, author: entry.author, text: text)
        }
        isSummaryStale = false
    }
}

/// A summary as it is worked out from the whole index, the oldest message first.
struct SummaryTally {
    private(set) var summary: RoomSummary
    private(set) var newest: MessageEntry?
    /// The newest that names a subject.
    private(set) var subject: MessageEntry?
    private let account: PublicKey

    /// - Parameter old: what a person decided: what is accepted and read.
    init(keeping old: RoomSummary, account: PublicKey) {
        summary = RoomSummary(old.room)
        summary.isAccepted = old.isAccepted
        summary.readUpTo = old.readUpTo
        summary.hasDeletions = old.hasDeletions
        self.account = account
    }

    mutating func add(_ entry: MessageEntry) {
        newest = entry
        if entry.hasSubject, !entry.isRetracted { subject = entry }
        summary.count(entry, account: account)
    }
}
