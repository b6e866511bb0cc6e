internal import NostrCore

/// A grid over the whole Earth whose cells are about equally large everywhere, and lie elsewhere for every secret.
///
/// Rows are bands of one cell's height. Each is cut into as many columns as fit, a whole number, so that they close
/// over the antimeridian. Around each pole, where columns would become slivers, one round cell reaches 1 to 2 cells
/// far. Distances here are in metres, angles in degrees.
struct BlurGrid: Hashable, Sendable {
    /// One cell: its row from the south, its column from the west.
    struct Cell: Hashable, Sendable, Codable {
        let row: Int
        let column: Int
    }

    /// The sizes of a cell that are offered, in metres.
    static let sizes = 10.0...5000.0
    /// From pole to pole.
    private static let height = Coordinate.farthest

    /// The height of a cell, and about its width.
    let size: Double
    /// How far the rows lie south of where they would begin at the pole, as a part of a row.
    private let southward: Double
    /// How far the columns lie west of where they would begin at the antimeridian, as a part of a turn.
    private let westward: Double

    /// Lays the grid; a size out of range is held in it, and one that is no number is the largest.
    init(size: Double, secret: Bytes32) {
        self.size = size.isNaN ? Self.sizes.upperBound : min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound)
        southward = part(ofTurn: secret, at: 0)
        westward = part(ofTurn: secret, at: 8)
    }

    /// The cell a place is in.
    func cell(of place: Coordinate) -> Cell {
        let row = row(at: northing(place))
        let count = columns(of: row)
        guard count > 1 else { return Cell(row: row, column: 0) }
        let turn = (place.longitude + 180) / 360 + westward
        // The product may round up to the count, which is the first column again.
        let column = Int(((turn - turn.rounded(.down)) * Double(count)).rounded(.down))
        return Cell(row: row, column: column < count ? column : 0)
    }

    /// The middle of a cell.
    func centre(of cell: Cell) -> Coordinate {
        if cell.row <= firstCap { return Coordinate(wrapping: -90, 0) }
        if cell.row >= lastCap { return Coordinate(wrapping: 90, 0) }
        return Coordinate(wrapping: latitude(middle(of: cell.row)), longitude(of: cell, at: 0.5))
    }

    /// How far the farthest corner of a cell is from its middle.
    func reach(of cell: Cell) -> Double {
        if cell.row <= firstCap { return edge(above: firstCap) }
        if cell.row >= lastCap { return Self.height - edge(above: lastCap - 1) }
        // Of the row alone: rounding must not tell columns apart.
        let centre = Coordinate(wrapping: latitude(middle(of: cell.row)), 0)
        let half = 180 / Double(columns(of: cell.row))
        return [edge(above: cell.row - 1), edge(above: cell.row)].map { edge in
            centre.distance(to: Coordinate(wrapping: latitude(edge), half))
        }.max() ?? size
    }

    /// How far a place is outside a cell, 0 inside; near enough for a few cells around.
    func distance(of place: Coordinate, outside cell: Cell) -> Double {
        if cell.row <= firstCap || cell.row >= lastCap {
            return max(0, centre(of: cell).distance(to: place) - reach(of: cell))
        }
        let y = northing(place)
        let up = max(0, edge(above: cell.row - 1) - y, y - edge(above: cell.row))
        let turns = ((place.longitude - longitude(of: cell, at: 0.5)) / 360).remainder(dividingBy: 1)
        let beyond = max(0, turns.magnitude - 0.5 / Double(columns(of: cell.row)))
        let across = beyond * 2 * .pi * Coordinate.earthRadius * cosine(ofDegrees: place.latitude)
        return (up * up + across * across).squareRoot()
    }
}

// MARK: Rows and columns

extension BlurGrid {
    private func northing(_ place: Coordinate) -> Double { (place.latitude + 90) * Coordinate.metresPerDegree }

    private func latitude(_ northing: Double) -> Double { northing / Coordinate.metresPerDegree - 90 }

    private func middle(of row: Int) -> Double { (Double(row) + 0.5 - southward) * size }

    /// The northern edge of a row, not beyond the pole.
    private func edge(above row: Int) -> Double {
        min(max((Double(row) + 1 - southward) * size, 0), Self.height)
    }

    /// The last row of those that make the cell around the south pole: its middle is nearer than 1.5 cells to the pole.
    private var firstCap: Int { Int((1 + southward).rounded(.up)) - 1 }

    /// The first row of those that make the cell around the north pole.
    private var lastCap: Int { Int((Self.height / size - 2 + southward).rounded(.down)) + 1 }

    /// The row at a distance from the south pole; all rows of a cap count as its outermost.
    private func row(at northing: Double) -> Int {
        min(max(Int((northing / size + southward).rounded(.down)), firstCap), lastCap)
    }

    /// How many columns a row has; 1 for a cap.
    private func columns(of row: Int) -> Int {
        guard row > firstCap, row < lastCap else { return 1 }
        let around = 2 * .pi * Coordinate.earthRadius * cosine(ofDegrees: latitude(middle(of: row)))
        return max(3, Int((around / size).rounded()))
    }

    /// The longitude a part of the way through a cell's column, perhaps beyond a turn.
    private func longitude(of cell: Cell, at part: Double) -> Double {
        ((Double(cell.column) + part) / Double(columns(of: cell.row)) - westward) * 360 - 180
    }
}

/// Eight bytes of a secret as a part of one, 0..<1.
private func part(ofTurn secret: Bytes32, at offset: Int) -> Double {
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | UInt64(secret[index]) }
    // 53 bits are what a Double holds exactly, so this never rounds up to one.
    return Double(word >> 11) / 9_007_199_254_740_992
}
