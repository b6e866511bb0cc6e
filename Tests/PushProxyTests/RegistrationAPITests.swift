import AsyncPrimitives
import Crypto
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

@Suite("the registration API")
struct RegistrationAPITests {
    /// An API in memory, with a clock that a test moves.
    struct Bench {
        let registry: any PushRegistry = MemoryPushRegistry()
        let moment = MovableMoment(Timestamp(seconds: 1_700_000_000))
        let clock = ManualClock()
        let vapid = VAPIDKey(contact: "mailto:a@example.com")
        let api: RegistrationAPI

        init(
            web: (any PushSender)? = nil, _ change: (inout RegistrationSettings) -> Void = { _ in }
        ) {
            let (moment, clock) = (moment, clock)
            let log = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            let pool = RelayPool(transport: ScriptedTransport(), clock: clock, wall: { moment.now }, logger: log)
            let service = WakeService(
                settings: WakeSettings(), registry: registry, pool: pool, apns: nil, web: web, metrics: PushMetrics(),
                clock: clock, now: { moment.now }, log: log)
            var settings = RegistrationSettings(publicURL: "https://push.example.com")
            change(&settings)
            api = RegistrationAPI(
                settings: settings, registry: registry, service: service, vapid: vapid, wakesApple: true, clock: clock,
                now: { moment.now }, log: log)
        }

        func header(_ path: String, _ body: String, by person: TestPerson = .alice, salt: String = "") -> String {
            let draft = HTTPAuth.draft(
                url: "https://push.example.com" + path, method: "POST", body: Array(body.utf8), createdAt: moment.now)
            return HTTPAuth.header(
                person.event(salt, kind: draft.kind, tags: draft.tags, at: draft.createdAt.seconds))
        }

        func post(
            _ path: String, _ body: String, by person: TestPerson = .alice, header: String? = nil, salt: String = "",
            from address: String = "203.0.113.1"
        ) async -> RegistrationAnswer {
            await api.answer(
                RegistrationRequest(
                    method: "POST", path: path,
                    authorization: header ?? self.header(path, body, by: person, salt: salt), body: Array(body.utf8),
                    address: address))
        }

        func devices(_ person: TestPerson = .alice) async throws -> [PushAddress] {
            try await registry.devices(of: [person.publicKey])[person.publicKey]?.map(\.address) ?? []
        }
    }

    static let token = String(repeating: "ab", count: 32)
    static let client = TestPerson.bob.publicKey.hex

    @Test("registers and forgets Apple's devices as Clave's app asks")
    func apple() async throws {
        let bench = Bench()
        let body = #"{"token":"\#(Self.token.uppercased())"}"#
        #expect(await bench.post("/register", body) == .ok)
        #expect(try await bench.devices() == [.apns(token: Self.token)])
        #expect(try await bench.devices(.bob) == [])
        #expect(await bench.post("/unregister", body) == .ok)
        #expect(try await bench.devices() == [])
        _ = await bench.post("/register", body, salt: "again")
        #expect(await bench.post("/unregister", "") == .ok)
        #expect(try await bench.devices() == [])
    }

    @Test("registers browsers and UnifiedPush, and tells them the key to subscribe with")
    func web() async throws {
        let bench = Bench()
        let receiver = WebPushReceiver()
        let key = Base64URL.encode(Array(receiver.key.publicKey.x963Representation))
        let subscription = receiver.subscription("https://push.example/abc")
        for (kind, address) in [
            ("webpush", PushAddress.webPush(subscription)), ("unifiedpush", .unifiedPush(subscription)),
        ] {
            let body = """
                {"kind":"\(kind)","endpoint":"https://push.example/abc",\
                "keys":{"p256dh":"\(key)","auth":"\(Base64URL.encode(receiver.secret))"}}
                """
            #expect(await bench.post("/register", body) == .ok)
            #expect(try await bench.devices() == [address])
            let gone = #"{"kind":"\#(kind)","endpoint":"https://push.example/abc"}"#
            #expect(await bench.post("/unregister", gone) == .ok)
            #expect(try await bench.devices() == [])
        }
        let answer = await bench.api.answer(
            RegistrationRequest(method: "GET", path: "/vapid", authorization: nil, body: [], address: ""))
        #expect(answer.body == "{\"public_key\":\"\(bench.vapid.publicKey)\"}")
    }

    @Test("a notice goes to the browsers of who signs for it, to none of their other devices and to nobody else's")
    func notices() async throws {
        let sender = RecordingSender { $0 == 1 ? .delivered : .gone(seenBefore: nil) }
        let bench = Bench(web: sender)
        let receiver = WebPushReceiver()
        for (person, kind, place) in [
            (TestPerson.alice, "webpush", "a"), (.alice, "unifiedpush", "b"), (.bob, "webpush", "c"),
        ] {
            let body = """
                {"kind":"\(kind)","endpoint":"https://push.example/\(place)",\
                "keys":{"p256dh":"\(Base64URL.encode(Array(receiver.key.publicKey.x963Representation)))",\
                "auth":"\(Base64URL.encode(receiver.secret))"}}
                """
            #expect(await bench.post("/register", body, by: person) == .ok)
        }
        _ = await bench.post("/register", #"{"token":"\#(Self.token)"}"#)
        let header = bench.header("/notify", "{}")
        #expect(await bench.post("/notify", "{}", header: header) == .ok)
        let browser = PushAddress.webPush(receiver.subscription("https://push.example/a")).identity
        #expect(sender.notified == [browser] && sender.pushes.isEmpty)
        // The same request counts once, and one for something else is none.
        #expect(await bench.post("/notify", "{}", header: header).status == 401)
        #expect(await bench.post("/notify", "{}", header: bench.header("/register", "{}")).status == 401)
        #expect(await bench.post("/notify", "{}", by: .carol) == .ok)
        #expect(sender.notified == [browser])
        // A browser that is gone is forgotten.
        #expect(try await bench.devices(.bob).count == 1)
        #expect(await bench.post("/notify", "{}", by: .bob) == .ok)
        #expect(try await bench.devices(.bob).isEmpty)
    }

    @Test("pairs apps within the quotas, and says why not")
    func pairs() async throws {
        let bench = Bench { settings in
            settings.quota.clients = 1
            settings.quota.novelRelays = 2
        }
        let body = #"{"client_pubkey":"\#(Self.client)","relay_urls":["wss://a.example","wss://b.example"]}"#
        #expect(await bench.post("/pair-client", body) == .ok)
        let other = TestPerson.carol.publicKey.hex
        #expect(
            await bench.post("/pair-client", #"{"client_pubkey":"\#(other)","relay_urls":["wss://a.example"]}"#)
                == RegistrationAnswer(status: 409, body: #"{"error":"pairing_limit","limit":1,"used":1}"#))
        let more =
            #"{"client_pubkey":"\#(Self.client)","relay_urls":["wss://a.example","wss://c.example","wss://d.example"]}"#
        #expect(
            await bench.post("/pair-client", more)
                == RegistrationAnswer(status: 409, body: #"{"error":"novel_relay_quota","limit":2}"#))
        #expect(await bench.post("/unpair-client", #"{"client_pubkey":"\#(Self.client)"}"#) == .ok)
        #expect(try await bench.registry.clients(of: [TestPerson.alice.publicKey]) == [:])
    }

    @Test(
        "names what is wrong with a body",
        arguments: [
            ("/register", "", "invalid_body"), ("/register", "[]", "invalid_body"), ("/register", "{", "invalid_body"),
            ("/register", "{}", "invalid_token"), ("/register", #"{"token":7}"#, "invalid_token"),
            ("/register", #"{"token":"zz"}"#, "invalid_token"), ("/register", #"{"token":"../../x"}"#, "invalid_token"),
            ("/register", #"{"kind":"sms","token":"ab"}"#, "invalid_kind"),
            ("/register", #"{"kind":"webpush","endpoint":"https://127.0.0.1/"}"#, "invalid_endpoint"),
            ("/register", #"{"kind":"webpush","endpoint":"https://p.example/"}"#, "invalid_keys"),
            (
                "/register", #"{"kind":"webpush","endpoint":"https://p.example/","keys":{"p256dh":"BA","auth":"AA"}}"#,
                "invalid_keys"
            ),
            ("/pair-client", "{}", "invalid_client_pubkey"), ("/pair-client", "null", "invalid_body"),
            ("/pair-client", #"{"client_pubkey":"\#(client)"}"#, "invalid_relay_urls"),
            ("/pair-client", #"{"client_pubkey":"\#(client)","relay_urls":[]}"#, "no_relays"),
            ("/pair-client", #"{"client_pubkey":"\#(client)","relay_urls":["http://a"]}"#, "invalid_relay_url"),
            ("/pair-client", #"{"client_pubkey":"\#(client)","relay_urls":["ws://10.0.0.1"]}"#, "invalid_relay_url"),
            ("/pair-client", #"{"client_pubkey":"\#(client)","relay_urls":[1]}"#, "invalid_relay_url"),
            (
                "/pair-client",
                #"{"client_pubkey":"\#(client)","relay_urls":["a","b","c","d","e","f","g","h","i","j","k"]}"#,
                "relay_limit_per_pair"
            ),
            ("/unpair-client", #"{"client_pubkey":"x"}"#, "invalid_client_pubkey"),
        ])
    func bodies(path: String, body: String, code: String) async throws {
        let answer = await Bench().post(path, body)
        #expect(answer == .failure(400, code))
    }

    @Test("a signed request counts once, for its own address, body and moment, and only from its author")
    func authorization() async throws {
        let bench = Bench()
        let body = #"{"token":"\#(Self.token)"}"#
        let header = bench.header("/register", body)
        #expect(await bench.post("/register", body, header: header) == .ok)
        #expect(await bench.post("/register", body, header: header) == .failure(401, "replayed"))
        #expect(await bench.post("/unregister", body, header: header) == .failure(401, "wrong_url"))
        #expect(await bench.post("/register", body + " ", header: header) == .failure(401, "wrong_payload"))
        #expect(await bench.post("/register", body, header: "Nostr e30=") == .failure(401, "invalid_auth"))
        bench.moment.move(to: bench.moment.now + .seconds(61))
        #expect(await bench.post("/register", body, header: header) == .failure(401, "stale_auth"))
        let unsigned = RegistrationRequest(
            method: "POST", path: "/register", authorization: nil, body: Array(body.utf8), address: "")
        #expect(await bench.api.answer(unsigned) == .failure(401, "invalid_auth"))
        // Housekeeping forgets no request that could still count.
        try await bench.registry.dropClaims(expiredBy: bench.moment.now)
        bench.moment.move(to: bench.moment.now - .seconds(61))
        #expect(await bench.post("/register", body, header: header) == .failure(401, "replayed"))
    }

    @Test("an app that asks for the same twice within a second, and signs twice, is heard twice; a copy is not")
    func sameSecond() async throws {
        let bench = Bench()
        let body = #"{"token":"\#(Self.token)"}"#
        let draft = HTTPAuth.draft(
            url: "https://push.example.com/register", method: "POST", body: Array(body.utf8),
            createdAt: bench.moment.now)
        let signed = [UInt64(1), 2].map { seed in
            var random = SeededRandom(seed: seed)
            return Event(signing: draft, with: TestPerson.alice.secretKey, using: &random)
        }
        #expect(signed[0].id == signed[1].id && signed[0].signature != signed[1].signature)
        for event in signed {
            #expect(await bench.post("/register", body, header: HTTPAuth.header(event)) == .ok)
        }
        for event in signed {
            let again = await bench.post("/register", body, header: HTTPAuth.header(event))
            #expect(again == .failure(401, "replayed"))
        }
    }

    @Test("bounds bodies and requests, per network and per key")
    func bounds() async throws {
        let bench = Bench { settings in
            settings.perAddress = TokenRate(burst: 3, refill: .seconds(1))
            settings.perKey = TokenRate(burst: 5, refill: .seconds(1))
        }
        let long = String(repeating: " ", count: 5000)
        #expect(await bench.post("/register", long, from: "198.51.100.9") == .failure(413, "body_too_large"))
        let body = #"{"token":"\#(Self.token)"}"#
        for number in 0..<3 {
            #expect(await bench.post("/register", body, salt: "\(number)", from: "2001:db8::\(number)") == .ok)
        }
        // The same /64 network has used up its allowance; another has not, until the key has.
        #expect(await bench.post("/register", body, salt: "3", from: "2001:db8::ffff") == .busy)
        #expect(await bench.post("/register", body, salt: "4", from: "198.51.100.1") == .ok)
        #expect(await bench.post("/register", body, salt: "5", from: "198.51.100.1") == .ok)
        #expect(await bench.post("/register", body, salt: "6", from: "198.51.100.1") == .busy)
        bench.clock.advance(by: .seconds(2))
        #expect(await bench.post("/register", body, salt: "7", from: "198.51.100.1") == .ok)
    }

    @Test("health and metrics hold numbers and no key, and everything else is not found")
    func health() async throws {
        let bench = Bench { $0.publicRelay = WakeRulesTests.relay }
        _ = await bench.post("/register", #"{"token":"\#(Self.token)"}"#)
        func get(_ path: String, _ method: String = "GET") async -> RegistrationAnswer {
            await bench.api.answer(
                RegistrationRequest(method: method, path: path, authorization: nil, body: [], address: ""))
        }
        let health = try JSONValue(Array(await get("/health").body.utf8))
        #expect(health["ok"] == .bool(true))
        #expect(health["total_tokens"]?.integer == 1)
        #expect(health["unique_pubkeys"]?.integer == 1)
        #expect(health["last_event_received_at"] == .null)
        #expect(health["uptime_seconds"]?.integer == 0)
        #expect(health["public_relay"]?.string == "wss://relay.example")
        #expect(health["apns"]?["sendOk"]?.integer == 0)
        let metrics = await get("/metrics").body
        #expect(metrics.contains("linnet_push_devices 1"))
        for text in [metrics, await get("/health").body] {
            #expect(!text.contains(Self.token) && !text.contains(TestPerson.alice.publicKey.hex))
        }
        for (path, method) in [("/", "GET"), ("/register", "GET"), ("/health", "POST"), ("/tokens", "GET")] {
            #expect(await get(path, method) == .notFound)
        }
    }

    @Test("no body and no header traps")
    func noise() async throws {
        let bench = Bench { settings in
            settings.perAddress.burst = 100_000
            settings.perKey.burst = 100_000
        }
        var random = SeededRandom(seed: 7)
        let good = Array(#"{"kind":"webpush","endpoint":"https://p.example/","keys":{"p256dh":"BA","auth":"AA"}}"#.utf8)
        for number in 0..<200 {
            var bytes = good
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 32...126, using: &random)
            }
            let answer = await bench.post("/register", String(decoding: bytes, as: UTF8.self), salt: "\(number)")
            #expect(answer.status == 400)
        }
        #expect(try await bench.devices() == [])
    }

    @Test("a pairing is noted with the network it came from, and never with the address")
    func network() async throws {
        let bench = Bench()
        _ = await bench.post("/register", "{\"token\":\"\(Self.token)\"}")
        let body = "{\"client_pubkey\":\"\(Self.client)\",\"relay_urls\":[\"wss://own.example\"]}"
        var networks: [Set<PushNetworkID>] = []
        for (salt, address) in [("1", "203.0.113.1"), ("2", "2001:db8::1"), ("3", "2001:db8::2"), ("4", "203.0.113.2")]
        {
            #expect(await bench.post("/pair-client", body, salt: salt, from: address).status == 200)
            networks.append(try await bench.registry.watchedRelays().values.first?.networks ?? [])
        }
        #expect(networks.allSatisfy { $0.count == 1 } && networks[1] == networks[2] && Set(networks).count == 3)
    }

    @Test(
        "an address spends from its network, however it is written",
        arguments: [
            ("198.51.100.7", "198.51.100.7"), ("::ffff:198.51.100.7", "198.51.100.7"),
            ("::ffff:c633:6407", "198.51.100.7"), ("2001:db8::1", "2001:db8:0:0"),
            ("2001:DB8:0:0:1:2:3:4", "2001:db8:0:0"), ("2001:db8:0:1::", "2001:db8:0:1"), ("::1", "0:0:0:0"),
            ("198.51.100.7:4711", "unknown"), ("somebody", "unknown"), ("", "unknown"),
        ])
    func networks(address: String, network: String) {
        #expect(RegistrationAPI.network(of: address) == network)
    }

    @Test("proxies are named in any form of their address")
    func proxyForms() throws {
        let proxies = try #require(TrustedProxies(["2001:DB8:0:0::0:7", "::ffff:10.0.0.7"]))
        for address in ["2001:db8::7", "10.0.0.7", "::ffff:10.0.0.7", "::FFFF:0a00:0007"] {
            #expect(proxies.contains(address))
        }
        for address in ["2001:db8::8", "proxy.example", ""] { #expect(!proxies.contains(address)) }
    }

    @Test(
        "what stands before is believed only at the addresses that were named",
        arguments: [
            ("10.0.0.7", true), ("::ffff:10.0.0.7", true), ("127.0.0.1", false), ("10.0.0.8", false),
            ("203.0.113.9", false), ("unknown", false),
        ])
    func proxies(address: String, isTrusted: Bool) {
        #expect(!TrustedProxies().contains(address))
        #expect(TrustedProxies(["10.0.0.7"])?.contains(address) == isTrusted)
        let nearby = TrustedProxies([], trustsNearby: true)
        #expect(nearby?.contains(address) == (address != "203.0.113.9" && address != "unknown"))
    }
}
