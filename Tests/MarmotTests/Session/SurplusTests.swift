import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

/// One member asks for more than the others keep, and an admin whose program keeps it all commits it.
@Suite("A session and a flood of proposals (MIP-03)") struct SurplusTests {
    enum Order: CaseIterable { case commitLast, commitFirst, commitBetween, restarted }

    private struct Flood {
        var session: GroupSession
        var proposals: [Event] = []
        let commit: Event
        let after: [UInt8]

        init() throws {
            let circle = try Circle.open()
            var (carol, alice) = (try circle.careless(.carol), try circle.careless(.alice))
            carol.options.proposalLimits.count = .max
            alice.options.proposalLimits.count = .max
            for number in 0..<ProposalLimits().count + 4 {
                var random = SeededRandom(seed: UInt64(number) + 1)
                let key = SecretKey.generate(using: &random).publicKey
                let own = try GenerationB().newKeyPackage(for: key, now: noon, using: &random)
                let message = try carol.propose(.add(own.keyPackage))
                _ = try alice.process(message)
                proposals.append(try circle.alice.envelope(message))
            }
            let own = try alice.commit()
            commit = try circle.alice.envelope(own.message)
            try alice.merge(own.staged)
            after = alice.epochAuthenticator
            session = GroupSession(circle.bob, now: noon, hasFreshKeys: true)
        }

        mutating func receive(_ event: Event) {
            var random = SeededRandom(seed: 1)
            _ = session.receive(.event(event), now: noon, using: &random)
        }

        /// As after a crash, from what was on the disk.
        mutating func restart(from disk: [SessionPart: [UInt8]]) throws {
            var random = SeededRandom(seed: 2)
            session = try GroupSession(disk, profile: GenerationB(), policy: MarmotPolicy.at(noon))
            _ = session.receive(.restarted, now: noon, using: &random)
        }
    }

    @Test("it follows, in whatever order it hears of that", arguments: Order.allCases)
    func follows(order: Order) throws {
        var flood = try Flood()
        let kept = ProposalLimits().count
        let (first, rest) = (flood.proposals.prefix(kept), flood.proposals.dropFirst(kept))
        if order == .commitFirst { flood.receive(flood.commit) }
        for event in first { flood.receive(event) }
        if order == .commitBetween { flood.receive(flood.commit) }
        if order == .restarted {
            for event in rest.dropLast() { flood.receive(event) }
            flood.receive(flood.commit)
            #expect(flood.session.group.mls.epoch == 1)
            let disk = flood.session.takeChanges().compactMapValues(\.self)
            try flood.restart(from: disk)
        }
        for event in rest { flood.receive(event) }
        if order == .commitLast { flood.receive(flood.commit) }
        #expect(flood.session.group.mls.epochAuthenticator == flood.after)
        #expect(flood.session.waitingCount == 0)
    }
}
