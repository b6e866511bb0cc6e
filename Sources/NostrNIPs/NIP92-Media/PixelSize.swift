/// How many dots a picture or film is wide and high.
///
/// Shape: both from 1 to ``largest``. On the wire `dim`: `<width>x<height>`. Source: NIP-94.
public struct PixelSize: Hashable, Sendable {
    /// The most dots of a side that is believed.
    public static let largest = 100_000

    /// Dots from left to right.
    public let width: Int
    /// Dots from top to bottom.
    public let height: Int

    /// A size; `nil` for what no picture has.
    public init?(width: Int, height: Int) {
        guard (1...Self.largest).contains(width), (1...Self.largest).contains(height) else { return nil }
        self.width = width
        self.height = height
    }

    /// Reads `1920x1080`; also with another cross, spaces and decimals, as some programs write it.
    public init?(_ text: some StringProtocol) {
        let halves = text.split { "xX×*".contains($0) }
        guard halves.count == 2, let width = Self.whole(halves[0]), let height = Self.whole(halves[1]) else {
            return nil
        }
        self.init(width: width, height: height)
    }

    /// The wire form.
    public var text: String { "\(width)x\(height)" }

    private static func whole(_ text: some StringProtocol) -> Int? {
        let digits = text.drop { $0 == " " }.prefix { $0 != "." && $0 != " " }
        return digits.utf8.count <= 9 ? Int(decimal: digits) : nil
    }
}
