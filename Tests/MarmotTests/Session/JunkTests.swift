import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// The id of a circle is on every event of it: anybody can post under it, as much as they like.
@Suite("Junk that strangers post to a group's tag (MIP-03)") struct JunkTests {
    /// Bob, and a stranger who knows the group's tag and nothing else.
    private struct Attacked {
        var session: GroupSession
        var alice: MarmotGroup
        var now = noon
        var random = SeededRandom(seed: 9)
        var effects: [SessionEffect] = []

        init(limits: SessionLimits = SessionLimits()) throws {
            let circle = try Circle.open()
            session = GroupSession(circle.bob, now: noon, hasFreshKeys: true, limits: limits)
            alice = circle.alice
            apply(.caughtUp)
        }

        mutating func apply(_ input: SessionInput) {
            let more = session.receive(input, now: now, using: &random)
            effects += more
            // Relays answer at once, and have nothing else.
            for effect in more {
                switch effect {
                case .refetch: apply(.caughtUp)
                case .publish(let event): apply(.event(event))
                case .welcome(_, let id): apply(.welcomed(id))
                default: break
                }
            }
        }

        mutating func post(_ count: Int, ahead: Duration = .seconds(1)) throws {
            let id = try #require(session.nostrGroupIDs.first)
            for _ in 0..<count {
                let bytes = (0..<120).map { _ in UInt8.random(in: 0...255, using: &random) }
                let draft = EventDraft(
                    kind: .groupEvent, tags: [["h", id.hex], ["encoding", "base64"]],
                    content: Base64.encode(bytes.span), createdAt: now + ahead)
                apply(.event(Event(signing: draft, with: .generate(using: &random), using: &random)))
            }
        }

        mutating func pass(_ time: Duration) {
            now = now + time
            apply(.tick)
        }

        var notices: [GroupNotice] { effects.compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }
        var fetches: Int { effects.count { if case .refetch = $0 { true } else { false } } }
        var asksAdmins: Bool { effects.contains { if case .askReadmission = $0 { true } else { false } } }
        var texts: [String] {
            effects.compactMap { if case .message(let message) = $0 { message.rumor.content } else { nil } }
        }
    }

    @Test("a quiet group: nobody is out of step by it, it is counted, told, and keys are renewed in time")
    func quiet() throws {
        var attacked = try Attacked()
        for _ in 0..<(9 * 8) {
            try attacked.post(5)
            attacked.pass(.seconds(3 * 3600))
        }
        #expect(!attacked.session.isOutOfStep && !attacked.asksAdmins)
        #expect(attacked.notices == [.unread, .unread], "Once in each epoch.")
        #expect(attacked.session.unopenedCount == 5 * 9 * 8)
        let renewed = attacked.effects.count { if case .entered = $0 { true } else { false } }
        #expect(renewed == 1, "After seven days.")
        #expect(attacked.fetches <= 9 * 8 + 2)
    }

    @Test("a busy group: every line is read, and relays are asked once an hour at most")
    func busy() throws {
        var attacked = try Attacked()
        for number in 0..<12 {
            try attacked.post(30)
            attacked.pass(.seconds(60))
            let said = try attacked.alice.send(
                EventDraft(kind: 9, content: "\(number)", createdAt: attacked.now), now: attacked.now,
                using: &attacked.random)
            attacked.apply(.event(said.event))
        }
        #expect(attacked.texts == (0..<12).map(String.init))
        #expect(!attacked.session.isOutOfStep && !attacked.asksAdmins && attacked.fetches <= 2)
        #expect(attacked.session.unopenedCount == 12 * 30)
        #expect(attacked.session.waitingCount <= SessionLimits().waitingEvents)
    }

    @Test("what it pushes out of a member's reach is asked for again as soon as it may open")
    func pushedOut() throws {
        var limits = SessionLimits()
        limits.waitingEvents = 16
        var attacked = try Attacked(limits: limits)
        let commit = try attacked.alice.commit([], now: attacked.now, using: &attacked.random)
        try attacked.alice.merge(commit.commit)
        let early = try attacked.alice.send(
            EventDraft(kind: 9, content: "early", createdAt: attacked.now), now: attacked.now, using: &attacked.random)
        attacked.apply(.event(early.event))
        try attacked.post(20)
        let before = attacked.fetches
        attacked.apply(.event(commit.event))
        #expect(attacked.texts.isEmpty && attacked.fetches == before)
        attacked.pass(.seconds(5))
        #expect(attacked.fetches == before + 1)
        attacked.apply(.event(early.event))
        #expect(attacked.texts == ["early"])
    }

    @Test("what members wrote and cannot be read yet stays, however much comes, dated ahead or not")
    func stays() {
        var limits = SessionLimits()
        limits.waitingEvents = 4
        var told = Told(limits: limits)
        told.receive(1, at: 1, .incompleteCommit)
        for number in 2...9 as ClosedRange<UInt8> { told.receive(number, at: 2, .undecryptable) }
        for number in 10...19 as ClosedRange<UInt8> { told.receive(number, at: 900, .unripe) }
        #expect(told.convergence.state.waiting[id(1)] != nil && told.convergence.state.waiting.all.count == 4)
    }

    @Test("a member's word counts, and nobody else's")
    func word() throws {
        var attacked = try Attacked()
        try attacked.post(6)
        attacked.apply(.vouched(by: TestPerson.alice.publicKey, epoch: 2))
        #expect(attacked.fetches == 0, "Nobody asked.")
        attacked.pass(.seconds(31))
        #expect(attacked.effects.contains { if case .askMembers = $0 { true } else { false } })
        let before = attacked.fetches
        attacked.apply(.vouched(by: TestPerson.eve.publicKey, epoch: 9))
        attacked.apply(.vouched(by: TestPerson.bob.publicKey, epoch: 9))
        attacked.apply(.vouched(by: TestPerson.alice.publicKey, epoch: 1))
        #expect(attacked.fetches == before)
        attacked.apply(.vouched(by: TestPerson.alice.publicKey, epoch: 2))
        #expect(attacked.fetches == before + 1 && attacked.asksAdmins && attacked.session.isOutOfStep)
    }
}
