import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage
import Synchronization

/// Puts accounts with all they have into a backup; a home may be at work on them meanwhile.
struct BackupMaker: Sendable {
    let directory: DataDirectory
    let keystore: any Keystore
    let store: any EventStore
    /// The cost of guessing the passphrase.
    var logN = EncryptedSecretKey.defaultLogN

    /// Writes a backup from its first byte to its last.
    ///
    /// - Parameter write: takes the bytes of the file, in order.
    /// - Returns: what was put in, per account.
    /// - Throws: ``/NostrSigner/BackupError``, and what the stores and `write` throw.
    func make(
        of accounts: [KeystoreAccount], passphrase: String, write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> [BackupTally] {
        let sink = BackupSink(try await BackupSealer(passphrase: passphrase, logN: logN), write: write)
        if FileManager.default.fileExists(atPath: directory.program) {
            try await eachRecord(of: directory.program) { table, record in
                // Whatever else the program keeps for itself belongs to this machine.
                guard table == "settings" else { return }
                try sink.put(.setting(.init(table: table, key: record.key, value: Data(record.value))))
            }
        }
        var tallies: [BackupTally] = []
        for account in accounts { tallies.append(try await put(account, passphrase: passphrase, into: sink)) }
        try sink.finish()
        return tallies
    }

    private func put(_ account: KeystoreAccount, passphrase: String, into sink: BackupSink) async throws -> BackupTally
    {
        try sink.put(
            .account(
                .init(
                    npub: account.key.npub, name: account.name, isReadOnly: !account.hasKey,
                    hasBackupPassphrase: account.kind == .keyring)))
        if account.hasKey {
            let encrypted = try await keystore.export(account.key, elseWith: passphrase)
            try sink.put(.key(ncryptsec: encrypted.description))
            if let words = try await keystore.sealedWords(of: account.key) { try sink.put(.words(Data(words))) }
        }
        let before = sink.lines
        let records = directory.account(account.key.hex)
        if FileManager.default.fileExists(atPath: records) {
            try await eachRecord(of: records) { table, record in
                try sink.put(.record(.init(table: table, key: record.key, value: Data(record.value))))
            }
        }
        let between = sink.lines
        // Another person's events are not this account's to keep, and relays have them.
        if account.canSign { try await putEvents(of: account.key, into: sink) }
        return BackupTally(
            npub: account.key.npub, name: account.name, records: between - before, events: sink.lines - between)
    }

    private func eachRecord(of path: String, _ body: @escaping @Sendable (String, Record) throws -> Void) async throws {
        let records = try SQLiteRecordStore(path: path)
        // Only read: there is nothing to lose in closing.
        defer { try? records.close() }
        try await records.forEach(body)
    }

    private func putEvents(of key: PublicKey, into sink: BackupSink) async throws {
        var until: Timestamp?
        // The events of the second a page ended in come again with the next page.
        var seen: Set<EventID> = []
        while true {
            let page = try await store.query([Filter(authors: [key], until: until, limit: 500 + seen.count)])
            let new = page.filter { !seen.contains($0.id) }
            guard let last = new.last else { break }
            for event in new { try sink.put(.event(event.unverified)) }
            if last.createdAt != until { seen = [] }
            seen.formUnion(new.lazy.filter { $0.createdAt == last.createdAt }.map(\.id))
            until = last.createdAt
        }
        guard let versions = store as? any VersionStore else { return }
        for address in try await versions.versionCounts(of: key) {
            let kept = try await versions.versions(of: key, kind: address.kind, identifier: address.identifier)
            for event in kept { try sink.put(.event(event.unverified)) }
        }
    }
}

/// What of an account is in a backup.
struct BackupTally: Encodable, Equatable, Sendable {
    let npub: String
    let name: String
    /// Records: sealed messages and drafts, the queue, settings.
    let records: Int
    /// Events of its own, every version counted.
    let events: Int
    /// Whether a restore on trial brought all of it back.
    var verified = false
}

/// Encrypts lines as they come and hands the bytes on.
final class BackupSink: Sendable {
    private struct State {
        var sealer: BackupSealer
        var lines = 0
    }

    private let state: Mutex<State>
    private let write: @Sendable ([UInt8]) throws -> Void

    init(_ sealer: BackupSealer, write: @escaping @Sendable ([UInt8]) throws -> Void) {
        state = Mutex(State(sealer: sealer))
        self.write = write
    }

    /// How many lines were put so far.
    var lines: Int { state.withLock { $0.lines } }

    func put(_ line: BackupLine) throws {
        let bytes = try line.bytes()
        let ready = try state.withLock { state in
            state.lines += 1
            return try state.sealer.update(bytes)
        }
        if !ready.isEmpty { try write(ready) }
    }

    func finish() throws {
        try write(try state.withLock { try $0.sealer.finish() })
    }
}
