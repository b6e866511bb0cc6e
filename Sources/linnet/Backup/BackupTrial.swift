import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels

/// Restores a backup on trial, into a folder that goes away, before it is called done.
///
/// The folder lies in the data directory: what is in the backup rests there already, and only its owner may enter.
struct BackupTrial {
    let directory: DataDirectory
    let source: BackupSource

    /// How the folders are named, so that one that a killed program left is found.
    private static let prefix = "trial-"

    /// Restores everything and compares it with what was put in.
    ///
    /// - Parameter tallies: what was put in, per account, in order.
    /// - Throws: ``BackupTrialError``.
    func run(expecting tallies: [BackupTally]) async throws(BackupTrialError) {
        do {
            removeOld()
            let trial = DataDirectory(path: "\(directory.path)/\(Self.prefix)\(UUID().uuidString)")
            // What stays behind is removed by a later trial.
            defer { try? FileManager.default.removeItem(atPath: trial.path) }
            try trial.prepare()
            try compare(try await restore(into: trial), with: tallies)
        } catch let error as BackupTrialError {
            throw error
        } catch {
            throw .notRestored(why: "\(CommandFailure.speaking(error))")
        }
    }

    private func restore(into trial: DataDirectory) async throws -> [RestoredAccount] {
        let keystore = NIP49FileKeystore(directory: trial.keys, now: { .current })
        let store = try SQLiteEventStore(path: trial.events, now: { .current })
        let program = try SQLiteRecordStore(path: trial.program)
        var restorer = BackupRestorer(
            directory: trial, keystore: keystore, known: [], store: store, program: program)
        try await source.forEachLine { try await restorer.restore($0) }
        try await restorer.finish()
        try program.close()
        try store.close()
        for account in restorer.outcomes where account.opensWithBackupPassphrase {
            _ = try await keystore.unlock(try PublicKey(npub: account.npub), passphrase: source.passphrase)
        }
        return restorer.outcomes
    }

    private func compare(_ restored: [RestoredAccount], with tallies: [BackupTally]) throws(BackupTrialError) {
        guard restored.map(\.npub) == tallies.map(\.npub) else {
            throw .accountsDiffer(put: tallies.count, restored: restored.count)
        }
        for (account, tally) in zip(restored, tallies) {
            guard account.outcome == .restored, account.records == tally.records, account.events == tally.events else {
                throw .accountIncomplete(
                    npub: tally.npub, put: tally.records + tally.events, restored: account.records + account.events)
            }
        }
    }

    /// Removes what a program that was killed left; no trial takes a day.
    private func removeOld() {
        let files = FileManager.default
        // Where nothing can be listed or removed, the trial itself says so.
        for name in (try? files.contentsOfDirectory(atPath: directory.path)) ?? [] where name.hasPrefix(Self.prefix) {
            let path = "\(directory.path)/\(name)"
            let made = (try? files.attributesOfItem(atPath: path))?[.modificationDate] as? Date
            if let made, made.timeIntervalSinceNow < -86_400 { try? files.removeItem(atPath: path) }
        }
    }
}

/// Why a backup did not pass its trial.
enum BackupTrialError: Error, Equatable {
    /// It could not be restored.
    case notRestored(why: String)
    /// Other accounts came back than were put in.
    case accountsDiffer(put: Int, restored: Int)
    /// Of an account, fewer or more records and events came back than were put in.
    case accountIncomplete(npub: String, put: Int, restored: Int)
}

extension BackupTrialError: SpokenError {
    var sentence: String {
        switch self {
        case .notRestored(let why): "The backup was restored on trial, and that failed, so it was not kept: \(why)"
        case .accountsDiffer(let put, let restored):
            "The backup was restored on trial, and of \(put) accounts \(restored) came back, so it was not kept. Try again."
        case .accountIncomplete(let npub, let put, let restored):
            "The backup was restored on trial, and of \(put) records and events of \(npub) \(restored) came back, so it was "
                + "not kept. Check the disk, and try again."
        }
    }
}
