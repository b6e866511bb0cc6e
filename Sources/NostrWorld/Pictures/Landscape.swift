extension Drawing {
    /// Hills, water, weather and what else belongs to a topic.
    static func landscape(width: Int, height: Int, topic: Topic?, using dice: inout Dice) -> String {
        let (w, h) = (Double(width), Double(height))
        let palette = Palette.pick(using: &dice, night: topic == .stars ? true : nil)
        let sunX = dice.number(0.18...0.82) * w
        let sunY = dice.number(0.2...0.42) * h
        let radius = h * (palette.isNight ? dice.number(0.05...0.09) : dice.number(0.09...0.17))
        var body = ""
        if palette.isNight { body += stars(topic == .stars ? 160 : 70, width: w, height: h * 0.65, using: &dice) }
        body += circle(sunX, sunY, radius * 1.9, palette.light, opacity: 0.16)
        body += circle(sunX, sunY, radius * 1.4, palette.light, opacity: 0.2)
        body += circle(sunX, sunY, radius, palette.light)
        if dice.chance(0.5), !palette.isNight { body += clouds(w, h, using: &dice) }
        let hasWater = topic == .photo || topic == .birds || dice.chance(0.4)
        let layers = palette.land.count
        for layer in 0..<layers {
            let level = h * (0.52 + 0.42 * Double(layer) / Double(layers))
            let roughness = topic == .hills ? 7 - layer : 4
            let swing = h * (topic == .hills ? 0.15 : 0.07) * (1.2 - 0.2 * Double(layer))
            if hasWater, layer == layers - 1 {
                body += water(w, h, from: h * 0.72, palette, sunX: sunX, using: &dice)
            }
            body += path(
                ridge(width: w, height: h, level: level, swing: swing, roughness: roughness, using: &dice),
                palette.land[layer])
            if layer == 1, dice.chance(0.7) { body += trees(w, level, h, palette.land[2], using: &dice) }
        }
        body += flock(w, h, palette.plumage[0], using: &dice)
        body += foreground(topic, w, h, palette, using: &dice)
        return document(width: width, height: height, palette: palette, body)
    }

    private static func clouds(_ w: Double, _ h: Double, using dice: inout Dice) -> String {
        (0..<dice.whole(2...4)).map { _ in
            let (x, y) = (dice.number(0...w), dice.number(0.06...0.3) * h)
            let long = dice.number(0.08...0.2) * w
            return
                "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(long))\" height=\"\(n(h * 0.022))\" rx=\"\(n(h * 0.011))\" fill=\"#fffdf5\" opacity=\"0.6\"/>"
                + "<rect x=\"\(n(x + long * 0.3))\" y=\"\(n(y + h * 0.032))\" width=\"\(n(long * 0.5))\" height=\"\(n(h * 0.016))\" rx=\"\(n(h * 0.008))\" fill=\"#fffdf5\" opacity=\"0.5\"/>"
        }.joined()
    }

    private static func water(
        _ w: Double, _ h: Double, from level: Double, _ palette: Palette, sunX: Double, using dice: inout Dice
    ) -> String {
        var out = "<rect y=\"\(n(level))\" width=\"\(n(w))\" height=\"\(n(h - level))\" fill=\"\(palette.sky.0)\"/>"
        for row in 0..<9 {
            let y = level + (h - level) * Double(row) / 9 + 6
            let long = dice.number(0.03...0.12) * w
            let x = sunX - long / 2 + dice.number(-0.03...0.03) * w
            out +=
                "<rect x=\"\(n(x))\" y=\"\(n(y))\" width=\"\(n(long))\" height=\"\(n(h * 0.008))\" rx=\"3\" fill=\"\(palette.light)\" opacity=\"0.7\"/>"
            let side = dice.number(0...w)
            out +=
                "<rect x=\"\(n(side))\" y=\"\(n(y + 4))\" width=\"\(n(long))\" height=\"\(n(h * 0.006))\" rx=\"3\" fill=\"\(palette.sky.1)\" opacity=\"0.5\"/>"
        }
        return out
    }

    private static func trees(
        _ w: Double, _ level: Double, _ h: Double, _ fill: String, using dice: inout Dice
    ) -> String {
        let isConifer = dice.chance(0.5)
        let middle = dice.number(0.1...0.9) * w
        return (0..<dice.whole(5...14)).map { _ in
            let x = middle + dice.number(-0.16...0.16) * w
            let tall = dice.number(0.06...0.13) * h
            let foot = level + h * 0.06
            if isConifer {
                return path(
                    "M\(n(x - tall * 0.26)) \(n(foot))L\(n(x)) \(n(foot - tall))L\(n(x + tall * 0.26)) \(n(foot))Z",
                    fill)
            }
            return circle(x, foot - tall * 0.6, tall * 0.36, fill)
                + "<rect x=\"\(n(x - 2))\" y=\"\(n(foot - tall * 0.5))\" width=\"4\" height=\"\(n(tall * 0.6))\" fill=\"\(fill)\"/>"
        }.joined()
    }

    private static func flock(_ w: Double, _ h: Double, _ ink: String, using dice: inout Dice) -> String {
        let (x, y) = (dice.number(0.15...0.75) * w, dice.number(0.12...0.35) * h)
        return (0..<dice.whole(0...7)).map { number in
            let side = number % 2 == 0 ? 1.0 : -1.0
            let (bx, by) = (x + side * Double(number) * w * 0.018, y + Double(number) * h * 0.014)
            let span = h * dice.number(0.012...0.02)
            return
                "<path d=\"M\(n(bx - span)) \(n(by - span * 0.5))q\(n(span * 0.6)) \(n(-span * 0.2)) \(n(span)) \(n(span * 0.6))q\(n(span * 0.4)) \(n(-span * 0.8)) \(n(span)) \(n(-span * 0.6))\" fill=\"none\" stroke=\"\(ink)\" stroke-width=\"\(n(max(2, h * 0.005)))\" stroke-linecap=\"round\"/>"
        }.joined()
    }

    private static func foreground(
        _ topic: Topic?, _ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice
    ) -> String {
        switch topic {
        case .bread: return loaf(w, h, palette, using: &dice)
        case .garden, .day: return flowers(w, h, palette, using: &dice)
        case .wheels: return bicycle(w, h, palette)
        case .photo, .books: return lighthouse(w, h, palette, using: &dice)
        default: return dice.chance(0.7) ? reeds(w, h, palette, using: &dice) : flowers(w, h, palette, using: &dice)
        }
    }

    private static func reeds(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        let ink = palette.plumage[1]
        let middle = dice.chance(0.5) ? dice.number(0.04...0.25) : dice.number(0.75...0.96)
        return (0..<22).map { _ in
            let x = (middle + dice.number(-0.09...0.09)) * w
            let tall = dice.number(0.14...0.36) * h
            let lean = dice.number(-0.02...0.03) * w
            let head =
                dice.chance(0.4)
                ? "<ellipse cx=\"\(n(x + lean))\" cy=\"\(n(h - tall))\" rx=\"\(n(h * 0.008))\" ry=\"\(n(h * 0.03))\" fill=\"\(ink)\"/>"
                : ""
            return
                "<path d=\"M\(n(x)) \(n(h))Q\(n(x)) \(n(h - tall * 0.6)) \(n(x + lean)) \(n(h - tall))\" fill=\"none\" stroke=\"\(ink)\" stroke-width=\"\(n(h * 0.005))\" stroke-linecap=\"round\"/>"
                + head
        }.joined()
    }

    private static func flowers(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        (0..<dice.whole(14...26)).map { _ in
            let x = dice.number(0...w)
            let tall = dice.number(0.06...0.2) * h
            let petal = dice.pick([palette.plumage[2], palette.plumage[3], palette.light, "#fffdf5"], or: "#fff")
            let r = h * dice.number(0.008...0.018)
            let top = h - tall
            return "<path d=\"M\(n(x)) \(n(h))V\(n(top))\" stroke=\"\(palette.plumage[1])\" stroke-width=\"3\"/>"
                + leaf(x, h - tall * 0.4, palette.plumage[1])
                + circle(x - r, top, r, petal) + circle(x + r, top, r, petal) + circle(x, top - r, r, petal)
                + circle(x, top + r, r, petal) + circle(x, top, r * 0.7, palette.plumage[0])
        }.joined()
    }

    private static func loaf(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        let (x, y, s) = (w / 2, h * 0.76, h * 0.3)
        var out =
            "<rect y=\"\(n(h * 0.84))\" width=\"\(n(w))\" height=\"\(n(h * 0.16))\" fill=\"\(palette.plumage[0])\"/>"
        out +=
            "<rect x=\"\(n(x - s * 1.5))\" y=\"\(n(h * 0.83))\" width=\"\(n(s * 3))\" height=\"\(n(h * 0.035))\" rx=\"8\" fill=\"#b98a5a\"/>"
        out += path(
            "M\(n(x - s)) \(n(h * 0.83))C\(n(x - s * 1.1)) \(n(y - s * 0.5)) \(n(x - s * 0.4)) \(n(y - s * 0.8)) \(n(x)) \(n(y - s * 0.8))C\(n(x + s * 0.4)) \(n(y - s * 0.8)) \(n(x + s * 1.1)) \(n(y - s * 0.5)) \(n(x + s)) \(n(h * 0.83))Z",
            "#c07f3f")
        for cut in 0..<dice.whole(3...5) {
            let cx = x - s * 0.6 + Double(cut) * s * 0.34
            out +=
                "<path d=\"M\(n(cx)) \(n(y - s * 0.1))q\(n(s * 0.08)) \(n(-s * 0.3)) \(n(s * 0.2)) \(n(-s * 0.44))\" fill=\"none\" stroke=\"#f2d5a0\" stroke-width=\"\(n(s * 0.06))\" stroke-linecap=\"round\"/>"
        }
        return out
    }

    private static func bicycle(_ w: Double, _ h: Double, _ palette: Palette) -> String {
        let (x, y, r) = (w * 0.5, h * 0.8, h * 0.11)
        let ink = palette.plumage[1]
        let d =
            "M\(n(x - r * 1.5)) \(n(y))L\(n(x - r * 0.7)) \(n(y - r * 1.3))H\(n(x + r * 0.9))L\(n(x + r * 1.5)) \(n(y))M\(n(x - r * 1.5)) \(n(y))H\(n(x - r * 0.1))L\(n(x - r * 0.8)) \(n(y - r * 1.6))M\(n(x - r * 0.1)) \(n(y))L\(n(x + r * 0.9)) \(n(y - r * 1.3))L\(n(x + r * 0.7)) \(n(y - r * 1.9))h\(n(r * 0.5))M\(n(x - r * 1.15)) \(n(y - r * 1.6))h\(n(r * 0.7))"
        return [x - r * 1.5, x + r * 1.5].map { cx in
            "<circle cx=\"\(n(cx))\" cy=\"\(n(y))\" r=\"\(n(r))\" fill=\"none\" stroke=\"\(ink)\" stroke-width=\"\(n(r * 0.09))\"/>"
        }.joined()
            + "<path d=\"\(d)\" fill=\"none\" stroke=\"\(palette.plumage[2])\" stroke-width=\"\(n(r * 0.11))\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>"
    }

    private static func lighthouse(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        let x = dice.number(0.15...0.85) * w
        let (foot, top, half) = (h * 0.86, h * 0.44, h * 0.035)
        var out = path(
            "M\(n(x - half * 1.5)) \(n(foot))L\(n(x - half)) \(n(top))H\(n(x + half))L\(n(x + half * 1.5)) \(n(foot))Z",
            "#fbf6ea")
        for band in [0.25, 0.65] {
            let y = top + (foot - top) * band
            let grow = 1 + 0.5 * band
            out += path(
                "M\(n(x - half * grow)) \(n(y))H\(n(x + half * grow))L\(n(x + half * (grow + 0.08))) \(n(y + h * 0.06))H\(n(x - half * (grow + 0.08)))Z",
                palette.plumage[2])
        }
        out +=
            "<rect x=\"\(n(x - half * 0.8))\" y=\"\(n(top - h * 0.045))\" width=\"\(n(half * 1.6))\" height=\"\(n(h * 0.045))\" fill=\"\(palette.light)\"/>"
        out += path(
            "M\(n(x - half)) \(n(top - h * 0.045))L\(n(x)) \(n(top - h * 0.09))L\(n(x + half)) \(n(top - h * 0.045))Z",
            palette.plumage[0])
        return out
            + path(
                "M\(n(x - h * 0.2)) \(n(h))C\(n(x - h * 0.1)) \(n(foot - h * 0.02)) \(n(x + h * 0.1)) \(n(foot - h * 0.02)) \(n(x + h * 0.24)) \(n(h))Z",
                palette.plumage[1])
    }
}
