internal import NostrCore
internal import NostrNIPs

/// The directory of a keystore: one file per account with a key, words beside it, an index of names and times.
///
/// The files of the keys alone are enough: without the index every account with a key is still listed. Every call
/// blocks.
struct AccountFolder: Sendable {
    let directory: String
    /// The name of the index file.
    let indexName: String
    /// How the name of a key's file ends, behind the npub.
    let keySuffix: String
    /// How the name of the words' file ends; another keystore in the same directory has another.
    let wordsSuffix: String
    /// How the name of the file of a pairing with a signer elsewhere ends.
    let pairingSuffix: String
    /// What an account with a key is.
    let kind: KeystoreAccount.Kind
    /// What an account with a pairing is.
    let pairingKind: KeystoreAccount.Kind
    let now: @Sendable () -> Timestamp

    static let unknown = KeystoreError(.unknownAccount)
    static let readOnly = KeystoreError(.readOnlyAccount)
    static let elsewhere = KeystoreError(.readOnlyAccount, .keyElsewhere)
    static let notPaired = KeystoreError(.notPaired)
    static let alreadyThere = KeystoreError(.alreadyThere)

    // MARK: Keys

    /// What is in the key's file of an account; `nil` when there is none.
    func key(of key: PublicKey) throws -> [UInt8]? {
        try DurableFile.read(keyPath(key), limit: 4096)
    }

    /// Writes the key's file.
    func write(_ bytes: [UInt8], for key: PublicKey, replacing: Bool) throws {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(bytes, to: keyPath(key), replacing: replacing)
    }

    /// What to say of an account without a key's file.
    func missing(_ key: PublicKey) throws -> KeystoreError {
        switch try accounts().first(where: { $0.key == key })?.kind {
        case nil: Self.unknown
        case .readOnly: Self.readOnly
        case .browser, .remote, .keyringRemote, .encrypted, .keyring: Self.elsewhere
        }
    }

    /// Deletes all files of an account and its entry.
    ///
    /// - Throws: ``KeystoreError`` with code `unknownAccount` when there was nothing at all.
    func remove(_ key: PublicKey) throws {
        let hadKey = try DurableFile.removeIfThere(keyPath(key))
        try removeUnfinished(of: key)
        let hadWords = try DurableFile.removeIfThere(wordsPath(key))
        let hadPairing = try DurableFile.removeIfThere(pairingPath(key))
        guard try readIndex().entries[key] != nil || hadKey || hadWords || hadPairing else { throw Self.unknown }
        try changeIndex { $0.entries[key] = nil }
    }

    // MARK: Words

    /// The sealed words of an account; `nil` when there are none.
    func words(of key: PublicKey) throws -> [UInt8]? {
        try DurableFile.read(wordsPath(key), limit: 4096)
    }

    /// Writes the sealed words of an account.
    func write(words: [UInt8], for key: PublicKey) throws {
        try DurableFile.write(words, to: wordsPath(key), replacing: true)
    }

    // MARK: Pairings

    /// The pairing of an account; `nil` when there is none.
    func pairing(of key: PublicKey) throws -> KeptPairing? {
        try DurableFile.read(pairingPath(key), limit: 65_536).map { bytes in
            guard let kept = KeptPairing(json: bytes, user: key) else {
                throw KeystoreError(.damaged, .pairingForm)
            }
            return kept
        }
    }

    /// Keeps a pairing, in place of an older one.
    func write(_ pairing: KeptPairing) throws {
        try DurableFile.makeDirectory(directory)
        try DurableFile.write(pairing.json, to: pairingPath(pairing.pairing.user), replacing: true)
    }

    /// Forgets a pairing, if there is one: the key has come here.
    func removePairing(of key: PublicKey) throws {
        _ = try DurableFile.removeIfThere(pairingPath(key))
    }

    // MARK: Names and times

    /// All accounts, the last used first.
    func accounts() throws -> [KeystoreAccount] {
        let index = try readIndex()
        var kinds = index.entries.compactMapValues { [.readOnly, .browser].contains($0.kind) ? $0.kind : nil }
        let names = try names()
        for (suffix, kind) in [(pairingSuffix, pairingKind), (keySuffix, kind)] {
            for name in names where name.hasSuffix(suffix) {
                // Files with other names are not ours.
                if let key = try? PublicKey(npub: String(name.dropLast(suffix.count))) { kinds[key] = kind }
            }
        }
        return kinds.map { key, kind in
            let entry = index.entries[key]
            return KeystoreAccount(
                key: key, name: entry?.name ?? "", kind: kind,
                added: entry?.added ?? Timestamp(seconds: 0), lastUsed: entry?.lastUsed ?? Timestamp(seconds: 0))
        }.sorted { ($1.lastUsed, $0.key) < ($0.lastUsed, $1.key) }
    }

    /// Notes an account that was added or used.
    func note(_ key: PublicKey, name: String, kind: KeystoreAccount.Kind) throws -> KeystoreAccount {
        try DurableFile.makeDirectory(directory)
        let moment = now()
        try changeIndex { index in
            let added = index.entries[key]?.added ?? moment
            index.entries[key] = AccountIndex.Entry(
                name: name, kind: kind, added: added, lastUsed: moment)
        }
        return KeystoreAccount(
            key: key, name: name, kind: kind,
            added: try readIndex().entries[key]?.added ?? moment, lastUsed: moment)
    }

    /// Notes that an account was unlocked.
    func noteUse(of key: PublicKey) {
        // The time is a convenience: a full disk must not keep a person out of their account.
        try? changeIndex { $0.entries[key]?.lastUsed = now() }
    }

    /// Names an account.
    func rename(_ key: PublicKey, to name: String) throws {
        guard let account = try accounts().first(where: { $0.key == key }) else { throw Self.unknown }
        try changeIndex { index in
            index.entries[key] = AccountIndex.Entry(
                name: name, kind: account.kind, added: account.added, lastUsed: account.lastUsed)
        }
    }

    // MARK: Files

    private var indexPath: String { "\(directory)/\(indexName)" }

    private func keyPath(_ key: PublicKey) -> String { "\(directory)/\(key.npub)\(keySuffix)" }

    private func wordsPath(_ key: PublicKey) -> String { "\(directory)/\(key.npub)\(wordsSuffix)" }

    private func pairingPath(_ key: PublicKey) -> String { "\(directory)/\(key.npub)\(pairingSuffix)" }

    /// Deletes what a crash left of an account before it had its name.
    private func removeUnfinished(of key: PublicKey) throws {
        for name in try names() where name.hasSuffix(".new") {
            let ours = [keySuffix, wordsSuffix, pairingSuffix].contains { name.hasPrefix("\(key.npub)\($0).") }
            guard ours else { continue }
            _ = try DurableFile.removeIfThere("\(directory)/\(name)")
        }
    }

    private func names() throws -> [String] {
        do {
            return try DurableFile.names(in: directory)
        } catch  where error.isMissing {
            return []
        }
    }

    private func readIndex() throws -> AccountIndex {
        guard let bytes = try DurableFile.read(indexPath, limit: 1 << 20) else { return AccountIndex() }
        return AccountIndex(json: bytes) ?? AccountIndex()
    }

    /// Changes the index; a damaged one is set aside, not written over.
    private func changeIndex(_ change: (inout AccountIndex) -> Void) throws {
        var index = AccountIndex()
        if let bytes = try DurableFile.read(indexPath, limit: 1 << 20) {
            if let read = AccountIndex(json: bytes) {
                index = read
            } else {
                try DurableFile.move(indexPath, to: "\(indexPath).damaged-\(now().seconds)")
            }
        }
        change(&index)
        try DurableFile.write(index.json, to: indexPath, replacing: true)
    }
}
