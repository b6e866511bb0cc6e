import NostrCore
import NostrTesting
import Testing

@Suite("control characters in events")
struct ControlCharacterTests {
    @Test("are believed as nostr-sdk hashes them, and come back from JSON")
    func othersEvents() throws {
        let events = ControlCharacterEvents.all
        #expect(events.count == 33)
        for event in events {
            #expect(throws: Never.self) { try Event(verifying: event) }
            #expect(try UnverifiedEvent(json: event.json) == event)
        }
    }

    @Test("are hashed by us as nostr-sdk does")
    func ours() {
        for event in ControlCharacterEvents.all {
            let id = canonicalID(
                pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
                content: event.content)
            #expect(id == event.id)
        }
    }

    @Test("are believed verbatim too, by the letter of NIP-01")
    func verbatim() throws {
        // By Linnet before it wrote \u00XX, and by whoever else follows the letter.
        let alice = TestPerson.alice.publicKey
        let id = try EventID(hex: "efa779cca721e2decab7e105b1fc3a6ee5cb3d3a0bee6a6a618a2c2220b4b9df")
        #expect(throws: Never.self) {
            try id.check(
                pubkey: alice, createdAt: Timestamp(seconds: 7), kind: 1, tags: [["t", "\u{0}"]], content: "\u{1F}\n")
        }
    }

    @Test("change nothing about what is refused")
    func refused() {
        for var event in ControlCharacterEvents.all {
            event.content += "!"
            #expect(throws: EventRejection.self) { try Event(verifying: event) }
        }
    }

    @Test("and all other text is hashed as a second implementation does")
    func noiseAgainstSecondImplementation() {
        var random = SeededRandom(seed: 14)
        for _ in 0..<2000 * Noise.factor {
            let tags = (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                Tag((0..<Int.random(in: 0..<4, using: &random)).map { _ in text(using: &random) })
            }
            let (content, kind) = (text(using: &random), UInt16.random(in: 0...65535, using: &random))
            let moment = Int64.random(in: -10...2_000_000_000, using: &random)
            let ours = canonicalJSON(
                pubkey: TestPerson.bob.publicKey, createdAt: Timestamp(seconds: moment), kind: Kind(kind), tags: tags,
                content: content)
            let list = tags.map { "[" + $0.elements.map(plainJSON).joined(separator: ",") + "]" }
            let theirs =
                "[0,\"\(TestPerson.bob.publicKey.hex)\",\(moment),\(kind),[\(list.joined(separator: ","))],"
                + plainJSON(content) + "]"
            #expect(String(decoding: ours, as: UTF8.self) == theirs)
        }
    }

    private func text(using random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<24, using: &random) {
            let most: UInt32 = [0x20, 0x80, 0x100, 0x2100, 0x10FFFF].randomElement(using: &random) ?? 0x20
            // Half of a surrogate pair is no scalar.
            text.append(Unicode.Scalar(UInt32.random(in: 0...most, using: &random)) ?? "x")
        }
        return String(text)
    }

    /// One scalar at a time, by the rules of `JSON.stringify`: slow, and plain to see.
    private func plainJSON(_ text: String) -> String {
        var written = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": written += "\\\""
            case "\\": written += "\\\\"
            case "\n": written += "\\n"
            case "\r": written += "\\r"
            case "\t": written += "\\t"
            case "\u{8}": written += "\\b"
            case "\u{C}": written += "\\f"
            case "\u{0}"..<" ":
                let hex = String(scalar.value, radix: 16)
                written += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written + "\""
    }
}
