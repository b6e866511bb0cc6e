public import NostrCore

/// Tells where somebody is only to the cell of a grid, so that many messages tell no more than one.
///
/// A random shift of each message averages out; this does not: every position of a cell becomes its middle, and the
/// same place becomes the same middle for ever. Three rules keep the edges of cells from telling more. Having left a
/// cell counts only beyond a margin of a quarter cell, or of the fix's accuracy where that is worse, so that standing
/// near an edge does not flicker. Where somebody rested once, the cell chosen then is chosen again, from whichever side
/// they come. And altitude and speed are left out, for a map of heights would find the place in its cell.
///
/// The grid lies elsewhere for every secret; one secret per circle, kept. Who reads two circles of one person knows
/// that they are in both cells, and so does who sees the size changed. The state holds places where the person rests:
/// it is sealed before it is kept.
public struct Blur: Hashable, Sendable {
    /// The sizes of cells that are offered, in metres: 10…5000.
    public static let sizes = BlurGrid.sizes
    /// As many places of rest are remembered; the oldest are forgotten first.
    static let mostRests = 64

    /// A place where somebody rested, and the cell it is in for ever.
    struct Rest: Hashable, Sendable {
        let place: Coordinate
        let cell: BlurGrid.Cell
    }

    private let secret: Bytes32
    private let grid: BlurGrid
    private(set) var current: BlurGrid.Cell?
    private(set) var rests: [Rest] = []

    /// Lays a grid.
    ///
    /// - Parameters:
    ///   - size: of a cell, in metres; held in ``sizes``.
    ///   - secret: random, and the same as long as the circle is shared with.
    public init(size: Double, secret: Bytes32) {
        self.secret = secret
        grid = BlurGrid(size: size, secret: secret)
    }

    /// The height of a cell in metres, and about its width.
    public var size: Double { grid.size }

    /// The position as the circle may know it: a cell's middle, and an accuracy that covers the cell and its margins.
    ///
    /// A fix worse than the margin marks no place of rest; so in the smallest cells most mark none.
    ///
    /// - Parameters:
    ///   - fix: where somebody is.
    ///   - isStill: whether they rest there.
    public mutating func blurred(_ fix: Fix, isStill: Bool = false) -> Fix {
        let cell = cell(for: fix)
        current = cell
        if isStill, fix.accuracy <= margin, !rests.contains(where: { isNear(fix, $0) }) {
            if rests.count >= Self.mostRests { rests.removeFirst() }
            rests.append(Rest(place: fix.place, cell: cell))
        }
        return fix.coarsened(to: grid.centre(of: cell), accuracy: accuracy(of: cell, fix))
    }

    private var margin: Double { grid.size / 4 }

    private func cell(for fix: Fix) -> BlurGrid.Cell {
        let known = rests.filter { isNear(fix, $0) }.map(\.cell)
        if let current {
            if known.contains(current) { return current }
            let isDecided = grid.distance(of: fix.place, outside: current) > max(margin, fix.accuracy)
            if !isDecided, known.isEmpty { return current }
        }
        return known.first ?? grid.cell(of: fix.place)
    }

    /// Whether a position may be one of a place of rest: the margin, or the accuracy up to a cell, apart.
    private func isNear(_ fix: Fix, _ rest: Rest) -> Bool {
        rest.place.distance(to: fix.place) <= min(max(margin, fix.accuracy), grid.size)
    }

    /// The cell's half diagonal and two margins; in steps of that where the fix is worse, so as not to tell its
    /// accuracy.
    private func accuracy(of cell: BlurGrid.Cell, _ fix: Fix) -> Double {
        let whole = grid.reach(of: cell) + 2 * margin
        guard fix.accuracy > margin else { return whole }
        return whole * ((whole + fix.accuracy) / whole).rounded(.up)
    }
}

extension Blur: Codable {
    private enum CodingKeys: String, CodingKey { case size, secret, current, rests }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`, and ``/NostrCore/HexError`` for a secret that is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let secret = try decodeHex(try values.decode(String.self, forKey: .secret), byteCount: 32)
        self.init(size: try values.decode(Double.self, forKey: .size), secret: try Bytes32(secret.span))
        current = try values.decodeIfPresent(BlurGrid.Cell.self, forKey: .current)
        rests = Array(try values.decode([Rest].self, forKey: .rests).suffix(Self.mostRests))
    }

    /// Writes the state for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(size, forKey: .size)
        try values.encode(secret.hex, forKey: .secret)
        try values.encodeIfPresent(current, forKey: .current)
        try values.encode(rests, forKey: .rests)
    }
}

extension Blur.Rest: Codable {
    private enum CodingKeys: String, CodingKey { case latitude = "lat", longitude = "lon", cell }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let place = Coordinate(latitude: latitude, longitude: longitude) else { throw FixProblem.place }
        self.place = place
        cell = try values.decode(BlurGrid.Cell.self, forKey: .cell)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(place.latitude, forKey: .latitude)
        try values.encode(place.longitude, forKey: .longitude)
        try values.encode(cell, forKey: .cell)
    }
}

extension Blur: CustomStringConvertible, CustomDebugStringConvertible {
    /// That there is one, without secret and places.
    public var description: String { "a blur" }

    /// The same.
    public var debugDescription: String { description }
}
