import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Circles

@Suite("Damaged circle messages") struct CircleNoiseTests {
    private static let contents = [
        #"{"type":"location","lat":51.5,"lon":-0.12,"alt":10.0,"acc":5,"ts":1700000000,"batt":87,"interval":3600,"#
            + #""stationary":true,"v":1}"#,
        #"{"type":"chat","text":"Hello \ud83e\udd9c","ts":1700000000,"v":1}"#,
        #"{"type":"nickname","name":"Dad","ts":1700000000,"v":1}"#,
        #"{"type":"avatar","img":"/9j/4AAQSkZJRg==","ts":1700000000,"v":1}"#,
        #"{"type":"group_avatar","img":"/9j/4AAQSkZJRg==","ts":1700000000,"v":1}"#,
        #"{"type":"sharing","state":"paused","until":1700000000,"ts":1700000000,"v":1}"#,
        #"{"type":"reaction","e":"\#(String(repeating: "ab", count: 32))","content":"+","ts":1,"v":1}"#,
        "nostr:\(TestPerson.alice.event("x").id.note) yes",
    ]

    @Test("are read or passed over, whatever is in them", arguments: contents.indices)
    func messages(index: Int) {
        let id = TestPerson.alice.event("x").id.hex
        let tags: [NostrCore.Tag] = [["e", id], ["q", id], CircleMessage.quietTag]
        var known = 0
        Noise.run(Array(Self.contents[index].utf8), seed: UInt64(index), rounds: 250) { bytes in
            let content = String(decoding: bytes, as: UTF8.self)
            for kind in [1, 2, 5, 7, 9, 78] as [Kind] {
                let message = TestPerson.bob.says(content, kind: kind, tags: tags, isAdmin: true)
                if case .unknown = message.body { continue }
                known += 1
                if case .location(let place) = message.body {
                    #expect(abs(place.latitude) <= 90 && abs(place.longitude) <= 180 && place.accuracy >= 0)
                    #expect(TestPerson.bob.says(CircleMessage.location(place)).body == .location(place))
                }
            }
            _ = CircleProgram(writing: TestPerson.bob.says(content, tags: tags).rumor)
        }
        #expect(known > 0)
    }

    @Test("numbers of any size are read or passed over")
    func numbers() {
        let numbers = [
            "0", "-0", "1e400", "-1e400", "1e-400", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808",
            "1.7976931348623157e308", "0.1e1", "253402300799", "4e18", "-1", "1.5", "NaN", "Infinity", "\"1\"", "null",
            "true", "[]", "{}", String(repeating: "9", count: 5_000), "0." + String(repeating: "3", count: 5_000),
        ]
        for name in ["lat", "lon", "alt", "acc", "ts", "batt", "interval", "stationary", "v"] {
            for number in numbers {
                var fields = ["lat": "1", "lon": "2", "alt": "3", "acc": "4", "ts": "5", "v": "1"]
                fields[name] = number
                let text = fields.sorted { $0.key < $1.key }.map { "\"\($0)\":\($1)" }.joined(separator: ",")
                let message = TestPerson.bob.says("{\"type\":\"location\",\(text)}", kind: 1)
                if case .location(let place) = message.body {
                    #expect(TestPerson.bob.says(CircleMessage.location(place)).body == .location(place))
                }
                _ = TestPerson.bob.says(
                    #"{"type":"sharing","state":"paused","until":\#(number),"ts":\#(number),"v":1}"#, kind: 78,
                    tags: [CircleMessage.quietTag])
            }
        }
    }

    @Test("damaged links and requests to join are refused or mean something")
    func links() throws {
        let relay = try RelayURL("wss://relay.example.com/~x")
        let invite = try #require(
            CircleInvite(circle: [1, 2, 3], inviter: TestPerson.alice.publicKey, relays: [relay], name: "Family"))
        let admission = try #require(CircleAdmission(applicant: TestPerson.bob.publicKey, circle: [1, 2, 3]))
        let texts = [
            invite.code, invite.whistleLink, try #require(invite.link(on: "https://a.example")), admission.link,
        ]
        for text in texts {
            Noise.run(Array(text.utf8), rounds: 250) { _ = try? CircleLink(String(decoding: $0, as: UTF8.self)) }
        }
        let json = Array(
            #"{"relay":"wss://a.example","inviterNpub":"\#(TestPerson.alice.publicKey.npub)","groupId":"01"}"#.utf8)
        Noise.run(json, rounds: 250) { bytes in
            guard case .invite(let invite) = try? CircleLink(Base64.encode(bytes.span)) else { return }
            #expect((1...64).contains(invite.circle.count) && !invite.relays.isEmpty)
        }
        let request = try JoinRequest.rumor(
            for: [1, 2, 3], with: TestPerson.bob.keyPackageEvent(), name: "Bob", now: noon)
        Noise.run(Array(request.content.utf8), rounds: 100) { bytes in
            let draft = EventDraft(kind: 1080, content: String(decoding: bytes, as: UTF8.self), createdAt: noon)
            guard let read = try? JoinRequest(Rumor(draft, author: TestPerson.bob.publicKey), now: noon) else { return }
            #expect(read.applicant == TestPerson.bob.publicKey)
        }
    }
}
