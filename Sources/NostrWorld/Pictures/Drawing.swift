#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A picture of the world, drawn from its own address: the same address always shows the same picture.
struct Drawing {
    /// The picture as SVG.
    let svg: String

    /// Reads an address such as `/avatar/ab….svg`, `/banner/….svg`, `/photo/birds-7.svg` or `/emoji/leaf.svg`.
    init?(path: String) {
        let parts = path.prefix { $0 != "?" }.split(separator: "/")
        guard parts.count == 2, path.utf8.count < 200, parts[1].hasSuffix(".svg") else { return nil }
        let name = String(parts[1].dropLast(4))
        guard !name.isEmpty else { return nil }
        var dice = Dice(seed: Self.seed(of: name))
        switch parts[0] {
        case "avatar": svg = Self.avatar(using: &dice)
        case "banner": svg = Self.landscape(width: 1500, height: 500, topic: nil, using: &dice)
        case "photo":
            let topic = Topic(rawValue: String(name.prefix { $0 != "-" }))
            svg = Self.landscape(width: 1200, height: 800, topic: topic, using: &dice)
        case "emoji":
            guard let emblem = Self.emblem(name) else { return nil }
            svg = emblem
        default: return nil
        }
    }

    /// FNV-1a over the name.
    private static func seed(of name: String) -> UInt64 {
        name.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }

    /// A whole document with a gradient called `sky`.
    static func document(width: Int, height: Int, palette: Palette, _ body: String) -> String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)">\
        <defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="\(palette.sky.0)"/>\
        <stop offset="1" stop-color="\(palette.sky.1)"/></linearGradient></defs>\
        <rect width="\(width)" height="\(height)" fill="url(#sky)"/>\(body)</svg>
        """
    }

    /// One decimal is enough for a picture.
    static func n(_ x: Double) -> String {
        let tenths = Int((x * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    static func circle(_ x: Double, _ y: Double, _ r: Double, _ fill: String, opacity: Double = 1) -> String {
        let alpha = opacity < 1 ? " opacity=\"\(n(opacity))\"" : ""
        return "<circle cx=\"\(n(x))\" cy=\"\(n(y))\" r=\"\(n(r))\" fill=\"\(fill)\"\(alpha)/>"
    }

    static func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ fill: String, round: Double = 0,
        opacity: Double = 1
    ) -> String {
        let corners = round > 0 ? " rx=\"\(n(round))\"" : ""
        let alpha = opacity < 1 ? " opacity=\"\(n(opacity))\"" : ""
        let place = "x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(width))\" height=\"\(n(height))\""
        return "<rect \(place) fill=\"\(fill)\"\(corners)\(alpha)/>"
    }

    /// A line without a filling, with round ends.
    static func line(_ d: String, _ ink: String, width: Double) -> String {
        path(
            d, "none",
            "stroke=\"\(ink)\" stroke-width=\"\(n(width))\" stroke-linecap=\"round\" stroke-linejoin=\"round\"")
    }

    /// A command of a path and its numbers.
    static func at(_ command: String, _ numbers: Double...) -> String {
        command + numbers.map(n).joined(separator: " ")
    }

    static func path(_ d: String, _ fill: String, _ more: String = "") -> String {
        "<path d=\"\(d)\" fill=\"\(fill)\"\(more.isEmpty ? "" : " " + more)/>"
    }

    /// A rolling line from edge to edge, closed at the bottom.
    static func ridge(
        width: Double, height: Double, level: Double, swing: Double, roughness: Int, using dice: inout Dice
    ) -> String {
        let waves = (1...roughness).map { order in
            (
                order: Double(order), phase: dice.number(0...6.283),
                size: swing / Double(order) * dice.number(0.5...1)
            )
        }
        var d = "M0 \(n(height))"
        let steps = 24
        for step in 0...steps {
            let x = width * Double(step) / Double(steps)
            let y = waves.reduce(level) { $0 + $1.size * sin($1.phase + $1.order * 5.2 * x / width) }
            d += "L\(n(x)) \(n(y))"
        }
        return d + "L\(n(width)) \(n(height))Z"
    }
}
