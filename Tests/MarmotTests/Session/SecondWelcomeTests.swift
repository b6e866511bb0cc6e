import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// What a Welcome is to who is in the group already.
@Suite("A second Welcome (MIP-02, MIP-03)") struct SecondWelcomeTests {
    private static let alice = TestPerson.alice.publicKey
    private static let entry = GroupEntry(inviter: alice, writtenAt: noon)

    /// A Welcome to Alice's circle for Dave; only who wrote it and when is looked at.
    private func welcome(by inviter: TestPerson, at moment: Timestamp) throws -> WelcomeRumor {
        var random = SystemRandomNumberGenerator()
        var alice = try Circle.open().alice
        let dave = try TestPerson.dave.keyPackage()
        let made = try alice.commit(alice.adding([dave.published]), now: noon, using: &random)
        let relays = [try RelayURL("wss://relay.example.com")]
        return try WelcomeRumor(
            WelcomeRumor.rumor(
                #require(made.welcome), for: dave.published, by: inviter.publicKey, relays: relays, now: moment))
    }

    /// Bob in Alice's circle, who is told that others cannot be read, if so.
    private func bob(isApart: Bool) throws -> GroupSession {
        var session = GroupSession(try Circle.open().bob, now: noon, hasFreshKeys: true)
        if isApart { session.convergence.state.stall.stage = .unreadable }
        return session
    }

    @Test(
        "it is followed if the same admin wrote it later, or if one is told to be apart; others are kept",
        arguments: [
            (TestPerson.alice, 5, false, SecondWelcome.enter), (.alice, -5, false, .keep), (.alice, 0, false, .drop),
            (.carol, 5, false, .drop), (.carol, 5, true, .drop), (.alice, 5, true, .enter), (.alice, -5, true, .keep),
        ] as [(TestPerson, Int64, Bool, SecondWelcome)])
    func judged(_ inviter: TestPerson, _ later: Int64, _ isApart: Bool, _ expected: SecondWelcome) throws {
        let welcome = try welcome(by: inviter, at: noon + .seconds(later))
        #expect(try bob(isApart: isApart).judge(welcome, enteredBy: Self.entry) == expected)
    }

    @Test("another admin's is kept, and followed by who is told to be apart")
    func otherAdmin() throws {
        let welcome = try welcome(by: .alice, at: noon + .seconds(5))
        let entry = GroupEntry(inviter: TestPerson.carol.publicKey, writtenAt: noon)
        #expect(try bob(isApart: false).judge(welcome, enteredBy: entry) == .keep)
        #expect(try bob(isApart: true).judge(welcome, enteredBy: entry) == .enter)
        #expect(try bob(isApart: true).judge(welcome, enteredBy: nil) == .enter)
    }

    @Test("what waits in vain opens in the branch it is of, and in no other")
    func evidence() throws {
        var random = SystemRandomNumberGenerator()
        let circle = try Circle.open()
        var (session, here, there) = (try bob(isApart: false), circle.alice, circle.alice)
        let one = try here.commit([], now: noon, using: &random)
        try here.merge(one.commit)
        try there.merge(there.commit([], now: noon, using: &random).commit)
        #expect(!session.isOvertaken(by: there, now: noon), "Nothing waits.")
        _ = session.receive(.event(try there.sendText("over here")), now: noon, using: &random)
        #expect(session.waitingCount == 1)
        #expect(session.isOvertaken(by: there, now: noon) && !session.isOvertaken(by: here, now: noon))
    }
}
