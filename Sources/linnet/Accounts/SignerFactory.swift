import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import SQLiteStorage

/// Where accounts sign for other apps: the records of all of them, and the sockets.
///
/// Each signer has connections of its own: relays that carry requests learn nothing of what an account reads.
struct SignerFactory: Sendable {
    let records: SQLiteSignerRecords
    private let transport: any NamingTransport
    private let relays: [RelayURL]
    /// What a signer bears, waits and keeps.
    var configuration = SignerConfiguration()

    /// Opens the records.
    ///
    /// - Parameter relays: where a signer listens whose owner has said nothing.
    init(_ directory: DataDirectory, transport: any NamingTransport, relays: [RelayURL]) throws {
        var defaults = SignerSettings()
        defaults.relays = relays
        records = try SQLiteSignerRecords(path: directory.signer, defaults: defaults)
        self.transport = transport
        self.relays = relays
    }

    /// Lets signers that listen on none of the relays that are there listen on these: the simulated network may have moved.
    func moveToRelays(among known: Set<RelayURL>) async throws {
        for account in try await records.accounts() {
            var settings = try await records.settings(of: account)
            guard known.isDisjoint(with: settings.relays) else { continue }
            settings.relays = relays
            try await records.save(settings, of: account)
        }
    }

    /// Puts an account's signer together; nothing runs yet.
    ///
    /// - Parameter passphrases: checks the passphrase of its key, where the key has one.
    func open(
        _ signer: LockableSigner, of account: LiveAccount, passphrases: (any PassphraseChecking)? = nil
    ) -> SignerAtWork {
        let authenticator = SignerRelaysOnly(signer: signer)
        let pool = RelayPool(
            transport: transport.naming { await authenticator.isNamed($0) }, blocked: account.blockedRelays,
            settings: .signer,
            authenticator: authenticator, wall: { .current },
            logger: Logger(label: "linnet.signer.relays"))
        let service = LiveSigner(
            signer: signer, records: records, network: pool, versions: AccountVersions(account: account),
            passphrases: passphrases,
            configuration: configuration, time: Time(clock: ContinuousClock(), now: { .current }),
            minute: { Timestamp.minuteOfDay },
            logger: Logger(label: "linnet.signer"))
        authenticator.serve(service)
        return SignerAtWork(service: service, pool: pool)
    }

    /// Writes everything into the file.
    func close() throws {
        try records.close()
    }
}

/// One account's signer and its connections.
struct SignerAtWork: Sendable {
    let service: LiveSigner
    let pool: RelayPool

    /// Works until cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await service.run() }
        }
    }

    /// The key is there: what waited for it is tried again, and relays that asked who we are are answered.
    func keyDidUnlock() async {
        for relay in await pool.statistics().keys { await pool.refreshConsent(of: relay) }
        service.keyDidUnlock()
    }
}

extension PoolSettings {
    /// For relays that requests come by: an app waits, so one that comes and goes is met again within seconds.
    static var signer: PoolSettings {
        var settings = PoolSettings()
        settings.retries.longest = .seconds(15)
        settings.retries.afterRefusal = .seconds(5)
        settings.retries.stableAfter = .seconds(5)
        return settings
    }
}

extension AccountConfiguration {
    /// Where a signer listens whose owner has said nothing: relays that take everybody's events, three at most.
    var signerRelays: [RelayURL] { Array(routing.fallback.prefix(3)) }
}
