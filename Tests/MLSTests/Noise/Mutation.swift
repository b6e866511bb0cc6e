import Foundation

/// Damage that a seed repeats.
struct Mutation {
    var random: SeededRandom

    /// How many times more than usual to damage: `LINNET_FUZZ_ROUNDS`, 1 where it is not set.
    static let rounds =
        ProcessInfo.processInfo.environment["LINNET_FUZZ_ROUNDS"].flatMap(Int.init).map { max($0, 1) } ?? 1

    /// One of the samples with one or more kinds of damage; never one of the samples itself.
    mutating func damaged(_ samples: [[UInt8]]) -> [UInt8] {
        while true {
            var bytes = samples[number(below: samples.count)]
            let times = number(below: 4) == 0 ? 1 + number(below: 4) : 1
            for _ in 0..<times where !bytes.isEmpty { damage(&bytes, samples) }
            if !samples.contains(bytes) { return bytes }
        }
    }

    mutating func number(below end: Int) -> Int { Int.random(in: 0..<max(end, 1), using: &random) }

    private mutating func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }

    private mutating func damage(_ bytes: inout [UInt8], _ samples: [[UInt8]]) {
        let place = number(below: bytes.count)
        let end = min(bytes.count, place + 1 + number(below: 40))
        switch number(below: 11) {
        case 0, 1: bytes[place] ^= 1 << UInt8(number(below: 8))
        case 2: bytes[place] = byte()
        case 3: bytes.removeLast(bytes.count - place)
        case 4: bytes.removeSubrange(place..<end)
        case 5: bytes.insert(contentsOf: (0...number(below: 8)).map { _ in byte() }, at: place)
        case 6: bytes.insert(contentsOf: bytes[place..<end], at: number(below: bytes.count))
        case 7: splice(&bytes, at: place, samples)
        case 8: lengthen(&bytes, at: place)
        case 9: bytes[place] = bytes[place] &+ (number(below: 2) == 0 ? 1 : 255)
        default: bytes.replaceSubrange(place..<end, with: [UInt8](repeating: byte(), count: end - place))
        }
    }

    /// The start of one sample and the end of another.
    private mutating func splice(_ bytes: inout [UInt8], at place: Int, _ samples: [[UInt8]]) {
        let other = samples[number(below: samples.count)]
        bytes = bytes.prefix(place) + other.suffix(number(below: other.count + 1))
    }

    /// Writes a length that lies: too long, too short, not in its shortest form, or of the reserved kind.
    private mutating func lengthen(_ bytes: inout [UInt8], at place: Int) {
        let lengths: [[UInt8]] = [
            [0], [0x3f], [0x40, 0x01], [0x40, 0x40], [0x7f, 0xff], [0x80, 0, 0, 1], [0x80, 0, 0x40, 0],
            [0xbf, 0xff, 0xff, 0xff], [0xc0], [0xff, 0xff, 0xff, 0xff], [0x80, 0xff, 0xff, 0xff],
        ]
        let length = lengths[number(below: lengths.count)]
        bytes.replaceSubrange(place..<min(bytes.count, place + length.count), with: length)
    }
}
