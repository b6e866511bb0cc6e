/// Files that are made to harm whoever reads them; always the same ones for the same seed.
public enum HostileMedia {
    /// A file, and what it is said to be.
    public struct File: Hashable, Sendable {
        /// What its sender says.
        public let type: String
        /// What was done to it, for who looks for the one that did harm.
        public let what: String
        /// All of it.
        public let bytes: [UInt8]
    }

    /// Small files that say they have more dots than anybody may open.
    public static var bombs: [File] {
        let wide: [UInt8] = [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]
        let packed = SampleMedia.packed.map { sample in
            File(type: sample.type, what: "30000 × 30000", bytes: spread(sample.bytes, wide))
        }
        // The second has just more dots than may be: 10001 × 10001.
        let pictures = [wide, [0, 0, 0x27, 0x11, 0, 0, 0x27, 0x11]].map { size in
            var png = SampleMedia.png
            png.replaceSubrange(16..<24, with: size)
            return File(type: "image/png", what: "too many dots", bytes: repaired(png))
        }
        return pictures + packed + [
            File(
                type: "image/jpeg", what: "30000 × 30000",
                bytes: replaced(SampleMedia.jpeg(), behind: [0xFF, 0xC0, 0, 0x11, 8], [0x75, 0x30, 0x75, 0x30])),
            File(
                type: "image/gif", what: "a screen of 65535 × 65535",
                bytes: replaced(SampleMedia.gif, behind: Array("GIF89a".utf8), [0xFF, 0xFF, 0xFF, 0xFF])),
            File(
                type: "image/gif", what: "a picture of 65535 × 65535",
                bytes: replaced(SampleMedia.gif, behind: [0x2C, 0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF])),
            File(
                type: "image/webp", what: "16384 × 16384",
                bytes: replaced(SampleMedia.webp, behind: [0x0C, 0, 0, 0], [0xFF, 0x3F, 0, 0xFF, 0x3F, 0])),
        ]
    }

    /// So many files: the bombs, then others with flipped bits, with damage, cut off, two in one, or full of numbers that
    /// are too large.
    public static func files(_ count: Int, seed: UInt64) -> [File] {
        var random = SeededRandom(seed: seed)
        let samples = SampleMedia.all + SampleMedia.packed
        var files = Array(bombs.prefix(count))
        while files.count < count {
            let sample = samples[files.count % samples.count]
            let other = samples[Int.random(in: 0..<samples.count, using: &random)].bytes
            var (bytes, what) = harmed(sample.bytes, other, using: &random)
            // A reader that minds checksums would see nothing else of most of them.
            if sample.type == "image/png", Bool.random(using: &random) { bytes = repaired(bytes) }
            what += " of \(sample.type), file \(files.count)"
            files.append(File(type: sample.type, what: what, bytes: bytes))
        }
        return files
    }

    private static func harmed(
        _ sample: [UInt8], _ other: [UInt8], using random: inout SeededRandom
    ) -> (bytes: [UInt8], what: String) {
        var bytes = sample
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            return (bytes, "flipped bits")
        case 1:
            for _ in 0..<Int.random(in: 1...6, using: &random) { bytes = Noise.damaged(bytes, using: &random) }
            return (bytes, "damage")
        case 2: return (Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))), "the beginning")
        case 3: return (Array(other.prefix(24)) + bytes.dropFirst(24), "another head")
        case 4:
            let place = Int.random(in: 0...bytes.count, using: &random)
            return (Array(bytes[..<place]) + other + bytes[place...], "another file within")
        default:
            for _ in 0..<Int.random(in: 1...3, using: &random) where bytes.count >= 4 {
                let place = Int.random(in: 0...bytes.count - 4, using: &random)
                bytes.replaceSubrange(place..<place + 4, with: edges[Int.random(in: edges.indices, using: &random)])
            }
            return (bytes, "large numbers")
        }
    }

    private static let edges: [[UInt8]] = [
        [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0x7F],
        [0, 0, 0, 1], [0xFF, 0xFF, 0, 0],
    ]

    private static func replaced(_ bytes: [UInt8], behind mark: [UInt8], _ new: [UInt8]) -> [UInt8] {
        guard let place = bytes.firstRange(of: mark)?.upperBound, place + new.count <= bytes.count else { return bytes }
        return Array(bytes[..<place]) + new + bytes[(place + new.count)...]
    }

    /// Each size that an HEIC or AVIF file says of a picture in it.
    private static func spread(_ bytes: [UInt8], _ size: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for range in bytes.ranges(of: Array("ispe".utf8)) where range.upperBound + 12 <= bytes.count {
            bytes.replaceSubrange(range.upperBound + 4..<range.upperBound + 12, with: size)
        }
        return bytes
    }

    /// A PNG whose checksums are true, as far as its chunks can be found.
    private static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        var (out, place) = (Array(bytes.prefix(8)), 8)
        while place + 12 <= bytes.count {
            let length = bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length <= bytes.count - place - 12 else { break }
            let body = Array(bytes[place + 4..<place + 8 + length])
            out += bytes[place..<place + 4] + body + SampleMedia.checksum(body)
            place += 12 + length
        }
        return out + bytes.dropFirst(place)
    }
}
