internal import NostrCore
internal import NostrNIPs
public import NostrSigner

/// What every ``/NostrSigner/Keystore`` promises.
public enum KeystoreContract {
    /// One promise.
    public typealias Rule = ContractRule<any Keystore>

    private static let alice = TestPerson.alice.publicKey
    private static let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"

    /// All promises.
    public static let rules: [Rule] = keys + encrypted + accounts + wordsRules + elsewhere

    private static let keys: [Rule] = [
        Rule("gives a key back") { store, _ in
            let kept = try await add(.alice, to: store)
            try demand(kept.key, alice)
            try demand(kept.hasKey, true)
            try demand(try await store.accounts(), [kept])
            let signer = try await store.unlock(alice, passphrase: "correct horse")
            let note = try await signer.sign(
                EventDraft(kind: 1, content: "hello", createdAt: Timestamp(seconds: 1)))
            try demand(note.pubkey, alice)
        },
        Rule("opens nothing for a wrong passphrase where it asks for one") { store, _ in
            let kept = try await add(.alice, to: store)
            guard kept.asksForPassphrase else { return }
            try await demandFailure(.wrongPassphrase) { _ = try await store.unlock(alice, passphrase: "wrong") }
            try await demandFailure(.emptyPassphrase) { _ = try await store.unlock(alice, passphrase: "") }
        },
        Rule("never writes over a key that is there") { store, _ in
            try await add(.alice, to: store)
            try await demandFailure(.alreadyThere) { try await add(.alice, to: store) }
            try await demandFailure(.alreadyThere) { _ = try await store.addReadOnly(alice, name: "") }
            try demand(try await store.accounts().map(\.name), ["alice"])
        },
        Rule("knows nothing of strangers") { store, _ in
            try demand(try await store.accounts(), [])
            try await demandFailure(.unknownAccount) { _ = try await store.unlock(alice, passphrase: "x") }
            try await demandFailure(.unknownAccount) { _ = try await store.export(alice) }
            try await demandFailure(.unknownAccount) { try await store.rename(alice, to: "x") }
            try await demandFailure(.unknownAccount) { try await store.remove(alice) }
        },
        Rule("forgets an account for good, and no other") { store, _ in
            try await add(.alice, to: store)
            try await add(.bob, to: store)
            try await store.remove(alice)
            try demand(try await store.accounts().map(\.name), ["bob"])
            try await demandFailure(.unknownAccount) { _ = try await store.unlock(alice, passphrase: "correct horse") }
            try await add(.alice, to: store)
            try demand(try await store.unlock(alice, passphrase: "correct horse").publicKey, alice)
        },
        Rule("keeps no key of a locked signer") { store, _ in
            let signer = LocalSigner(TestPerson.alice.secretKey)
            signer.lock()
            try await demandFailure(.locked) {
                _ = try await store.add(signer, name: "", passphrase: "p", handling: .secure)
            }
            try demand(try await store.accounts(), [])
        },
    ]

    private static let encrypted: [Rule] = [
        Rule("takes an encrypted key once the passphrase has opened it") { store, _ in
            var random = SeededRandom(seed: 3)
            let encrypted = try EncryptedSecretKey(
                encrypting: TestPerson.carol.secretKey, passphrase: "old", logN: 2, handling: .unknown, using: &random)
            try await demandFailure(.wrongPassphrase) {
                _ = try await store.add(encrypted, name: "carol", passphrase: "new")
            }
            try demand(try await store.accounts(), [])
            let kept = try await store.add(encrypted, name: "carol", passphrase: "old")
            try demand(try await store.unlock(kept.key, passphrase: "old").publicKey, TestPerson.carol.publicKey)
            if kept.asksForPassphrase { try demand(try await store.export(kept.key), encrypted) }
        },
        Rule("gives a key out encrypted only, for a backup too") { store, _ in
            let kept = try await add(.alice, to: store)
            let backup = try await store.export(alice, elseWith: "backup")
            let passphrase = kept.asksForPassphrase ? "correct horse" : "backup"
            try demand(try backup.decrypt(passphrase: passphrase).publicKey, alice)
            if kept.asksForPassphrase {
                try demand(try await store.export(alice), backup)
            } else {
                try await demandFailure(.noPassphrase) { _ = try await store.export(alice) }
            }
        },
        Rule("changes a passphrase, where there is one, for whoever knows the old one") { store, _ in
            guard try await add(.alice, to: store).asksForPassphrase else {
                return try await demandFailure(.noPassphrase) {
                    try await store.changePassphrase(of: alice, from: "correct horse", to: "new")
                }
            }
            try await demandFailure(.wrongPassphrase) {
                try await store.changePassphrase(of: alice, from: "guess", to: "new")
            }
            try await store.changePassphrase(of: alice, from: "correct horse", to: "new")
            try await demandFailure(.wrongPassphrase) {
                _ = try await store.unlock(alice, passphrase: "correct horse")
            }
            try demand(try await store.unlock(alice, passphrase: "new").publicKey, alice)
        },
    ]

    private static let accounts: [Rule] = [
        Rule("an account that only reads has no key, and becomes one with a key") { store, _ in
            let kept = try await store.addReadOnly(alice, name: "watching")
            try demand(kept.kind, .readOnly)
            try demand(kept.hasKey, false)
            try await demandFailure(.readOnlyAccount) { _ = try await store.unlock(alice, passphrase: "x") }
            try await demandFailure(.readOnlyAccount) { _ = try await store.export(alice) }
            try await add(.alice, to: store)
            try demand(try await store.accounts().map(\.hasKey), [true])
            try await store.remove(alice)
            try demand(try await store.accounts(), [])
        },
        Rule("names accounts, and lists the last used first") { store, moment in
            try await add(.alice, to: store)
            moment.move(to: Timestamp(seconds: 1_700_000_010))
            try await add(.bob, to: store)
            try await store.rename(alice, to: "Älice")
            try demand(try await store.accounts().map(\.name), ["bob", "Älice"])
            moment.move(to: Timestamp(seconds: 1_700_000_020))
            _ = try await store.unlock(alice, passphrase: "correct horse")
            try demand(try await store.accounts().map(\.name), ["Älice", "bob"])
        },
    ]

    private static let wordsRules: [Rule] = [
        Rule("keeps the words of a key, and gives them to whoever opens the key") { store, _ in
            let kept = try await add(.alice, to: store)
            try demand(try await store.words(of: alice, passphrase: "correct horse"), nil)
            try demand(try await store.sealedWords(of: alice), nil)
            try await store.keepWords(words, of: LocalSigner(TestPerson.alice.secretKey))
            try demand(try await store.words(of: alice, passphrase: "correct horse"), words)
            if kept.asksForPassphrase {
                try await demandFailure(.wrongPassphrase) { _ = try await store.words(of: alice, passphrase: "x") }
            }
        },
        Rule("words rest sealed, move with the key, and open with no other") { store, _ in
            try await add(.alice, to: store)
            try await add(.bob, to: store)
            try await store.keepWords(words, of: LocalSigner(TestPerson.alice.secretKey))
            guard let sealed = try await store.sealedWords(of: alice) else {
                throw ContractBroken(description: "no sealed words")
            }
            for word in words.split(separator: " ") where word.utf8.count > 3 {
                try demand(sealed.holds(Array(word.utf8)), false)
            }
            try await store.putSealedWords(sealed, of: TestPerson.bob.publicKey)
            try await demandFailure(.damaged) {
                _ = try await store.words(of: TestPerson.bob.publicKey, passphrase: "correct horse")
            }
            try await store.remove(alice)
            try await add(.alice, to: store)
            try demand(try await store.sealedWords(of: alice), nil)
            try await store.putSealedWords(sealed, of: alice)
            try demand(try await store.words(of: alice, passphrase: "correct horse"), words)
        },
    ]

    @discardableResult
    private static func add(_ person: TestPerson, to store: any Keystore) async throws -> KeystoreAccount {
        try await store.add(
            LocalSigner(person.secretKey), name: "\(person)", passphrase: "correct horse", handling: .secure)
    }

    static func demandFailure(
        _ code: KeystoreError.Code, line: Int = #line, _ body: () async throws -> Void
    ) async throws {
        do {
            try await body()
        } catch let error as KeystoreError {
            return try demand(error.code, code, line: line)
        }
        throw ContractBroken(description: "line \(line): expected \(code)")
    }
}

extension [UInt8] {
    /// Whether other bytes stand somewhere in these.
    package func holds(_ needle: [UInt8]) -> Bool {
        guard !needle.isEmpty, count >= needle.count else { return needle.isEmpty }
        return (0...count - needle.count).contains { self[$0..<$0 + needle.count].elementsEqual(needle) }
    }
}
