import AsyncPrimitives
internal import Location
import Logging
import NostrClient
import NostrCore
import NostrSigner
import ViewModels

/// The accounts of this machine, and those of them at work.
///
/// ``run()`` owns the work of every open account; an account once opened stays at work until the program ends or the
/// account is burned. Each has its own lock, its own records, its own connections.
/// Its files are what pages ask of it (`AccountOpening`, `KeyKeeping`, `SignerHosting` …), one protocol or verb each; all
/// of them are about the same few tables of accounts, so they stay one actor.
actor AccountHost: AccountOpening {
    let keystore: any Keystore
    let factory: AccountFactory
    let demo: DemoPerson?
    let uptime: Uptime
    let time: Time<Timestamp>
    let arrive: AsyncStream<@Sendable () async -> Void>.Continuation
    var atWork: [PublicKey: AccountAtWork] = [:]
    var idle: [PublicKey: AutoLock] = [:]
    var burning: Set<PublicKey> = []
    /// How often a wrong passphrase was typed for an account.
    var tries: [PublicKey: PassphraseTries] = [:]
    /// The signers elsewhere that are in use.
    var elsewhere: [PublicKey: SignerElsewhere] = [:]
    /// The accounts whose key is in a browser.
    var browsers: [PublicKey: BrowserSigner] = [:]
    /// Tries to pair, under way or just ended.
    var attempts: [String: PairingAtWork] = [:]
    /// What each account reads its place from, and how often that was changed.
    var placeReading: (count: Int, source: (@Sendable (LiveAccount) async -> (any LocationSource)?)?) = (0, nil)
    private let arrivals: AsyncStream<@Sendable () async -> Void>
    /// Whenever an account begins to work, or ends.
    let comings = Broadcast<Void>(capacity: 1)

    nonisolated var offersDemo: Bool { demo != nil }

    nonisolated var log: Logger { factory.log }

    /// How many accounts are at work.
    var openCount: Int { atWork.count }

    /// Takes where keys are kept and where accounts work.
    ///
    /// - Parameters:
    ///   - uptime: what idle time is measured with.
    ///   - time: what waits run on.
    init(
        keystore: any Keystore, factory: AccountFactory, demo: DemoPerson?, uptime: Uptime = Uptime(),
        time: Time<Timestamp> = Time(clock: ContinuousClock(), now: { .current })
    ) {
        self.keystore = keystore
        self.factory = factory
        self.demo = demo
        self.uptime = uptime
        self.time = time
        // One piece of work per account opened, and one per account made: as few as a person has accounts.
        (arrivals, arrive) = AsyncStream.makeStream()
    }

    /// Keeps open accounts at work until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await work in arrivals {
                // Whoever follows thousands is gathered for in turns of many milliseconds.
                group.addTask(executorPreference: BackgroundThreads.behindPages) { await work() }
            }
            group.cancelAll()
        }
    }

    func accounts() async throws -> [AccountSummary] {
        var summaries = try await spoken { try await keystore.accounts() }.map(AccountSummary.init)
        if let demo {
            if atWork[demo.signer.publicKey] != nil {
                summaries.insert(demo.summary, at: 0)
            } else if factory.hasWorked(demo.signer.publicKey) {
                // Somebody was the demo person before the restart; an account of their own comes first.
                summaries.append(demo.summary)
            }
        }
        return summaries
    }

    func openDemo() async throws -> any Account {
        guard let demo else { throw Trouble(AccountsWords.noDemo, canRetry: false) }
        return try await unlocked(demo.signer)
    }

    /// The demo person's account, while somebody is the demo person.
    var demoAccount: (any Account)? { demo.flatMap { atWork[$0.signer.publicKey]?.account } }

    func open(_ key: PublicKey) async throws -> any Account {
        if let demo, key == demo.signer.publicKey { return try await openDemo() }
        if let open = atWork[key] { return open.account }
        let kept = try await kept(key)
        // The keyring opens with the person's session; where it does not, the account stays locked and only reads.
        if kept.kind == .keyring || kept.kind == .keyringRemote,
            let account = try? await unlock(key, passphrase: "")
        {
            return account
        }
        if kept.kind == .browser { return try await openInBrowser(key) }
        return try await putToWork(key, signer: kept.canSign ? LockableSigner(key) : nil).account
    }

    func isLocked(_ key: PublicKey) async -> Bool {
        if let open = atWork[key] { return open.signer?.isLocked ?? false }
        // An account whose kind cannot be read is asked for its passphrase, and the reason shows then.
        guard let all = try? await keystore.accounts() else { return true }
        return all.first { $0.key == key }?.canSign == true
    }

    func profile(of key: PublicKey) async -> Person? {
        // An account whose profile cannot be read is shown by its name alone.
        try? await atWork[key]?.account.people.known(key)
    }

    func didAllow(_ relay: RelayURL) async {
        // What is allowed holds for the whole program; a busy account does not hold up the others.
        let accounts = atWork.values.map(\.account)
        await withDiscardingTaskGroup { group in
            for account in accounts { group.addTask { await account.didAllow(relay) } }
        }
    }

    func unlock(_ key: PublicKey, passphrase: String) async throws -> any Account {
        let kept = try await kept(key)
        if kept.isRemote { return try await unlockElsewhere(key, passphrase: passphrase) }
        if kept.kind == .browser { return try await openInBrowser(key) }
        return try await unlocked(
            try await withTypedPassphrase(of: key) { try await keystore.unlock(key, passphrase: passphrase) })
    }

    // MARK: Putting to work

    /// Puts an account to work, if it is not, and gives it its key.
    func unlocked(_ signer: any EndingSigner) async throws -> any Account {
        let key = signer.publicKey
        let open = try await accountAtWork(key)
        guard let lock = open.signer else { throw SigningFailure.readOnly }
        try lock.unlock(with: signer)
        open.account.lockDidChange()
        idle[key]?.touch(at: uptime.elapsed())
        // Only a key that is here answers at once.
        if signer is LocalSigner {
            await open.account.keyDidUnlock()
            await open.signing?.keyDidUnlock()
        }
        return open.account
    }

    /// An account that can be given its key, at work from now on if it was not.
    func accountAtWork(_ key: PublicKey) async throws -> AccountAtWork {
        if let open = atWork[key], open.signer != nil { return open }
        return try await putToWork(key, signer: LockableSigner(key))
    }

    private func putToWork(_ key: PublicKey, signer: LockableSigner?) async throws -> AccountAtWork {
        guard !burning.contains(key) else { throw Trouble(AccountsWords.burning, canRetry: false) }
        // Another caller asked at the same time and was faster.
        if let there = atWork[key], there.signer != nil || signer == nil { return there }
        // An account that only read and now has its key: two of the same would deliver the same queue.
        let before = atWork.removeValue(forKey: key)
        let opened = try factory.open(key, signer: signer, passphrases: KeystorePassphrases(keystore))
        atWork[key] = opened
        comings.send(())
        await takeOverMediaServer(of: opened)
        arrive.yield { await opened.work.run() }
        await before?.work.stop()
        await givePlaceSource(to: opened)
        do {
            idle[key] = AutoLock(after: try await AutoLock.kept(in: opened.records), at: uptime.elapsed())
        } catch {
            log.error("when this account locks itself could not be read; it does not")
        }
        return opened
    }

    /// Gives a keystore's failures to the person in its own words.
    func spoken<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as KeystoreError { throw Trouble(error.sentence) }
    }

    /// Does what a typed passphrase opens, and refuses to look at one for a while after several wrong ones: whoever finds
    /// a page open is not to guess.
    func withTypedPassphrase<Value: Sendable>(of key: PublicKey, _ body: () async throws -> Value) async throws -> Value
    {
        if let wait = tries[key, default: PassphraseTries()].begin(at: uptime.elapsed()) {
            throw Trouble(SigningServiceError(.tooManyTries, wait: wait).sentence)
        }
        do {
            let value = try await body()
            tries[key] = nil
            return value
        } catch let error as KeystoreError {
            if error.code != .wrongPassphrase { tries[key]?.takeBack() }
            throw Trouble(error.sentence)
        } catch {
            tries[key]?.takeBack()
            throw error
        }
    }
}

/// The person of the simulated network that you can be.
struct DemoPerson: Sendable {
    let signer: LocalSigner
    let name: String

    var summary: AccountSummary { AccountSummary(key: signer.publicKey, name: name, custody: .demo) }
}

extension AccountSummary {
    fileprivate init(_ account: KeystoreAccount) {
        self.init(
            key: account.key, name: account.name, custody: Self.custody(account.kind),
            asksForPassphrase: account.asksForPassphrase)
    }

    private static func custody(_ kind: KeystoreAccount.Kind) -> Custody {
        switch kind {
        case .encrypted, .keyring: .key
        case .remote, .keyringRemote: .elsewhere
        case .browser: .browser
        case .readOnly: .readOnly
        }
    }
}
