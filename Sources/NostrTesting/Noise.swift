import Foundation

/// Seeded damage to valid input, for the "never traps on noise" tests.
public enum Noise {
    /// How many times more than usual to damage: `LINNET_FUZZ_ROUNDS`, 1 where it is not set.
    public static let factor: Int =
        ProcessInfo.processInfo.environment["LINNET_FUZZ_ROUNDS"].flatMap(Int.init).map { max($0, 1) } ?? 1

    /// Hands `rounds` × ``factor`` damaged copies of the input to `body`, always the same ones for the same seed.
    public static func run(_ input: [UInt8], seed: UInt64 = 1, rounds: Int, _ body: ([UInt8]) throws -> Void) rethrows {
        var random = SeededRandom(seed: seed)
        for _ in 0..<(rounds * factor) { try body(damaged(input, using: &random)) }
    }

    /// One to four changes: a byte flipped, replaced, inserted or removed; a part repeated, moved or cut off.
    public static func damaged(_ input: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let at = Int.random(in: 0...bytes.count, using: &random)
            let end = min(at + Int.random(in: 1...12, using: &random), bytes.count)
            switch Int.random(in: 0..<8, using: &random) {
            case 0 where at < bytes.count: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
            case 3 where at < bytes.count: bytes.remove(at: at)
            case 4: bytes.insert(contentsOf: bytes[at..<end], at: at)
            case 5: bytes.removeSubrange(at..<end)
            case 6: bytes.insert(interesting.randomElement(using: &random) ?? 0, at: at)
            default: bytes.removeLast(min(Int.random(in: 0...3, using: &random), bytes.count))
            }
        }
        return bytes
    }

    /// What parsers stumble over: JSON punctuation, escapes, the edges of UTF-8.
    private static let interesting =
        Array("\"\\{}[],:u0eE+-.#/@%1".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC0, 0xED, 0xF4, 0xFF]
}
