import NostrCore
import NostrNIPs
import NostrSigner
import Synchronization
import ViewModels

// What can be done with a key that is here.
extension AccountHost: KeyKeeping {
    /// How an account's key is kept.
    func custody(of key: PublicKey) async throws -> KeyCustody {
        if key == demo?.signer.publicKey { return KeyCustody(kind: .demo, isLocked: false, hasMnemonic: false) }
        let kind: KeyCustody.Kind =
            switch try await kept(key).kind {
            case .encrypted: .file
            case .keyring: .keyring
            case .readOnly: .readOnly
            case .remote, .keyringRemote: .elsewhere
            case .browser: .browser
            }
        return KeyCustody(
            kind: kind, isLocked: await isLocked(key),
            hasMnemonic: try await spoken { try await keystore.sealedWords(of: key) } != nil)
    }

    /// Encrypts the key with a new passphrase.
    func changePassphrase(of key: PublicKey, from old: String, to new: String) async throws {
        try await withTypedPassphrase(of: key) { try await keystore.changePassphrase(of: key, from: old, to: new) }
    }

    /// The key encrypted with its passphrase.
    func exportEncrypted(_ key: PublicKey) async throws -> String {
        try await spoken { try await keystore.export(key) }.description
    }

    /// The words the key was made from.
    func exportMnemonic(_ key: PublicKey, passphrase: String) async throws -> String {
        guard
            let words = try await withTypedPassphrase(
                of: key, { try await keystore.words(of: key, passphrase: passphrase) })
        else {
            throw Trouble(AccountsWords.noWords, canRetry: false)
        }
        return words
    }

    /// One encrypted file with all of an account, which was restored on trial.
    func backup(_ key: PublicKey, passphrase: String) async throws -> [UInt8] {
        let file = Mutex<[UInt8]>([])
        let maker = BackupMaker(directory: factory.directory, keystore: keystore, store: factory.store)
        do {
            let tallies = try await maker.make(of: [try await kept(key)], passphrase: passphrase) { bytes in
                file.withLock { $0 += bytes }
            }
            let source = BackupSource(place: .memory(file.withLock { $0 }), passphrase: passphrase)
            try await BackupTrial(directory: factory.directory, source: source).run(expecting: tallies)
        } catch let error as BackupTrialError {
            throw Trouble(error.sentence)
        } catch let error as BackupError {
            throw Trouble(error.sentence)
        } catch let error as KeystoreError {
            throw Trouble(error.sentence)
        }
        return file.withLock { $0 }
    }

    /// The account as the keystore knows it.
    func kept(_ key: PublicKey) async throws -> KeystoreAccount {
        let kept = try await spoken { try await keystore.accounts() }.first { $0.key == key }
        guard let kept else { throw Trouble(AccountsWords.notHere, canRetry: false) }
        return kept
    }
}
