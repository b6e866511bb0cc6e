import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// One's own inbox list: published when missing, mended when useless, left alone when good or uncertain.
@Suite(.timeLimit(.minutes(10)))
struct OwnInboxTests {
    let bench = MailBench()

    @Test("whoever has no inbox list gets one of the relays they read from, once the key is there")
    func missing() async throws {
        bench.network.put(
            [TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://one.example"], ["r", "wss://two.example"]])],
            on: relay("index"))
        let alice = bench.person(.alice)
        try await bench.running(alice) {
            try await bench.eventually("her relays are known") { alice.account.services.gossip.isOwn(relay("two")) }
            #expect(!bench.network.offers.contains { $0.event.kind == 10_050 })
            try await alice.unlock()
            try await bench.eventually("it is published") {
                bench.clock.advance(by: .seconds(5))
                return !(await alice.state().inbox.isEmpty)
            }
            #expect(
                Set(await alice.state().inbox).isSubset(of: [relay("one"), relay("two"), relay("fallback")]))
        }
    }

    @Test("a list that names no relay one can use is mended, and what else is on it stays")
    func useless() async throws {
        bench.network.put(
            [
                TestPerson.alice.event(kind: 10_002, tags: [["r", "wss://one.example"]]),
                TestPerson.alice.event(kind: 10_050, tags: [["relay", "ws://127.0.0.1:7777"], ["x", "stays"]]),
            ], on: relay("index"), relay("one"), relay("fallback"))
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("it is mended") {
                bench.clock.advance(by: .seconds(5))
                return bench.network.offers.contains { $0.event.kind == 10_050 }
            }
        }
        let mended = try #require(bench.network.offers.last { $0.event.kind == 10_050 }?.event)
        #expect(mended.tags.contains(["x", "stays"]))
        #expect(!mended.tags.contains { $0.value == "ws://127.0.0.1:7777" })
    }

    @Test(
        "a relay that others cannot reach becomes an inbox only where the account's own relay list names it",
        arguments: [false, true])
    func unreachable(isListed: Bool) async throws {
        let near = try RelayURL("ws://192.168.1.5:7777")
        if isListed {
            bench.network.put([TestPerson.alice.event(kind: 10_002, tags: [["r", near.text]])], on: near)
        }
        let alice = bench.person(.alice) {
            $0.routing = RoutingPolicy(
                indexers: [near, relay("index")], fallback: isListed ? [near] : [near, relay("fallback")])
        }
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("there is an inbox") {
                bench.clock.advance(by: .seconds(5))
                return !(await alice.state().inbox.isEmpty)
            }
            #expect(await alice.state().inbox == [isListed ? near : relay("fallback")])
        }
    }

    @Test("whoever has a neighbour only, and names it on their relay list, has an inbox there at once")
    func namedLate() async throws {
        let near = try RelayURL("ws://192.168.1.5:7777")
        let alice = bench.person(.alice) {
            $0.routing = RoutingPolicy(indexers: [relay("index")], fallback: [near])
        }
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("relays were asked") { !bench.network.questions.isEmpty }
            // So long that the next look is many minutes away.
            for _ in 0..<400 {
                bench.clock.advance(by: .seconds(5))
                await Task.yield()
            }
            #expect(await alice.state().inbox.isEmpty)
            // From here on the clock stands still.
            _ = try await alice.account.ownRelays.set([near: .both])
            try await bench.eventually("there is an inbox") { await alice.state().inbox == [near] }
        }
    }

    @Test("nothing is published while it is not certain that there is no list")
    func uncertain() async throws {
        bench.network.set(relay("index"), .dead)
        bench.network.set(relay("fallback"), .dead)
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("relays were asked") { !bench.network.questions.isEmpty }
            for _ in 0..<200 {
                bench.clock.advance(by: .seconds(5))
                await Task.yield()
            }
        }
        #expect(!bench.network.offers.contains { $0.event.kind == 10_050 })
    }

    @Test("inbox relays count as one's own, so that one proves there who one is")
    func own() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        #expect(!(alice.account.services.gossip.isOwn(relay("inbox"))))
        try await alice.unlock()
        _ = try await alice.account.setInbox([relay("inbox")])
        #expect(alice.account.services.gossip.isOwn(relay("inbox")))
        #expect(await alice.state().inbox == [relay("inbox")])
    }

    @Test("a relay that was asked before the list named it may then know who asks")
    func named() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("messages are asked for") {
                bench.network.standing.values.joined().contains { $0.kinds?.contains(GiftWrap.kind) ?? false }
            }
            let before = bench.network.refreshed.count { $0 == relay("inbox") }
            _ = try await alice.account.setInbox([relay("inbox")])
            try await bench.eventually("it is asked again") {
                bench.network.refreshed.count { $0 == relay("inbox") } > before
            }
        }
    }
}
