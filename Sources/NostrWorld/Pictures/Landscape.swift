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
            return rect(x, y, long, h * 0.022, "#fffdf5", round: h * 0.011, opacity: 0.6)
                + rect(x + long * 0.3, y + h * 0.032, long * 0.5, h * 0.016, "#fffdf5", round: h * 0.008, opacity: 0.5)
        }.joined()
    }

    private static func water(
        _ w: Double, _ h: Double, from level: Double, _ palette: Palette, sunX: Double, using dice: inout Dice
    ) -> String {
        var out = rect(0, level, w, h - level, palette.sky.0)
        for row in 0..<9 {
            let y = level + (h - level) * Double(row) / 9 + 6
            let long = dice.number(0.03...0.12) * w
            let x = sunX - long / 2 + dice.number(-0.03...0.03) * w
            out += rect(x, y, long, h * 0.008, palette.light, round: 3, opacity: 0.7)
            out += rect(dice.number(0...w), y + 4, long, h * 0.006, palette.sky.1, round: 3, opacity: 0.5)
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
                let half = tall * 0.26
                return path(at("M", x - half, foot) + at("L", x, foot - tall) + at("L", x + half, foot) + "Z", fill)
            }
            return circle(x, foot - tall * 0.6, tall * 0.36, fill) + rect(x - 2, foot - tall * 0.5, 4, tall * 0.6, fill)
        }.joined()
    }

    private static func flock(_ w: Double, _ h: Double, _ ink: String, using dice: inout Dice) -> String {
        let (x, y) = (dice.number(0.15...0.75) * w, dice.number(0.12...0.35) * h)
        return (0..<dice.whole(0...7)).map { number in
            let side = number % 2 == 0 ? 1.0 : -1.0
            let (bx, by) = (x + side * Double(number) * w * 0.018, y + Double(number) * h * 0.014)
            let s = h * dice.number(0.012...0.02)
            let wings =
                at("M", bx - s, by - s * 0.5) + at("q", s * 0.6, -s * 0.2, s, s * 0.6)
                + at("q", s * 0.4, -s * 0.8, s, -s * 0.6)
            return line(wings, ink, width: max(2, h * 0.005))
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
            let tip = x + dice.number(-0.02...0.03) * w
            let stem = line(at("M", x, h) + at("Q", x, h - tall * 0.6, tip, h - tall), ink, width: h * 0.005)
            guard dice.chance(0.4) else { return stem }
            return stem + rect(tip - h * 0.008, h - tall - h * 0.03, h * 0.016, h * 0.06, ink, round: h * 0.008)
        }.joined()
    }

    private static func flowers(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        (0..<dice.whole(14...26)).map { _ in
            let x = dice.number(0...w)
            let tall = dice.number(0.06...0.2) * h
            let petal = dice.pick([palette.plumage[2], palette.plumage[3], palette.light, "#fffdf5"], or: "#fff")
            let r = h * dice.number(0.008...0.018)
            let top = h - tall
            return line(at("M", x, h) + at("V", top), palette.plumage[1], width: 3)
                + leaf(x, h - tall * 0.4, palette.plumage[1])
                + circle(x - r, top, r, petal) + circle(x + r, top, r, petal) + circle(x, top - r, r, petal)
                + circle(x, top + r, r, petal) + circle(x, top, r * 0.7, palette.plumage[0])
        }.joined()
    }

    private static func loaf(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        let (x, y, s, board) = (w / 2, h * 0.76, h * 0.3, h * 0.83)
        var out = rect(0, h * 0.84, w, h * 0.16, palette.plumage[0])
        out += rect(x - s * 1.5, board, s * 3, h * 0.035, "#b98a5a", round: 8)
        let crust =
            at("M", x - s, board) + at("C", x - s * 1.1, y - s * 0.5, x - s * 0.4, y - s * 0.8, x, y - s * 0.8)
            + at("C", x + s * 0.4, y - s * 0.8, x + s * 1.1, y - s * 0.5, x + s, board) + "Z"
        out += path(crust, "#c07f3f")
        for cut in 0..<dice.whole(3...5) {
            let start = at("M", x - s * 0.6 + Double(cut) * s * 0.34, y - s * 0.1)
            out += line(start + at("q", s * 0.08, -s * 0.3, s * 0.2, -s * 0.44), "#f2d5a0", width: s * 0.06)
        }
        return out
    }

    private static func bicycle(_ w: Double, _ h: Double, _ palette: Palette) -> String {
        let (x, y, r) = (w * 0.5, h * 0.8, h * 0.11)
        let frame =
            at("M", x - r * 1.5, y) + at("L", x - r * 0.7, y - r * 1.3) + at("H", x + r * 0.9)
            + at("L", x + r * 1.5, y)
            + at("M", x - r * 1.5, y) + at("H", x - r * 0.1) + at("L", x - r * 0.8, y - r * 1.6)
            + at("M", x - r * 0.1, y) + at("L", x + r * 0.9, y - r * 1.3) + at("L", x + r * 0.7, y - r * 1.9)
            + at("h", r * 0.5) + at("M", x - r * 1.15, y - r * 1.6) + at("h", r * 0.7)
        let wheels = [x - r * 1.5, x + r * 1.5].map { centre in
            let round = at("M", centre - r, y) + at("a", r, r, 0, 1, 0, 2 * r, 0) + at("a", r, r, 0, 1, 0, -2 * r, 0)
            return line(round, palette.plumage[1], width: r * 0.09)
        }
        return wheels.joined() + line(frame, palette.plumage[2], width: r * 0.11)
    }

    private static func lighthouse(_ w: Double, _ h: Double, _ palette: Palette, using dice: inout Dice) -> String {
        let x = dice.number(0.15...0.85) * w
        let (foot, top, half) = (h * 0.86, h * 0.44, h * 0.035)
        /// A piece of the tower from one height to another, wider below.
        func piece(_ from: Double, _ to: Double, _ fill: String) -> String {
            func reach(_ y: Double) -> Double { half * (1 + 0.5 * (y - top) / (foot - top)) }
            return path(
                at("M", x - reach(from), from) + at("H", x + reach(from)) + at("L", x + reach(to), to)
                    + at("H", x - reach(to)) + "Z", fill)
        }
        let rock =
            at("M", x - h * 0.2, h)
            + at("C", x - h * 0.1, foot - h * 0.02, x + h * 0.1, foot - h * 0.02, x + h * 0.24, h) + "Z"
        let roof =
            at("M", x - half, top - h * 0.045) + at("L", x, top - h * 0.09) + at("L", x + half, top - h * 0.045) + "Z"
        return piece(top, foot, "#fbf6ea") + piece(h * 0.545, h * 0.605, palette.plumage[2])
            + piece(h * 0.713, h * 0.773, palette.plumage[2])
            + rect(x - half * 0.8, top - h * 0.045, half * 1.6, h * 0.045, palette.light)
            + path(roof, palette.plumage[0]) + path(rock, palette.plumage[1])
    }
}
