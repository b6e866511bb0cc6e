/// A file of a live stream of the world, from its own address: it comes in pieces (HLS), an hour of little films that
/// follow each other.
///
/// Source: RFC 8216; ISO/IEC 14496-12, 8.8.
struct StreamPieces {
    /// What it is, as servers say it.
    let type: String
    /// The file.
    let bytes: [UInt8]

    /// How many pieces there are.
    static let count = 3600 / Film.seconds

    /// The address of a stream's list, from the root of the host.
    static func path(_ stream: Int) -> String { "/streams/\(stream).m3u8" }

    /// Reads an address such as `/streams/0.m3u8`, `/streams/0/init.mp4` or `/streams/0/17.m4s`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.first == "streams", (2...3).contains(parts.count) else { return nil }
        if parts.count == 2 {
            guard parts[1].hasSuffix(".m3u8"), let stream = UInt8(parts[1].dropLast(5)) else { return nil }
            (type, bytes) = ("application/vnd.apple.mpegurl", Array(Self.list(of: Int(stream)).utf8))
            return
        }
        guard let stream = UInt8(parts[1]) else { return nil }
        type = "video/mp4"
        if parts[2] == "init.mp4" {
            bytes = FilmFile(number: Int(stream), isTall: false).beginning
            return
        }
        guard parts[2].hasSuffix(".m4s"), let number = UInt16(parts[2].dropLast(4)), number < Self.count else {
            return nil
        }
        bytes = FilmFile(number: Int(stream) + Int(number), isTall: false).piece(Int(number))
    }

    private static func list(of stream: Int) -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-TARGETDURATION:\(Film.seconds)", "#EXT-X-PLAYLIST-TYPE:VOD",
            "#EXT-X-MAP:URI=\"\(stream)/init.mp4\"",
        ]
        for number in 0..<count { lines += ["#EXTINF:\(Film.seconds),", "\(stream)/\(number).m4s"] }
        return (lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
    }
}

extension FilmFile {
    /// What players are given before any piece: what it is, and no still.
    fileprivate var beginning: [UInt8] {
        let none = full("stts", zeros(4)) + full("stsc", zeros(4)) + full("stsz", zeros(8)) + full("stco", zeros(4))
        let table = full("stsd", number(1, 4) + entry) + none
        // Of its one track every still but a piece's first leans on those before it, and each stands as long.
        let usual = full("trex", number(1, 4) + number(1, 4) + number(1, 4) + zeros(4) + number(0x101_0000, 4))
        return box("ftyp", Array("iso5".utf8) + number(512, 4) + Array("iso5iso6avc1mp41".utf8))
            + box("moov", head(lasting: 0, table) + box("mvex", usual))
    }

    /// The stills as a piece of a longer film.
    ///
    /// - Parameter number: how many pieces of this length come before it.
    fileprivate func piece(_ number: Int) -> [UInt8] {
        let begins = full("tfdt", flags: 0x100_0000, self.number(number * stills.count, 8))
        let sizes = samples.flatMap { self.number($0.count, 4) }
        func fragment(data: Int) -> [UInt8] {
            let run = full(
                "trun", flags: 0x205,
                self.number(stills.count, 4) + self.number(data, 4) + self.number(0x200_0000, 4) + sizes)
            let track = box("traf", full("tfhd", flags: 0x2_0000, self.number(1, 4)) + begins + run)
            return box("moof", full("mfhd", self.number(number + 1, 4)) + track)
        }
        // It is as long whatever it says of where the stills begin.
        return fragment(data: fragment(data: 0).count + 8) + box("mdat", samples.flatMap(\.self))
    }
}
