/// Which square of the earth a tile shows.
///
/// Shape: `z` halvings of the world's square in Web Mercator (EPSG:3857), 0…22; `x` counts east from the date line, `y`
/// south from 85.0511° N, both below 2^z.
public struct TileAddress: Hashable, Sendable {
    /// The most halvings that any source has.
    public static let deepest = 22

    /// How often the world is halved.
    public let z: Int
    /// The column, from the west.
    public let x: Int
    /// The row, from the north.
    public let y: Int

    /// `nil` for a depth out of 0...``deepest``, or outside the square of 2^z tiles a side.
    public init?(z: Int, x: Int, y: Int) {
        guard (0...Self.deepest).contains(z) else { return nil }
        let side = 1 << z
        guard (0..<side).contains(x), (0..<side).contains(y) else { return nil }
        self.z = z
        self.x = x
        self.y = y
    }

    /// Reads the parts of a path: digits alone, without signs or leading zeros, so that a tile has one address.
    public init?(z: some StringProtocol, x: some StringProtocol, y: some StringProtocol) {
        func number(_ digits: some StringProtocol) -> Int? {
            guard (1...7).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                digits.utf8.count == 1 || digits.utf8.first != 0x30
            else { return nil }
            return Int(digits)
        }
        guard let z = number(z), let x = number(x), let y = number(y) else { return nil }
        self.init(z: z, x: x, y: y)
    }
}

// Which square somebody looks at is where somebody is: it stays out of logs.
extension TileAddress: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "a tile" }
    public var debugDescription: String { description }
}
