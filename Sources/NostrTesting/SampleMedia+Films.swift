extension SampleMedia {
    /// The pieces of the film that are shown, which nothing may touch.
    public static let pictures = "PICTURES"

    /// An MP4 of six and a half seconds that is shown upright, 1080 × 1920: a track of pictures, one of places as cameras write it, and places in
    /// every box that may hold one.
    public static var film: [UInt8] {
        let head = box("ftyp", Array("isom\0\0\u{2}\0isommp42".utf8)) + box("mdat", Array((pictures + secret).utf8))
        let start = head.count - (pictures + secret).utf8.count
        let place = box("\u{A9}xyz", Array(secret.utf8)) + box("loci", Array(secret.utf8))
        let times: [UInt8] = number(99, 4) + number(98, 4) + number(600, 4) + number(3900, 4)
        let movie =
            box("mvhd", [0, 0, 0, 0] + times + [UInt8](repeating: 0, count: 80))
            + track("vide", samples: pictures.utf8.count, at: start)
            + track("meta", samples: secret.utf8.count, at: start + pictures.utf8.count)
            + box("udta", place + box("meta", Array(secret.utf8))) + box("meta", Array(secret.utf8))
        return head + box("moov", movie) + box("uuid", Array(secret.utf8)) + Array("PK\u{3}\u{4}\(secret)".utf8)
    }

    /// A WebM as browsers record it, of no known length, 1280 × 720.
    public static var matroska: [UInt8] {
        let open: [UInt8] = [1] + [UInt8](repeating: 0xFF, count: 7)
        let video = element([0xE0], [0xB0, 0x82, 5, 0, 0xBA, 0x82, 2, 0xD0])
        return element([0x1A, 0x45, 0xDF, 0xA3], [0x42, 0x82, 0x84] + Array("webm".utf8))
            + [0x18, 0x53, 0x80, 0x67] + open
            + element(
                [0x15, 0x49, 0xA9, 0x66],
                element([0x44, 0x61], [1, 2, 3, 4, 5, 6, 7, 8]) + element([0x7B, 0xA9], Array(secret.utf8)))
            + element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], video))
            + [0x1F, 0x43, 0xB6, 0x75] + open + [0xE7, 0x81, 0] + element([0xA3], Array(pictures.utf8))
            + element([0x12, 0x54, 0xC3, 0x67], Array(secret.utf8))
    }

    private static func track(_ handler: String, samples: Int, at place: Int) -> [UInt8] {
        let turned = number(0, 4) + number(65_536, 4) + number(0, 4) + number(-65_536, 4) + number(0, 20)
        let size = number(1920 << 16, 4) + number(1080 << 16, 4)
        let table =
            box("stsz", number(0, 4) + number(1, 4) + number(samples, 4))
            + box("stsc", number(0, 4) + number(1, 4) + number(1, 4) + number(samples, 4) + number(1, 4))
            + box("stco", number(0, 4) + number(1, 4) + number(place, 4))
        let media =
            box("mdhd", number(0, 4) + number(1, 4) + number(2, 4) + number(0, 12))
            + box("hdlr", number(0, 8) + Array(handler.utf8) + number(0, 13))
            + box("minf", box("stbl", table))
        let head = number(7, 4) + number(1, 4) + number(2, 4) + number(0, 12) + number(0, 16) + turned + size
        return box("trak", box("tkhd", head) + box("udta", box("\u{A9}xyz", Array(secret.utf8))) + box("mdia", media))
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        // The sign of copyright is one byte here.
        let letters = name.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        return number(content.count + 8, 4) + letters + content
    }

    private static func element(_ name: [UInt8], _ content: [UInt8]) -> [UInt8] {
        name + [0x40 | UInt8(content.count >> 8), UInt8(content.count & 255)] + content
    }
}
