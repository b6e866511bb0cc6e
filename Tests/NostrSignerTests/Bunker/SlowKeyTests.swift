import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("A key that is elsewhere", .timeLimit(.minutes(10)))
struct SlowKeyTests {
    /// Signs everything at once but events that say “slow”, which it never signs.
    private struct SlowKey: EndingSigner {
        let key = LocalSigner(TestPerson.alice.secretKey)
        let clock: ManualClock
        var publicKey: PublicKey { key.publicKey }
        var isLocked: Bool { key.isLocked }

        func lock() { key.lock() }

        func sign(_ draft: EventDraft) async throws -> Event {
            if draft.content == "slow" { try await clock.sleep(for: .seconds(1_000_000)) }
            return try await key.sign(draft)
        }

        func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
            try await key.encrypt(plaintext, for: other, by: cipher)
        }

        func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
            try await key.decrypt(payload, from: other, by: cipher)
        }
    }

    @Test("one slow request holds up no other, and ends with an error", arguments: [false, true])
    func slow(mayBeLocked: Bool) async throws {
        let clock = ManualClock(), network = ScriptedNetwork(clock: clock), records = MemorySignerRecords()
        let relay = rigRelay("one"), now = Timestamp(seconds: SignerRig.start)
        var settings = SignerSettings()
        settings.relays = [relay]
        try await records.save(settings, of: TestPerson.alice.publicKey)
        try await records.save(
            SignerClient(app: .remote(TestPerson.bob.publicKey), account: TestPerson.alice.publicKey, connected: now))
        let lock = LockableSigner(TestPerson.alice.publicKey)
        try lock.unlock(with: SlowKey(clock: clock))
        let live = LiveSigner(
            signer: mayBeLocked ? lock : SlowKey(clock: clock), records: records, network: network,
            time: Time(clock: clock, now: { now }), minute: { 0 },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let app = await TestApp(.bob, on: try SignerRig(network: network), at: [relay])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await live.run() }
            defer { group.cancelAll() }
            app.send(try await app.event("sign_event", [TestApp.note("slow")], id: "slow"), by: relay)
            app.send(try await app.event("sign_event", [TestApp.note("quick")], id: "quick"), by: relay)
            #expect(try await app.next().id == "quick")
            // Its sleep, its deadline, and what the signer itself waits for.
            await clock.waitForSleepers(4)
            clock.advance(by: .seconds(31))
            let answer = try await app.next()
            #expect(answer.id == "slow" && answer.error == "The signer could not do it in time")
        }
    }
}
