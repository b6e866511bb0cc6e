internal import CZlib

/// The dots of a tile, out of a PNG file and back into one.
///
/// Shape: rows from the top, dots from the left, four bytes each: red, green, blue, opacity.
///
/// Tile servers are strangers, so a file is read by Swift alone, whose arrays end where they end; zlib unpacks it into
/// room of a size that is known before. Source: PNG (Third Edition) §5, §7.2, §9, §11.
struct TileImage: Hashable, Sendable {
    /// Dots in a row, and rows; at most ``longestSide`` each.
    let width: Int
    let height: Int
    var dots: [UInt8]

    /// Tiles are 256 or 512 dots wide.
    static let longestSide = 1024

    /// An empty one.
    init(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        dots = Array(repeating: 0, count: width * height * 4)
    }

    /// Reads a file of any colour type, with 8 bits a sample or up to 8 a palette entry; `nil` for any other, for one in
    /// interlaced order, and for one that is damaged.
    init?(png file: [UInt8]) {
        var chunks = PNGChunks(file)
        guard let head = chunks.next(), head.type == "IHDR", head.data.count == 13,
            let form = PNGForm(Array(head.data))
        else { return nil }
        var (packed, palette, opacities): ([UInt8], [UInt8], [UInt8]) = ([], [], [])
        while let chunk = chunks.next(), chunk.type != "IEND" {
            switch chunk.type {
            case "IDAT": packed += chunk.data
            case "PLTE": palette = Array(chunk.data)
            case "tRNS": opacities = Array(chunk.data)
            default: continue
            }
        }
        guard let rows = form.unfilter(packed) else { return nil }
        self.init(width: form.width, height: form.height)
        for y in 0..<height {
            for x in 0..<width {
                guard let dot = form.dot(rows, x, y, palette, opacities) else { return nil }
                let place = (y * width + x) * 4
                (dots[place], dots[place + 1], dots[place + 2], dots[place + 3]) = (dot.0, dot.1, dot.2, dot.3)
            }
        }
    }

    /// Where a dot lies; beyond the edge, the nearest.
    func offset(_ x: Int, _ y: Int) -> Int {
        (min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * 4
    }

    /// A PNG file of it: 8 bits a sample, with opacity.
    var png: [UInt8] {
        var raw: [UInt8] = []
        raw.reserveCapacity(height * (width * 4 + 1))
        // Each row begins with its filter: none.
        for y in 0..<height { raw += [0] + dots[y * width * 4..<(y + 1) * width * 4] }
        let head = PNGChunks.number(width) + PNGChunks.number(height) + [8, 6, 0, 0, 0]
        return PNGChunks.signature + PNGChunks.chunk("IHDR", head) + PNGChunks.chunk("IDAT", Zlib.packed(raw))
            + PNGChunks.chunk("IEND", [])
    }
}

/// What a PNG file is made of.
struct PNGChunks {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    private var rest: ArraySlice<UInt8>

    init(_ file: [UInt8]) { rest = file.starts(with: Self.signature) ? file.dropFirst(8) : [] }

    /// The next chunk; nothing at the end, or where the file is damaged.
    mutating func next() -> (type: String, data: ArraySlice<UInt8>)? {
        guard rest.count >= 12 else { return nil }
        let length = Self.number(rest.prefix(4))
        guard length <= rest.count - 12 else { return nil }
        let body = rest.dropFirst(4).prefix(length + 4)
        let sum = rest.dropFirst(length + 8).prefix(4)
        guard Self.number(sum) == Zlib.sum(Array(body)) else { return nil }
        rest = rest.dropFirst(length + 12)
        return (String(decoding: body.prefix(4), as: UTF8.self), body.dropFirst(4))
    }

    static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + data
        return number(data.count) + body + number(Zlib.sum(body))
    }

    static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// zlib's format (RFC 1950), in memory.
enum Zlib {
    static func sum(_ bytes: [UInt8]) -> Int {
        unsafe bytes.withUnsafeBufferPointer { unsafe Int(crc32(0, $0.baseAddress, UInt32($0.count))) }
    }

    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        var out = [UInt8](repeating: 0, count: Int(length))
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe out.withUnsafeMutableBufferPointer { out in
                unsafe compress(out.baseAddress, &length, input.baseAddress, UInt(input.count))
            }
        }
        precondition(status == Z_OK, "compressBound is enough")
        return Array(out.prefix(Int(length)))
    }

    /// What was packed, if it is of exactly this size.
    static func unpacked(_ bytes: [UInt8], size: Int) -> [UInt8]? {
        var length = UInt(size)
        var out = [UInt8](repeating: 0, count: size)
        let status = unsafe bytes.withUnsafeBufferPointer { input in
            unsafe out.withUnsafeMutableBufferPointer { out in
                unsafe uncompress(out.baseAddress, &length, input.baseAddress, UInt(input.count))
            }
        }
        return status == Z_OK && length == UInt(size) ? out : nil
    }
}
