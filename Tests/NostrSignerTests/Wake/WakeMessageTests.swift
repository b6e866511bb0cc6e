import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import Testing

@Suite("A wake message")
struct WakeMessageTests {
    private let signer = TestPerson.alice
    private let request = TestPerson.bob.event(
        "…", kind: 24_133, tags: [["p", TestPerson.alice.publicKey.hex]], at: 1_700_000_000)

    private func message(_ members: [String: String]) -> [UInt8] {
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",")
        return Array("{\(text)}".utf8)
    }

    private var members: [String: String] {
        [
            "aps": #"{"mutable-content":1}"#, "relay_url": #""wss://relay.example""#,
            "event_id": "\"\(request.id.hex)\"", "signer_pubkey": "\"\(signer.publicKey.hex)\"",
            "event": String(decoding: request.json, as: UTF8.self),
        ]
    }

    @Test("names a signer, a request and a relay, and may bring the request along")
    func reads() throws {
        let read = try WakeMessage(json: message(members))
        #expect(read.signer == signer.publicKey)
        #expect(read.event == request.id)
        #expect(read.relay == (try RelayURL("wss://relay.example")))
        #expect(read.embedded == request.unverified)
    }

    @Test("leaves out an event that is another one than it names, or that cannot be read")
    func otherEvent() throws {
        var other = members
        other["event_id"] = "\"\(String(repeating: "0", count: 64))\""
        #expect(try WakeMessage(json: message(other)).embedded == nil)
        other["event"] = "{}"
        #expect(try WakeMessage(json: message(other)).embedded == nil)
    }

    @Test(
        "that lacks something is refused by name",
        arguments: [
            ("signer_pubkey", WakeMessage.Failure.noSigner), ("relay_url", .noRelay),
        ])
    func lacking(member: String, failure: WakeMessage.Failure) {
        var less = members
        less[member] = nil
        #expect(throws: failure) { try WakeMessage(json: message(less)) }
        less[member] = "17"
        #expect(throws: failure) { try WakeMessage(json: message(less)) }
    }

    @Test("without an event's id needs the event")
    func noEvent() throws {
        var less = members
        less["event_id"] = nil
        #expect(try WakeMessage(json: message(less)).event == request.id)
        less["event"] = nil
        #expect(throws: WakeMessage.Failure.noEvent) { try WakeMessage(json: message(less)) }
    }

    @Test("of any bytes is read or refused, and never traps")
    func noise() {
        var random = SeededRandom(seed: 46)
        let whole = message(members)
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? WakeMessage(json: Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
        }
        #expect(throws: WakeMessage.Failure.tooLong) {
            try WakeMessage(json: [UInt8](repeating: 0x20, count: WakeMessage.longest + 1))
        }
    }
}
