/// One still of a film: a shore under the sky, and a boat; in blocks of sixteen dots.
struct FilmStill: Hashable, Sendable {
    /// A colour: brightness, and how far it is from grey towards blue and towards red.
    struct Shade: Hashable, Sendable {
        var bright: UInt8
        var blue: UInt8
        var red: UInt8
    }

    /// How wide and high a block is.
    static let block = 16

    /// The colour of each line, from the top.
    let lines: [Shade]
    /// Where the boat is, in blocks.
    let boatColumn: Int, boatRow: Int

    /// A moment of a film in which the water goes out and comes in again while a boat sails by.
    ///
    /// - Parameters:
    ///   - moment: from 0 up to, not including, `count`.
    ///   - tint: how bright the sky is.
    init(columns: Int, rows: Int, moment: Int, of count: Int, tint: Int) {
        let height = rows * Self.block
        let sky = height * 2 / 5
        let shore = height - sky
        let gone = min(moment, count - moment)
        let water = sky + shore / 4 + gone * shore / count
        lines = (0..<height).map { line in
            if line < sky {
                let part = line * 12 / sky
                return Shade(bright: UInt8(140 + tint + part * 5), blue: UInt8(150 - part), red: UInt8(110 + part))
            }
            if line < water { return Shade(bright: UInt8(110 - 40 * (line - sky) / shore), blue: 155, red: 105) }
            if line < water + 2 { return Shade(bright: 225, blue: 128, red: 128) }
            return Shade(bright: UInt8(165 + 25 * (line - sky) / shore), blue: 110, red: 142)
        }
        boatColumn = moment * (columns - 1) / max(1, count - 1)
        boatRow = sky / Self.block
    }

    /// Whether a block is the same in another still.
    func isSame(column: Int, row: Int, as other: FilmStill) -> Bool {
        let lines = row * Self.block..<(row + 1) * Self.block
        return self.lines[lines] == other.lines[lines] && hasBoat(column, row) == other.hasBoat(column, row)
    }

    /// Whether the boat is in a block.
    func hasBoat(_ column: Int, _ row: Int) -> Bool { boatColumn == column && boatRow == row }

    /// The 256 brightnesses of a block, then 64 of each colour.
    func samples(column: Int, row: Int) -> [UInt8] {
        let band = Array(lines[row * Self.block..<(row + 1) * Self.block])
        let showsBoat = hasBoat(column, row)
        var samples: [UInt8] = []
        for (y, shade) in band.enumerated() {
            for x in 0..<Self.block { samples.append((showsBoat ? Self.boat(x, y) : nil) ?? shade.bright) }
        }
        let pairs = stride(from: 0, to: Self.block, by: 2).map { band[$0] }
        samples += pairs.flatMap { Array(repeating: $0.blue, count: 8) }
        return samples + pairs.flatMap { Array(repeating: $0.red, count: 8) }
    }

    /// How bright the boat is at a dot; `nil` where it is not.
    private static func boat(_ x: Int, _ y: Int) -> UInt8? {
        if (8..<13).contains(y), abs(x - 8) <= 15 - y { return 40 }
        return y < 8 && (7...8 + y).contains(x) ? 220 : nil
    }
}
