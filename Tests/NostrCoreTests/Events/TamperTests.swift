import Foundation
import NostrCore
import NostrTesting
import Testing

@Suite("a claimed event")
struct TamperTests {
    private let honest = TestPerson.alice.event("hello", tags: [["p", "x"]]).unverified

    @Test("is believed when nothing was changed")
    func honestEvent() throws {
        #expect(try Event(verifying: honest).unverified == honest)
    }

    @Test("is refused when any signed field was changed")
    func changedFields() {
        let changes: [(inout UnverifiedEvent) -> Void] = [
            { $0.content += " " }, { $0.tags.append(["e"]) }, { $0.tags = [] }, { $0.kind = 2 },
            { $0.createdAt = Timestamp(seconds: 1) }, { $0.pubkey = TestPerson.bob.publicKey },
            { $0.id = TestPerson.bob.event().id },
        ]
        for change in changes {
            var forged = honest
            change(&forged)
            #expect(throws: EventRejection.self) { try Event(verifying: forged) }
        }
    }

    @Test("is refused when somebody else signed it")
    func strangersSignature() {
        var forged = honest
        forged.signature = TestPerson.bob.event("hello", tags: [["p", "x"]]).signature
        #expect(throws: EventRejection.badSignature(honest.id)) { try Event(verifying: forged) }
    }

    @Test("is refused when its author's key is no point of the curve")
    func noPoint() throws {
        let none = PublicKey(try Bytes32([UInt8](repeating: 0xFF, count: 32).span))
        var forged = honest
        forged.pubkey = none
        forged.id = canonicalID(
            pubkey: none, createdAt: forged.createdAt, kind: forged.kind, tags: forged.tags, content: forged.content)
        #expect(throws: EventRejection.badSignature(forged.id)) { try Event(verifying: forged) }
    }

    @Test("of another program is believed", .enabled(if: Vectors.hold("marmot/samples"), "its events are not here"))
    func otherPrograms() throws {
        for name in ["01-keypackage-30443", "06-445-app-alice", "10-445-commit-add-carol"] {
            let json = Array(try Vectors.data("marmot/samples/\(name).json"))
            #expect(throws: Never.self) { try Event(verifying: UnverifiedEvent(json: json)) }
        }
    }
}

@Suite("the canonical form")
struct CanonicalJSONTests {
    @Test("escapes seven characters shortly, other control characters by number, and leaves all others as they are")
    func escapes() {
        let key = TestPerson.alice.publicKey
        let bytes = canonicalJSON(
            pubkey: key, createdAt: Timestamp(seconds: 7), kind: 1, tags: [["a\"", "b\\"], []],
            content: "\n\r\t\u{8}\u{C}\u{0}\u{1}\u{1F}\u{7F}/é🦜\u{2028}")
        let expected =
            "[0,\"\(key.hex)\",7,1,[[\"a\\\"\",\"b\\\\\"],[]],"
            + "\"\\n\\r\\t\\b\\f\\u0000\\u0001\\u001f\u{7F}/é🦜\u{2028}\"]"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}

@Suite("lines of events")
struct EventLinesTests {
    @Test("are parsed and checked in their order")
    func lines() async {
        var lines = (0..<40).map { TestPerson.carol.event("\($0)").json[...] }
        lines[5] = Array("{}".utf8)[...]
        lines[6] = Array(String(decoding: lines[6], as: UTF8.self).replacing("\"6\"", with: "\"7\"").utf8)[...]
        // A slice of a larger array is read where it lies.
        let file = lines[7] + [0x0A] + lines[8]
        lines[8] = file[(lines[7].count + 1)...]
        let results = await verify(lines: lines)
        #expect(results.count == 40)
        for (i, result) in results.enumerated() {
            switch (i, result) {
            case (5, .failure(.malformed(let error))): #expect(error == ParseError(.missingKey("id"), at: 2))
            case (6, .failure(.rejected(.wrongID))): break
            case (_, .success(let event)): #expect(event.content == "\(i)")
            default: Issue.record("\(i): \(result)")
            }
        }
    }
}
