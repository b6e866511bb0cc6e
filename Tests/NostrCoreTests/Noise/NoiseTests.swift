import NostrCore
import NostrTesting
import Testing

private let event = TestPerson.alice.event(
    "note \"with\" \\ 🦜 é\n\u{1}", tags: [["e", TestPerson.bob.event().id.hex, "wss://x", "reply"], ["p"], []]
).unverified
private let filter = Filter(
    ids: [event.id], authors: [event.pubkey], kinds: [1, 30_023], tags: ["e": ["x"], "E": ["é", ""]],
    since: Timestamp(seconds: 1), until: Timestamp(seconds: 2), limit: 3, search: "words")

/// Damages valid JSON; what still parses must come back from its own JSON.
private func damage<Value: Equatable>(
    _ samples: [[UInt8]], rounds: Int, parse: ([UInt8]) throws(ParseError) -> Value, write: (Value) -> [UInt8]
) -> Int {
    var parsed = 0
    for (i, sample) in samples.enumerated() {
        Noise.run(sample, seed: UInt64(i), rounds: rounds / samples.count) { bytes in
            do throws(ParseError) {
                let value = try parse(bytes)
                parsed += 1
                let again = write(value)
                if (try? parse(again)) != value { Issue.record("\(bytes) changed when written again") }
            } catch {
                if !(0...bytes.count).contains(error.offset) { Issue.record("\(error) lies outside \(bytes)") }
            }
        }
    }
    return parsed
}

@Suite("noise never traps")
struct NoiseTests {
    private let subscription = SubscriptionID("sub")

    @Test("the event parser")
    func events() {
        let spaced = String(decoding: event.json, as: UTF8.self).replacing(",\"", with: " ,\t\"")
            .replacing("{", with: "{ \"unknown\":[{\"a\":-1.5e+3},true,null,\"\\u00e9\"],")
        let parsed = damage(
            [event.json, Array(spaced.utf8)], rounds: 30_000,
            parse: { (bytes) throws(ParseError) in try UnverifiedEvent(json: bytes) }, write: \.json)
        #expect(parsed > 1_000)
    }

    @Test("the filter parser")
    func filters() {
        let parsed = damage(
            [filter.json], rounds: 20_000, parse: { (bytes) throws(ParseError) in try Filter(json: bytes) },
            write: \.json)
        #expect(parsed > 1_000)
    }

    @Test("the parser of what clients say")
    func clientMessages() throws {
        let subscription = try #require(subscription)
        let samples = [
            ClientMessage.event(event), .auth(event), .close(subscription), .req(subscription, [filter, Filter()]),
            .count(subscription, [Filter(limit: 1)]),
        ]
        let parsed = damage(
            samples.map(\.json), rounds: 20_000,
            parse: { (bytes) throws(ParseError) in try ClientMessage(json: bytes) }, write: \.json)
        #expect(parsed > 1_000)
    }

    @Test("the parser of what relays say, and the scan agrees with it")
    func relayMessages() throws {
        let subscription = try #require(subscription)
        let samples = [
            RelayMessage.event(subscription, event), .ok(event.id, accepted: true, Reason(.duplicate, "x")),
            .eose(subscription), .closed(subscription, Reason(.blocked, "y")), .notice("hello"),
            .auth(challenge: "c"), .count(subscription, 5, approximate: true),
        ]
        let parsed = damage(
            samples.map(\.json), rounds: 25_000,
            parse: { (bytes) throws(ParseError) in
                let message = try RelayMessage(json: bytes)
                if case .event(let subscription, let event) = message, let scanned = scanEvent(inRelayFrame: bytes) {
                    #expect(scanned == ScannedEvent(subscription: subscription, id: event.id))
                }
                return message
            }, write: \.json)
        #expect(parsed > 1_000)
        Noise.run(RelayMessage.event(subscription, event).json, rounds: 10_000) { _ = scanEventID(inRelayFrame: $0) }
    }

    @Test("the Bech32 decoder")
    func bech32() {
        let text = bech32Encode(prefix: "npub", bytes: event.pubkey.bytes.array)
        Noise.run(Array(text.utf8), rounds: 10_000) { bytes in
            // What is refused has not trapped; what is taken must come back.
            guard let decoded = try? bech32Decode(String(decoding: bytes, as: UTF8.self)) else { return }
            #expect((try? bech32Decode(bech32Encode(prefix: decoded.prefix, bytes: decoded.bytes))) == decoded)
        }
    }

    @Test("the hex decoder")
    func hex() {
        Noise.run(Array(event.id.hex.utf8), rounds: 10_000) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            // What is refused has not trapped; what is taken must come back.
            if let id = try? EventID(hex: text) { #expect(id.hex == text) }
            _ = try? Signature(hex: text + text)
        }
    }
}

@Suite("any event")
struct EventPropertyTests {
    @Test("comes back from its JSON byte for byte, and keeps its id")
    func roundTrip() throws {
        var random = SeededRandom(seed: 11)
        for _ in 0..<1_000 {
            let tags = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                Tag((0..<Int.random(in: 0...4, using: &random)).map { _ in text(using: &random) })
            }
            let draft = EventDraft(
                kind: Kind(UInt16.random(in: 0...UInt16.max, using: &random)), tags: tags,
                content: text(using: &random),
                createdAt: Timestamp(seconds: Int64.random(in: 0...Int64.max, using: &random)))
            let event = Event(signing: draft, with: TestPerson.eve.secretKey, using: &random)
            let parsed = try UnverifiedEvent(json: event.json)
            #expect(parsed == event.unverified && parsed.json == event.json)
            #expect(Array(parsed.content.utf8) == Array(draft.content.utf8))
            #expect(throws: Never.self) { try Event(verifying: parsed) }
        }
    }

    private func text(using random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        let edges: [UInt32] = [0x1F, 0x7F, 0xFF, 0x7FF, 0xFFFF, 0x10FFFF]
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let top = edges[Int.random(in: 0..<edges.count, using: &random)]
            // Surrogates are no scalars: drawn again by leaving them out.
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
