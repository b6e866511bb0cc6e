import AccountTesting
import AsyncPrimitives
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import NostrClient

/// Notes whose key is elsewhere, or into which work goes: no crash loses them, publishes them early, or twice.
@Suite(.timeLimit(.minutes(10)))
struct UnsignedNoteTests {
    private let records = MemoryRecordStore()
    private let person = TestPerson.alice
    private static let tables = ["unsigned", "unsigned-box", "unsigned-open"]

    private func moment(_ offset: Int64) -> Timestamp { Timestamp(seconds: seconds(offset)) }

    /// The account as a start of the program makes it, over what the last one left.
    private func start(_ signer: SlowSigner = SlowSigner()) async -> Start {
        let bench = AccountBench(records: records)
        bench.layOutPeople()
        let account = bench.account(signer: signer, records: records)
        return Start(bench: bench, signer: signer, account: account, keeper: account.services.unsigned)
    }

    /// Whether nothing of it is on disk any more but what is in the publish queue.
    private func nothingWaits() async throws -> Bool {
        for table in Self.tables where try await !records.records(in: table).isEmpty { return false }
        return true
    }

    @Test("what became of notes is remembered for the last of them only")
    func remembersTheLast() async throws {
        let first = await start()
        func takeBack(_ id: String) async throws {
            try await first.keeper.hold(Composition(text: id), as: id, until: moment(10), keptAs: nil)
            #expect(try await first.keeper.cancel(id))
        }
        try await takeBack("one")
        try await first.hold("again", until: moment(10))
        #expect(await first.keeper.waiting().isEmpty)
        for number in 0..<256 { try await takeBack("note \(number)") }
        try await first.hold("again", until: moment(10))
        #expect(await first.keeper.waiting().map(\.id) == ["one"])
    }

    @Test("a note that was only held is published once after a crash, not before its time", arguments: [true, false])
    func crashWhileHeld(isUnlocked: Bool) async throws {
        let first = await start()
        if isUnlocked { await first.account.keyDidUnlock() }
        try await first.hold("planted later", until: moment(10))
        for table in ["unsigned", "unsigned-open"] {
            for record in try await records.records(in: table) {
                let isReadable = String(decoding: record.value, as: UTF8.self).contains("planted")
                #expect(isReadable == !isUnlocked)
            }
        }
        let again = await start()
        try await again.running {
            try await again.eventually("it was read back") { await again.keeper.waiting().map(\.id) == ["one"] }
            #expect(again.signer.asked.value == 0)
            try await again.eventually("it is delivered") {
                // It may only be about to sleep.
                again.bench.clock.advance(by: .seconds(11))
                return again.offered == ["planted later"]
            }
        }
        #expect(try await nothingWaits())
        let third = await start()
        await third.account.keyDidUnlock()
        #expect(await third.keeper.waiting().isEmpty)
        #expect(try await !third.account.publishing.receipts(for: #require(again.published)).isEmpty)
    }

    @Test("a note that is typed while the key is locked rests sealed, is counted, and goes out after the unlock")
    func typedWhileLocked() async throws {
        let first = await start()
        await first.account.keyDidUnlock()
        await first.account.keyDidLock()
        try await first.hold("planted under lock", until: moment(0))
        // The page it was typed on still knows it.
        #expect(await first.keeper.waiting().map(\.id) == ["one"])
        #expect(try await first.keeper.sealedCount() == 0)
        for record in try await records.records(in: "unsigned-box") {
            #expect(!String(decoding: record.value, as: UTF8.self).contains("planted"))
        }
        #expect(try await records.records(in: "unsigned-open").isEmpty)
        let again = await start()
        #expect(await again.keeper.waiting().isEmpty)
        #expect(try await again.keeper.sealedCount() == 1)
        let third = await start()
        try await third.running {
            await third.account.keyDidUnlock()
            try await third.eventually("it is delivered") { third.offered == ["planted under lock"] }
        }
        #expect(try await nothingWaits())
    }

    @Test("what rests readable from before there was a vault is sealed at the first unlock, and goes out once")
    func sealedAtUnlock() async throws {
        let first = await start()
        try await first.hold("planted in the open", until: moment(10))
        #expect(try await records.records(in: "unsigned-open").count == 1)
        await first.account.keyDidUnlock()
        #expect(try await records.records(in: "unsigned-open").isEmpty)
        #expect(try await records.records(in: "unsigned").count == 1)
        #expect(await first.keeper.waiting().map(\.id) == ["one"])
        let again = await start()
        try await again.running {
            await again.account.keyDidUnlock()
            again.bench.clock.advance(by: .seconds(11))
            try await again.eventually("it is delivered") {
                again.bench.clock.advance(by: .seconds(11))
                return again.offered == ["planted in the open"]
            }
        }
        #expect(try await nothingWaits())
    }

    @Test("a key that somebody else put on the disk is replaced at the next unlock")
    func foreignBoxKey() async throws {
        let first = await start()
        await first.account.keyDidUnlock()
        let own = try #require(await records.value("public", in: "unsigned-box-key"))
        try await records.apply([
            .put(table: "unsigned-box-key", key: "public", value: [UInt8](repeating: 9, count: 32))
        ])
        let again = await start()
        await again.account.keyDidUnlock()
        #expect(await records.value("public", in: "unsigned-box-key") == own)
    }

    @Test("a note whose signer was being asked is asked for again after a crash, and goes out once")
    func crashWhileSigning() async throws {
        let first = await start(SlowSigner(answers: false))
        try await first.hold("slow", until: moment(0))
        try await first.running {
            try await first.eventually("the signer is asked") { first.signer.asked.value == 1 }
            #expect(try await first.keeper.cancel("one") == false)
        }
        #expect(first.offered.isEmpty)
        let again = await start()
        try await again.running {
            try await again.eventually("it is delivered") { again.offered == ["slow"] }
            #expect(again.signer.asked.value == 1)
        }
        #expect(try await nothingWaits())
    }

    @Test("a note that is taken back is gone, here and on disk", arguments: [true, false])
    func takenBack(isUnlocked: Bool) async throws {
        let first = await start()
        if isUnlocked { await first.account.keyDidUnlock() }
        try await first.hold("never", until: moment(10))
        #expect(try await first.keeper.cancel("one"))
        #expect(try await first.keeper.cancel("one") == false)
        #expect(try await nothingWaits())
        await #expect(throws: (any Error).self) { try await first.keeper.publish("one") }
        let again = await start()
        await again.account.keyDidUnlock()
        #expect(await again.keeper.waiting().isEmpty)
    }

    @Test("work that a crash cut short is done after the next start")
    func work() async throws {
        let first = await start()
        try await first.account.mining.setPolicy(WorkPolicy(notes: 6, reactions: 0, wraps: 0))
        try await first.hold("hard won", until: moment(0))
        let again = await start()
        try await again.running {
            try await again.eventually("it is delivered") { again.offered == ["hard won"] }
        }
        let note = try #require(again.bench.network.offers.map(\.event).first { $0.kind == 1 })
        #expect(note.tags.contains { $0.name == "nonce" })
    }

    @Test("who publishes a note while it is being published gets the same one")
    func twice() async throws {
        let first = await start(SlowSigner(answers: false))
        try await first.hold("once", until: moment(10))
        async let one = first.keeper.publish("one")
        async let two = first.keeper.publish("one")
        await first.signer.isAsked(times: 1)
        first.signer.answer()
        #expect(try await one == two)
        #expect(try await first.keeper.publish("one") == one)
        #expect(first.signer.asked.value == 1)
        #expect(try await records.records(in: "publish").count == 1)
    }

    @Test("a signer that cannot be asked is asked again when it returns; one that said no is not")
    func returns() async throws {
        let first = await start(SlowSigner(failing: .unreachable))
        try await first.hold("patient", until: moment(0))
        try await first.running {
            try await first.eventually("it was tried") { await first.failure == .unreachable }
            first.signer.fail(.refused)
            await first.account.signerDidReturn()
            try await first.eventually("it was refused") { await first.failure == .refused }
            let asked = first.signer.asked.value
            first.signer.fail(nil)
            await first.account.signerDidReturn()
            #expect(await first.failure == .refused)
            #expect(first.signer.asked.value == asked)
            _ = try await first.keeper.publish("one")
            try await first.eventually("it is delivered") { first.offered == ["patient"] }
        }
    }

    @Test("what rests sealed is forgotten while the account is locked, and goes on after the unlock")
    func locked() async throws {
        let first = await start()
        await first.account.keyDidUnlock()
        try await first.hold("sealed", until: moment(10))
        await first.account.keyDidLock()
        #expect(await first.keeper.waiting().isEmpty)
        await first.account.keyDidUnlock()
        #expect(await first.keeper.waiting().map(\.composition.text) == ["sealed"])
    }

    @Test("a record is read back as it was written, and noise is no note")
    func record() throws {
        let id = TestPerson.bob.event("x").id
        var composition = Composition(text: "t\n\"é", replyTo: id, quote: id, contentWarning: "")
        composition.client = "Linnet"
        let note = UnsignedNote(id: "n", composition: composition, notBefore: moment(3), keptAs: "draft")
        #expect(UnsignedNoteRecord(UnsignedNoteRecord(note).bytes)?.note == note)
        var random = SeededRandom(seed: 9)
        for length in 0..<200 { #expect(UnsignedNoteRecord(randomBytes(length, using: &random)) == nil) }
    }
}

/// One start of the program.
private struct Start {
    let bench: AccountBench
    let signer: SlowSigner
    let account: LiveAccount
    let keeper: UnsignedNotes

    func hold(_ text: String, until moment: Timestamp) async throws {
        try await keeper.hold(Composition(text: text), as: "one", until: moment, keptAs: nil)
    }

    /// The texts of the notes that were offered to relays.
    var offered: Set<String> {
        Set(bench.network.offers.map(\.event).filter { $0.kind == 1 }.map(\.content))
    }

    var published: EventID? { bench.network.offers.map(\.event).first { $0.kind == 1 }?.id }

    var failure: SigningFailure? {
        get async {
            guard case .failed(let error)? = await keeper.standing(of: "one") else { return nil }
            return error as? SigningFailure
        }
    }

    func running(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { await account.run() }
            try await body()
            group.cancelAll()
        }
    }

    func eventually(_ what: Testing.Comment, _ holds: () async throws -> Bool) async throws {
        try await bench.eventually(what, holds)
    }
}

/// A signer that signs notes when it is told to, and everything else at once.
private final class SlowSigner: EventSigner {
    private let inner = LocalSigner(TestPerson.alice.secretKey, random: SeededRandom(seed: 6))
    private let answering: CurrentValue<Bool>
    private let failing: CurrentValue<SigningFailure?>
    /// How many notes it was asked to sign.
    let asked = CurrentValue(0)

    init(answers: Bool = true, failing failure: SigningFailure? = nil) {
        answering = CurrentValue(answers)
        failing = CurrentValue(failure)
    }

    var publicKey: PublicKey { inner.publicKey }

    func answer() { answering.set(true) }
    func fail(_ failure: SigningFailure?) { failing.set(failure) }

    func isAsked(times: Int) async {
        for await count in asked.values() where count >= times { return }
    }

    func sign(_ draft: EventDraft) async throws -> Event {
        guard draft.kind == 1 else { return try await inner.sign(draft) }
        asked.set(asked.value + 1)
        if let failure = failing.value { throw failure }
        for await answers in answering.values() where answers { return try await inner.sign(draft) }
        throw CancellationError()
    }

    func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await inner.encrypt(plaintext, for: other, by: cipher)
    }

    func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await inner.decrypt(payload, from: other, by: cipher)
    }

    func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        try await inner.open(wraps)
    }
}
