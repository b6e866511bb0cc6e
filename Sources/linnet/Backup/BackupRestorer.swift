import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage

/// Puts the accounts of a backup into a data directory that nobody is at work on.
///
/// An account that is here already is left as it is. One that is not appears only once all of it is on the disk: its
/// records under another name first, its key last.
struct BackupRestorer {
    private let directory: DataDirectory
    private let keystore: NIP49FileKeystore
    private let store: any EventStore
    private let program: any RecordStore
    private let known: Set<PublicKey>
    private var current: Arrival?
    private(set) var outcomes: [RestoredAccount] = []

    /// An account on its way in.
    private struct Arrival {
        let key: PublicKey
        let account: BackupLine.Account
        let records: SQLiteRecordStore
        var encrypted: EncryptedSecretKey?
        var words: [UInt8]?
        var changes: [RecordChange] = []
        var events: [Event] = []
        var recordCount = 0
        var eventCount = 0
    }

    /// Takes a directory.
    ///
    /// - Parameter known: the accounts that are here already.
    init(
        directory: DataDirectory, keystore: NIP49FileKeystore, known: Set<PublicKey>, store: any EventStore,
        program: any RecordStore
    ) {
        self.directory = directory
        self.keystore = keystore
        self.known = known
        self.store = store
        self.program = program
    }

    /// Takes the next line of a backup that was found whole.
    mutating func restore(_ line: [UInt8]) async throws {
        switch try BackupLine(line) {
        case .account(let account): try await begin(account)
        case .key(let ncryptsec):
            do { current?.encrypted = try EncryptedSecretKey(ncryptsec) } catch { throw BackupError.damaged }
        case .words(let sealed): current?.words = [UInt8](sealed)
        case .record(let entry):
            current?.changes.append(.put(table: entry.table, key: entry.key, value: [UInt8](entry.value)))
            if (current?.changes.count ?? 0) >= 500 { try await writeRecords() }
        case .event(let event):
            // The maker of the backup may have been given a forged event; it is not believed here either.
            guard let key = current?.key, event.pubkey == key, let genuine = try? Event(verifying: event) else {
                return
            }
            current?.events.append(genuine)
            if (current?.events.count ?? 0) >= 500 { try await writeEvents() }
        case .setting(let entry):
            // What is set here already stays.
            guard try await program.value(entry.key, in: entry.table) == nil else { return }
            try await program.put([UInt8](entry.value), for: entry.key, in: entry.table)
        case nil: break
        }
    }

    /// Puts the last account in its place.
    mutating func finish() async throws {
        try await settle()
    }

    private mutating func begin(_ account: BackupLine.Account) async throws {
        try await settle()
        let key: PublicKey
        do { key = try PublicKey(npub: account.npub) } catch { throw BackupError.damaged }
        guard !known.contains(key), !outcomes.contains(where: { $0.npub == account.npub }) else {
            outcomes.append(RestoredAccount(account, outcome: .alreadyHere))
            return
        }
        let temporary = Self.temporary(directory.account(key.hex))
        // What an earlier try left is begun anew.
        for ending in ["", "-wal", "-shm"] { _ = try DurableFile.removeIfThere(temporary + ending) }
        current = Arrival(key: key, account: account, records: try SQLiteRecordStore(path: temporary))
        if let versions = store as? any VersionStore { try await versions.keepVersions(of: [key]) }
    }

    private mutating func settle() async throws {
        guard current != nil else { return }
        try await writeRecords()
        try await writeEvents()
        guard let arrival = current else { return }
        current = nil
        try arrival.records.close()
        let path = directory.account(arrival.key.hex)
        if FileManager.default.fileExists(atPath: path) {
            // Records without an account, left by somebody who moved the key away; nothing of it is lost.
            for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
                try DurableFile.move(path + ending, to: "\(path).before-\(Timestamp.current.seconds)\(ending)")
            }
        }
        try DurableFile.move(Self.temporary(path), to: path)
        try await placeKey(of: arrival)
        outcomes.append(
            RestoredAccount(
                arrival.account, outcome: .restored, records: arrival.recordCount, events: arrival.eventCount))
    }

    private func placeKey(of arrival: Arrival) async throws {
        guard let encrypted = arrival.encrypted else {
            _ = try await keystore.addReadOnly(arrival.key, name: arrival.account.name)
            return
        }
        _ = try await keystore.restore(encrypted, of: arrival.key, name: arrival.account.name)
        if let words = arrival.words { try await keystore.putSealedWords(words, of: arrival.key) }
    }

    private mutating func writeRecords() async throws {
        guard let changes = current?.changes, !changes.isEmpty else { return }
        try await current?.records.apply(changes)
        current?.recordCount += changes.count
        current?.changes = []
    }

    private mutating func writeEvents() async throws {
        guard let events = current?.events, !events.isEmpty else { return }
        _ = try await store.save(events, from: nil)
        current?.eventCount += events.count
        current?.events = []
    }

    private static func temporary(_ path: String) -> String { path + ".restoring" }
}

/// What became of an account of a backup.
struct RestoredAccount: Encodable, Equatable, Sendable {
    enum Outcome: String, Encodable, Sendable {
        case restored
        case alreadyHere = "already here"
    }

    let npub: String
    let name: String
    let outcome: Outcome
    let records: Int
    let events: Int
    /// Whether the account opens with the backup's passphrase, having had none of its own.
    let opensWithBackupPassphrase: Bool

    init(_ account: BackupLine.Account, outcome: Outcome, records: Int = 0, events: Int = 0) {
        npub = account.npub
        name = account.name
        self.outcome = outcome
        self.records = records
        self.events = events
        opensWithBackupPassphrase = account.hasBackupPassphrase
    }
}
