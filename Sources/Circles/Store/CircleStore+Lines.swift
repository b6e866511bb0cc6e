internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// A stretch of a circle's chat, found by the index: only what is shown, and what was said about it, is decrypted.
extension CircleStore {
    /// Of how many circles the index stays in memory: when much is caught up on, lines of all circles come in turns.
    private static let mostIndexes = 64
    /// Of how many of them more than the last block stays.
    private static let mostWholeIndexes = 8

    /// What a step changed in the index and in what was said about lines.
    struct IndexedLines: Sendable {
        var index: SealedIndex
        var notes: [EventID: LineNotes]
    }

    /// A stretch of a chat.
    struct Stretch: Sendable {
        /// The lines of the stretch and those they answer, with what belongs to them.
        let chat: CircleChat
        /// The lines of the stretch, the oldest first.
        let lines: [CircleChat.Line]
        /// Where the lines before it end; nil when there are none.
        let older: MessageCursor?
    }

    /// The last lines before a place.
    ///
    /// A place that is a line's ends before that line; any other ends with the second before it.
    ///
    /// - Throws: ``CircleError/locked``, and what the store throws.
    func stretch(of id: CircleID, before cursor: MessageCursor?, limit: Int) async throws -> Stretch {
        try await gate.run {
            try await repairing(id) {
                var index = try await lineIndex(of: id)
                let end = try await indexKey(of: cursor, in: id)
                // One more than is shown, to know whether there is one.
                let entries = try await index.entries(before: end, limit: limit + 1)
                keep(index, of: id)
                let places = try entries.prefix(limit).map { entry in
                    guard let place = MessageCursor(lineKey: entry.key) else {
                        throw DamagedNotes()
                    }
                    return place
                }
                let shown = Set(places.map(\.id))
                let chat = try await chat(of: shown, in: id)
                return Stretch(
                    chat: chat, lines: chat.lines.filter { shown.contains($0.id) },
                    older: entries.count > limit ? places.last : nil)
            }
        }
    }

    /// One line alone, with what it answers; empty for one that is not here.
    ///
    /// - Throws: ``CircleError/locked``, and what the store throws.
    func stretch(of id: CircleID, only line: EventID) async throws -> Stretch {
        try await gate.run {
            try await repairing(id) {
                let chat = try await chat(of: [line], in: id)
                return Stretch(chat: chat, lines: chat.lines.filter { $0.id == line }, older: nil)
            }
        }
    }

    /// Lines, what they answer, and what was said about all of them.
    private func chat(of shown: Set<EventID>, in id: CircleID) async throws -> CircleChat {
        var lines = try await lines(shown, in: id)
        let answered = lines.values.compactMap { line -> EventID? in
            if case .chat(_, let parent?)? = line.message?.body { parent } else { nil }
        }
        lines.merge(try await self.lines(Set(answered).subtracting(shown), in: id)) { known, _ in known }
        let said = try await notes(about: Array(lines.keys), in: id)
        // A reaction may have been taken back.
        let reactions = said.filter { $0.kind == .reaction }.map(\.id)
        let about = said + (try await notes(about: reactions, in: id))
        lines.merge(try await self.lines(Set(about.map(\.id)), in: id)) { known, _ in known }
        return CircleChat(Array(lines.values))
    }

    /// The reactions of somebody to a line that say one of these, without those they took back.
    func reactions(
        by author: PublicKey, saying contents: Set<String>, to line: EventID, in id: CircleID
    ) async throws -> [CircleMessageReference] {
        try await gate.run {
            var ids: Set<EventID> = []
            for note in try await notes(about: [line], in: id) where note.kind == .reaction && note.author == author {
                let isGone = try await notes(about: [note.id], in: id).contains {
                    $0.kind == .deletion && $0.author == author
                }
                if !isGone { ids.insert(note.id) }
            }
            return try await lines(ids, in: id).values.compactMap(\.message).filter { message in
                if case .reaction(let meaning, _) = message.body { contents.contains(meaning.content) } else { false }
            }.map { CircleMessageReference($0) }
        }
    }

    /// Lines by their ids; without those that are not here, or damaged.
    private func lines(_ ids: Set<EventID>, in id: CircleID) async throws -> [EventID: CircleChat.Line] {
        let known = lineCache.lines(ids, of: id)
        let missing = ids.subtracting(known.keys).sorted()
        let addresses = missing.map { SealedRecords.Address(CircleTable.lines, group: id.hex, $0.hex) }
        let found = try await current().records.values(at: addresses).compactMap { bytes in
            bytes.flatMap { CircleLineRecord.record($0) }.flatMap { CircleChat.Line($0) }
        }
        // It may have been wiped meanwhile.
        if state != nil { lineCache.add(found, of: id) }
        return known.merging(found.map { ($0.id, $0) }) { known, _ in known }
    }

    private func notes(about targets: [EventID], in id: CircleID) async throws -> [LineNotes.Note] {
        let known = lineCache.notes(about: targets, of: id)
        let missing = targets.filter { known[$0] == nil }
        guard !missing.isEmpty else { return targets.flatMap { known[$0]?.notes ?? [] } }
        let addresses = missing.map { SealedRecords.Address(CircleTable.lineNotes, group: id.hex, $0.hex) }
        let read = try await current().records.values(at: addresses).map { $0.flatMap { LineNotes($0) } ?? LineNotes() }
        let found = Dictionary(zip(missing, read)) { first, _ in first }
        // It may have been wiped meanwhile.
        if state != nil { lineCache.add(found, of: id) }
        return targets.flatMap { (known[$0] ?? found[$0])?.notes ?? [] }
    }

    private func indexKey(of cursor: MessageCursor?, in id: CircleID) async throws -> [UInt8]? {
        guard let cursor else { return nil }
        let line = try await lines([cursor.id], in: id)[cursor.id]
        if let line, line.place == cursor, let key = line.indexKey { return key }
        return CircleChat.Line.indexKey(at: cursor.createdAt)
    }

    // MARK: - The index, for who has the turn

    /// Puts the lines of a step into the index, which becomes durable with them.
    ///
    /// - Returns: the index as it will be; nil where there are no lines.
    func index(_ step: inout CircleStep) async throws -> IndexedLines? {
        let lines = step.lines.compactMap { CircleChat.Line($0) }
        guard !lines.isEmpty else { return nil }
        let (id, records) = (step.id, step.records)
        return try await repairing(id) {
            var index = try await lineIndex(of: id)
            var notes: [EventID: LineNotes] = [:]
            for line in lines {
                // One that is here already only says something else, as that not everybody has it.
                if let key = line.indexKey, try await index.value(at: key) == nil {
                    try await index.put(SealedIndex.Entry(key: key, value: []))
                }
                for target in line.targets {
                    if notes[target] == nil { notes[target] = try await self.notes(of: target, in: id, records) }
                    notes[target]?.add(line)
                }
            }
            step.changes += try index.changes()
            for (target, about) in notes {
                let address = SealedRecords.Address(CircleTable.lineNotes, group: id.hex, target.hex)
                step.changes.append(try records.put(about.bytes, at: address))
            }
            return IndexedLines(index: index, notes: notes)
        }
    }

    /// What a step changed is on the disk.
    func didSave(_ lines: [CircleLineRecord], _ indexed: IndexedLines?, of id: CircleID) {
        lineCache.put(lines, in: id)
        guard var indexed else { return }
        lineCache.add(indexed.notes, of: id)
        indexed.index.didSave()
        keep(indexed.index, of: id)
    }

    /// Forgets the lines of a circle that is gone.
    func forgetLines(of id: CircleID) {
        lineCache.remove(id)
        lineIndexes.removeAll { $0.circle == id }
    }

    private func notes(of target: EventID, in id: CircleID, _ records: SealedRecords) async throws -> LineNotes {
        do {
            let address = SealedRecords.Address(CircleTable.lineNotes, group: id.hex, target.hex)
            guard let bytes = try await records.value(address) else { return LineNotes() }
            guard let notes = LineNotes(bytes) else { throw DamagedNotes() }
            return notes
        } catch is SealingKey.Failure {
            throw DamagedNotes()
        }
    }

    /// Does something once more where the index turns out to be damaged: it is made anew then.
    private func repairing<Value>(_ id: CircleID, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch  where error is SealedIndex.Damaged || error is DamagedNotes {
            let index = try await makeLineIndex(of: id)
            keep(index, of: id)
            return try await body()
        }
    }

    /// The index of a circle; made from the lines where there is none yet.
    private func lineIndex(of id: CircleID) async throws -> SealedIndex {
        if let known = lineIndexes.last(where: { $0.circle == id })?.index { return known }
        let kept = try await SealedIndex(current().records, table: CircleTable.lineIndex, group: id.hex)
        let index: SealedIndex
        if let kept { index = kept } else { index = try await makeLineIndex(of: id) }
        keep(index, of: id)
        return index
    }

    /// Keeps an index in memory, and lets go of the one not used for longest.
    private func keep(_ index: SealedIndex, of id: CircleID) {
        // It may have been wiped meanwhile.
        guard state != nil else { return }
        lineIndexes.removeAll { $0.circle == id }
        lineIndexes.append((id, index))
        lineIndexes.removeFirst(max(0, lineIndexes.count - Self.mostIndexes))
        if lineIndexes.count > Self.mostWholeIndexes {
            lineIndexes[lineIndexes.count - Self.mostWholeIndexes - 1].index.shrink()
        }
    }

    /// Makes the index and the notes of a circle from its lines: the first time, and where they are damaged.
    private func makeLineIndex(of id: CircleID) async throws -> SealedIndex {
        let records = try current().records
        var entries: [SealedIndex.Entry] = []
        var notes: [EventID: LineNotes] = [:]
        try await records.forEach(
            in: CircleTable.lines, group: id.hex,
            { $0.flatMap { CircleLineRecord.record($0) }.flatMap { CircleChat.Line($0) } }
        ) { line in
            // One that is damaged must not hide the others.
            guard let line else { return }
            if let key = line.indexKey { entries.append(SealedIndex.Entry(key: key, value: [])) }
            for target in line.targets { notes[target, default: LineNotes()].add(line) }
        }
        entries.sort { $0.key.lexicographicallyPrecedes($1.key) }
        var index = SealedIndex(records, table: CircleTable.lineIndex, group: id.hex, sorted: entries)
        // What is empty is written with the first line.
        guard !entries.isEmpty || !notes.isEmpty else { return index }
        var changes = [records.removeAll(in: CircleTable.lineNotes, group: id.hex)] + (try index.changes())
        for (target, about) in notes {
            let address = SealedRecords.Address(CircleTable.lineNotes, group: id.hex, target.hex)
            changes.append(try records.put(about.bytes, at: address))
        }
        try await records.apply(changes)
        index.didSave()
        lineCache.remove(id)
        return index
    }
}

/// The notes of a line, or a place in the index, do not read: all is to be made anew from the lines.
private struct DamagedNotes: Error {}
