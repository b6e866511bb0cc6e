import NostrCore
import NostrTesting
import Testing

@Suite("Bech32")
struct Bech32Tests {
    @Test("encodes and decodes a key as NIP-19 shows it")
    func encodesNIP19() throws {
        let hex = "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e"
        let text = "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg"
        #expect(bech32Encode(prefix: "npub", bytes: try decodeHex(hex, byteCount: 32)) == text)
        let decoded = try bech32Decode(text)
        #expect(decoded.prefix == "npub")
        #expect(encodeHex(decoded.bytes) == hex)
        #expect(try bech32Decode(text.uppercased()) == decoded)
    }

    @Test(
        "refuses what is no Bech32",
        arguments: [
            ("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptG", Bech32Error.mixedCase),
            ("npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptq", .badChecksum),
            ("npub", .noSeparator),
            ("1qqqqqq", .noSeparator),
            ("a1qqqqq", .noSeparator),
            ("npub1bqqqqqqq", .invalidCharacter(at: 5)),
            ("np b1qqqqqq", .invalidCharacter(at: 2)),
            ("", .noSeparator),
        ])
    func refuses(text: String, why: Bech32Error) {
        #expect(throws: why) { try bech32Decode(text) }
    }

    @Test("refuses text longer than the caller takes")
    func refusesLong() {
        let text = bech32Encode(prefix: "nevent", bytes: [UInt8](repeating: 7, count: 4000))
        #expect(throws: Bech32Error.tooLong(limit: 5000)) { try bech32Decode(text) }
        #expect(throws: Never.self) { try bech32Decode(text, maxLength: 10_000) }
    }

    @Test("tells the two checksums apart", arguments: [Bech32Variant.bech32, .bech32m])
    func variants(variant: Bech32Variant) throws {
        let text = bech32Encode(prefix: "x", bytes: [1, 2, 3], variant: variant)
        #expect(try bech32Decode(text, variant: variant).bytes == [1, 2, 3])
        let other = variant == .bech32 ? Bech32Variant.bech32m : .bech32
        #expect(throws: Bech32Error.badChecksum) { try bech32Decode(text, variant: other) }
    }

    @Test("valid examples of BIP-350 decode", arguments: ["A1LQFN3A", "a1lqfn3a", "?1v759aa"])
    func officialBech32m(text: String) throws {
        #expect(try bech32Decode(text, variant: .bech32m).bytes.isEmpty)
    }

    @Test(
        "refuses bits behind the last byte that are not zero, or a whole group of them",
        arguments: ["x1pxgy9m8", "x1qm7ssx4", "x1qpxqa3vz", "x1qqqn0an5s", "x1qqqqqqqqqdh4wj0"])
    func padding(text: String) {
        #expect(throws: Bech32Error.badPadding) { try bech32Decode(text) }
    }

    @Test(
        "takes zero bits behind the last byte",
        arguments: [("x1qqmkfy3s", [0]), ("x1qy5utz72", [1])] as [(String, [UInt8])])
    func goodPadding(text: String, bytes: [UInt8]) throws {
        #expect(try bech32Decode(text).bytes == bytes)
    }

    @Test("any bytes come back")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        for length in 0..<200 {
            let bytes = randomBytes(length, using: &random)
            #expect(try bech32Decode(bech32Encode(prefix: "n", bytes: bytes)).bytes == bytes)
        }
    }
}
