/// A little film of the world, from its own address: the same address always shows the same.
struct Film {
    /// The film as an MP4 file: H.264, two stills a second, without sound.
    let mp4: [UInt8]

    /// How long each lasts, in seconds.
    static let seconds = 6

    /// The address of one, from the root of the host.
    ///
    /// - Parameter variant: what its author calls larger or smaller; the film is the same.
    static func path(_ number: Int, variant: Int, isTall: Bool) -> String {
        "/film/\(number)-\(variant)-\(isTall ? "tall" : "wide").mp4"
    }

    /// Reads an address such as `/film/7-2-wide.mp4`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count == 2, parts[0] == "film", parts[1].hasSuffix(".mp4") else { return nil }
        let words = parts[1].dropLast(4).split(separator: "-")
        guard words.count == 3, let number = UInt16(words[0]), UInt8(words[1]) != nil,
            words[2] == "tall" || words[2] == "wide"
        else { return nil }
        mp4 = FilmFile(number: Int(number), isTall: words[2] == "tall").bytes
    }
}

/// An MP4 file around a coded film, its index first.
///
/// Source: ISO/IEC 14496-12, 14496-14 and 14496-15.
struct FilmFile {
    private static let perSecond = 2

    let coder: FilmCoder
    let stills: [[UInt8]]

    private var width: Int { coder.columns * FilmStill.block }
    private var height: Int { coder.rows * FilmStill.block }
    var samples: [[UInt8]] { stills.map { number($0.count, 4) + $0 } }

    /// Codes a film of its number.
    init(number: Int, isTall: Bool) {
        // The shapes of the world's photographs, which stand in their place before they play.
        let (columns, rows) = isTall ? (6, 8) : (9, 6)
        let count = Film.seconds * Self.perSecond
        var coder = FilmCoder(columns: columns, rows: rows)
        stills = (0..<count).map { moment in
            coder.picture(FilmStill(columns: columns, rows: rows, moment: moment, of: count, tint: number % 8 * 4))
        }
        self.coder = coder
    }

    var bytes: [UInt8] {
        let head = box("ftyp", Array("isom".utf8) + number(512, 4) + Array("isomavc1mp41".utf8))
        // The index is as long whatever it says of where the film begins.
        let begins = head.count + index(begins: 0).count + 8
        return head + index(begins: begins) + box("mdat", samples.flatMap(\.self))
    }

    private func index(begins: Int) -> [UInt8] {
        box("moov", head(lasting: stills.count, table(begins: begins)))
    }

    /// What the film and its one track are.
    ///
    /// - Parameter length: how many stills it lasts.
    func head(lasting length: Int, _ table: [UInt8]) -> [UInt8] {
        let times = zeros(8) + number(Self.perSecond, 4) + number(length, 4)
        let head = full(
            "mvhd", times + number(0x10000, 4) + number(0x100, 2) + zeros(10) + upright + zeros(24) + number(2, 4))
        let track = full(
            "tkhd", flags: 7,
            zeros(8) + number(1, 4) + zeros(4) + number(length, 4) + zeros(16) + upright
                + number(width << 16, 4) + number(height << 16, 4))
        let medium =
            full("mdhd", times + number(0x55C4, 2) + zeros(2))
            + full("hdlr", zeros(4) + Array("vide".utf8) + zeros(13))
        let elsewhere = box("dinf", full("dref", number(1, 4) + full("url ", flags: 1, [])))
        let parts = box("minf", full("vmhd", flags: 1, zeros(8)) + elsewhere + box("stbl", table))
        return head + box("trak", track + box("mdia", medium + parts))
    }

    /// What the stills are, how long each stands, how large it is, and where the first begins.
    private func table(begins: Int) -> [UInt8] {
        let count = number(stills.count, 4)
        let one = number(1, 4)
        let sizes = samples.flatMap { number($0.count, 4) }
        return full("stsd", one + entry) + full("stts", one + count + one) + full("stss", one + one)
            + full("stsc", one + one + count + one) + full("stsz", zeros(4) + count + sizes)
            + full("stco", one + number(begins, 4))
    }

    /// What the stills are coded as.
    var entry: [UInt8] {
        let sets = [coder.sequence, coder.parameters]
        let told = sets.map { [1] + number($0.count, 2) + $0 }
        // Four bytes say how long each unit is; one set of each sort.
        let kind = box("avcC", [1] + FilmCoder.kind + [0xFF, 0xE0 | told[0][0]] + told[0].dropFirst() + told[1])
        let size = number(width, 2) + number(height, 2)
        let density = number(0x48_0000, 4) + number(0x48_0000, 4)
        let look = zeros(4) + number(1, 2) + zeros(32) + number(24, 2) + number(0xFFFF, 2)
        return box("avc1", zeros(6) + number(1, 2) + zeros(16) + size + density + look + kind)
    }

    /// Shown as it is: no turn, no stretch.
    private var upright: [UInt8] {
        [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap { number($0, 4) }
    }

    func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
        number(8 + body.count, 4) + Array(name.utf8) + body
    }

    /// A box with a version, which is 0, and flags.
    func full(_ name: String, flags: Int = 0, _ body: [UInt8]) -> [UInt8] {
        box(name, number(flags, 4) + body)
    }

    func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

    /// A number in so many bytes, the highest first.
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
