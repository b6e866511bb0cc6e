/// A small picture as dots.
public struct PixelImage: Hashable, Sendable {
    /// Dots from left to right.
    public let width: Int
    /// Dots from top to bottom.
    public let height: Int
    /// Red, green, blue and opacity of each dot, row by row.
    public private(set) var samples: [UInt8]

    /// A picture of black dots.
    ///
    /// - Parameters:
    ///   - width: from 1 to 4096; what is beyond is cut off.
    ///   - height: likewise.
    public init(width: Int, height: Int) {
        self.width = min(4096, max(1, width))
        self.height = min(4096, max(1, height))
        samples = [UInt8](repeating: 0, count: self.width * self.height * 4)
    }

    /// A picture of samples; `nil` where they are too few or too many, or a side is not from 1 to 4096 dots.
    ///
    /// - Parameter samples: red, green, blue and opacity of each dot, row by row.
    public init?(width: Int, height: Int, samples: [UInt8]) {
        guard (1...4096).contains(width), (1...4096).contains(height), samples.count == width * height * 4 else {
            return nil
        }
        self.width = width
        self.height = height
        self.samples = samples
    }

    /// Colours a dot; one outside the picture is left out.
    public mutating func set(_ x: Int, _ y: Int, red: UInt8, green: UInt8, blue: UInt8, opacity: UInt8 = 255) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let place = (y * width + x) * 4
        samples[place] = red
        samples[place + 1] = green
        samples[place + 2] = blue
        samples[place + 3] = opacity
    }

    /// The picture as a PNG file; the same dots give the same bytes.
    ///
    /// Nothing is packed: a placeholder is small, and packs badly. Source: PNG (Third Edition); RFC 1950; RFC 1951, 3.2.4.
    public var png: [UInt8] {
        let isOpaque = stride(from: 3, to: samples.count, by: 4).allSatisfy { samples[$0] == 255 }
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        let head = Self.number(width) + Self.number(height) + [8, isOpaque ? 2 : 6, 0, 0, 0]
        file += Self.chunk("IHDR", head)
        file += Self.chunk("IDAT", Self.zlib(rows(isOpaque: isOpaque)))
        file += Self.chunk("IEND", [])
        return file
    }

    /// The rows, each after the number of its filter: none.
    private func rows(isOpaque: Bool) -> [UInt8] {
        var rows: [UInt8] = []
        rows.reserveCapacity(height * (width * 4 + 1))
        for y in 0..<height {
            rows.append(0)
            for place in stride(from: y * width * 4, to: (y + 1) * width * 4, by: 4) {
                rows += samples[place..<place + (isOpaque ? 3 : 4)]
            }
        }
        return rows
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ name: StaticString, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.description.utf8) + content
        return number(content.count) + body + number(Int(checksum(body)))
    }

    /// Blocks that are stored as they are, of at most 65,535 bytes each.
    private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = [0x78, 0x01]
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65_535)
            let length = UInt16(end - start)
            out.append(end == bytes.count ? 1 : 0)
            for value in [length, ~length] { out += [UInt8(value & 255), UInt8(value >> 8)] }
            out += bytes[start..<end]
            start = end
        } while start < bytes.count
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return out + number(Int(b << 16 | a))
    }

    /// CRC-32, as PNG wants it.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0 as UInt32) { table[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
    }

    private static let table: [UInt32] = (0..<256 as Range<UInt32>).map { byte in
        (0..<8).reduce(byte) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }
}
