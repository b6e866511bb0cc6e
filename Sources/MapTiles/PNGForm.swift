/// How the dots of a PNG file are written.
///
/// Source: PNG (Third Edition) §7.2, §9.2, §11.2.1.
struct PNGForm {
    private enum Colour: UInt8 {
        case grey = 0
        case colours = 2
        case palette = 3
        case greyAndOpacity = 4
        case coloursAndOpacity = 6

        var samples: Int {
            switch self {
            case .grey, .palette: 1
            case .greyAndOpacity: 2
            case .colours: 3
            case .coloursAndOpacity: 4
            }
        }
    }

    let width: Int
    let height: Int
    /// Bits of a sample.
    private let depth: Int
    private let colour: Colour
    private let bytesInRow: Int

    /// Reads the header.
    init?(_ head: [UInt8]) {
        width = PNGChunks.number(head[0..<4])
        height = PNGChunks.number(head[4..<8])
        depth = Int(head[8])
        guard (1...TileImage.longestSide).contains(width), (1...TileImage.longestSide).contains(height),
            let colour = Colour(rawValue: head[9]), Array(head[10...12]) == [0, 0, 0],
            depth == 8 || (colour == .palette && [1, 2, 4].contains(depth))
        else { return nil }
        self.colour = colour
        bytesInRow = (width * colour.samples * depth + 7) / 8
    }

    /// The rows as they were before they were filtered; `nil` for what is damaged.
    func unfilter(_ packed: [UInt8]) -> [UInt8]? {
        guard let filtered = Zlib.unpacked(packed, size: height * (bytesInRow + 1)) else { return nil }
        let step = max(1, colour.samples * depth / 8)
        var rows = [UInt8](repeating: 0, count: height * bytesInRow)
        for y in 0..<height {
            let filter = filtered[y * (bytesInRow + 1)]
            guard filter <= 4 else { return nil }
            for x in 0..<bytesInRow {
                let place = y * bytesInRow + x
                let left = x >= step ? Int(rows[place - step]) : 0
                let above = y > 0 ? Int(rows[place - bytesInRow]) : 0
                let corner = x >= step && y > 0 ? Int(rows[place - bytesInRow - step]) : 0
                let guess =
                    switch filter {
                    case 1: left
                    case 2: above
                    case 3: (left + above) / 2
                    case 4: Self.paeth(left, above, corner)
                    default: 0
                    }
                rows[place] = filtered[y * (bytesInRow + 1) + 1 + x] &+ UInt8(guess)
            }
        }
        return rows
    }

    private static func paeth(_ left: Int, _ above: Int, _ corner: Int) -> Int {
        let guess = left + above - corner
        let (a, b, c) = (abs(guess - left), abs(guess - above), abs(guess - corner))
        return a <= b && a <= c ? left : b <= c ? above : corner
    }

    /// One dot; `nil` for a colour that the palette has not.
    func dot(
        _ rows: [UInt8], _ x: Int, _ y: Int, _ palette: [UInt8], _ opacities: [UInt8]
    ) -> (UInt8, UInt8, UInt8, UInt8)? {
        let row = y * bytesInRow
        let place = row + x * colour.samples
        switch colour {
        case .grey: return (rows[place], rows[place], rows[place], 255)
        case .greyAndOpacity: return (rows[place], rows[place], rows[place], rows[place + 1])
        case .colours: return (rows[place], rows[place + 1], rows[place + 2], 255)
        case .coloursAndOpacity: return (rows[place], rows[place + 1], rows[place + 2], rows[place + 3])
        case .palette:
            let bit = x * depth
            let index = Int(rows[row + bit / 8]) >> (8 - depth - bit % 8) & (1 << depth - 1)
            guard index * 3 + 2 < palette.count else { return nil }
            let opacity = index < opacities.count ? opacities[index] : 255
            return (palette[index * 3], palette[index * 3 + 1], palette[index * 3 + 2], opacity)
        }
    }
}
