import NostrCore
import NostrTesting
import Testing

@Suite("bytes of fixed size")
struct FixedBytesTests {
    @Test("keep order, equality and hex of the bytes they were made of")
    func agreesWithArrays() throws {
        var random = SeededRandom(seed: 8)
        for _ in 0..<500 {
            let a = randomBytes(32, using: &random)
            var b = a
            b[Int.random(in: 0..<32, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let (first, second) = (try Bytes32(a.span), try Bytes32(b.span))
            #expect((first == second) == (a == b))
            #expect((first < second) == a.lexicographicallyPrecedes(b))
            #expect((first < second) == (first.hex < second.hex))
            #expect(first.array == a && first.hex == encodeHex(a) && first.withSpan { encodeHex($0) } == first.hex)
            #expect(try EventID(hex: first.hex).bytes == first)
        }
    }

    @Test("of 64 keep equality and hex")
    func sixtyFour() throws {
        var random = SeededRandom(seed: 9)
        for i in 0..<64 {
            let a = randomBytes(64, using: &random)
            var b = a
            b[i] ^= 1
            let (first, second) = (try Bytes64(a.span), try Bytes64(b.span))
            #expect(first != second)
            #expect(first.array == a && first.hex == encodeHex(a) && first.withSpan { encodeHex($0) } == first.hex)
            #expect(try Signature(hex: first.hex).bytes == first)
        }
    }

    @Test(
        "refuse anything but 64 lowercase hex characters",
        arguments: [
            ("ab", HexError.wrongLength(expected: 64, got: 2)),
            ("0G" + String(repeating: "0", count: 62), .notLowercaseHex(at: 1)),
            (String(repeating: "0", count: 63) + "A", .notLowercaseHex(at: 63)),
            (String(repeating: "é", count: 32), .notLowercaseHex(at: 0)),
        ])
    func refuses(hex: String, why: HexError) {
        #expect(throws: why) { try EventID(hex: hex) }
    }

    @Test("refuse another number of bytes")
    func refusesLength() {
        #expect(throws: HexError.wrongLength(expected: 32, got: 31)) {
            try Bytes32([UInt8](repeating: 0, count: 31).span)
        }
        #expect(throws: HexError.wrongLength(expected: 64, got: 65)) {
            try Bytes64([UInt8](repeating: 0, count: 65).span)
        }
    }
}
