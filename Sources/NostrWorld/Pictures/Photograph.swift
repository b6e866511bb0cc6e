internal import Crypto
internal import NostrCore
internal import NostrNIPs

/// A picture of the world as dots, for posts that may have no drawings (NIP-68): the same address always shows the same.
struct Photograph {
    /// The picture as a PNG file.
    let png: [UInt8]

    /// The SHA-256 of the file, as 64 hex digits.
    var hash: String { encodeHex(Array(SHA256.hash(data: png))) }

    /// How many sorts of light there are.
    static var palettes: Int { hashes.count }

    /// The address of one, from the root of the host.
    static func path(palette: Int, number: Int, isTall: Bool = false) -> String {
        "/photograph/\(palette)-\(number)-\(isTall ? "tall" : "wide").png"
    }

    /// How large one is.
    static func size(isTall: Bool) -> (width: Int, height: Int) { isTall ? (240, 320) : (360, 240) }

    /// Reads an address such as `/photograph/3-77-wide.png`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count == 2, parts[0] == "photograph", parts[1].hasSuffix(".png") else { return nil }
        let words = parts[1].dropLast(4).split(separator: "-")
        guard words.count == 3, let palette = Int(words[0]), Palette.all.indices.contains(palette),
            let number = UInt32(words[1])
        else { return nil }
        png = Self.drawn(palette: palette, number: number, isTall: words[2] == "tall").png
    }

    /// What the pictures of each palette look like from far away, as BlurHash and as ThumbHash.
    static let hashes = [
        (blur: "L?PFP}ofkBn%~UkCfkjZD*ayfQay", thumb: "7TgOHYKIh3iPeIhyh5d3eHd/ZPZm"),
        (blur: "LpKVQzkWW=s,_NbIbIoI4:ayfQay", thumb: "7McNFYSIh3iPeIhyh5d3eGZpcMcH"),
        (blur: "LkIG1dbcWExZ?^WrWXs,4oayfQay", thumb: "q7YNFYR3eId/h3eAeIiIh3Z6cJcH"),
        (blur: "LsMZqVoga$s.~Xfla#oc9GayfQay", thumb: "bScSFYCIh3iPeIhyh4d3eGZ+YGYG"),
        (blur: "LxL5T_ofa}s-~pj]a}oJ9GayfQay", thumb: "qsgRFYSIh3iPeIhyh4d3eGZ/cfcn"),
        (blur: "L*O{Qwt6kCni~okCkBjFD*ayfQay", thumb: "qkkSBYSIh3iPeIhzh4d3eBA1Ywa2"),
        (blur: "LhMHoqozWYt6~qbIa#oJ0KayfQay", thumb: "cOcNDYJ3eId/h3dwh6d3h2Z9YMcH"),
        (blur: "L971.?E2D+_1?aIVIV?GMtayfQay", thumb: "z+YFDYBma6dqp3aAeHiJlWVpXzX2"),
        (blur: "L*POb+t6kCn%~CkCj[jGD%ayfQay", thumb: "rFgOFYKIh3iPeIhyh5d3eHd/M7T0"),
        (blur: "LmK2|EkWW=s+_4bIW=oI0gayfQay", thumb: "q6gNJYiIh3iPeIhxh4d3eHZ2cMcH"),
    ]

    private struct Colour {
        let red: Int
        let green: Int
        let blue: Int

        init(_ text: String) {
            let number = Int(text.dropFirst(), radix: 16) ?? 0
            (red, green, blue) = (number >> 16 & 255, number >> 8 & 255, number & 255)
        }

        private init(_ red: Int, _ green: Int, _ blue: Int) { (self.red, self.green, self.blue) = (red, green, blue) }

        /// A colour between this and another.
        func mixed(with other: Colour, _ part: Int, of whole: Int) -> Colour {
            func between(_ a: Int, _ b: Int) -> Int { a + (b - a) * part / max(1, whole) }
            return Colour(between(red, other.red), between(green, other.green), between(blue, other.blue))
        }
    }

    private static func drawn(palette number: Int, number name: UInt32, isTall: Bool) -> PixelImage {
        var dice = Dice(seed: 0xF07_0000 ^ UInt64(name))
        let palette = Palette.all[number]
        let (width, height) = size(isTall: isTall)
        var image = PixelImage(width: width, height: height)
        let (top, horizon) = (Colour(palette.sky.0), Colour(palette.sky.1))
        let sun = Colour(palette.light)
        let (sunX, sunY) = (dice.whole(width / 5...width * 4 / 5), dice.whole(height / 6...height / 3))
        let radius = height / 9
        let ridges = palette.land.indices.map { _ in (shift: dice.whole(0...400), length: dice.whole(60...140)) }
        let lands = palette.land.map(Colour.init)
        for x in 0..<width {
            for y in 0..<height {
                var colour = top.mixed(with: horizon, min(y, height * 55 / 100), of: height * 55 / 100)
                let (dx, dy) = (x - sunX, y - sunY)
                if dx * dx + dy * dy < radius * radius { colour = sun }
                for (layer, ridge) in ridges.enumerated() {
                    // A line that goes up and down, without curves that every machine would draw a little differently.
                    let phase = (x + ridge.shift) % ridge.length
                    let rise = min(phase, ridge.length - phase) * height / 900
                    if y > height * (55 + 11 * layer) / 100 - rise { colour = lands[layer] }
                }
                image.set(
                    x, y, red: UInt8(clamping: colour.red), green: UInt8(clamping: colour.green),
                    blue: UInt8(clamping: colour.blue))
            }
        }
        return image
    }
}
