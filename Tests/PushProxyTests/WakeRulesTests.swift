import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

@Suite("what wakes whom")
struct WakeRulesTests {
    static let relay: RelayURL = {
        do { return try RelayURL("wss://relay.example") } catch { preconditionFailure("no address: \(error)") }
    }()
    static let now = Timestamp(seconds: 1_700_000_000)
    static let signer = TestPerson.alice.publicKey

    private func event(
        _ client: TestPerson = .bob, kind: Kind = 24_133, tags: [NostrCore.Tag] = [["p", signer.hex]],
        at seconds: Int64 = 0,
        _ content: String = ""
    ) -> Event {
        client.event(content, kind: kind, tags: tags, at: Self.now.seconds + seconds)
    }

    private func refusal(_ event: Event, _ rules: WakeRules = WakeRules(WakeLimits())) -> WakeRules.Refusal? {
        if case .failure(let refusal) = rules.request(event, from: Self.relay, now: Self.now) { refusal } else { nil }
    }

    @Test("a request is for its first p tag, and for nobody when that is no key or its author")
    func requests() throws {
        let carol = TestPerson.carol.publicKey.hex
        let request = try #require(
            WakeRequest(event(tags: [["e", "x"], ["p", Self.signer.hex], ["p", carol]]), from: Self.relay))
        #expect(request.signer == Self.signer)
        #expect(refusal(event()) == nil)
        #expect(refusal(event(kind: 1)) == .notARequest)
        #expect(refusal(event(tags: [])) == .notARequest)
        #expect(refusal(event(tags: [["p", "xyz"], ["p", Self.signer.hex]])) == .notARequest)
        #expect(refusal(event(.alice)) == .notARequest)
    }

    @Test("a request far from now wakes nobody", arguments: [(300, false), (-300, false), (301, true), (-301, true)])
    func stale(seconds: Int64, isStale: Bool) {
        #expect(refusal(event(at: seconds)) == (isStale ? .stale : nil))
    }

    @Test("an event wakes once, whichever relay brings it")
    func repeats() throws {
        var rules = WakeRules(WakeLimits())
        let request = try #require(WakeRequest(event(), from: Self.relay))
        #expect(rules.admit(request, isPaired: true, uptime: .zero) == nil)
        #expect(rules.admit(request, isPaired: true, uptime: .zero) == .repeated)
        #expect(refusal(event(), rules) == .repeated)
    }

    @Test("strangers use up their own allowance, never that of paired apps")
    func strangers() throws {
        var rules = WakeRules(WakeLimits())
        var woken = 0
        for person in [TestPerson.bob, .carol, .dave, .eve] {
            for number in 0..<10 {
                let request = try #require(WakeRequest(event(person, "\(number)"), from: Self.relay))
                if rules.admit(request, isPaired: false, uptime: .zero) == nil { woken += 1 }
            }
        }
        #expect(woken == 6)
        let paired = try #require(WakeRequest(event(.bob, "paired"), from: Self.relay))
        #expect(rules.admit(paired, isPaired: true, uptime: .zero) == nil)
        let later = try #require(WakeRequest(event(.eve, "later"), from: Self.relay))
        #expect(rules.admit(later, isPaired: false, uptime: .seconds(60)) == nil)
    }

    @Test("one paired app wakes so often at once, then as its allowance refills")
    func paired() throws {
        var rules = WakeRules(WakeLimits())
        var uptime = Duration.zero
        func admitted(_ count: Int) throws -> Int {
            let start = Int(uptime / .milliseconds(1)) * 1000
            return try (start..<start + count).count { number in
                let request = try #require(WakeRequest(event(.bob, "\(number)"), from: Self.relay))
                return rules.admit(request, isPaired: true, uptime: uptime) == nil
            }
        }
        #expect(try admitted(50) == 30)
        uptime = .seconds(5)
        #expect(try admitted(50) == 5)
    }

    @Test("what is remembered is bounded")
    func bounded() {
        var set = BoundedSet<Int>(capacity: 3)
        let inserted = (0..<10).map { set.insert($0) } + [set.insert(9)]
        #expect(inserted == [Bool](repeating: true, count: 10) + [false])
        #expect((0..<10).count { set.contains($0) } == 3)
        var buckets = TokenBuckets<Int>(TokenRate(burst: 1, refill: .seconds(1)), capacity: 2)
        let taken = [(1, 0), (1, 900), (2, 900), (3, 900), (3, 901)].map { key, milliseconds in
            buckets.spend(key, now: .milliseconds(milliseconds))
        }
        // Two are remembered: with the third, the first is a newcomer again.
        #expect(taken == [true, false, true, true, false])
        let isForgotten = buckets.spend(1, now: .milliseconds(900))
        #expect(isForgotten)
    }

    @Test("the payload says where the request is, holds it when small, and no name")
    func payload() throws {
        let small = try #require(WakeRequest(event(.bob, "ciphertext"), from: Self.relay))
        let text = String(decoding: small.payload(limit: 4096), as: UTF8.self)
        #expect(text.contains(#""relay_url":"wss://relay.example""#))
        #expect(text.contains(#""event_id":"\#(small.event.id.hex)""#))
        #expect(text.contains(#""signer_pubkey":"\#(Self.signer.hex)""#))
        #expect(text.hasSuffix(#""event":\#(String(decoding: small.event.json, as: UTF8.self))}"#))
        let large = try #require(WakeRequest(event(.bob, String(repeating: "x", count: 3400)), from: Self.relay))
        #expect(!String(decoding: large.payload(limit: 4096), as: UTF8.self).contains("\"event\":"))
        #expect(large.payload(limit: 4096).count < 400)
        #expect(!String(decoding: small.payload(limit: 500), as: UTF8.self).contains("\"event\":"))
    }
}

@Suite("what is asked of which relay")
struct WatchPlanTests {
    @Test("everything of primary relays, and of others what is for those who paired there")
    func plan() throws {
        let relays = try (0..<4).map { try RelayURL("wss://r\($0).example") }
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        let (start, later) = (Timestamp(seconds: 10), Timestamp(seconds: 20))
        var plan = WatchPlan(primary: [relays[0]], start: start, mostRelays: 2)
        let all = Filter(kinds: [24_133], since: start)
        #expect(plan.requests == [relays[0]: [all]])
        func of(_ keys: PublicKey..., since: Timestamp) -> [Filter] {
            [Filter(kinds: [24_133], tags: ["p": Set(keys.map(\.hex))], since: since)]
        }
        #expect(
            plan.update(named([relays[0]: [alice], relays[1]: [alice], relays[2]: [alice, bob]]), since: start) == [
                relays[0]: [all], relays[1]: of(alice, since: start), relays[2]: of(alice, bob, since: start),
            ])
        // What did not change is asked as before; beyond the limit, the fewest signers stay out.
        #expect(
            plan.update(named([relays[1]: [alice], relays[2]: [bob], relays[3]: [alice, bob]]), since: later) == [
                relays[0]: [all], relays[1]: of(alice, since: start), relays[3]: of(alice, bob, since: later),
            ])
        #expect(plan.leftOut == 1)
    }

    private func named(_ relays: [RelayURL: Set<PublicKey>]) -> [RelayURL: WatchedRelay] {
        relays.mapValues { WatchedRelay(signers: $0, hasUnknownNetwork: true) }
    }

    /// Somebody invents keys, with devices, and pairs them on relays nobody else uses.
    private func invented(_ count: Int, networks: Int, deliveredSince seconds: Int64?) throws -> [RelayURL:
        WatchedRelay]
    {
        var random = SeededRandom(seed: 1)
        let crowd = Set((0..<9).map { _ in SecretKey.generate(using: &random).publicKey })
        var relays: [RelayURL: WatchedRelay] = [:]
        for number in 0..<count {
            let network = PushNetworkID(rawValue: UInt16(1000 + number % networks))
            relays[try RelayURL("wss://a\(number).example")] = WatchedRelay(
                signers: crowd, networks: [network],
                delivered: seconds.map { Timestamp(seconds: $0)...Timestamp(seconds: 1_000_000) })
        }
        return relays
    }

    @Test("invented keys and devices of a few networks leave places for everybody else")
    func network() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 4)
        let real = try RelayURL("wss://real.example")
        var relays = try invented(100, networks: 3, deliveredSince: nil)
        relays[real] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)])
        let asked = plan.update(relays, since: Timestamp(seconds: 1_000_000))
        #expect(asked[real] != nil && asked.count == 3 * 4 + 1 && plan.leftOut == 100 - 12)
    }

    @Test("relays with delivered wakes come first, those known longest before others; what is long ago does not count")
    func delivered() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 4)
        let (real, former) = (try RelayURL("wss://real.example"), try RelayURL("wss://former.example"))
        let now = Timestamp(seconds: 10_000_000)
        var relays = try invented(100, networks: 50, deliveredSince: 900_000).mapValues { relay in
            var relay = relay
            relay.delivered = relay.delivered.map { $0.lowerBound...now }
            return relay
        }
        relays[real] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)],
            delivered: Timestamp(seconds: 800_000)...now)
        relays[former] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)],
            delivered: Timestamp(seconds: 1)...Timestamp(seconds: 2))
        let asked = plan.update(relays, since: now)
        #expect(asked[real] != nil && asked[former] == nil && asked.count == 20)
    }

    @Test("a relay that several networks name takes a place of the one with the most left")
    func shared() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 1)
        let networks = [1, 2].map { PushNetworkID(rawValue: $0) }
        let relays = try (0..<3).map { try RelayURL("wss://r\($0).example") }
        let alice = TestPerson.alice.publicKey
        let asked = plan.update(
            [
                relays[0]: WatchedRelay(signers: [alice], networks: Set(networks)),
                relays[1]: WatchedRelay(signers: [alice], networks: [networks[1]]),
                relays[2]: WatchedRelay(signers: [alice], networks: [networks[1]]),
            ], since: Timestamp(seconds: 1))
        #expect(Set(asked.keys) == [relays[0], relays[1]])
    }
}
