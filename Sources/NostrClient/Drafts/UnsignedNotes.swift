internal import AsyncPrimitives
internal import Logging
public import NostrCore
internal import NostrSigner
internal import NostrStore

/// Notes that were handed over and cannot be signed at once, because their key is elsewhere or work (NIP-13) goes into
/// them: kept on disk until they are signed and in the publish queue.
///
/// The note leaves its record in the commit that puts it into the queue, so that no crash loses it or publishes it
/// twice. While the vault is closed, what rests sealed is not known here.
public actor UnsignedNotes: UnsignedNoteKeeping {
    private nonisolated let context: AccountContext
    private nonisolated let publishing: Publishing
    /// Rings when a note may be due.
    private nonisolated let due = Doorbell()

    private var vault: OpenVault?
    private var entries: [String: Entry] = [:]
    /// What became of the last notes, so that nothing that was read meanwhile brings one back.
    private var endings = Endings()
    private var isLoaded = false

    /// What is there only while the account is unlocked.
    private struct OpenVault {
        let sealed: SealedRecords
        let drafts: (any DraftKeeping)?
    }

    private struct Entry {
        let note: UnsignedNote
        /// Whether it is known only while the vault is open.
        var isSealed: Bool
        /// Takes it off the disk.
        var removal: RecordChange
        var standing = UnsignedNote.Standing.held
        /// Rings when the attempt that is under way has ended.
        var attempt = Doorbell()

        var isSigning: Bool { if case .signing = standing { true } else { false } }
        var isHeld: Bool { if case .held = standing { true } else { false } }
    }

    private enum Ending {
        case published(EventID)
        case cancelled
    }

    /// What became of so many notes, the last ones; pages do not ask about earlier ones any more.
    private struct Endings {
        static let most = 256
        private var all: [String: Ending] = [:]
        private var order: [String] = []

        subscript(_ id: String) -> Ending? { all[id] }

        mutating func add(_ ending: Ending, of id: String) {
            if all.updateValue(ending, forKey: id) == nil { order.append(id) }
            if order.count > Self.most { all[order.removeFirst()] = nil }
        }
    }

    init(_ context: AccountContext, publishing: Publishing) {
        self.context = context
        self.publishing = publishing
    }

    /// Signs and publishes what is due until cancelled.
    func run() async {
        while !Task.isCancelled {
            do { try await load() } catch {
                context.report("notes that wait for their signer could not be read", error)
                await context.time.pause(for: context.configuration.housekeeping)
                continue
            }
            let now = context.time.now()
            let ready = held.filter { $0.notBefore <= now }
            for note in ready {
                // Pages show why; here nobody waits for it.
                do { _ = try await publish(note.id) } catch { context.report("a note was not signed", error) }
            }
            guard ready.isEmpty else { continue }
            let pause = held.first.map { max($0.notBefore.seconds - now.seconds, 1) } ?? 3600
            await due.wait(atMost: .seconds(pause), on: context.time.clock)
        }
    }

    private var held: [UnsignedNote] { sorted { $0.isHeld } }

    private func sorted(where belongs: (Entry) -> Bool) -> [UnsignedNote] {
        entries.values.filter(belongs).map(\.note).sorted { ($0.notBefore, $0.id) < ($1.notBefore, $1.id) }
    }

    // MARK: What pages ask

    public func hold(
        _ composition: Composition, as id: String, until moment: Timestamp, keptAs: String?
    ) async throws {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        let note = UnsignedNote(id: id, composition: composition, notBefore: moment, keptAs: keptAs)
        let place = try await place()
        let changes = try UnsignedNoteRecord(note).changes(in: place)
        try await context.records.apply([changes.put])
        let isSealed = if case .vault = place { true } else { false }
        // Locked meanwhile: the next unlock reads it.
        if isSealed, vault == nil { return }
        // What is typed while the vault is closed is on the page that was typed on, so it stays known here too.
        add(note, isSealed: isSealed, removal: changes.remove)
    }

    /// Where a note can rest now.
    private func place() async throws -> UnsignedNoteRecord.Place {
        if let vault { return .vault(vault.sealed) }
        guard let key = try await context.records.value(Self.boxKey, in: UnsignedNoteRecord.boxKeyTable) else {
            return .open
        }
        // Unlocked meanwhile: the vault reads what is put there now only at its next opening.
        if let vault { return .vault(vault.sealed) }
        return .box(publicKey: key)
    }

    /// The name of the one record in its table.
    private static let boxKey = "public"

    public func sealedCount() async throws -> Int {
        guard vault == nil else { return 0 }
        let known = Set(entries.keys)
        return try await context.records.records(in: UnsignedNoteRecord.boxTable).count { !known.contains($0.key) }
            + context.records.records(in: UnsignedNoteRecord.table).count
    }

    public func waiting() -> [UnsignedNote] { sorted { _ in true } }

    public func standing(of id: String) -> UnsignedNote.Standing? {
        if case .published(let event)? = endings[id] { return .published(event) }
        return entries[id]?.standing
    }

    public func cancel(_ id: String) async throws -> Bool {
        guard let entry = entries[id], !entry.isSigning else { return false }
        begin(id)
        do { try await context.records.apply([entry.removal]) } catch {
            end(id, as: entry.standing)
            throw error
        }
        endings.add(.cancelled, of: id)
        end(id, as: nil)
        return true
    }

    public func publish(_ id: String) async throws -> EventID {
        while true {
            if case .published(let event)? = endings[id] { return event }
            guard let entry = entries[id] else {
                if vault == nil { throw SigningFailure.locked }
                throw AccountError.unknownEvent
            }
            guard entry.isSigning else { return try await sign(entry) }
            await entry.attempt.wait()
            // A ring that nobody waited for yet wakes only one.
            entry.attempt.ring()
            try Task.checkCancellation()
            if case .failed(let error)? = entries[id]?.standing { throw error }
        }
    }

    private func sign(_ entry: Entry) async throws -> EventID {
        let id = entry.note.id
        begin(id)
        do {
            let event = try await publishing.signed(entry.note.composition)
            try await enqueue(event, for: entry)
            endings.add(.published(event.id), of: id)
            end(id, as: nil)
            // The draft stays where it cannot be deleted now; it is then deleted by hand.
            if let draft = entry.note.keptAs { try? await vault?.drafts?.deleteDraft(draft) }
            return event.id
        } catch {
            // An attempt that was stopped is no answer.
            end(id, as: Task.isCancelled ? .held : .failed(error))
            throw error
        }
    }

    private func enqueue(_ event: Event, for entry: Entry) async throws {
        do { try await publishing.enqueue(event, with: [entry.removal]) } catch {
            // Once it is in the queue it goes out, whatever failed after that.
            guard await publishing.isQueued(event.id) else { throw error }
            context.report("a note that goes out could not be kept", error)
        }
    }

    private func begin(_ id: String) {
        entries[id]?.standing = .signing
        entries[id]?.attempt = Doorbell()
    }

    private func end(_ id: String, as standing: UnsignedNote.Standing?) {
        let entry = entries[id]
        if let standing, let entry, !entry.isSealed || vault != nil {
            entries[id]?.standing = standing
        } else {
            entries[id] = nil
        }
        entry?.attempt.ring()
        due.ring()
    }

    // MARK: The signer comes and goes

    /// The vault is open: reads what rests sealed.
    func vaultDidOpen(_ sealed: SealedRecords, drafts: (any DraftKeeping)?) async throws {
        vault = OpenVault(sealed: sealed, drafts: drafts)
        let found = try await sealed.values(in: UnsignedNoteRecord.table) { UnsignedNoteRecord($0) }
        guard vault != nil else { return }
        if found.contains(where: { $0 == nil }) { context.log.error("a note that waits cannot be read") }
        for record in found.compactMap(\.self) {
            add(record.note, isSealed: true, removal: try record.changes(in: .vault(sealed)).remove)
        }
        try await openBox(sealed)
        try await sealWhatIsOpen(sealed)
    }

    /// Reads what was sealed while the vault was closed, and sees to it that the next can be.
    private func openBox(_ sealed: SealedRecords) async throws {
        let publicKey = sealed.boxPublicKey
        // Whoever can write the file could have put a key of their own there.
        if try await context.records.value(Self.boxKey, in: UnsignedNoteRecord.boxKeyTable) != publicKey {
            try await context.records.apply([
                .put(table: UnsignedNoteRecord.boxKeyTable, key: Self.boxKey, value: publicKey)
            ])
        }
        for record in try await context.records.records(in: UnsignedNoteRecord.boxTable) {
            guard let opened = UnsignedNoteRecord.opened(record, by: sealed) else {
                context.log.error("a note that waits cannot be read")
                continue
            }
            guard vault != nil else { return }
            add(
                opened.note, isSealed: true,
                removal: .remove(table: UnsignedNoteRecord.boxTable, key: record.key))
        }
    }

    /// Puts what rests readable into the vault.
    private func sealWhatIsOpen(_ sealed: SealedRecords) async throws {
        try await load()
        for (id, entry) in entries where !entry.isSealed && !entry.isSigning {
            // Nobody signs it or takes it back while it moves, so that it is never in both places.
            begin(id)
            defer { end(id, as: entry.standing) }
            let (put, remove) = try UnsignedNoteRecord(entry.note).changes(in: .vault(sealed))
            try await context.records.apply([put, entry.removal])
            entries[id]?.removal = remove
            entries[id]?.isSealed = true
        }
    }

    /// The vault is closed: forgets what rests sealed, but for what is being signed now.
    func vaultDidClose() {
        vault = nil
        entries = entries.filter { !$0.value.isSealed || $0.value.isSigning }
    }

    /// The signer can be asked again: what it could not be asked before is due.
    func signerDidReturn() {
        for (id, entry) in entries {
            guard case .failed(let failure as SigningFailure) = entry.standing else { continue }
            switch failure {
            case .locked, .timedOut, .unreachable, .noPage: entries[id]?.standing = .held
            // A no stays a no until the person says otherwise.
            case .refused, .said, .readOnly, .cannotEncrypt, .wrongAnswer: break
            }
        }
        due.ring()
    }

    /// Reads what could not be sealed; does nothing the second time.
    private func load() async throws {
        guard !isLoaded else { return }
        for record in try await context.records.records(in: UnsignedNoteRecord.openTable) {
            guard let kept = UnsignedNoteRecord(record.value) else {
                context.log.error("a note that waits cannot be read")
                continue
            }
            add(kept.note, isSealed: false, removal: try kept.changes(in: .open).remove)
        }
        isLoaded = true
    }

    private func add(_ note: UnsignedNote, isSealed: Bool, removal: RecordChange) {
        guard entries[note.id] == nil, endings[note.id] == nil else { return }
        entries[note.id] = Entry(note: note, isSealed: isSealed, removal: removal)
        due.ring()
    }
}
