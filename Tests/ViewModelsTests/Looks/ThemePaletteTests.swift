import Testing

@testable import ViewModels

@Suite("palettes of themes")
struct ThemePaletteTests {
    /// The theme's own accent, and some that are hard: white, black, yellow, greys around the middle, and pure colours.
    private static let accents = [
        nil, "#ffffff", "#000000", "#ffff00", "#808080", "#767676", "#777777", "#ff9800", "#0000ff", "#00ff00",
        "#ff0000", "#7a4324",
    ]
    private static let looks = Look.Theme.allCases.flatMap { theme in
        accents.map { Look(theme: theme, accent: $0.flatMap { Colour($0) }) }
    }

    @Test("every text can be read on every background", arguments: looks, ThemePalette.Ground.allCases)
    func texts(look: Look, ground: ThemePalette.Ground) {
        let palette = ThemePalette(of: look, on: ground)
        for background in palette.backgrounds {
            for text in palette.texts {
                let found = "\(text.text) on \(background.text)"
                #expect(text.contrast(with: background) >= 4.5, "\(found)")
            }
            #expect(palette.lineStrong.contrast(with: background) >= 3, "an edge on \(background.text)")
        }
    }

    @Test("what is written on buttons and badges can be read", arguments: looks, ThemePalette.Ground.allCases)
    func buttons(look: Look, ground: ThemePalette.Ground) {
        let palette = ThemePalette(of: look, on: ground)
        #expect(palette.onAccent.contrast(with: palette.accent) >= 4.5)
        #expect(palette.onAccent.contrast(with: palette.accentPress) >= 4.5)
        #expect(palette.onRose.contrast(with: palette.rose) >= 4.5)
        // A bar about a note is the page turned inside out.
        #expect(palette.paper.contrast(with: palette.ink) >= 4.5)
    }

    @Test("a page is light or dark as it says", arguments: Look.Theme.allCases)
    func grounds(theme: Look.Theme) {
        let light = ThemePalette(of: Look(theme: theme), on: .light),
            dark = ThemePalette(of: Look(theme: theme), on: .dark)
        #expect(light.paper.luminance > light.ink.luminance && dark.paper.luminance < dark.ink.luminance)
    }

    @Test("themes are not each other", arguments: ThemePalette.Ground.allCases)
    func different(ground: ThemePalette.Ground) {
        let papers = Set(Look.Theme.allCases.map { ThemePalette(of: Look(theme: $0), on: ground).paper })
        #expect(papers.count == Look.Theme.allCases.count)
    }

    @Test("an accent that can be read is taken as it is, and another only as far as it must")
    func accent() throws {
        let own = Look(accent: Colour("#7a4324"))
        #expect(own.adjustedGrounds == [.dark])
        #expect(ThemePalette(of: own, on: .light).accent == Colour(rgb: 0x7A4324))
        let orange = Look(theme: .dracula, scheme: .dark, accent: Colour("#ff9800"))
        #expect(orange.adjustedGrounds == [] && ThemePalette(of: orange, on: .dark).chestnut == Colour(rgb: 0xFF9800))
        #expect(Look(theme: .dracula, accent: Colour("#ff9800")).adjustedGrounds == [.light])
        #expect(Look(accent: Colour("#808080")).adjustedGrounds == [.light, .dark])
        #expect(Look(theme: .nord).adjustedGrounds == [])
    }

    @Test("what was done about an accent is said in one sentence")
    func words() throws {
        #expect(LookWords.adjusted(on: []) == nil)
        let sentences = [[.light], [.dark], [.light, .dark]].compactMap { (grounds: [ThemePalette.Ground]) in
            LookWords.adjusted(on: grounds)
        }
        #expect(Set(sentences).count == 3 && sentences.allSatisfy { $0.hasSuffix(".") })
    }
}
