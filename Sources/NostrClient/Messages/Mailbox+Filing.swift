internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Filing what came: rumors become records, summaries and open conversations.
extension Mailbox {
    /// Rumors on their way into the records; all of it becomes durable at once.
    struct Filing {
        let records: SealedRecords
        var changes: [RecordChange]
        var outcome = Outcome()
        var seen: [EventID: Timestamp] = [:]
        /// New records by their place; a later change of one replaces the earlier.
        var new: [SealedRecords.Place: MailRecord] = [:]
        var order: [ChatRoom: [SealedRecords.Place]] = [:]
        var others = 0

        init(_ opened: Opened, _ changes: [RecordChange]) {
            records = opened.records
            self.changes = changes
        }

        mutating func markSeen(_ wrap: Event) throws {
            seen[wrap.id] = wrap.createdAt
            let mark = SeenMark(wrap: wrap.id, createdAt: wrap.createdAt)
            changes.append(try records.put(mark.bytes, at: .init(Mailbox.seen, wrap.id.hex)))
        }

        mutating func file(_ record: MailRecord, _ id: EventID, in room: ChatRoom) throws {
            let place = SealedRecords.Place(Mailbox.messages, group: room.word, id.hex)
            new[place] = record
            order[room, default: []].append(place)
        }
    }

    /// Takes one gift in: kept, noted as a copy, or left out.
    func take(_ gift: UnwrappedGift, into filing: inout Filing, now: Timestamp) async throws {
        if let expiration = gift.expiration, expiration <= now { return }
        let rumor = gift.rumor
        // Whoever got it is in the room, even where its author does not say so.
        let room = ChatRoom(ChatRoom(of: rumor).participants + [account])
        guard room.participants.count <= Self.mostPeople else {
            filing.outcome.rejected += 1
            return
        }
        guard Self.isConversation(rumor) else { return try keepOther(gift, into: &filing) }
        let place = SealedRecords.Place(Self.messages, group: room.word, rumor.id.hex)
        if let known = try await known(place, in: filing) {
            try noteCopy(known, gift, at: place, in: &filing)
            return
        }
        let record = MailRecord(rumor, arrivedAt: now, wraps: [gift.wrapID], expiration: gift.expiration)
        try filing.file(record, rumor.id, in: room)
    }

    private func known(_ place: SealedRecords.Place, in filing: Filing) async throws -> MailRecord? {
        if let new = filing.new[place] { return new }
        return try await filing.records.value(place).flatMap(MailRecord.init)
    }

    /// The same rumor under another wrap: only the wrap is noted, so that it can be deleted too.
    private func noteCopy(
        _ known: MailRecord, _ gift: UnwrappedGift, at place: SealedRecords.Place, in filing: inout Filing
    ) throws {
        var known = known
        guard known.wraps.count < MailRecord.mostWraps, !known.wraps.contains(gift.wrapID) else { return }
        known.wraps.append(gift.wrapID)
        if filing.new[place] != nil {
            filing.new[place] = known
        } else {
            filing.changes.append(try filing.records.put(known.bytes, at: place))
        }
    }

    private func keepOther(_ gift: UnwrappedGift, into filing: inout Filing) throws {
        guard try current().others + filing.others < Self.mostOthers else { return }
        filing.others += 1
        let place = SealedRecords.Place(Self.others, gift.rumor.id.hex)
        filing.changes.append(try filing.records.put(Array(gift.rumor.json.utf8), at: place))
        filing.outcome.others.insert(gift.rumor.kind)
    }

    private static func isConversation(_ rumor: Rumor) -> Bool {
        ChatMessage(rumor) != nil || ChatReaction(rumor) != nil || ChatDeletion(rumor) != nil
    }

    /// Folds what came into summaries and open conversations, and makes everything durable.
    func finish(_ filing: inout Filing) async throws -> Outcome {
        var summaries: [RoomSummary] = []
        var conversations: [OpenConversation] = []
        let generation = self.generation
        for (room, places) in filing.order {
            let records = places.compactMap { filing.new[$0] }
            let old = try current().state[room]
            let takesBack = records.contains { $0.rumor?.kind == DeletionRequest.kind }
            if takesBack || old?.hasDeletions == true || opened?.conversations.contains(room) == true {
                var conversation = try await conversation(room)
                var gone: Set<EventID> = []
                for record in records { gone.formUnion(conversation.take(record)) }
                try await retract(gone, in: room, &filing)
                var summary = RoomSummary(conversation, keeping: old, account: account)
                summary.hasDeletions = summary.hasDeletions || takesBack
                summaries.append(summary)
                conversations.append(conversation)
            } else {
                var summary = old ?? RoomSummary(room)
                for item in OpenConversation(room, records).items { summary.take(item, account: account) }
                summaries.append(summary)
            }
            filing.outcome.rooms.insert(room)
        }
        for (place, record) in filing.new { filing.changes.append(try filing.records.put(record.bytes, at: place)) }
        for summary in summaries {
            let place = SealedRecords.Place(Self.rooms, summary.room.word)
            filing.changes.append(try filing.records.put(try RoomSummaryRecord.encode(summary), at: place))
        }
        try await filing.records.apply(filing.changes)
        guard generation == self.generation else { return filing.outcome }
        for summary in summaries { opened?.state[summary.room] = summary }
        for conversation in conversations { opened?.conversations.keep(conversation) }
        opened?.seen.merge(filing.seen) { _, new in new }
        opened?.others += filing.others
        return filing.outcome
    }

    /// Takes the text of messages off the disk whose author took them back.
    private func retract(_ gone: Set<EventID>, in room: ChatRoom, _ filing: inout Filing) async throws {
        for id in gone {
            let place = SealedRecords.Place(Self.messages, group: room.word, id.hex)
            guard var record = try await known(place, in: filing) else { continue }
            record.retract()
            filing.new[place] = record
        }
    }
}

/// That a wrap was opened, or could not be; the date it carries says how long that must be remembered.
struct SeenMark: Hashable, Sendable {
    let wrap: EventID
    let createdAt: Timestamp

    init(wrap: EventID, createdAt: Timestamp) {
        self.wrap = wrap
        self.createdAt = createdAt
    }

    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let wrap = reader.bytes32(), let moment = reader.integer() else { return nil }
        self.init(wrap: EventID(wrap), createdAt: Timestamp(seconds: moment))
    }

    var bytes: [UInt8] {
        var out = wrap.bytes.array
        out.append(bigEndian: createdAt.seconds)
        return out
    }
}

extension MailRecord {
    /// The id of its rumor, while it is known.
    var id: EventID? {
        switch content {
        case .held(let rumor): rumor.id
        case .retracted(let id, _, _): id
        case .removed: nil
        }
    }
}
