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
    }

    @Test("the payload says where the request is, holds it when small, and no name")
    func payload() throws {
        let small = try #require(WakeRequest(event(.bob, "ciphertext"), from: Self.relay))
        let text = String(decoding: small.payload(limit: 4096), as: UTF8.self)
        #expect(text.contains(#""relay_url":"wss://relay.example""#))
        #expect(text.contains(#""event_id":"\#(small.event.id.hex)""#))
        #expect(text.contains(#""signer_pubkey":"\#(Self.signer.hex)""#))
        #expect(text.hasSuffix(#""event":\#(String(decoding: small.event.json, as: UTF8.self))}"#))
        let known = try #require(
            WakeRequest(event(.bob, "ciphertext"), from: RelayURL("ws://localhost:7778"), known: Self.relay))
        #expect(known.payload(limit: 4096) == small.payload(limit: 4096))
        let large = try #require(WakeRequest(event(.bob, String(repeating: "x", count: 3400)), from: Self.relay))
        #expect(!String(decoding: large.payload(limit: 4096), as: UTF8.self).contains("\"event\":"))
        #expect(large.payload(limit: 4096).count < 400)
        #expect(!String(decoding: small.payload(limit: 500), as: UTF8.self).contains("\"event\":"))
    }
}
