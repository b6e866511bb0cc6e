/// A picture of the world that moves, as a GIF: the same at every start.
///
/// Nothing is packed: each dot is a code of eight bits, and the table of codes is begun anew before it would need nine.
/// Source: GIF89a.
struct MovingPicture: Hashable, Sendable {
    /// What moves in it.
    enum Scene: Int, CaseIterable, Sendable {
        case waves, ball, rain, sun
    }

    /// How large one is.
    static let width = 96, height = 72
    private static let frames = 6
    /// Colours there are; with these a code has eight bits.
    private static let colours = 128
    private static let mostInARow = 120

    let scene: Scene

    /// The file.
    var gif: [UInt8] {
        var out = Array("GIF89a".utf8) + Self.number(Self.width) + Self.number(Self.height)
        // A table of 128 colours for all frames; no background, square dots.
        out += [0xF6, 0, 0]
        for colour in 0..<Self.colours { out += shade(colour) }
        // Plays for ever.
        out += [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0, 0]
        for frame in 0..<Self.frames { out += picture(frame) }
        return out + [0x3B]
    }

    private func picture(_ frame: Int) -> [UInt8] {
        // A fifth of a second each.
        var out: [UInt8] = [0x21, 0xF9, 4, 0, 20, 0, 0, 0]
        out += [0x2C, 0, 0, 0, 0] + Self.number(Self.width) + Self.number(Self.height) + [0, 7]
        var codes: [UInt8] = []
        var row = 0
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                if row == 0 { codes.append(0x80) }
                codes.append(UInt8(dot(x, y, frame) & 0x7F))
                row = row + 1 == Self.mostInARow ? 0 : row + 1
            }
        }
        codes.append(0x81)
        for start in stride(from: 0, to: codes.count, by: 255) {
            let block = codes[start..<min(start + 255, codes.count)]
            out += [UInt8(block.count)] + block
        }
        return out + [0]
    }

    /// Which colour a dot has: the lower half of them is the sky's, the upper half that of what moves.
    private func dot(_ x: Int, _ y: Int, _ frame: Int) -> Int {
        let sky = y * 63 / Self.height
        switch scene {
        case .waves:
            let shift = (x + frame * 4) % 24
            let crest = 40 + (shift < 12 ? shift : 24 - shift) / 2
            return y < crest ? sky : 64 + min(63, (y - crest) * 3)
        case .ball:
            let fall = [0, 6, 18, 34, 18, 6][frame % 6]
            let (dx, dy) = (x - 48, y - 20 - fall)
            return dx * dx + dy * dy < 144 ? 127 : sky
        case .rain:
            return (x * 7 + y * 3 + frame * 11) % 31 == 0 ? 120 : sky / 2
        case .sun:
            let (dx, dy) = (x - 48, y - (66 - frame * 8))
            return dx * dx + dy * dy < 196 ? 124 : y > 60 ? 70 : sky
        }
    }

    private func shade(_ number: Int) -> [UInt8] {
        let level = number % 64
        guard number < 64 else {
            switch scene {
            case .waves: return [UInt8(20 + level), UInt8(110 - level), UInt8(190 - level)]
            case .ball: return [190, 60, UInt8(40 + level)]
            case .rain: return [150, 190, UInt8(180 + level)]
            case .sun: return [UInt8(180 + level), UInt8(100 + level), 50]
            }
        }
        return [UInt8(225 - level), UInt8(200 + level / 2), UInt8(235 - level / 3)]
    }

    /// Two bytes, the lower first.
    private static func number(_ value: Int) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8 & 0xFF)] }
}
