internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// A stretch of a conversation and single messages: only what is shown is decrypted.
extension MessageStore {
    /// How many entries of an index are looked at in one turn.
    private static let stretch = 64
    /// How much of a message stands above its answer; unit: characters.
    private static let excerptLength = 140

    /// Up to `limit` messages before a place, and whether there are more; oldest first.
    func page(
        of room: ChatRoom, before cursor: MessageCursor?, limit: Int, for visibility: MessageVisibility
    ) async throws -> (items: [StoredMessage], hasMore: Bool) {
        var found: [StoredMessage] = []
        var next = cursor
        // One more than is shown, to know whether there is one.
        while found.count <= limit {
            let (items, last) = try await stretch(
                of: room, before: next, count: max(Self.stretch, limit - found.count + 1), for: visibility)
            found += items.filter(visibility.shows)
            guard let last else { break }
            next = last
        }
        let hasMore = found.count > limit
        let shown = Array(found.prefix(limit).reversed())
        return (try await annotated(shown, in: room, for: visibility), hasMore)
    }

    /// The message with an id, with what stands around it; `nil` when it is not here.
    func item(_ id: EventID, in room: ChatRoom) async throws -> StoredMessage? {
        let address = SealedRecords.Address(Self.messages, group: room.word, id.hex)
        guard let item = try await records.value(address).flatMap(RumorRecord.init).flatMap(StoredMessage.init) else {
            return nil
        }
        return try await annotated([item], in: room).first
    }

    /// The reactions of somebody to a message that say one of these, as they were sent.
    func reactions(
        by author: PublicKey, saying contents: Set<String>, to id: EventID, in room: ChatRoom
    ) async throws -> [Rumor] {
        let word = room.word
        let noted = try await records.value(.init(MessageAnnotations.table, group: word, id.hex))
            .flatMap(MessageAnnotations.decode)
        let ids = noted?.reactions(by: author, saying: contents) ?? []
        let found = try await records.values(at: ids.map { .init(Self.messages, group: word, $0.hex) })
        return found.compactMap { $0.flatMap(RumorRecord.init)?.rumor }
    }

    /// Messages before a place, the newest first, and where to go on; nobody waits for more than this.
    private func stretch(
        of room: ChatRoom, before cursor: MessageCursor?, count: Int, for visibility: MessageVisibility
    ) async throws -> (items: [StoredMessage], next: MessageCursor?) {
        try await inTurn {
            try await repairing {
                let word = room.word
                var index = try await index(of: room)
                let entries = try await index.entries(before: cursor?.indexKey, limit: count).map { entry in
                    guard let entry = MessageEntry(entry) else { throw SealedIndex.Damaged(group: word) }
                    return entry
                }
                keep(index, of: room)
                let wanted = entries.filter(visibility.mayShow)
                let bytes = try await records.values(
                    at: wanted.map { .init(Self.messages, group: word, $0.cursor.id.hex) })
                let items = zip(wanted, bytes).compactMap { entry, bytes in
                    bytes.flatMap(RumorRecord.init).map { StoredMessage(entry, $0) }
                }
                return (items, entries.count < count ? nil : entries.last?.cursor)
            }
        }
    }

    /// Messages with reactions to them and the starts of what they answer.
    ///
    /// - Parameter visibility: who looks; without one, nothing is left out.
    private func annotated(
        _ items: [StoredMessage], in room: ChatRoom, for visibility: MessageVisibility? = nil
    ) async throws -> [StoredMessage] {
        let word = room.word
        let notes = try await records.values(
            at: items.map { .init(MessageAnnotations.table, group: word, $0.id.hex) })
        let parents = Set(items.compactMap { $0.message?.replyTo }).sorted()
        let texts = try await records.values(at: parents.map { .init(Self.messages, group: word, $0.hex) })
        var excerpts: [EventID: String] = [:]
        for (parent, bytes) in zip(parents, texts) {
            guard let answered = bytes.flatMap(RumorRecord.init).flatMap(StoredMessage.init),
                visibility?.shows(answered) != false, case .text(let text) = answered.message?.body
            else { continue }
            excerpts[parent] = String(text.prefix(Self.excerptLength))
        }
        return zip(items, notes).map { item, note in
            var item = item
            guard let message = item.message else { return item }
            let reactions = note.flatMap(MessageAnnotations.decode)?.shown ?? []
            item.reactions = reactions.filter { visibility?.mutes.people.contains($0.author) != true }
            item.replyExcerpt = message.replyTo.flatMap { excerpts[$0] }
            return item
        }
    }

    // MARK: Search

    /// Messages that match, over all conversations that are shown, newest first.
    ///
    /// - Parameter writers: whose messages are found by their name, whatever they say.
    func search(
        _ words: MessageWords, by writers: Set<PublicKey>, limit: Int, for visibility: MessageVisibility
    ) async throws -> [NewestHits.Hit] {
        var hits = NewestHits(limit: limit)
        let rooms = conversations.rooms.values.filter { $0.newest != nil && !visibility.hides($0) }
            .sorted { ($1.newest?.place ?? .start) < ($0.newest?.place ?? .start) }
        for summary in rooms {
            // All of this conversation and of those that follow is older than what was found.
            if let newest = summary.newest?.place, hits.isFull, newest < hits.oldest { break }
            let oldest = hits.isFull ? hits.oldest : .start
            try await records.forEach(
                in: Self.messages, group: summary.room.word,
                { bytes -> StoredMessage? in
                    guard let item = bytes.flatMap(RumorRecord.init).flatMap(StoredMessage.init),
                        let message = item.message, !(item.cursor < oldest), visibility.shows(item),
                        words.match(message, isByName: writers.contains(item.author))
                    else { return nil }
                    return item
                }
            ) { item in
                if let item { hits.add(item, in: summary.room) }
            }
        }
        var found: [NewestHits.Hit] = []
        for hit in hits.found {
            var hit = hit
            hit.item.reactions =
                try await annotated([hit.item], in: hit.room, for: visibility).first?.reactions ?? []
            found.append(hit)
        }
        return found
    }
}
