import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("Polls of the world", .timeLimit(.minutes(10)))
struct WorldPollsTests {
    @Test("people ask polls of every sort, and vote as messily as they do")
    func messy() throws {
        let world = try WorldTests.town.get()
        let events = world.events.filter { $0.kind == Poll.kind }
        let polls = events.compactMap { Poll($0) }
        #expect(events.count > polls.count, "some are no polls")
        #expect(polls.contains { $0.choice == .multiple } && polls.contains { $0.hasEnded(at: testNow) })
        #expect(polls.contains { !$0.hasEnded(at: testNow) && $0.endsAt != nil } && polls.contains { $0.endsAt == nil })
        let follows = Set(world.heroFollows)
        #expect(polls.allSatisfy { follows.contains($0.author) })
        let votes = world.events.compactMap { PollResponse($0) }
        let byPoll = Dictionary(grouping: votes, by: \.poll)
        #expect(
            polls.contains { poll in
                let here = byPoll[poll.id] ?? []
                return Set(here.map(\.author)).count < here.count
            }, "somebody votes twice")
        #expect(polls.contains { poll in (byPoll[poll.id] ?? []).contains { poll.hasEnded(at: $0.createdAt) } })
        #expect(votes.contains { $0.options.contains("nothing00") })
        #expect(polls.contains { PollTally(of: $0, byPoll[$0.id] ?? [], now: testNow).voters > 5 })
    }

    @Test("some voters put work into their votes, and some only say so")
    func work() throws {
        let world = try WorldTests.town.get()
        let votes = world.events.compactMap { PollResponse($0) }
        let polls = world.events.compactMap { Poll($0) }
        #expect(
            polls.contains { poll in
                let tally = PollTally(of: poll, votes, now: testNow, work: 8)
                return tally.voters > 0 && tally.voters < PollTally(of: poll, votes, now: testNow).voters
            })
        #expect(votes.contains { $0.work.committedTarget == 24 && !$0.work.meets(24) })
    }

    @Test("votes lie at the relays that their polls name")
    func placed() throws {
        let world = try WorldTests.town.get()
        let polls = Dictionary(uniqueKeysWithValues: world.events.compactMap { Poll($0) }.map { ($0.id, $0) })
        let open = world.relays.filter { $0.trait == .reliable || $0.trait == .commons }
        for (event, holders) in zip(world.events, world.holders) {
            guard let vote = PollResponse(event), let poll = polls[vote.poll] else { continue }
            for relay in open where poll.relays.contains(relay.address) { #expect(holders.contains(relay.number)) }
        }
    }

    @Test("zap polls have receipts, some of them forged")
    func zaps() throws {
        let world = try WorldTests.town.get()
        let polls = world.events.compactMap { ZapPoll($0) }
        #expect(polls.count == 2)
        let ids = Set(polls.map(\.id.hex))
        let receipts = world.events.filter { event in
            event.kind == ZapReceipt.kind && event.tags.contains { $0.name == "e" && ids.contains($0.value ?? "") }
        }
        #expect(receipts.count > 5)
        #expect(
            receipts.allSatisfy { receipt in
                (try? ZapReceipt(receipt)).map { ZapPoll.option(of: $0.request.event) != nil } ?? true
            })
    }
}
