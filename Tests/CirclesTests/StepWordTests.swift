import AccountTesting
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles
@testable import Marmot
@testable import NostrClient

/// Who lost step, and who only sees what strangers post.
@Suite(.timeLimit(.minutes(10)))
struct StepWordTests {
    let bench = MailBench.withCircles()

    /// Alice's circle, with Bob in it.
    private func found(_ alice: MailPerson, _ bob: MailPerson) async throws -> CircleID {
        let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
        try await bench.join(bob, id, of: alice)
        return id
    }

    private func people() async throws -> (alice: MailPerson, bob: MailPerson) {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        for person in [alice, bob] { try await person.unlock() }
        return (alice, bob)
    }

    /// What anybody can post who saw the group's tag.
    private func junk(_ count: Int, in id: CircleID, of person: MailPerson) async throws {
        let tag = try #require(await person.circles.store.circles[id]?.session?.nostrGroupIDs.first)
        var random = SeededRandom(seed: 5)
        for number in 0..<count {
            let draft = EventDraft(
                kind: .groupEvent, tags: [["h", tag.hex]],
                content: Base64.encode([UInt8](repeating: 7, count: 60).span),
                createdAt: bench.now + .seconds(Int64(1 + number % 60)))
            bench.network.arrive(
                Event(signing: draft, with: .generate(using: &random), using: &random), on: relay("circle"))
        }
    }

    @Test("who asks and is behind is told by a member, and asks the admins to be let in again")
    func behind() async throws {
        let (alice, bob) = try await people()
        try await bench.running(alice, bob) {
            let id = try await found(alice, bob)
            // Bob's own change of keys comes first: two changes of the same epoch would be two branches.
            try await bench.eventually("bob has keys of his own") {
                bench.clock.advance(by: .seconds(1))
                return try await alice.circles.store.circles[id]?.session?.epoch == 2
            }
            // A change that no relay has any more.
            _ = try await alice.circles.store.step(id) { session, now, random in
                for effect in try session.change(.freshKeys, now: now, using: &random) {
                    guard case .publish(let event) = effect else { continue }
                    _ = session.receive(.event(event), now: now, using: &random)
                }
                return []
            }
            // What cannot be read has him ask; it may be a stranger's, so that only the answer puts him out of step.
            try await junk(6, in: id, of: bob)
            try await bench.eventually("bob knows") {
                bench.clock.advance(by: .seconds(1))
                return try await bob.circles.reader.health(of: id).isOutOfStep
            }
            try await bench.eventually("alice is asked") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 1).requests.contains {
                    $0.id == bob.key && $0.isReadmission
                }
            }
            for person in [alice, bob] {
                #expect(try await person.lines(id).isEmpty, "It is no line of the chat.")
            }
        }
    }

    @Test("junk is counted and shown, and stops nothing")
    func junk() async throws {
        let (alice, bob) = try await people()
        try await bench.running(alice, bob) {
            let id = try await found(alice, bob)
            try await junk(300, in: id, of: bob)
            try await alice.circles.messaging.send("hello", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id) == ["hello"] }
            try await bench.eventually("it is counted") {
                try await bob.circles.reader.health(of: id).unopened == 300
            }
            #expect(try await !bob.circles.reader.health(of: id).isOutOfStep)
            #expect(try await bob.circles.reader.page(of: id, before: nil, limit: 1).warning == nil)
        }
    }

    @Test("a word is read as it was written, and nothing else is one")
    func wire() throws {
        let id = try #require(CircleID([1, 2, 3]))
        let rumor = StepWord.rumor(for: id, epoch: .max, by: TestPerson.alice.publicKey, now: bench.now)
        let word = try #require(StepWord(rumor))
        #expect(word.circle == id && word.epoch == .max && word.author == TestPerson.alice.publicKey)
        Noise.run(Array(rumor.content.utf8), rounds: 500) { bytes in
            let draft = EventDraft(
                kind: JoinRequest.kind, content: String(decoding: bytes, as: UTF8.self), createdAt: bench.now)
            _ = StepWord(Rumor(draft, author: TestPerson.alice.publicKey))
        }
        let other = Rumor(
            EventDraft(kind: .welcome, content: rumor.content, createdAt: bench.now), author: rumor.pubkey)
        #expect(StepWord(other) == nil)
    }
}
