/// Codes stills as H.264, which browsers play.
///
/// Shape: baseline profile, one slice for each still, no deblocking. A block is written as it is (`I_PCM`), goes on as the
/// one to its left (`Intra_16x16`, horizontal), or stays as it was (`P_Skip`). Source: ITU-T H.264, 7.3 and 9.2.
struct FilmCoder {
    private static let profile = 66, constraints = 0xC0, level = 10

    let columns: Int
    let rows: Int
    private var last: FilmStill?
    private var count = 0

    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The profile, what else it keeps to, and the level, as a container says them.
    static var kind: [UInt8] { [UInt8(profile), UInt8(constraints), UInt8(level)] }

    /// The sequence parameter set.
    var sequence: [UInt8] {
        var bits = BitWriter()
        for value in [Self.profile, Self.constraints, Self.level] { bits.write(value, bits: 8) }
        // Its number; four bits count stills; they come in the order in which they are shown; one is looked back at.
        for value in [0, 0, 2, 1] { bits.writeCode(value) }
        bits.write(0, bits: 1)
        bits.writeCode(columns - 1)
        bits.writeCode(rows - 1)
        // Frames alone, direct inference; nothing is cropped, and nothing said of use.
        bits.write(0b1100, bits: 4)
        return Self.unit(0x67, bits.finished())
    }

    /// The picture parameter set.
    var parameters: [UInt8] {
        var bits = BitWriter()
        for value in [0, 0] { bits.writeCode(value) }
        bits.write(0, bits: 2)
        for value in [0, 0, 0] { bits.writeCode(value) }
        bits.write(0, bits: 3)
        for value in [0, 0, 0] { bits.writeCode(value) }
        // Slices say themselves how they are smoothed.
        bits.write(0b100, bits: 3)
        return Self.unit(0x68, bits.finished())
    }

    /// The next still.
    mutating func picture(_ still: FilmStill) -> [UInt8] {
        var bits = BitWriter()
        writeHead(&bits)
        var skipped = 0
        var known: [[Int]] = []
        for row in 0..<rows {
            known.append([])
            for column in 0..<columns {
                if let last, still.isSame(column: column, row: row, as: last) {
                    skipped += 1
                    known[row].append(0)
                    continue
                }
                if last != nil { bits.writeCode(skipped) }
                skipped = 0
                let above = row > 0 ? known[row - 1][column] : nil
                known[row].append(writeBlock(still, column, row, left: known[row].last, above: above, to: &bits))
            }
        }
        if skipped > 0 { bits.writeCode(skipped) }
        defer {
            last = still
            count += 1
        }
        return Self.unit(last == nil ? 0x65 : 0x61, bits.finished())
    }

    private func writeHead(_ bits: inout BitWriter) {
        // From the first block on; intra blocks alone, or also such that stay; the parameters.
        for value in [0, last == nil ? 7 : 5, 0] { bits.writeCode(value) }
        bits.write(count % 16, bits: 4)
        if last == nil {
            bits.writeCode(0)
            bits.write(0, bits: 2)
        } else {
            bits.write(0, bits: 3)
        }
        // The usual fineness, no smoothing.
        bits.writeCode(0)
        bits.writeCode(1)
    }

    /// - Returns: how many coefficients it counts for among its neighbours.
    private func writeBlock(
        _ still: FilmStill, _ column: Int, _ row: Int, left: Int?, above: Int?, to bits: inout BitWriter
    ) -> Int {
        let first = last == nil ? 0 : 5
        guard let left, !still.hasBoat(column, row), !still.hasBoat(column - 1, row) else {
            bits.writeCode(first + 25)
            bits.append(still.samples(column: column, row: row))
            return 16
        }
        // Brightness and colour go on from the left; the fineness stays.
        for value in [first + 2, 1, 0] { bits.writeCode(value) }
        // No coefficient, in the code that the neighbours decide.
        switch above.map({ (left + $0 + 1) / 2 }) ?? left {
        case ..<2: bits.write(0b1, bits: 1)
        case ..<4: bits.write(0b11, bits: 2)
        case ..<8: bits.write(0b1111, bits: 4)
        default: bits.write(0b000011, bits: 6)
        }
        return 0
    }

    /// A unit with its kind; what would look like the beginning of one is broken up.
    private static func unit(_ kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var unit = [kind]
        var zeros = 0
        for byte in body {
            if zeros >= 2, byte <= 3 {
                unit.append(3)
                zeros = 0
            }
            unit.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return unit
    }
}

/// Writes bits, the highest of each byte first.
struct BitWriter {
    private var bytes: [UInt8] = []
    private var used = 8

    mutating func write(_ value: Int, bits count: Int) {
        for place in stride(from: count - 1, through: 0, by: -1) {
            if used == 8 {
                bytes.append(0)
                used = 0
            }
            if value >> place & 1 == 1 { bytes[bytes.count - 1] |= UInt8(0x80) >> used }
            used += 1
        }
    }

    /// Writes a number in the code of Golomb, `ue(v)`.
    mutating func writeCode(_ value: Int) {
        let length = Int.bitWidth - (value + 1).leadingZeroBitCount
        write(0, bits: length - 1)
        write(value + 1, bits: length)
    }

    /// Fills the byte with zeros, and adds whole bytes.
    mutating func append(_ more: [UInt8]) {
        bytes += more
        used = 8
    }

    /// All of it, with the bit that ends it.
    mutating func finished() -> [UInt8] {
        write(1, bits: 1)
        return bytes
    }
}
