import Foundation
import Logging
import NostrCore
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels

/// Removes an account with everything it left on this machine.
///
/// A note of it is written first and removed last, so that a burn cut short is finished at the next start. Of the shared
/// event store go the account's own events, every kept version of them, and what was sent privately to it; what others
/// published stays, since nobody can tell which account it came for.
struct Burning: Sendable {
    let directory: DataDirectory
    let keystore: any Keystore
    let store: any EventStore
    /// What signers keep; `nil` where it is opened for this.
    var signing: SQLiteSignerRecords?
    let log: Logger

    private static let suffix = ".burning"

    /// Promises on disk that the account goes.
    func begin(_ key: PublicKey) throws {
        do {
            try DurableFile.write([], to: note(key), replacing: true)
        } catch {
            throw Trouble(AccountsWords.notBurned)
        }
    }

    /// Removes everything, also what an earlier try left; the account is at work no more.
    func finish(_ key: PublicKey) async throws {
        do {
            try await keystore.remove(key)
        } catch let error as KeystoreError where error.code == .unknownAccount {
            // Gone already: this is a second try.
        }
        for ending in ["", "-wal", "-shm", "-journal"] {
            _ = try DurableFile.removeIfThere(directory.account(key.hex) + ending)
        }
        let files = directory.files(key.hex)
        if FileManager.default.fileExists(atPath: files) { try FileManager.default.removeItem(atPath: files) }
        if let versions = store as? any VersionStore { try await versions.forgetVersions(of: key) }
        if let removal = store as? any EventRemoval { _ = try await removal.forget(Self.left(by: key)) }
        try await forgetSigner(of: key)
        _ = try DurableFile.removeIfThere(note(key))
    }

    /// Forgets the apps that were paired with the account, and what they asked.
    private func forgetSigner(of key: PublicKey) async throws {
        if let signing { return try await signing.removeAll(of: key) }
        guard FileManager.default.fileExists(atPath: directory.signer) else { return }
        let records = try SQLiteSignerRecords(path: directory.signer)
        try await records.removeAll(of: key)
        try records.close()
    }

    /// Finishes what an earlier run of the program began.
    func finishAll() async {
        // Without the folder there is nothing to finish.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory.path)/accounts")) ?? []
        for name in names where name.hasSuffix(Self.suffix) {
            // A file with another name is not one of these notes.
            guard let key = try? PublicKey(hex: String(name.dropLast(Self.suffix.count))) else { continue }
            do {
                try await finish(key)
                log.notice("finished burning an account")
            } catch {
                log.error("an account could not be burned whole; it is tried again at the next start")
            }
        }
    }

    /// Its own events, and private messages to it: wrapped (NIP-59) and old (NIP-04).
    private static func left(by key: PublicKey) -> [Filter] {
        [Filter(authors: [key]), Filter(kinds: [4, 1059], tags: ["p": [key.hex]])]
    }

    private func note(_ key: PublicKey) -> String { "\(directory.path)/accounts/\(key.hex)\(Self.suffix)" }
}
