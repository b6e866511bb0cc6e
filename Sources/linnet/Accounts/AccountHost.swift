import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ViewModels

/// The accounts of this machine, and those of them at work.
///
/// ``run()`` owns the work of every open account; an account once opened stays at work until the program ends.
actor AccountHost: AccountOpening {
    private let keystore: any Keystore
    private let workshop: Workshop
    private let demo: DemoPerson?
    private var atWork: [PublicKey: AccountAtWork] = [:]
    private let arrivals: AsyncStream<@Sendable () async -> Void>
    private let arrive: AsyncStream<@Sendable () async -> Void>.Continuation

    nonisolated var offersDemo: Bool { demo != nil }

    /// How many accounts are at work.
    var openCount: Int { atWork.count }

    init(keystore: any Keystore, workshop: Workshop, demo: DemoPerson?) {
        self.keystore = keystore
        self.workshop = workshop
        self.demo = demo
        // One piece of work per account opened, and one per account made: as few as a person has accounts.
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    /// Keeps open accounts at work until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await work in arrivals {
                group.addTask { await work() }
            }
            group.cancelAll()
        }
    }

    func accounts() async throws -> [AccountSummary] {
        var summaries = try await spoken { try await keystore.accounts() }.map(AccountSummary.init)
        if let demo {
            if atWork[demo.signer.publicKey] != nil {
                summaries.insert(demo.summary, at: 0)
            } else if workshop.hasWorked(demo.signer.publicKey) {
                // Somebody was the demo person before the restart; an account of their own comes first.
                summaries.append(demo.summary)
            }
        }
        return summaries
    }

    func create(name: String, passphrase: String) async throws -> any Account {
        let signer = LocalSigner.generate()
        _ = try await spoken {
            try await keystore.add(signer, name: name, passphrase: passphrase, handling: .secure)
        }
        let account = try await unlocked(signer)
        if !name.isEmpty {
            // The profile is news to the network; the person need not wait for it.
            arrive.yield { [log = workshop.log] in
                do { _ = try await account.updateProfile(["name": name]) } catch {
                    log.notice("the new profile was not published; edit the profile to try again")
                }
            }
        }
        return account
    }

    func importSecret(_ text: String, passphrase: String) async throws -> any Account {
        let secret = text.trimmingWhitespace()
        if secret.hasPrefix("ncryptsec1") {
            let encrypted: EncryptedSecretKey
            do { encrypted = try EncryptedSecretKey(secret) } catch {
                throw Trouble("This is not a whole ncryptsec: part of it is missing or mistyped.")
            }
            let kept = try await spoken { try await keystore.add(encrypted, name: "", passphrase: passphrase) }
            return try await unlock(kept.key, passphrase: passphrase)
        }
        let signer = LocalSigner(try Self.secretKey(secret))
        _ = try await spoken { try await keystore.add(signer, name: "", passphrase: passphrase, handling: .unknown) }
        return try await unlocked(signer)
    }

    func openReadOnly(_ text: String) async throws -> any Account {
        let key = try Self.publicKey(text.trimmingWhitespace())
        if try await spoken({ try await keystore.accounts() }).contains(where: { $0.key == key }) {
            return try await open(key)
        }
        _ = try await spoken { try await keystore.addReadOnly(key, name: "") }
        return try await open(key)
    }

    func openDemo() async throws -> any Account {
        guard let demo else { throw Trouble("The demo person lives only in the simulated network.", canRetry: false) }
        return try await unlocked(demo.signer)
    }

    func open(_ key: PublicKey) async throws -> any Account {
        if let demo, key == demo.signer.publicKey { return try await openDemo() }
        if let open = atWork[key] { return open.account }
        let kept = try await spoken { try await keystore.accounts() }.first { $0.key == key }
        guard let kept else { throw Trouble("This account is not on this machine.", canRetry: false) }
        return try putToWork(key, signer: kept.kind == .encrypted ? LockableSigner(key) : nil).account
    }

    func isLocked(_ key: PublicKey) async -> Bool {
        if let open = atWork[key] { return open.signer?.isLocked ?? false }
        // An account whose kind cannot be read is asked for its passphrase, and the reason shows then.
        guard let all = try? await keystore.accounts() else { return true }
        return all.first { $0.key == key }?.kind == .encrypted
    }

    func unlock(_ key: PublicKey, passphrase: String) async throws -> any Account {
        try await unlocked(try await spoken { try await keystore.unlock(key, passphrase: passphrase) })
    }

    // MARK: Putting to work

    private func unlocked(_ signer: LocalSigner) async throws -> any Account {
        let lock = LockableSigner(signer.publicKey)
        let open =
            try atWork[signer.publicKey].flatMap { $0.signer == nil ? nil : $0 }
            ?? putToWork(signer.publicKey, signer: lock)
        try (open.signer ?? lock).unlock(with: signer)
        return open.account
    }

    private func putToWork(_ key: PublicKey, signer: LockableSigner?) throws -> AccountAtWork {
        let opened = try workshop.open(key, signer: signer)
        atWork[key] = opened
        arrive.yield(opened.work)
        return opened
    }

    // MARK: Reading what a person typed

    private static func secretKey(_ text: String) throws -> SecretKey {
        do { return try SecretKey.parse(pasted: text) } catch {
            throw Trouble("This is no secret key: it should begin with nsec1 or ncryptsec1, or be 64 hex digits.")
        }
    }

    private static func publicKey(_ text: String) throws -> PublicKey {
        if text.hasPrefix("nsec1") || text.hasPrefix("ncryptsec1") {
            throw Trouble("That is a secret key. To read along, use the public one: it begins with npub1.")
        }
        guard let pointer = ProfilePointer(pasted: text) else {
            throw Trouble("This is no public key: it should begin with npub1 or nprofile1, or be 64 hex digits.")
        }
        return pointer.key
    }

    private func spoken<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as KeystoreError { throw Trouble(error.sentence) }
    }
}

/// The person of the simulated network that one can be.
struct DemoPerson: Sendable {
    let signer: LocalSigner
    let name: String

    var summary: AccountSummary { AccountSummary(key: signer.publicKey, name: name, custody: .demo) }
}

extension AccountSummary {
    fileprivate init(_ account: KeystoreAccount) {
        self.init(
            key: account.key, name: account.name, custody: account.kind == .encrypted ? .key : .readOnly)
    }
}

extension String {
    fileprivate func trimmingWhitespace() -> String {
        var text = Substring(self)
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
