import NostrTesting
import Testing

@testable import GzipFormat

@Suite("The gzip format")
struct GzipTests {
    @Test("unpacks what it packs", arguments: [0, 1, 100, 70_000, 1_000_000])
    func roundTrip(count: Int) throws {
        var random = SeededRandom(seed: 1)
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...7, using: &random) }
        let packed = Gzip.compress(bytes)
        #expect(packed.starts(with: [0x1F, 0x8B]))
        #expect(try Gzip.decompress(packed, limit: count) == bytes)
        #expect(Gzip.compress(bytes) == packed)
        if count > 0 {
            #expect(throws: Gzip.Problem.tooLarge(limit: count - 1)) { try Gzip.decompress(packed, limit: count - 1) }
        }
    }

    @Test("reads what gzip wrote, and refuses what is cut, changed or followed by more")
    func foreign() throws {
        // printf hello | gzip -n
        let packed: [UInt8] = [
            0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36,
            0x05,
            0, 0, 0,
        ]
        #expect(try Gzip.decompress(packed, limit: 5) == Array("hello".utf8))
        for broken in [[], Array(packed.dropLast()), packed + [0], [0x1F, 0x8B], Array("hello".utf8)] {
            #expect(throws: Gzip.Problem.malformed) { try Gzip.decompress(broken, limit: 100) }
        }
        var changed = packed
        changed[18] ^= 1
        #expect(throws: Gzip.Problem.malformed) { try Gzip.decompress(changed, limit: 100) }
    }
}
