import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("A key that is elsewhere", .timeLimit(.minutes(10)))
struct SlowKeyTests {
    /// Signs everything at once but events that say “slow”, which it never signs, and “late”, for which it takes ten seconds.
    private struct SlowKey: EndingSigner {
        let key = LocalSigner(TestPerson.alice.secretKey)
        let clock: ManualClock
        var publicKey: PublicKey { key.publicKey }
        var isLocked: Bool { key.isLocked }

        func lock() { key.lock() }

        func sign(_ draft: EventDraft) async throws -> Event {
            switch draft.content {
            case "slow": try await clock.sleep(for: .seconds(1_000_000))
            case "late": try await clock.sleep(for: .seconds(10))
            default: break
            }
            return try await key.sign(draft)
        }

        func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
            try await key.encrypt(plaintext, for: other, by: cipher)
        }

        func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
            try await key.decrypt(payload, from: other, by: cipher)
        }
    }

    /// Alice's signer with such a key, and an app that is paired with it.
    private struct Setting {
        let clock = ManualClock()
        let network: ScriptedNetwork
        let relay = rigRelay("one")
        let live: LiveSigner
        let app: TestApp

        init(mayBeLocked: Bool) async throws {
            network = ScriptedNetwork(clock: clock)
            let records = MemorySignerRecords(), now = Timestamp(seconds: SignerRig.start)
            var settings = SignerSettings()
            settings.relays = [relay]
            try await records.save(settings, of: TestPerson.alice.publicKey)
            try await records.save(
                SignerClient(
                    app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: now))
            let lock = LockableSigner(TestPerson.alice.publicKey)
            try lock.unlock(with: SlowKey(clock: clock))
            live = LiveSigner(
                signer: mayBeLocked ? lock : SlowKey(clock: clock), records: records, network: network,
                time: Time(clock: clock, now: { now }), minute: { 0 },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            app = await TestApp(.bob, on: try SignerRig(network: network), at: [relay])
        }

        func send(_ word: String) async throws {
            app.send(try await app.event("sign_event", [TestApp.note(word)], id: word), by: relay)
        }

        /// Waits until the key works on a request: its sleep, its deadline, and what the signer itself waits for.
        func waitForKey() async { await clock.waitForSleepers(4) }
    }

    @Test("one slow request holds up no other, and ends with an error", arguments: [false, true])
    func slow(mayBeLocked: Bool) async throws {
        let setting = try await Setting(mayBeLocked: mayBeLocked)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await setting.live.run() }
            defer { group.cancelAll() }
            try await setting.send("slow")
            try await setting.send("quick")
            #expect(try await setting.app.next().id == "quick")
            await setting.waitForKey()
            setting.clock.advance(by: .seconds(31))
            let answer = try await setting.app.next()
            #expect(answer.id == "slow" && answer.error == "The signer could not do it in time")
        }
    }

    @Test("what is worked on when relays are listened to no more is done and answered")
    func listeningEnds() async throws {
        let setting = try await Setting(mayBeLocked: true)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await setting.live.run() }
            defer { group.cancelAll() }
            try await setting.send("late")
            await setting.waitForKey()
            setting.network.endSubscriptions()
            // The signer gives its own back once it has heard of that, and goes on with the request.
            await setting.network.wait { setting.network.cancelled > 0 || !setting.app.answers.isEmpty }
            #expect(setting.network.cancelled == 1 && setting.app.answers.isEmpty)
            setting.clock.advance(by: .seconds(11))
            await setting.network.wait { !setting.app.answers.isEmpty }
            let answer = try await setting.app.read(try #require(setting.app.answers.first))
            #expect(answer.id == "late" && answer.error == nil)
        }
    }
}
