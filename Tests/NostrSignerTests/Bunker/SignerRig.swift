import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Synchronization

/// Alice's signer on scripted relays, with a clock that stands still.
final class SignerRig: Sendable {
    static let start: Int64 = 1_700_000_000
    let clock = ManualClock()
    let moment = MovableMoment(Timestamp(seconds: start))
    let network: ScriptedNetwork
    let records: any SignerRecords
    let key = LockableSigner(TestPerson.alice.publicKey)
    let versions = ScriptedVersions()
    let live: LiveSigner
    let own = [rigRelay("one"), rigRelay("two")]

    init(
        records: any SignerRecords = MemorySignerRecords(), network: ScriptedNetwork? = nil,
        isLocked: Bool = false, passphrases: (any PassphraseChecking)? = nil, minute: Int = 600,
        change: (inout SignerConfiguration) -> Void = { _ in }
    ) throws {
        self.network = network ?? ScriptedNetwork(clock: clock)
        self.records = records
        var configuration = SignerConfiguration()
        change(&configuration)
        if !isLocked { try key.unlock(with: LocalSigner(TestPerson.alice.secretKey)) }
        live = LiveSigner(
            signer: key, records: records, network: self.network, versions: versions,
            passphrases: passphrases, configuration: configuration,
            time: Time(clock: clock, now: { [moment] in moment.now }), minute: { minute },
            random: SeededRandom(seed: 7),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// With relays of its own.
    func listening() async throws -> SignerRig {
        var settings = try await live.settings()
        settings.relays = own
        try await live.setSettings(settings)
        return self
    }

    /// Runs the signer while something is tried out.
    func running<Value: Sendable>(_ body: @Sendable (SignerRig) async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.live.run() }
            defer { group.cancelAll() }
            return try await body(self)
        }
    }

    /// Waits until something is so, looking again whenever the signer tells of a change.
    func wait(
        on changes: AsyncStream<SigningChange>, until isTrue: () async throws -> Bool
    ) async throws {
        if try await isTrue() { return }
        for await _ in changes {
            if try await isTrue() { return }
        }
    }

    /// An app that is paired.
    func pairedApp(
        _ person: TestPerson = .bob, trust: TrustLevel = .medium, _ change: (inout SignerClient) -> Void = { _ in }
    ) async throws -> TestApp {
        let app = await TestApp(person, on: self)
        let secret = try await live.invitation().uri.secret ?? ""
        _ = try await app.ask(.connect, [TestPerson.alice.publicKey.hex, secret])
        guard var client = try await live.client(.remote(person.publicKey)) else { throw RigError.notPaired }
        client.trust = trust
        change(&client)
        try await live.update(client)
        return app
    }
}

enum RigError: Error { case notPaired, noAnswer }

func rigRelay(_ name: String) -> RelayURL {
    do { return try RelayURL("wss://\(name).example") } catch { preconditionFailure("no relay: \(error)") }
}
