#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// What a picture looks like from far away, with its proportions and what can be seen through.
///
/// Shape: 5 to 64 bytes; on the wire Base64, with or without padding. Brightness and two differences of colour are sums of
/// waves, packed four bits each. Source: ThumbHash of Evan Wallace, which NIP-68 names.
public struct ThumbHash: Hashable, Sendable {
    private let brightness: Waves
    private let yellowBlue: Waves
    private let redGreen: Waves
    /// `nil` where nothing can be seen through.
    private let opacity: Waves?
    /// How wide it is drawn, in dots.
    private let width: Int
    /// How high it is drawn, in dots.
    private let height: Int

    /// A sum of waves.
    private struct Waves: Hashable, Sendable {
        let mean: Double
        var waves: [Wave] = []
    }

    private struct Wave: Hashable, Sendable {
        /// How often it swings from left to right.
        let across: Int
        /// How often it swings from top to bottom.
        let down: Int
        let strength: Double
    }

    /// Reads the wire form; `nil` for a text that is none.
    public init?(_ text: String) {
        guard text.utf8.count <= 90, let bytes = Self.decoded(text) else { return nil }
        self.init(bytes)
    }

    /// Reads the bytes; `nil` for too few of them.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 5, bytes.count <= 64 else { return nil }
        let first = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16
        let second = Int(bytes[3]) | Int(bytes[4]) << 8
        let hasOpacity = first >> 23 != 0
        let isWide = second >> 15 != 0
        let most = hasOpacity ? 5 : 7
        let fewer = second & 7
        guard fewer > 0, !hasOpacity || bytes.count > 5 else { return nil }
        let (across, down) = (isWide ? most : fewer, isWide ? fewer : most)
        var nibbles = Nibbles(bytes, from: hasOpacity ? 6 : 5)
        // What is packed is stronger than what is shown, so that weak colours are not lost.
        let boost = 1.25
        brightness = nibbles.read(
            mean: Double(first & 63) / 63, max(3, across), max(3, down), scale: Double(first >> 18 & 31) / 31)
        yellowBlue = nibbles.read(
            mean: Double(first >> 6 & 63) / 31.5 - 1, 3, 3, scale: Double(second >> 3 & 63) / 63 * boost)
        redGreen = nibbles.read(
            mean: Double(first >> 12 & 63) / 31.5 - 1, 3, 3, scale: Double(second >> 9 & 63) / 63 * boost)
        opacity =
            hasOpacity
            ? nibbles.read(mean: Double(bytes[5] & 15) / 15, 5, 5, scale: Double(bytes[5] >> 4) / 15) : nil
        guard !nibbles.isShort else { return nil }
        let ratio = Double(across) / Double(down)
        width = max(1, Int((ratio > 1 ? 32 : 32 * ratio).rounded()))
        height = max(1, Int((ratio > 1 ? 32 / ratio : 32).rounded()))
    }

    /// Draws it, at most 32 dots wide and high.
    public func drawn() -> PixelImage {
        var image = PixelImage(width: width, height: height)
        let columns = (0..<width).map { Self.cosines(at: $0, of: width) }
        let rows = (0..<height).map { Self.cosines(at: $0, of: height) }
        for y in 0..<height {
            for x in 0..<width {
                func value(_ waves: Waves) -> Double { Self.value(waves, columns[x], rows[y]) }
                let (light, p, q) = (value(brightness), value(yellowBlue), value(redGreen))
                let blue = light - 2 / 3 * p
                let red = (3 * light - blue + q) / 2
                image.set(
                    x, y, red: Self.sample(red), green: Self.sample(red - q), blue: Self.sample(blue),
                    opacity: opacity.map { Self.sample(value($0)) } ?? 255)
            }
        }
        return image
    }

    private static func value(_ waves: Waves, _ column: [Double], _ row: [Double]) -> Double {
        waves.waves.reduce(waves.mean) { $0 + 2 * $1.strength * column[$1.across] * row[$1.down] }
    }

    private static func cosines(at place: Int, of length: Int) -> [Double] {
        (0..<8).map { cos(.pi / Double(length) * (Double(place) + 0.5) * Double($0)) }
    }

    private static func sample(_ value: Double) -> UInt8 { UInt8((min(1, max(0, value)) * 255).rounded()) }

    /// Base64 of either alphabet, with or without padding; bits left over are ignored.
    private static func decoded(_ text: String) -> [UInt8]? {
        var (bits, count) = (0, 0)
        var bytes: [UInt8] = []
        for letter in text.utf8 where letter != UInt8(ascii: "=") {
            guard let value = letters[letter] else { return nil }
            bits = (bits << 6 | value) & 0xFFFF
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> count))
            }
        }
        return bytes
    }

    private static let letters: [UInt8: Int] = {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        var found = Dictionary(
            alphabet.utf8.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        found[UInt8(ascii: "-")] = 62
        found[UInt8(ascii: "_")] = 63
        return found
    }()

    /// Reads what is packed, four bits at a time.
    private struct Nibbles {
        private let bytes: [UInt8]
        private var place: Int
        private(set) var isShort = false

        init(_ bytes: [UInt8], from start: Int) {
            self.bytes = bytes
            place = start * 2
        }

        /// Those that swing too quickly both ways are not there.
        mutating func read(mean: Double, _ across: Int, _ down: Int, scale: Double) -> Waves {
            var waves = Waves(mean: mean)
            for y in 0..<down {
                for x in 0..<across where (x > 0 || y > 0) && x * down < across * (down - y) {
                    let strength = (Double(next()) / 7.5 - 1) * scale
                    waves.waves.append(Wave(across: x, down: y, strength: strength))
                }
            }
            return waves
        }

        private mutating func next() -> UInt8 {
            guard place / 2 < bytes.count else {
                isShort = true
                return 0
            }
            let byte = bytes[place / 2]
            defer { place += 1 }
            return place % 2 == 0 ? byte & 15 : byte >> 4
        }
    }
}
