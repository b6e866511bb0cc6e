import NostrCore
import NostrNIPs
import NostrRelay
import Testing

@testable import NostrWorld

@Suite("A relay of the world", .serialized, .timeLimit(.minutes(10)))
struct TraitTests {
    let notes = Filter(kinds: [1], limit: 50)

    @Test("holds and sends what was published there")
    func reliable() async throws {
        try await withWorld { running in
            let relay = try running.relay(.reliable)
            let answer = await running.read(notes, at: relay)
            #expect(answer.ending == .complete)
            let held = await running.network.events(on: relay, matching: notes)
            #expect(Set(answer.events.map(\.id)) == Set(held.map(\.id)))
            #expect(answer.events.count == 50)
        }
    }

    @Test("knows everybody's lists, where it is an indexer, and nobody's notes")
    func indexer() async throws {
        try await withWorld { running in
            let relay = try running.relay(.indexer)
            #expect(await running.read(notes, at: relay).events.isEmpty)
            let profiles = await running.read(Filter(kinds: [0]), at: relay)
            #expect(Set(profiles.events.map(\.pubkey)).count == running.world.people.count)
        }
    }

    @Test("sends no note to a stranger, where it wants authentication, and all of them after it")
    func authenticating() async throws {
        try await withWorld { running in
            let answer = await running.read(notes, at: try running.relay(.authenticating))
            #expect(answer.events.isEmpty)
            #expect(answer.ending != .complete)
        }
        try await withWorld(authenticator: WillingHero(sign: try heroSigner())) { running in
            let answer = await running.read(notes, at: try running.relay(.authenticating))
            #expect(!answer.events.isEmpty)
            #expect(answer.ending == .complete)
        }
    }

    @Test("lets everybody read but only members write, where one pays")
    func paid() async throws {
        let sign = try heroSigner()
        try await withWorld { running in
            let relay = try running.relay(.paid)
            #expect(await running.read(notes, at: relay).ending == .complete)
            let note = sign(EventDraft(kind: 1, content: "let me in", createdAt: testNow))
            guard
                case .rejected(let reason) = await running.pool.publish(note, to: relay, deadline: .seconds(5))
            else {
                Issue.record("a stranger's note was not rejected")
                return
            }
            #expect(reason.prefix == .restricted)
            let open = try running.relay(.reliable)
            #expect(
                await running.pool.publish(note, to: open, deadline: .seconds(5)) == .accepted(Reason(nil, "")))
        }
    }

    @Test("shows no old notes, where it prunes them")
    func pruning() async throws {
        try await withWorld { running in
            let answer = await running.read(Filter(kinds: [1]), at: try running.relay(.pruning(days: 10)))
            #expect(!answer.events.isEmpty)
            #expect(answer.events.allSatisfy { $0.createdAt > testNow - .seconds(10 * 86_400) })
        }
    }

    @Test("refuses questions that come too fast, where it limits them")
    func rateLimiting() async throws {
        try await withWorld { running in
            let relay = try running.relay(.rateLimiting)
            var filters: [Filter] = []
            for _ in 0..<40 { filters.append(notes) }
            let refusals = await withTaskGroup(of: Bool.self) { group in
                for filter in filters {
                    group.addTask { await running.read(filter, at: relay, deadline: .seconds(4)).ending != .complete }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(refusals > 0 && refusals < 40)
        }
    }

    @Test("is named and not read for a while, where it forges")
    func forging() async throws {
        var settings = PoolSettings()
        settings.tolerance.fewest = 0
        settings.tolerance.share = 0.01
        try await withWorld(size: .hamlet, settings: settings) { running in
            let relay = try running.relay(.forging)
            let answer = await running.read(Filter(kinds: [1]), at: relay)
            let real = Set(running.world.events.map(\.id))
            #expect(answer.events.allSatisfy { real.contains($0.id) })
            let known = await running.pool.statistics()[relay]
            #expect((known?.forged ?? 0) > 0)
            #expect(known?.distrusted != nil)
        }
    }

    @Test("is found out, where it ignores filters")
    func ignoringFilters() async throws {
        try await withWorld(size: .hamlet) { running in
            let relay = try running.relay(.ignoringFilters)
            let nobody = PublicKey(Bytes32())
            let answer = await running.read(Filter(authors: [nobody]), at: relay)
            #expect(answer.events.isEmpty)
            #expect((await running.pool.statistics()[relay]?.unasked ?? 0) > 0)
        }
    }

    @Test("takes the connection and says nothing, where it is silent; nothing is there, where it is dead")
    func silentAndDead() async throws {
        try await withWorld { running in
            let silent = await running.read(notes, at: try running.relay(.silent), deadline: .milliseconds(400))
            #expect(silent.events.isEmpty)
            #expect(silent.ending == .deadline)
            let dead = try #require(running.addresses.dead.last)
            let gone = await running.read(notes, at: dead, deadline: .seconds(5))
            #expect(gone.events.isEmpty)
            guard case .failed = gone.ending else {
                Issue.record("a dead relay ended with \(String(describing: gone.ending))")
                return
            }
        }
    }

    @Test("answers late, where it is slow")
    func slow() async throws {
        try await withWorld { running in
            let delay = Duration.milliseconds(350)
            let start = ContinuousClock.now
            let answer = await running.read(notes, at: try running.relay(.slow(delay)))
            #expect(answer.ending == .complete)
            #expect(start.duration(to: .now) >= delay)
        }
    }

    @Test("can be killed and comes back with what it held")
    func killAndRevive() async throws {
        try await withWorld { running in
            let relay = try running.relay(.reliable)
            await running.network.kill(relay)
            let gone = await running.read(notes, at: relay, deadline: .milliseconds(500))
            #expect(gone.events.isEmpty)
            try await running.network.revive(relay)
            let back = await running.read(notes, at: relay, deadline: .seconds(10))
            #expect(back.events.count == 50)
        }
    }

    @Test("serves the world's pictures, and what it says of itself")
    func pages() async throws {
        #expect(Drawing(path: "/avatar/00ff.svg")?.svg == Drawing(path: "/avatar/00ff.svg")?.svg)
        #expect(Drawing(path: "/avatar/00ff.svg")?.svg != Drawing(path: "/avatar/00fe.svg")?.svg)
        for path in ["/", "/avatar/", "/avatar/x.png", "/emoji/unknown.svg", "/a/b/c.svg", "/../etc.svg"] {
            #expect(Drawing(path: path) == nil)
        }
        for topic in Topic.allCases { #expect(Drawing(path: "/photo/\(topic.rawValue)-1.svg") != nil) }
        for emoji in Chronicle.emoji { #expect(Drawing(path: "/emoji/\(emoji).svg") != nil) }
    }

    @Test("gets new notes while it runs")
    func newNotes() async throws {
        try await withWorld { running in
            var written: [Event] = []
            for _ in 0..<20 { written += await running.network.writeSomething() }
            #expect(written.count > 5)
            var held: Set<EventID> = []
            for relay in running.addresses.relays {
                held.formUnion(await running.network.events(on: relay.address, matching: Filter()).map(\.id))
            }
            #expect(held.intersection(written.map(\.id)).count > written.count / 2)
        }
    }
}
