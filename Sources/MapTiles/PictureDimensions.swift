/// How many dots wide and high a picture says it is, read from the beginning of its file without decoding it.
struct PictureDimensions: Hashable, Sendable {
    /// What sort of file says so.
    let kind: TilePicture.Kind
    let width: Int
    let height: Int

    private init?(_ kind: TilePicture.Kind, _ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return nil }
        (self.kind, self.width, self.height) = (kind, width, height)
    }

    /// Reads a PNG, JPEG or WebP file; `nil` for any other, and for one that does not say its size where it must.
    init?(_ file: [UInt8]) {
        let size = Self.png(file) ?? Self.webp(file) ?? Self.jpeg(file)
        guard let size else { return nil }
        self = size
    }

    /// Source: PNG (Third Edition) §5.2 and §11.2.1: the first chunk is `IHDR`.
    private static func png(_ file: [UInt8]) -> PictureDimensions? {
        guard file.count >= 24, file.starts(with: PNGChunks.signature), file[12..<16].elementsEqual("IHDR".utf8) else {
            return nil
        }
        return PictureDimensions(.png, PNGChunks.number(file[16..<20]), PNGChunks.number(file[20..<24]))
    }

    /// The first chunk tells which of the three forms it is.
    ///
    /// Source: RFC 9649 §2.5 to §2.7, §3.4; RFC 6386 §9.1.
    private static func webp(_ file: [UInt8]) -> PictureDimensions? {
        guard file.count >= 30, file.starts(with: "RIFF".utf8), file[8..<12].elementsEqual("WEBP".utf8) else {
            return nil
        }
        func number(_ bytes: Range<Int>) -> Int { file[bytes].reversed().reduce(0) { $0 << 8 | Int($1) } }
        switch String(decoding: file[12..<16], as: UTF8.self) {
        case "VP8X": return PictureDimensions(.webp, number(24..<27) + 1, number(27..<30) + 1)
        case "VP8L" where file[20] == 0x2F:
            let bits = number(21..<25)
            return PictureDimensions(.webp, bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
        case "VP8 " where file[23..<26].elementsEqual([0x9D, 0x01, 0x2A]):
            return PictureDimensions(.webp, number(26..<28) & 0x3FFF, number(28..<30) & 0x3FFF)
        default: return nil
        }
    }

    /// Source: ITU-T T.81, B.1.1.3 and B.2.2: segments with their lengths, until one begins a frame.
    private static func jpeg(_ file: [UInt8]) -> PictureDimensions? {
        guard file.starts(with: [0xFF, 0xD8]) else { return nil }
        var place = 2
        while place + 9 <= file.count, file[place] == 0xFF {
            let marker = file[place + 1]
            // Any number of bytes that fill up may stand before a marker.
            if marker == 0xFF {
                place += 1
                continue
            }
            if isFrame(marker) {
                return PictureDimensions(
                    .jpeg, PNGChunks.number(file[place + 7..<place + 9]), PNGChunks.number(file[place + 5..<place + 7]))
            }
            let length = PNGChunks.number(file[place + 2..<place + 4])
            guard hasLength(marker), length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }

    /// Whether a marker begins a frame: SOF0 to SOF15 without DHT, JPG and DAC.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// Whether a marker may stand before the frame, with a length behind it: no restart, start, end, scan or `TEM`.
    private static func hasLength(_ marker: UInt8) -> Bool {
        marker > 0x01 && !(0xD0...0xDA).contains(marker)
    }
}
