internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// What came and what was written: rumors become records, entries of the index, summaries.
extension MessageStore {
    /// What filing did.
    struct Outcome: Sendable {
        /// Conversations that look different now.
        var rooms: Set<ChatRoom> = []
        /// Wraps that could not be believed.
        var rejected = 0
        /// Kinds of rumors that came and are no messages.
        var others: Set<Kind> = []
    }

    /// Rumors on their way into the records; all of it becomes durable at once.
    private struct Filing {
        var changes: [RecordChange]
        var outcome = Outcome()
        var seen: [EventID: Timestamp] = [:]
        var conversations: [ChatRoom: ConversationChange] = [:]
        /// What the disk has of the rumors that came, asked for all at once.
        var kept: [EventID: RumorRecord?] = [:]
        var others = 0

        mutating func markSeen(_ wrap: Event, _ records: SealedRecords) throws {
            seen[wrap.id] = wrap.createdAt
            let mark = SeenMark(wrap: wrap.id, createdAt: wrap.createdAt)
            changes.append(try records.put(mark.bytes, at: .init(MessageStore.seen, wrap.id.hex)))
        }
    }

    /// Files opened wraps; a message that is here already is not filed twice, whatever wrap brought it, and a wrap that
    /// another turn filed since it was opened counts once.
    ///
    /// - Parameter clearing: becomes durable with it.
    func file(
        _ wraps: [Event], _ gifts: [Result<UnwrappedGift, GiftRejection>], now: Timestamp, clearing: [RecordChange] = []
    ) async throws -> Outcome {
        try await inTurn {
            try await repairing {
                var filing = Filing(changes: clearing)
                filing.kept = try await kept(gifts)
                for (wrap, gift) in zip(wraps, gifts) where seen[wrap.id] == nil {
                    try filing.markSeen(wrap, records)
                    switch gift {
                    case .failure: filing.outcome.rejected += 1
                    case .success(let gift): try await file(gift, into: &filing, now: now)
                    }
                }
                return try await save(&filing)
            }
        }
    }

    /// Keeps what was written here, together with what is needed to send it.
    func keep(
        _ rumor: Rumor, in room: ChatRoom, ownWrap: Event, expiration: Timestamp?, now: Timestamp,
        _ sending: [RecordChange]
    ) async throws {
        try await inTurn {
            try await repairing {
                var filing = Filing(changes: sending)
                try filing.markSeen(ownWrap, records)
                var change = try await change(of: room)
                let record = RumorRecord(rumor, arrivedAt: now, wraps: [ownWrap.id], expiration: expiration)
                try await change.add(record)
                filing.conversations[room] = change
                _ = try await save(&filing)
            }
        }
    }

    /// Files one rumor: kept, noted as a copy, or left out.
    private func file(_ gift: UnwrappedGift, into filing: inout Filing, now: Timestamp) async throws {
        if let expiration = gift.expiration, expiration <= now { return }
        let rumor = gift.rumor
        let room = room(of: rumor)
        guard room.participants.count <= Self.mostPeople else {
            filing.outcome.rejected += 1
            return
        }
        guard Self.isConversation(rumor) else { return try keepOther(gift, into: &filing) }
        // Taken out while it is changed, and held by nobody else, so that it is changed where it lies: a second name for
        // it would have all rumors of the batch copied for each.
        var change: ConversationChange
        if let begun = filing.conversations.removeValue(forKey: room) {
            change = begun
        } else {
            change = try await self.change(of: room)
        }
        if let kept = filing.kept[rumor.id] { change.know(rumor.id, kept) }
        if let known = try await change.rumor(rumor.id) {
            change.noteCopy(of: known, rumor.id, in: gift.wrapID)
        } else {
            try await change.add(
                RumorRecord(rumor, arrivedAt: now, wraps: [gift.wrapID], expiration: gift.expiration))
        }
        filing.conversations[room] = change
    }

    /// Whoever got it is in the room, even where its author does not say so.
    private func room(of rumor: Rumor) -> ChatRoom { ChatRoom(ChatRoom(of: rumor).participants + [account]) }

    /// What the disk has of the rumors in gifts: one question for all of them.
    private func kept(_ gifts: [Result<UnwrappedGift, GiftRejection>]) async throws -> [EventID: RumorRecord?] {
        let rumors = gifts.compactMap { try? $0.get().rumor }.filter { Self.isConversation($0) }
        let addresses = rumors.map { SealedRecords.Address(Self.messages, group: room(of: $0).word, $0.id.hex) }
        let found = try await records.values(at: addresses).map { $0.flatMap(RumorRecord.init) }
        return Dictionary(zip(rumors.map(\.id), found)) { first, _ in first }
    }

    private func keepOther(_ gift: UnwrappedGift, into filing: inout Filing) throws {
        guard hasRoom(forOthers: filing.others) else { return }
        filing.others += 1
        let address = SealedRecords.Address(Self.others, gift.rumor.id.hex)
        filing.changes.append(try records.put(Array(gift.rumor.json.utf8), at: address))
        filing.outcome.others.insert(gift.rumor.kind)
    }

    private static func isConversation(_ rumor: Rumor) -> Bool {
        ChatMessage(rumor) != nil || ChatReaction(rumor) != nil || ChatDeletion(rumor) != nil
    }

    private func save(_ filing: inout Filing) async throws -> Outcome {
        for room in filing.conversations.keys {
            guard var change = filing.conversations.removeValue(forKey: room) else { continue }
            filing.changes += try await change.changes()
            // A copy under another wrap shows nowhere.
            if change.looksDifferent { filing.outcome.rooms.insert(room) }
            filing.conversations[room] = change
        }
        try await records.apply(filing.changes)
        for change in filing.conversations.values { didSave(change) }
        didSave(seen: filing.seen, others: filing.others)
        return filing.outcome
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
