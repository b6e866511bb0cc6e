/// The colours of a page that is light or dark, by the names that the style sheet has for them: one property for each.
///
/// Every colour of text can be read on every background: they stand at least 4.5 : 1 apart, and the edges of fields from
/// it at least 3 : 1.
package struct ThemePalette: Hashable, Sendable {
    /// Whether a page is light or dark.
    package enum Ground: Hashable, Sendable, CaseIterable {
        case light, dark
    }

    // What is written on: the page, what lies on it, what lies deeper, what is chosen, what warns.
    package var paper, sheet, sunken, chestnutWash, roseWash: Colour
    // What is written: text, what is less important, links, what warns, what went well, what waits.
    package var ink, inkSoft, chestnut, rose, moss, amber: Colour
    // Rules between things, and the edges of fields.
    package var line, lineStrong: Colour
    // A button, the same under a finger, and what is written on it and on the colour that warns.
    package var accent, accentPress, onAccent, onRose: Colour

    /// All that is written on.
    package var backgrounds: [Colour] { [paper, sheet, sunken, chestnutWash, roseWash] }
    /// All that is written in.
    package var texts: [Colour] { [ink, inkSoft, chestnut, rose, moss, amber] }
}

extension ThemePalette {
    /// The palette of a look.
    package init(of look: Look, on ground: Ground) {
        if let colours = ThemeColours(look.theme, on: ground) {
            self.init(colours, on: ground)
            tint(with: look.accent ?? colours.accent, on: ground)
        } else {
            self = ground == .light ? .linnetLight : .linnetDark
            if let accent = look.accent { tint(with: accent, on: ground) }
        }
    }

    /// What pages of a theme lie on, whatever their accent.
    package static func paper(of theme: Look.Theme, on ground: Ground) -> Colour {
        ThemeColours(theme, on: ground)?.paper ?? (ground == .light ? linnetLight : linnetDark).paper
    }

    /// What follows from a theme's colours, before its accent is put in.
    private init(_ colours: ThemeColours, on ground: Ground) {
        let (paper, sheet) = (colours.paper, colours.sheet)
        let sunken = sheet.mixed(with: colours.ink, 0.07)
        let rose = colours.rose.readable(on: [paper, sheet, sunken])
        // Whatever can be read on the paper can be read on what is further out.
        let far = ground == .light ? Colour.white : paper.mixed(with: .black, 0.5)
        self.init(
            paper: paper, sheet: sheet, sunken: sunken, chestnutWash: paper, roseWash: paper.mixed(with: rose, 0.13),
            ink: colours.ink, inkSoft: colours.ink.mixed(with: paper, 0.3), chestnut: colours.accent, rose: rose,
            moss: colours.moss, amber: colours.amber, line: sheet.mixed(with: colours.line, 0.6),
            lineStrong: colours.line, accent: colours.accent, accentPress: colours.accent, onAccent: far, onRose: far)
    }

    /// Puts an accent in, and makes everything readable on what comes of it.
    private mutating func tint(with wish: Colour, on ground: Ground) {
        chestnut = wish.readable(on: [paper, sheet, sunken, roseWash])
        chestnutWash = paper.mixed(with: chestnut, 0.15)
        ink = ink.readable(on: backgrounds)
        inkSoft = inkSoft.readable(on: backgrounds)
        chestnut = chestnut.readable(on: backgrounds)
        rose = rose.readable(on: backgrounds)
        moss = moss.readable(on: backgrounds)
        amber = amber.readable(on: backgrounds)
        lineStrong = lineStrong.readable(on: backgrounds, contrast: Colour.edgeContrast)
        accent = chestnut
        accentPress = chestnut.mixed(with: ground == .light ? .black : .white, 0.2)
    }
}

/// What a theme is made from; the rest of its palette follows from it.
struct ThemeColours: Hashable, Sendable {
    let accent, paper, sheet, ink, line, rose, moss, amber: Colour

    fileprivate init(
        accent: UInt32, paper: UInt32, sheet: UInt32, ink: UInt32, line: UInt32, rose: UInt32, moss: UInt32,
        amber: UInt32
    ) {
        (self.accent, self.paper, self.sheet) = (Colour(rgb: accent), Colour(rgb: paper), Colour(rgb: sheet))
        (self.ink, self.line) = (Colour(rgb: ink), Colour(rgb: line))
        (self.rose, self.moss, self.amber) = (Colour(rgb: rose), Colour(rgb: moss), Colour(rgb: amber))
    }

    /// The colours of a theme; `nil` for Linnet's own, whose palette is whole.
    init?(_ theme: Look.Theme, on ground: ThemePalette.Ground) {
        switch (theme, ground) {
        case (.linnet, _): return nil
        case (.nord, .light): self = .nordLight
        case (.nord, .dark): self = .nordDark
        case (.dracula, .light): self = .draculaLight
        case (.dracula, .dark): self = .draculaDark
        case (.gruvbox, .light): self = .gruvboxLight
        case (.gruvbox, .dark): self = .gruvboxDark
        case (.monochrome, .light): self = .monochromeLight
        case (.monochrome, .dark): self = .monochromeDark
        }
    }
}

extension ThemeColours {
    // As their makers publish them (nordtheme.com, draculatheme.com, github.com/morhetz/gruvbox), and in light as Wisp
    // draws them. What cannot be read there is made darker or lighter where the palette is put together.

    fileprivate static let nordLight = ThemeColours(
        accent: 0x456085, paper: 0xDDE4EC, sheet: 0xD0D8E2, ink: 0x2E3440, line: 0x8A96A8, rose: 0xA8434D,
        moss: 0x5C7A43, amber: 0x8A671B)
    fileprivate static let nordDark = ThemeColours(
        accent: 0x88C0D0, paper: 0x2E3440, sheet: 0x3B4252, ink: 0xD8DEE9, line: 0x4C566A, rose: 0xE08A93,
        moss: 0xA3BE8C, amber: 0xEBCB8B)
    fileprivate static let draculaLight = ThemeColours(
        accent: 0xD05090, paper: 0xEAEAE0, sheet: 0xE0E0D8, ink: 0x282A36, line: 0x9E9E98, rose: 0xCC2F2F,
        moss: 0x1D7A3A, amber: 0x9A5C10)
    fileprivate static let draculaDark = ThemeColours(
        accent: 0xFF79C6, paper: 0x282A36, sheet: 0x2E3040, ink: 0xF8F8F2, line: 0x4A4D6E, rose: 0xFF5555,
        moss: 0x50FA7B, amber: 0xFFB86C)
    fileprivate static let gruvboxLight = ThemeColours(
        accent: 0xA04810, paper: 0xF5F0E5, sheet: 0xEBE5D8, ink: 0x3C3836, line: 0xB8A888, rose: 0x9D0006,
        moss: 0x79740E, amber: 0xB57614)
    fileprivate static let gruvboxDark = ThemeColours(
        accent: 0xFE8019, paper: 0x282828, sheet: 0x3C3836, ink: 0xEBDBB2, line: 0x665C54, rose: 0xFB4934,
        moss: 0xB8BB26, amber: 0xFABD2F)

    // Our own. What warns keeps its colour: it must not be looked for.

    fileprivate static let monochromeLight = ThemeColours(
        accent: 0x1A1A1A, paper: 0xF7F7F7, sheet: 0xFFFFFF, ink: 0x1A1A1A, line: 0xC4C4C4, rose: 0xB3202E,
        moss: 0x2F6B35, amber: 0x7D5A00)
    fileprivate static let monochromeDark = ThemeColours(
        accent: 0xF2F2F2, paper: 0x101010, sheet: 0x1A1A1A, ink: 0xF2F2F2, line: 0x4A4A4A, rose: 0xFF8A8A,
        moss: 0x9CCF9C, amber: 0xE6C67A)
}

extension ThemePalette {
    // Linnet's own, as linnet.css has it.

    static let linnetLight = ThemePalette(
        paper: Colour(rgb: 0xF8F3EB), sheet: Colour(rgb: 0xFFFDF9), sunken: Colour(rgb: 0xF1E9DE),
        chestnutWash: Colour(rgb: 0xF3E4D6), roseWash: Colour(rgb: 0xFBE6E6), ink: Colour(rgb: 0x2A201A),
        inkSoft: Colour(rgb: 0x6A5A4F), chestnut: Colour(rgb: 0x7A4324), rose: Colour(rgb: 0xB0263E),
        moss: Colour(rgb: 0x3D6638), amber: Colour(rgb: 0x875800), line: Colour(rgb: 0xE6DBCD),
        lineStrong: Colour(rgb: 0x8F7D6E), accent: Colour(rgb: 0x7A4324), accentPress: Colour(rgb: 0x5F3219),
        onAccent: Colour(rgb: 0xFFFAF4), onRose: Colour(rgb: 0xFFFAF4))
    static let linnetDark = ThemePalette(
        paper: Colour(rgb: 0x161210), sheet: Colour(rgb: 0x1E1916), sunken: Colour(rgb: 0x29221E),
        chestnutWash: Colour(rgb: 0x3A2A1F), roseWash: Colour(rgb: 0x43222A), ink: Colour(rgb: 0xF3EBE2),
        inkSoft: Colour(rgb: 0xB8A899), chestnut: Colour(rgb: 0xE3AB84), rose: Colour(rgb: 0xF58D9B),
        moss: Colour(rgb: 0xA3CB96), amber: Colour(rgb: 0xECC06A), line: Colour(rgb: 0x352C26),
        lineStrong: Colour(rgb: 0x8A786B), accent: Colour(rgb: 0xE3AB84), accentPress: Colour(rgb: 0xF0C2A2),
        onAccent: Colour(rgb: 0x221511), onRose: Colour(rgb: 0x2A1013))
}
