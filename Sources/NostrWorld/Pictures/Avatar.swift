extension Drawing {
    private enum Bird: CaseIterable {
        case song, owl, wader, swallow
    }

    /// A geometric bird before the light of its day, 256 by 256.
    static func avatar(using dice: inout Dice) -> String {
        let palette = Palette.pick(using: &dice)
        let kind = [Bird.song, .song, .song, .owl, .wader, .swallow][dice.whole(0...5)]
        var body = circle(
            dice.number(60...196), dice.number(60...120), dice.number(50...84), palette.light,
            opacity: palette.isNight ? 0.9 : 0.85)
        if palette.isNight { body += stars(10, width: 256, height: 150, using: &dice) }
        body += path(
            ridge(width: 256, height: 256, level: dice.number(170...205), swing: 14, roughness: 3, using: &dice),
            palette.land[0])
        body += path(
            ridge(width: 256, height: 256, level: dice.number(205...228), swing: 10, roughness: 3, using: &dice),
            palette.land[1])
        let bird =
            switch kind {
            case .song: songbird(palette, using: &dice)
            case .owl: owl(palette, using: &dice)
            case .wader: wader(palette, using: &dice)
            case .swallow: swallow(palette, using: &dice)
            }
        let mirror = dice.chance(0.5) ? " transform=\"matrix(-1 0 0 1 256 0)\"" : ""
        return document(width: 256, height: 256, palette: palette, body + "<g\(mirror)>\(bird)</g>")
    }

    private static func songbird(_ palette: Palette, using dice: inout Dice) -> String {
        let (back, wing, breast, beak) = colours(palette)
        let tail = dice.number(0...26)
        let lift = dice.number(-5...5)
        var out = "<g transform=\"rotate(\(n(lift)) 128 150)\">"
        out += path(
            "M84 168L\(n(30 - tail / 2)) \(n(212 + tail / 3))L\(n(46 - tail / 2)) \(n(224 + tail / 3))L104 196Z", wing)
        out += "<path d=\"M118 192V222M140 190V222\" stroke=\"\(beak)\" stroke-width=\"5\" stroke-linecap=\"round\"/>"
        out += path(
            "M66 176C70 118 112 66 160 66C186 66 200 84 200 106C200 160 166 206 112 206C90 206 70 198 66 176Z", back)
        out += path("M200 104C202 160 166 206 112 206C128 168 150 122 200 104Z", breast)
        out += path("M150 128C116 116 76 140 54 194C98 200 146 184 150 128Z", wing)
        if dice.chance(0.35) { out += path("M130 78C140 56 160 40 178 40C176 52 176 60 184 72Z", wing) }
        if dice.chance(0.5) {
            out += path("M132 80C142 68 154 62 166 62C184 62 196 72 200 88C178 82 154 80 132 80Z", wing)
        }
        out += path("M197 92L230 104L198 114Z", beak)
        out += circle(174, 98, 9, "#fffdf5") + circle(176, 98, 5.5, "#1b1b22") + "</g>"
        let perch = path("M0 224C80 214 170 230 256 216V228C170 242 80 226 0 236Z", palette.land.last ?? wing)
        return perch + (dice.chance(0.6) ? leaf(44, 220, palette.land[2]) + leaf(214, 220, palette.land[2]) : "") + out
    }

    private static func owl(_ palette: Palette, using dice: inout Dice) -> String {
        let (back, wing, breast, beak) = colours(palette)
        let ears = dice.chance(0.6)
        var out = path(
            "M64 118C64 74 92 54 128 54C164 54 192 74 192 118V164C192 202 164 226 128 226C92 226 64 202 64 164Z", back)
        if ears { out += path("M68 92L62 40L110 62Z", back) + path("M188 92L194 40L146 62Z", back) }
        out += path(
            "M88 146C88 128 106 120 128 120C150 120 168 128 168 146V170C168 196 150 212 128 212C106 212 88 196 88 170Z",
            breast)
        for row in 0..<3 {
            for column in 0..<(3 - row % 2) {
                let x = 108 + Double(column) * 20 + Double(row % 2) * 10
                out += path(
                    "M\(n(x - 7)) \(n(152 + Double(row) * 18))q7 9 14 0", "none",
                    "stroke=\"\(wing)\" stroke-width=\"4\"")
            }
        }
        out += path("M64 128C52 160 58 196 84 214C92 186 88 150 64 128Z", wing)
        out += path("M192 128C204 160 198 196 172 214C164 186 168 150 192 128Z", wing)
        for x in [102.0, 154.0] {
            out += circle(x, 98, 26, "#fffdf5") + circle(x, 98, 15, beak) + circle(x, 98, 8, "#1b1b22")
        }
        out += path("M118 108L138 108L128 128Z", beak)
        return out + path("M30 226H226V236H30Z", palette.land.last ?? wing)
    }

    private static func wader(_ palette: Palette, using dice: inout Dice) -> String {
        let (back, wing, breast, beak) = colours(palette)
        let bill = dice.number(38...62)
        var out = path("M0 214C60 206 190 222 256 210V256H0Z", palette.land[2])
        out += "<path d=\"M112 176V236M134 176V236\" stroke=\"\(beak)\" stroke-width=\"5\" stroke-linecap=\"round\"/>"
        out += path("M34 168C60 122 130 118 168 146C160 176 120 190 88 186C66 184 48 180 34 168Z", back)
        out += path("M96 184C124 190 158 178 168 146C140 150 112 162 96 184Z", breast)
        out += path(
            "M146 156C176 132 168 104 160 84C154 66 166 52 184 54C198 56 204 68 200 80C194 104 204 140 166 164Z", back)
        out += path("M50 164C80 132 124 136 142 152C116 172 80 178 50 164Z", wing)
        out += path("M198 62L\(n(200 + bill)) \(n(78 + bill / 5))L198 74Z", beak)
        if dice.chance(0.5) { out += path("M180 54C160 44 148 44 134 48C150 50 162 58 172 66Z", wing) }
        return out + circle(184, 68, 6, "#fffdf5") + circle(185, 68, 3.5, "#1b1b22")
            + path(
                "M20 238q30 -8 60 0t60 0t60 0", "none", "stroke=\"\(palette.sky.1)\" stroke-width=\"4\" opacity=\"0.6\""
            )
    }

    private static func swallow(_ palette: Palette, using dice: inout Dice) -> String {
        let (back, wing, breast, beak) = colours(palette)
        let tilt = dice.number(-18...10)
        var out = "<g transform=\"rotate(\(n(tilt)) 128 128)\">"
        out += path("M120 132C96 96 56 70 10 72C42 92 66 122 88 152Z", wing)
        out += path("M92 150L20 196L78 174L40 224L112 166Z", back)
        out += path("M84 156C100 128 150 96 190 98C208 100 216 112 210 122C196 148 130 176 84 156Z", back)
        out += path("M106 160C140 164 192 148 210 122C178 130 134 134 106 160Z", breast)
        out += path("M146 122C136 78 154 38 196 12C190 52 188 88 178 116Z", wing)
        out += path("M210 108L232 116L208 122Z", beak)
        return out + circle(192, 110, 5, "#fffdf5") + circle(193, 110, 3, "#1b1b22") + "</g>"
    }

    private static func colours(_ palette: Palette) -> (String, String, String, String) {
        let p = palette.plumage
        return (p[0], p[1], p[2], p[3])
    }

    static func leaf(_ x: Double, _ y: Double, _ fill: String) -> String {
        path("M\(n(x)) \(n(y))q10 -34 34 -40q-2 30 -34 40Z", fill)
    }

    static func stars(_ count: Int, width: Double, height: Double, using dice: inout Dice) -> String {
        (0..<count).map { _ in
            circle(
                dice.number(0...width), dice.number(0...height), dice.number(0.8...2.4), "#fff8e0",
                opacity: dice.number(0.4...0.9))
        }.joined()
    }

    /// The world's own emoji, 64 by 64.
    static func emblem(_ name: String) -> String? {
        let shape: String
        switch name {
        case "linnet":
            shape =
                path("M8 46L2 56L18 52Z", "#5b3a2e")
                + path("M10 46C12 26 26 12 40 12C50 12 54 20 54 28C54 46 42 56 28 56C18 56 10 54 10 46Z", "#8a5a44")
                + path("M54 28C54 46 42 56 28 56C34 44 40 32 54 28Z", "#d9534f")
                + path("M38 32C26 30 14 38 8 52C24 54 38 48 38 32Z", "#5b3a2e")
                + path("M53 22L62 26L53 30Z", "#f0b74a") + circle(46, 22, 3, "#1b1b22")
        case "leaf":
            shape =
                path("M10 56C6 28 24 8 56 8C58 40 40 58 10 56Z", "#4f9d69")
                + path("M10 56C22 40 34 28 50 14", "none", "stroke=\"#2c6b46\" stroke-width=\"3\"")
        case "wave":
            shape =
                path("M2 44C12 14 40 10 50 26C42 22 36 28 40 36C46 46 58 40 62 36V58H2Z", "#3e86b8")
                + path("M2 54C16 46 30 58 44 52C52 48 58 50 62 52V60H2Z", "#1f5f8b")
        case "loaf":
            shape =
                path("M6 40C6 24 18 16 32 16C46 16 58 24 58 40C58 50 54 52 48 52H16C10 52 6 50 6 40Z", "#c98543")
                + path(
                    "M20 26l6 12M32 24l4 13M44 27l3 11", "none",
                    "stroke=\"#f3d9a8\" stroke-width=\"4\" stroke-linecap=\"round\"")
        case "star": shape = path("M32 4L40 24L61 26L45 40L50 60L32 49L14 60L19 40L3 26L24 24Z", "#f2c14e")
        default: return nil
        }
        return
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\" width=\"64\" height=\"64\">\(shape)</svg>"
    }
}
