import NostrCore
import NostrTesting
import Testing

@testable import SQLiteStorage

@Suite struct TagCodingTests {
    private static let tags: [[NostrCore.Tag]] = [
        [],
        [[]],
        [["e", TestPerson.alice.publicKey.hex, "wss://relay.example", ""], ["t", "日本"], ["x", "a\0b"]],
        [[String(repeating: "A", count: 64)], [String(repeating: "ab", count: 32)], ["", ""]],
        [["content", String(repeating: "long ", count: 5000)]],
    ]

    @Test("gives tags back exactly as they were", arguments: tags)
    func roundTrip(tags: [NostrCore.Tag]) {
        #expect(TagCoding.decode(TagCoding.encode(tags)) == tags)
    }

    @Test("halves the ids and keys that most tags hold")
    func compact() {
        #expect(TagCoding.encode([["p", TestPerson.bob.publicKey.hex]]).count == 2 + 2 + 33)
    }

    @Test("never traps on noise, and takes no damaged bytes for tags longer than they are")
    func noise() {
        let whole = TagCoding.encode(Self.tags[2])
        Noise.run(whole, rounds: 20_000) { bytes in
            let size = TagCoding.decode(bytes)?.reduce(0) { $0 + $1.elements.count } ?? 0
            #expect(size <= bytes.count)
        }
        for count in 0..<whole.count { #expect(TagCoding.decode(Array(whole.prefix(count))) == nil) }
    }
}
