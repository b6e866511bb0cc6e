import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Apps for kinds that Linnet does not show.
@Suite(.timeLimit(.minutes(10)))
struct AppFinderTests {
    let bench = AccountBench()
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let carol = TestPerson.carol
    private let dave = TestPerson.dave
    private let eve = TestPerson.eve

    private var track: Event { bob.event("{}", kind: 31_337, tags: [["d", "x"]], at: seconds(-50)) }

    private func app(
        _ maker: TestPerson, _ name: String, host: String, kind: String = "31337", at moment: Int64 = -90
    ) -> Event {
        maker.event(
            #"{"name":"\#(name)"}"#, kind: 31_990,
            tags: [["d", name], ["k", kind], ["web", "https://\(host)/<bech32>", "naddr"]], at: seconds(moment))
    }

    private func recommends(_ fan: TestPerson, _ apps: Event...) -> Event {
        let named = apps.compactMap(\.address).map { Tag(["a", $0.description]) }
        return fan.event(kind: 31_989, tags: [["d", "31337"]] + named, at: seconds(-80))
    }

    @Test("what people who are followed recommend or made comes first; muted people offer and recommend nothing")
    func ranked() async throws {
        let liked = app(dave, "Liked", host: "liked.example")
        let muted = app(eve, "Muted", host: "muted.example")
        _ = await bench.store.save(
            [
                track, liked, muted, app(bob, "Own", host: "own.example"), app(dave, "Other", host: "other.example"),
                app(dave, "Wrong", host: "wrong.example", kind: "30023"), recommends(bob, liked, muted),
                recommends(carol, liked), recommends(eve, app(dave, "Other", host: "other.example")),
                alice.event(
                    kind: 3, tags: [bob, carol, eve].map { ["p", $0.publicKey.hex] }, at: seconds(-90)),
                alice.event(kind: 10_000, tags: [["p", eve.publicKey.hex]], at: seconds(-40)),
            ], from: nil)
        let apps = try #require(bench.account.apps)
        try await bench.running {
            try await bench.eventually("three are offered") {
                try await apps.apps(opening: track.id).map(\.name) == ["Liked", "Own", "Other"]
            }
            let offers = try await apps.apps(opening: track.id)
            #expect(
                offers.map { $0.people.map(\.key) } == [[bob.publicKey, carol.publicKey], [bob.publicKey], []]
                    || offers.map { $0.people.map(\.key) } == [[carol.publicKey, bob.publicKey], [bob.publicKey], []])
            #expect(offers.first?.page.address.hasPrefix("https://liked.example/naddr1") == true)
            let unknown = try await apps.apps(opening: liked.id)
            #expect(unknown.isEmpty)
        }
    }

    @Test("strangers who claim a kind a hundred times do not hide what somebody made who is followed")
    func flooded() async throws {
        let claims = (0..<120).map { app(dave, "claim \($0)", host: "h\($0).example", at: -60) }
        _ = await bench.store.save(
            claims + [
                track, app(bob, "Made", host: "made.example"),
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex]], at: seconds(-90)),
            ], from: nil)
        let apps = try #require(bench.account.apps)
        try await bench.running {
            try await bench.eventually("it comes first") {
                try await apps.apps(opening: track.id).first?.name == "Made"
            }
        }
    }

    @Test("of strangers' apps a few are left, and of one host one")
    func strangers() throws {
        let handlers = (0..<50).flatMap { number in
            ["a", "b"].compactMap { AppHandler(app(dave, "\($0)\(number)", host: "h\(number).example")) }
        }
        let choices = AppFinder.ranked(handlers, opening: track, recommended: [:], trusted: [])
        #expect(choices.map(\.page.host) == ["h0.example", "h1.example", "h10.example"])
        let trusted = AppFinder.ranked(handlers, opening: track, recommended: [:], trusted: [dave.publicKey])
        #expect(trusted.count == AppFinder.most && Set(trusted.map(\.page.host)).count == AppFinder.most)
    }

    @Test("relays are asked when such an event is opened, once, and not whom the account follows")
    func asked() async throws {
        bench.layOutPeople()
        let liked = app(dave, "Liked", host: "liked.example")
        _ = await bench.store.save(
            [
                track, alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]]),
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex]], at: seconds(-90)),
            ], from: nil)
        bench.network.put([recommends(bob, liked), liked], on: relay("mine"))
        let apps = try #require(bench.account.apps)
        func questions() -> [Filter] {
            bench.network.questions.flatMap(\.filters).filter { $0.tags["d"] == ["31337"] && $0.kinds == [31_989] }
        }
        try await bench.running {
            try await bench.eventually("the own lists are known") {
                _ = try await bench.home()
                return bench.account.services.gossip.router.ownRead.contains(relay("mine"))
            }
            #expect(questions().isEmpty, "nothing is asked for a feed")
            try await bench.eventually("the app is offered") {
                try await apps.apps(opening: track.id).map(\.name) == ["Liked"]
            }
        }
        #expect(!questions().isEmpty && questions().allSatisfy { $0.authors == nil && $0.limit != nil })
    }
}
