internal import Crypto
internal import NostrCore
internal import ViewModels

/// The style sheet of a look: other values for what `linnet.css` says, and nothing else.
///
/// It holds names of this program and hex digits only; no text that somebody sent comes into it.
struct LookSheet {
    /// The whole sheet.
    let text: String

    /// What a look says otherwise than the pages' own style sheets; empty for the default one.
    init(_ look: Look) {
        var text = ""
        if look.hasOwnColours { text += Self.colours(of: look) }
        // In percent of what the browser's own setting says.
        if look.textSize == .large { text += ":root{font-size:112.5%}\n" }
        if look.motion == .less {
            text +=
                "*,::before,::after{animation:none!important;transition:none!important;"
                + "scroll-behavior:auto!important}\n"
        }
        self.text = text
    }

    /// Changes with what any sheet says, so that a browser keeps each for good and a new version is a new address.
    static let edition: String = {
        let accents = [nil, Colour("#808080")]
        let looks = Look.Theme.allCases.flatMap { theme in
            accents.map { Look(theme: theme, accent: $0, textSize: .large, motion: .less) }
        }
        let all = looks.map { LookSheet($0).text }.joined()
        return String(encodeHex(Array(SHA256.hash(data: Array(all.utf8)))).prefix(12))
    }()

    private static func colours(of look: Look) -> String {
        let pairs = zip(
            ThemePalette(of: look, on: .light).properties, ThemePalette(of: look, on: .dark).properties)
        let properties = pairs.map { light, dark in
            "--\(light.name):light-dark(\(light.colour.text),\(dark.colour.text));"
        }
        return ":root{\(properties.joined())\(mixed)}\n\(places)\n"
    }

    /// What Linnet's own palette has chosen colours for follows from the others.
    private static let mixed =
        "--selected:color-mix(in srgb,var(--chestnut) 30%,var(--sheet));"
        + "--meter:color-mix(in srgb,var(--chestnut) 45%,var(--paper));"
        + "--banner:linear-gradient(115deg,color-mix(in srgb,var(--chestnut) 25%,var(--paper)),"
        + "color-mix(in srgb,var(--accent-press) 40%,var(--paper)) 60%,color-mix(in srgb,var(--ink-soft) 40%,var(--paper)));"

    /// The same of the ground of maps, whose properties stand on the map.
    private static let places =
        ":root .map{--map-land:color-mix(in srgb,var(--paper) 40%,var(--sunken));--map-line:var(--line);"
        + "--map-line-fifth:color-mix(in srgb,var(--line-strong) 25%,var(--line));"
        + "--map-old:color-mix(in srgb,var(--line-strong) 30%,var(--ink-soft))}"
}

extension ThemePalette {
    /// Its colours under the names of the style sheet's properties.
    var properties: [(name: String, colour: Colour)] {
        [
            ("paper", paper), ("sheet", sheet), ("sunken", sunken), ("line", line), ("line-strong", lineStrong),
            ("ink", ink), ("ink-soft", inkSoft), ("chestnut", chestnut), ("chestnut-wash", chestnutWash),
            ("rose", rose), ("rose-wash", roseWash), ("on-rose", onRose), ("on-accent", onAccent),
            ("accent", accent), ("accent-press", accentPress), ("moss", moss), ("amber", amber),
        ]
    }
}

extension Look {
    /// Whether its colours are others than those of `linnet.css`.
    fileprivate var hasOwnColours: Bool { theme != .linnet || accent != nil }

    /// What its style sheet is asked for by; `nil` for a look that needs none.
    ///
    /// Shape: theme, accent, size of text and motion, with `-` between them; the accent as six hex digits, or `theme`.
    /// Whether pages are light or dark is no matter of the sheet, which says both.
    var sheetName: String? {
        guard hasOwnColours || textSize != .normal || motion != .system else { return nil }
        let digits = accent.map { String($0.text.dropFirst()) } ?? Self.accentOfTheme
        return [theme.rawValue, digits, textSize.rawValue, motion.rawValue].joined(separator: "-")
    }

    /// The look that a style sheet is asked for by; `nil` for any other text.
    init?(sheetName: String) {
        let parts = sheetName.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 4, let theme = Theme(rawValue: parts[0]), let textSize = TextSize(rawValue: parts[2]),
            let motion = Motion(rawValue: parts[3])
        else { return nil }
        let accent = Colour("#" + parts[1])
        guard accent != nil || parts[1] == Self.accentOfTheme else { return nil }
        self.init(theme: theme, accent: accent, textSize: textSize, motion: motion)
    }

    private static let accentOfTheme = "theme"
}
