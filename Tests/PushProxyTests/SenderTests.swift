import Crypto
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Synchronization
import Testing

@testable import PushProxy

@Suite("push services", .serialized, .timeLimit(.minutes(10)))
struct SenderTests {
    let certificate: TestCertificate
    let key = P256.Signing.PrivateKey()
    let metrics = PushMetrics()
    let moment = MovableMoment(Timestamp(seconds: 1_700_000_000))
    let device = PushAddress.apns(token: String(repeating: "ab", count: 32))

    init() throws {
        certificate = try TestCertificate()
    }

    private var network: PushNetwork {
        var network = PushNetwork()
        network.trustedRoots = certificate.chain
        network.allowsPrivateAddresses = true
        // Longer than any answer takes on a slow machine.
        network.attemptDeadline = .seconds(60)
        return network
    }

    private func request(_ content: String = "ciphertext") -> WakeRequest {
        let event = TestPerson.bob.event(content, kind: 24_133, tags: [["p", TestPerson.alice.publicKey.hex]])
        guard let request = WakeRequest(event, from: WakeRulesTests.relay) else { preconditionFailure("no request") }
        return request
    }

    private func withAPNS(
        clock: any Clock<Duration> = ContinuousClock(), _ behaviour: @escaping PushServiceStandIn.Behaviour,
        _ body: (PushServiceStandIn, APNSSender) async throws -> Void
    ) async throws {
        try await PushServiceStandIn.with(certificate, behaviour) { service in
            var configuration = APNSConfiguration(
                keyPEM: key.pemRepresentation, keyID: "KEY1234567", teamID: "TEAM123456", topic: "dev.nostr.Clave")
            configuration.origin = service.origin
            let sender = try APNSSender(
                configuration, network: network, metrics: metrics, clock: clock, now: { [moment] in moment.now })
            try await body(service, sender)
            await sender.close()
        }
    }

    /// The claims of a token that this key has signed.
    private func claims(_ token: Substring?, _ key: P256.Signing.PublicKey) throws -> JSONValue {
        let parts = try #require(token).split(separator: ".")
        try #require(parts.count == 3)
        let signature = try P256.Signing.ECDSASignature(
            rawRepresentation: try #require(Base64URL.decode(String(parts[2]))))
        #expect(key.isValidSignature(signature, for: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(try JSONValue(try #require(Base64URL.decode(String(parts[0]))))["alg"]?.string == "ES256")
        return try JSONValue(try #require(Base64URL.decode(String(parts[1]))))
    }

    @Test("Apple's gets the token, the topic and Clave's payload, and one token for fifty minutes")
    func apns() async throws {
        try await withAPNS { _ in
            .answer(200)
        } _: { service, sender in
            #expect(await sender.send(request(), to: device) == .delivered)
            moment.move(to: moment.now + .seconds(49 * 60))
            #expect(await sender.send(request(), to: device) == .delivered)
            moment.move(to: moment.now + .seconds(120))
            #expect(await sender.send(request(), to: device) == .delivered)
            let messages = service.messages
            try #require(messages.count == 3)
            #expect(messages[0].path == "/3/device/" + String(repeating: "ab", count: 32))
            let headers = messages[0].headers
            #expect(headers.first(name: "apns-topic") == "dev.nostr.Clave")
            #expect(headers.first(name: "apns-push-type") == "alert")
            #expect(headers.first(name: "apns-priority") == "10")
            let tokens = messages.map { $0.headers.first(name: "authorization")?.dropFirst("bearer ".count) }
            #expect(tokens[0] == tokens[1] && tokens[1] != tokens[2])
            let claims = try claims(tokens[0], key.publicKey)
            #expect(claims["iss"]?.string == "TEAM123456")
            #expect(claims["iat"]?.integer == 1_700_000_000)
            let payload = try JSONValue(messages[0].body)
            #expect(payload["aps"]?["mutable-content"]?.integer == 1)
            #expect(payload["aps"]?["alert"]?["title"]?.string == " ")
            #expect(payload["relay_url"]?.string == WakeRulesTests.relay.text)
            #expect(payload["event_id"]?.string == request().event.id.hex)
            #expect(payload["event"]?["content"]?.string == "ciphertext")
            #expect(service.connections == 1)
        }
    }

    @Test(
        "Apple's answers are understood",
        arguments: [
            (410, #"{"reason":"Unregistered","timestamp":1700000000123}"#, PushOutcome.gone(seenBefore: 1_700_000_000)),
            (410, "", .gone(seenBefore: nil)),
            (400, #"{"reason":"BadDeviceToken"}"#, .gone(seenBefore: nil)),
            (400, #"{"reason":"DeviceTokenNotForTopic"}"#, .gone(seenBefore: nil)),
            (400, #"{"reason":"BadTopic"}"#, .refused(status: 400, reason: "BadTopic")),
            (403, #"{"reason":"InvalidProviderToken"}"#, .refused(status: 403, reason: "InvalidProviderToken")),
            (413, "no json", .refused(status: 413, reason: "")), (429, "", .later(.seconds(7))),
            (503, "", .later(.seconds(7))),
        ])
    func answers(status: Int, body: String, outcome: PushOutcome) async throws {
        try await withAPNS { _ in
            .answer(status, [("retry-after", "7")], body)
        } _: { _, sender in
            #expect(await sender.send(request(), to: device) == outcome)
        }
    }

    @Test("a token Apple calls expired is made anew, once")
    func expired() async throws {
        try await withAPNS { _ in
            .answer(403, [], #"{"reason":"ExpiredProviderToken"}"#)
        } _: { service, sender in
            #expect(
                await sender.send(request(), to: device) == .refused(status: 403, reason: "ExpiredProviderToken"))
            #expect(service.messages.count == 1)
            moment.move(to: moment.now + .seconds(100))
            _ = await sender.send(request(), to: device)
            let tokens = service.messages.map { $0.headers.first(name: "authorization") }
            #expect(tokens.count == 3 && tokens[1] != tokens[2])
        }
    }

    @Test("a message is sent again on a new connection after GOAWAY or a lost connection", arguments: [true, false])
    func goAway(isPolite: Bool) async throws {
        let first: PushServiceStandIn.Reply = isPolite ? .goAway : .hangUp
        try await withAPNS {
            $0.connection == 0 ? first : .answer(200)
        } _: { service, sender in
            #expect(await sender.send(request(), to: device) == .delivered)
            #expect(service.messages.map(\.connection).last == 1)
            #expect(metrics.value(.retried) == 1)
        }
    }

    @Test("after a GOAWAY that let the last message pass, the next goes over a new connection")
    func quietGoAway() async throws {
        try await withAPNS {
            $0.connection == 0 ? .answerThenGoAway : .answer(200)
        } _: { service, sender in
            for _ in 0..<3 { #expect(await sender.send(request(), to: device) == .delivered) }
            #expect(service.messages.first?.connection == 0)
            #expect(service.messages.last?.connection == 1)
        }
    }

    @Test("a connection that only seems open is given up after a few missed deadlines")
    func silence() async throws {
        let (clock, wake, device) = (ManualClock(), request(), device)
        try await withAPNS(clock: clock) {
            $0.connection == 0 ? .silence : .answer(200)
        } _: { service, sender in
            /// A deadline passes, once the message has come.
            func miss(_ count: Int) async {
                await clock.waitForSleepers()
                await service.wait(for: count)
                clock.advance(by: .seconds(600))
            }
            async let first = sender.send(wake, to: device)
            for count in 1...2 { await miss(count) }
            #expect(await first == .failed("timedOut"))
            async let second = sender.send(wake, to: device)
            await miss(3)
            #expect(await second == .delivered)
            #expect(service.connections == 2)
        }
    }

    @Test("nobody there is a failure with a name, and soon")
    func dead() async throws {
        var configuration = APNSConfiguration(keyPEM: key.pemRepresentation, keyID: "k", teamID: "t", topic: "p")
        configuration.origin = "https://localhost:1"
        let sender = try APNSSender(configuration, network: network, metrics: metrics, now: { [moment] in moment.now })
        guard case .failed = await sender.send(request(), to: device) else {
            Issue.record("delivered to nobody")
            return
        }
        await sender.close()
    }

    // MARK: - Web Push

    private func withWeb(
        _ behaviour: @escaping PushServiceStandIn.Behaviour,
        _ body: (PushServiceStandIn, WebPushSender, VAPIDKey) async throws -> Void
    ) async throws {
        try await PushServiceStandIn.with(certificate, behaviour) { service in
            let vapid = VAPIDKey(contact: "mailto:a@example.com")
            let sender = try WebPushSender(
                key: vapid, network: network, metrics: metrics, now: { [moment] in moment.now })
            try await body(service, sender, vapid)
            await sender.close()
        }
    }

    @Test("a notice says that there is something, and nothing else")
    func notice() async throws {
        try await withWeb { _ in
            .answer(201)
        } _: { service, sender, _ in
            let receiver = WebPushReceiver()
            let subscription = receiver.subscription(service.origin + "/push/secret")
            #expect(await sender.notify(.webPush(subscription)) == .delivered)
            let message = try #require(service.messages.first)
            #expect(String(decoding: try receiver.decrypt(message.body), as: UTF8.self) == #"{"notice":true}"#)
            guard case .refused = await sender.notify(device) else { return #expect(Bool(false), "not the web's") }
        }
    }

    @Test("a browser reads the message, and its service knows who sent it", arguments: [true, false])
    func webPush(isBrowser: Bool) async throws {
        try await withWeb { _ in
            .answer(201)
        } _: { service, sender, vapid in
            let receiver = WebPushReceiver()
            let subscription = receiver.subscription(service.origin + "/push/secret?x=1")
            let address: PushAddress = isBrowser ? .webPush(subscription) : .unifiedPush(subscription)
            #expect(await sender.send(request(), to: address) == .delivered)
            let message = try #require(service.messages.first)
            #expect(message.path == "/push/secret?x=1")
            #expect(message.headers.first(name: "ttl") == "300")
            #expect(message.headers.first(name: "urgency") == "high")
            #expect(message.headers.first(name: "content-encoding") == "aes128gcm")
            let payload = try JSONValue(try receiver.decrypt(message.body))
            #expect(payload["event"]?["id"]?.string == request().event.id.hex)
            #expect(payload["aps"] == nil)
            let fields = try #require(message.headers.first(name: "authorization")).split(separator: " ")
            try #require(fields.count == 3 && fields[0] == "vapid")
            #expect(fields[2] == "k=\(vapid.publicKey)")
            let point = try #require(Base64URL.decode(vapid.publicKey))
            let claims = try claims(fields[1].dropFirst(2).dropLast(), .init(x963Representation: point))
            #expect(claims["aud"]?.string == service.origin)
            #expect(claims["sub"]?.string == "mailto:a@example.com")
            #expect(claims["exp"]?.integer == 1_700_043_200)
        }
    }

    @Test(
        "a browser's service is understood",
        arguments: [
            (200, PushOutcome.delivered), (404, .gone(seenBefore: nil)), (410, .gone(seenBefore: nil)),
            (429, .later(.seconds(30))), (413, .refused(status: 413, reason: "")),
            (302, .refused(status: 302, reason: "")),
        ])
    func webAnswers(status: Int, outcome: PushOutcome) async throws {
        try await withWeb { _ in
            .answer(status, [("location", "https://localhost/")])
        } _: { service, sender, _ in
            let address = PushAddress.webPush(WebPushReceiver().subscription(service.origin + "/x"))
            #expect(await sender.send(request(), to: address) == outcome)
        }
    }

    /// Posts messages that a service never answers to the end, until their deadlines have passed.
    private func miss(
        _ count: Int, _ connections: PushConnections, _ clock: ManualClock, at service: PushServiceStandIn
    ) async {
        let url = service.origin + "/x"
        await withTaskGroup(of: PushConnectionFailure?.self) { group in
            for _ in 0..<count {
                group.addTask {
                    do throws(PushConnectionFailure) {
                        _ = try await connections.post([1], to: url, headers: [])
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for attempt in 1...2 {
                // All of them wait with one timer.
                await clock.waitForSleepers()
                // A deadline may pass only once all of them have come there.
                await service.wait(for: count * attempt)
                clock.advance(by: .seconds(600))
            }
            for await failure in group { #expect(failure == .timedOut) }
        }
    }

    @Test("an answer that never ends has a deadline, too")
    func endless() async throws {
        var patient = network
        patient.attemptDeadline = .seconds(600)
        try await PushServiceStandIn.with(certificate, { _ in .endless }) { [patient] service in
            let clock = ManualClock()
            let connections = try PushConnections(patient, areStrangers: true, clock: clock)
            await miss(1, connections, clock, at: service)
            #expect(service.messages.count == 2)
            await connections.close()
        }
    }

    @Test("a service of a stranger that is always slow closes no connection of another's")
    func slowStranger() async throws {
        var patient = network
        patient.attemptDeadline = .seconds(600)
        try await PushServiceStandIn.with(certificate) { [patient] good in
            try await PushServiceStandIn.with(certificate, { _ in .silence }) { slow in
                let clock = ManualClock()
                let connections = try PushConnections(patient, areStrangers: true, clock: clock)
                _ = try await connections.post([1], to: good.origin + "/x", headers: [])
                await miss(25, connections, clock, at: slow)
                _ = try await connections.post([1], to: good.origin + "/x", headers: [])
                #expect(good.connections == 1)
                await connections.close()
            }
        }
    }

    @Test("a name that leads to this machine gets no message, whatever it is called")
    func rebinding() async throws {
        var open = network
        open.allowsPrivateAddresses = false
        try await PushServiceStandIn.with(certificate) { [open] service in
            let connections = try PushConnections(open, areStrangers: true)
            await #expect(throws: PushConnectionFailure.self) {
                _ = try await connections.post([1], to: service.origin + "/x", headers: [])
            }
            await connections.close()
            #expect(service.messages.isEmpty)
        }
        var strict = network
        strict.allowsPrivateAddresses = false
        let sender = try WebPushSender(
            key: VAPIDKey(contact: "mailto:a@example.com"), network: strict, metrics: metrics,
            now: { [moment] in moment.now })
        let address = PushAddress.webPush(WebPushReceiver().subscription("https://127.0.0.1/x"))
        #expect(await sender.send(request(), to: address) == .gone(seenBefore: nil))
        await sender.close()
    }
}
