import AsyncPrimitives
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("a note under the pen")
struct ComposeStateTests {
    let own = FakeAuthor(1).key
    let ben = FakeAuthor(2).key

    @Test(
        "is not published while something is wrong with it",
        arguments: [
            ("", "nothing to publish"), (" \n\t", "nothing to publish"),
            (String(repeating: "a", count: ComposeState.longest + 1), "too long"),
            ("my key: nsec1" + String(repeating: "q", count: 58), "secret key"),
            ("nostr:NSEC1" + String(repeating: "Q", count: 58), "secret key"),
        ])
    func refuses(text: String, why: String) throws {
        var state = ComposeState(own: own)
        #expect(state.apply(.publish(ComposeState.Draft(text: text))).isEmpty)
        #expect(state.handedOver == nil)
        #expect(try #require(state.problem).contains(why))
        #expect(state.draft.text == text)
    }

    @Test("hands over what was written, with what it refers to")
    func hands() {
        let id = FakeWorld.plain(notes: 1).notes[0].id
        var state = ComposeState(replyTo: id, own: own)
        _ = state.apply(.publish(ComposeState.Draft(text: "  Hello.\n", warning: "bread")))
        #expect(state.handedOver == Composition(text: "Hello.", replyTo: id, contentWarning: "bread"))
    }

    @Test("may quote without a word")
    func quotes() {
        let id = FakeWorld.plain(notes: 1).notes[0].id
        var state = ComposeState(quote: id, own: own)
        _ = state.apply(.publish(ComposeState.Draft()))
        #expect(state.handedOver?.quote == id)
    }

    @Test(
        "writes people as nostr addresses where they were picked",
        arguments: [
            ("@Ben hello", "BEN hello"), ("(@Ben)", "(BEN)"), ("hi @Ben!", "hi BEN!"), ("mail@Ben", "mail@Ben"),
            ("@Benjamin", "@Benjamin"), ("@Ben @Ben", "BEN BEN"), ("@Other", "@Other"), ("@Ben Ott", "OTT"),
        ])
    func mentions(text: String, expected: String) {
        let ott = FakeAuthor(3).key
        let resolved = resolveMentions(text, ["Ben": ben, "Ben Ott": ott])
        let wanted = expected.replacing("BEN", with: "nostr:" + ben.npub).replacing("OTT", with: "nostr:" + ott.npub)
        #expect(resolved == wanted)
    }

    @Test("previews people by the name they were picked under")
    func previews() {
        var state = ComposeState(own: own)
        _ = state.apply(.preview(ComposeState.Draft(text: "Hi @Ben", mentions: ["Ben": ben])))
        #expect(state.preview == [.text("Hi "), .mention(ben, name: "Ben")])
        #expect(state.handedOver == nil)
    }

    @Test("reads the notes it refers to through an account")
    func related() async throws {
        let world = FakeWorld.plain(notes: 3)
        let account = FakeAccount(world)
        let state = await ScreenModel<ComposeState>(replyTo: world.notes[1].id, of: account).send(.opened(.init()))
        #expect(state.answered?.id == world.notes[1].id)
    }

    @Test(
        "completes people and emoji, and nothing else",
        arguments: [("@be", 1), (":heart", 8), ("@", 0), (":", 0), ("be", 0)])
    func completes(word: String, count: Int) async {
        let found = await Completion.matching(word, of: FakeAccount(.plain(notes: 0)))
        #expect(found.count == count)
    }
}

@Suite("notes held for a moment", .timeLimit(.minutes(1)))
struct OutgoingNotesTests {
    let account = FakeAccount(.plain(notes: 1))
    let clock = HandClock()

    private func outgoing() -> OutgoingNotes { OutgoingNotes(time: clock.time, name: { clock.name() }) }

    private func hold(_ text: String, in outgoing: OutgoingNotes, signsAtOnce: Bool = false) async -> String {
        await outgoing.hold(
            Composition(text: text), draft: .init(text: text), signsAtOnce: signsAtOnce, of: account)
    }

    /// Runs, second by second, until so many notes were handed to the account.
    private func running(
        _ outgoing: OutgoingNotes, untilAttempt count: Int, _ body: @Sendable () async -> Void = {}
    ) async {
        await withTaskGroup { group in
            group.addTask { await outgoing.run() }
            group.addTask { while !Task.isCancelled { await clock.pass(.seconds(1)) } }
            await body()
            for await attempts in account.attempts.values() where attempts >= count { break }
            group.cancelAll()
        }
    }

    @Test("go out when their time is over, not before")
    func due() async {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing)
        let due = clock.now + .seconds(10)
        #expect(await outgoing.standing(id) == .held(until: due))
        await running(outgoing, untilAttempt: 1)
        #expect(await account.published.map(\.text) == ["Hello."])
        #expect(clock.now >= due)
    }

    @Test("can be taken back, and then never go out")
    func undo() async {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing)
        #expect(await outgoing.undo(id, of: account.publicKey)?.draft.text == "Hello.")
        #expect(await outgoing.undo(id, of: account.publicKey) == nil)
        await running(outgoing, untilAttempt: 1) { _ = await hold("Hello, everybody.", in: outgoing) }
        await outgoing.publishAll()
        #expect(await account.published.map(\.text) == ["Hello, everybody."])
    }

    @Test("may be sent before their time is over")
    func hastened() async {
        let outgoing = outgoing()
        await running(outgoing, untilAttempt: 1) {
            let id = await hold("Now.", in: outgoing)
            await outgoing.hasten(id)
        }
        #expect(await account.published.map(\.text) == ["Now."])
    }

    @Test("go out at once when the program ends")
    func ends() async {
        let outgoing = outgoing()
        _ = await hold("Last words.", in: outgoing)
        await outgoing.publishAll()
        #expect(await account.published.map(\.text) == ["Last words."])
    }

    @Test("keep their text when they could not be published")
    func fails() async {
        let outgoing = outgoing()
        await account.refuse(with: Trouble("No key."))
        let id = await hold("Hello.", in: outgoing)
        await running(outgoing, untilAttempt: 1)
        #expect(await outgoing.standing(id) == .failed(Trouble("No key.")))
        #expect(await outgoing.undo(id, of: account.publicKey)?.draft.text == "Hello.")
    }

    @Test("are too late to undo once published")
    func late() async {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing)
        await outgoing.publishNow(id)
        #expect(await outgoing.undo(id, of: account.publicKey) == nil)
    }

    @Test("rest in the publish queue until their time when they are signed at once")
    func durable() async throws {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing, signsAtOnce: true)
        let due = clock.now + .seconds(10)
        #expect(await outgoing.standing(id) == .held(until: due))
        #expect(await account.held.values.map { $0 } == [due])
        await running(outgoing, untilAttempt: 2)
        let note = try #require(await account.notes.first?.id)
        #expect(await outgoing.standing(id) == .published(note))
        #expect(await account.held.isEmpty)
        #expect(await account.published.map(\.text) == ["Hello."])
        #expect(await outgoing.undo(id, of: account.publicKey) == nil)
    }

    @Test("that are not signed yet rest with the account, are taken up after a restart, and can still be taken back")
    func takenUp() async {
        let before = outgoing()
        let id = await hold("Hello.", in: before)
        let due = clock.now + .seconds(10)
        let after = outgoing()
        #expect(await after.standing(id) == nil)
        #expect(await after.waiting(of: account) == id)
        #expect(await after.standing(id) == .held(until: due))
        #expect(await after.undo(id, of: FakeAuthor(2).key) == nil)
        #expect(await after.undo(id, of: account.publicKey)?.draft.text == "Hello.")
        #expect(await after.waiting(of: account) == nil)
        await before.publishAll()
        #expect(await account.published.isEmpty)
    }

    @Test("that failed can be tried again")
    func again() async throws {
        let outgoing = outgoing()
        await account.refuse(with: Trouble("No answer."))
        let id = await hold("Hello.", in: outgoing)
        await outgoing.publishNow(id)
        #expect(await outgoing.standing(id) == .failed(Trouble("No answer.")))
        await account.refuse(with: nil)
        await outgoing.publishNow(id)
        let note = try #require(await account.notes.first?.id)
        #expect(await outgoing.standing(id) == .published(note))
        await outgoing.publishNow(id)
        #expect(await account.published.count == 1)
    }

    @Test("that failed do not look so any more once they are handed over anew")
    func retried() async {
        let outgoing = outgoing()
        await account.refuse(with: Trouble("No answer."))
        let id = await hold("Hello.", in: outgoing)
        await outgoing.publishNow(id)
        #expect(await outgoing.standing(id) == .failed(Trouble("No answer.")))
        await outgoing.hasten(id)
        #expect(await outgoing.standing(id) == .publishing)
    }

    @Test("are published only when a relay has them, and refused when none took them")
    func receipts() async throws {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing)
        let later = PublishReceipt.State.waiting(attempts: 1, next: clock.now + .seconds(60))
        let given = PublishReceipt.State.givenUp(.said("blocked: no"), attempts: 8)
        await account.answer(with: [later, given])
        await outgoing.publishNow(id)
        let note = try #require(await account.notes.first?.id)
        #expect(await outgoing.standing(id) == .queued(note))
        await account.answer(with: [later, .accepted(clock.now)])
        #expect(await outgoing.standing(id) == .published(note))
        await account.answer(with: [given, given])
        #expect(await outgoing.standing(id) == .refused(note))
        await account.answer(with: [])
        #expect(await outgoing.standing(id) == .queued(note))
        #expect(await outgoing.undo(id, of: account.publicKey) == nil)
    }

    @Test("written while the key is locked wait for it on disk, and go out when it is unlocked")
    func locked() async throws {
        let outgoing = outgoing()
        await account.refuse(with: SigningFailure.locked)
        // The page took the key for open.
        let id = await hold("Hello.", in: outgoing, signsAtOnce: true)
        #expect(await outgoing.standing(id) == .held(until: clock.now + .seconds(10)))
        await outgoing.publishNow(id)
        #expect(await outgoing.standing(id) == .waitingForKey)
        #expect(await self.outgoing().waiting(of: account) == id)
        await account.refuse(with: nil)
        #expect(try await account.unsigned?.publish(id) == account.notes.first?.id)
        let note = try #require(await account.notes.first?.id)
        #expect(await outgoing.standing(id) == .published(note))
    }

    @Test("of one account whose signer does not answer hold up nobody else's")
    func sideBySide() async {
        let (outgoing, silent) = (outgoing(), FakeAccount(.of(FakeAuthor(7), named: "Silent")))
        await silent.begin(WorkInProgress(bits: 20, hashes: 0, rate: 1, remaining: .seconds(120)))
        let first = await outgoing.hold(
            Composition(text: "Never."), draft: .init(text: "Never."), of: silent)
        _ = await hold("Hello.", in: outgoing)
        await withTaskGroup { group in
            group.addTask { await outgoing.run() }
            group.addTask { while !Task.isCancelled { await clock.pass(.seconds(1)) } }
            await silent.workIsAwaited()
            for await attempts in account.attempts.values() where attempts >= 1 { break }
            #expect(await silent.published.isEmpty)
            #expect(await outgoing.standing(first) == .publishing)
            await silent.skip()
            group.cancelAll()
        }
        #expect(await account.published.map(\.text) == ["Hello."])
    }

    @Test("that are handed over while another waits for its signer leave that one as it is")
    func manyMeanwhile() async throws {
        let (outgoing, silent) = (outgoing(), FakeAccount(.of(FakeAuthor(7), named: "Silent")))
        await silent.begin(WorkInProgress(bits: 20, hashes: 0, rate: 1, remaining: .seconds(120)))
        let first = await outgoing.hold(Composition(text: "Late."), draft: .init(text: "Late."), of: silent)
        await withTaskGroup { group in
            group.addTask { await outgoing.publishNow(first) }
            await silent.workIsAwaited()
            // Enough that the table they rest in moves.
            for number in 1...50 { _ = await hold("Note \(number).", in: outgoing) }
            #expect(await outgoing.standing(first) == .publishing)
            await silent.skip()
        }
        #expect(await silent.published.map(\.text) == ["Late."])
        let note = try #require(await silent.notes.first?.id)
        #expect(await outgoing.standing(first) == .published(note))
        #expect(await account.published.isEmpty)
    }

    @Test("that were signed at once are taken out of the queue, too")
    func undoDurable() async {
        let outgoing = outgoing()
        let id = await hold("Hello.", in: outgoing, signsAtOnce: true)
        #expect(await outgoing.undo(id, of: account.publicKey)?.draft.text == "Hello.")
        #expect(await account.held.isEmpty)
        #expect(await account.published.isEmpty)
    }

    @Test("that cannot be signed at once say so at once, and keep their text")
    func refusedDurable() async {
        let outgoing = outgoing()
        await account.refuse(with: Trouble("No key."))
        let id = await hold("Hello.", in: outgoing, signsAtOnce: true)
        #expect(await outgoing.standing(id) == .failed(Trouble("No key.")))
        #expect(await outgoing.undo(id, of: account.publicKey)?.draft.text == "Hello.")
    }
}
