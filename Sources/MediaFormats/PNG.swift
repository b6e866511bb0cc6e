/// PNG files: chunks with a name of four letters.
///
/// Source: PNG (Third Edition).
enum PNG {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// What a picture needs, and what its colours and its movement need.
    private static let kept: Set<String> = [
        "IHDR", "PLTE", "IDAT", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "cICP", "mDCV", "cLLI", "sBIT", "bKGD", "pHYs",
        "acTL", "fcTL", "fdAT",
    ]

    private static let ending: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]

    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: signature), bytes.has("IHDR", at: 12) else { return nil }
        var out = signature
        out.reserveCapacity(bytes.count)
        var hasPicture = false
        walk(bytes) { name, chunk in
            guard kept.contains(name) else { return true }
            hasPicture = hasPicture || name == "IDAT"
            out += bytes[chunk]
            return true
        }
        return hasPicture ? out + ending : nil
    }

    static func isAnimated(_ bytes: [UInt8]) -> Bool {
        var isAnimated = false
        walk(bytes) { name, _ in
            isAnimated = isAnimated || name == "acTL"
            return name != "IDAT"
        }
        return isAnimated
    }

    /// How large a picture is, and how it is to be turned.
    static func head(of bytes: [UInt8]) -> PictureHead? {
        guard bytes.starts(with: signature), bytes.has("IHDR", at: 12), let width = bytes.number(at: 16, 4),
            let height = bytes.number(at: 20, 4)
        else { return nil }
        var orientation = 1
        walk(bytes) { name, chunk in
            if name == "eXIf" {
                orientation = EXIF.orientation(in: Array(bytes[chunk.lowerBound + 8..<chunk.upperBound - 4]))
            }
            return true
        }
        return PictureHead(width: width, height: height, orientation: orientation)
    }

    /// Goes through the chunks up to the end, or to one that is cut; `body` says whether to go on.
    private static func walk(_ bytes: [UInt8], _ body: (String, Range<Int>) -> Bool) {
        var place = signature.count
        while let length = bytes.number(at: place, 4), length <= bytes.count - place - 12, length >= 0 {
            let name = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            guard name != "IEND", body(name, place..<place + 12 + length) else { return }
            place += 12 + length
        }
    }
}
