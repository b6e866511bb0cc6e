import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// What falls to all members at once is done by one after the other.
@Suite("Turns of members (MIP-03)") struct TurnsTests {
    @Test("who wants to leave is let go by the first place, and the others wait their turn")
    func inOrder() throws {
        let circle = try Circle.open()
        var random = SeededRandom(seed: 1)
        var carol = circle.carol
        let leaving = try carol.leave(now: noon, using: &random)
        for (group, seconds) in [(circle.alice, 5), (circle.bob, 10)] as [(MarmotGroup, Int64)] {
            var session = GroupSession(group, now: noon, hasFreshKeys: true)
            _ = session.receive(.caughtUp, now: noon, using: &random)
            _ = session.receive(.event(leaving), now: noon, using: &random)
            #expect(!commits(session.receive(.tick, now: noon + .seconds(seconds - 1), using: &random)))
            #expect(commits(session.receive(.tick, now: noon + .seconds(seconds), using: &random)))
        }
    }

    @Test("turns outlast a restart, and their number is bounded")
    func kept() throws {
        var session = GroupSession(try Circle.open().bob, now: noon, hasFreshKeys: true)
        let disk = session.takeChanges().compactMapValues(\.self)
        let again = try GroupSession(disk, profile: GenerationB(), policy: MarmotPolicy.at(noon))
        #expect(
            session.convergence.limits.spread == .seconds(10) && again.convergence.limits == session.convergence.limits)
        #expect(SessionLimits().inTurn(at: LeafIndex(rawValue: .max)).spread <= .seconds(300))
    }

    @Test("where nobody wants to leave any more, nothing is committed")
    func nobodyLeaves() throws {
        var random = SeededRandom(seed: 1)
        var session = GroupSession(try Circle.open().bob, now: noon, hasFreshKeys: true)
        let effects = try session.change(.letGo, now: noon, using: &random)
        #expect(!commits(effects) && session.pendingCount == 0)
        #expect(commits(try session.change(.freshKeys, now: noon, using: &random)), "Otherwise it would be.")
    }

    @Test("a change is through once its commit is merged, though that is kept as long as the group can be taken back")
    func through() throws {
        var random = SeededRandom(seed: 1)
        var session = GroupSession(try Circle.open().bob, now: noon, hasFreshKeys: true)
        let made = try session.change(.freshKeys, now: noon, using: &random)
        #expect(session.pendingCount == 1 && session.isUnderWay(.freshKeys))
        let event = try #require(made.lazy.compactMap { if case .publish(let event) = $0 { event } else { nil } }.first)
        _ = session.receive(.event(event), now: noon, using: &random)
        #expect(session.convergence.state.own.map(\.phase) == [.settled])
        #expect(session.pendingCount == 0 && !session.isUnderWay(.freshKeys))
    }

    private func commits(_ effects: [SessionEffect]) -> Bool {
        effects.contains { if case .publish = $0 { true } else { false } }
    }
}
