import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("how pages look")
struct LooksTests {
    private static let accents = [nil, "#ffffff", "#000000", "#ffff00", "#808080", "#ff9800"]
    private static let looks = Look.Theme.allCases.flatMap { theme in
        accents.map {
            Look(theme: theme, accent: $0.flatMap { Colour($0) }, textSize: .large, motion: .less)
        }
    }

    @Test("a style sheet holds names of this program and hex digits, whatever was chosen", arguments: looks)
    func sheets(look: Look) throws {
        let text = LookSheet(look).text
        let colours = text.matches(of: /#[0-9a-f]{6}(?![0-9a-z])/).count
        let isPlain = look.theme == .linnet && look.accent == nil
        #expect(colours == (isPlain ? 0 : 34))
        #expect(text.filter { $0 == "#" }.count == colours)
        #expect(!text.contains("url") && !text.contains("@") && !text.contains("<") && !text.contains("\\"))
        #expect(text.filter { $0 == "{" }.count == text.filter { $0 == "}" }.count)
        let name = try #require(look.sheetName)
        #expect(Look(sheetName: name) == look)
    }

    @Test("Linnet's own palette is the one in linnet.css")
    func own() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let css = try await browser.get("\(Assets.address.text)/linnet.css").text
            let dark = ThemePalette(of: Look(), on: .dark).properties
            for (light, dark) in zip(ThemePalette(of: Look(), on: .light).properties, dark) {
                let line = "--\(light.name): light-dark(\(light.colour.text), \(dark.colour.text));"
                #expect(css.contains(line), "\(line)")
            }
        }
    }

    @Test("a look as it is needs no sheet, and light or dark needs none either", arguments: Look.Scheme.allCases)
    func plain(scheme: Look.Scheme) async throws {
        #expect(Look(scheme: scheme).sheetName == nil)
        let settings = Settings(first: PersonalSettings(look: Look(scheme: scheme)))
        let under = try FaceUnderTest(.plain(notes: 0), settings: settings)
        try await under.test { browser in
            let page = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(!page.text.contains("theme.css") && !page.text.contains("style="))
            let schemes = scheme == .system ? "light dark" : scheme.rawValue
            #expect(page.text.contains("name=\"color-scheme\" content=\"\(schemes)\""))
            let papers = page.text.matches(of: /name="theme-color" content="(#[0-9a-f]{6})"/).map {
                String($0.output.1)
            }
            let expected = ["#f8f3eb", "#161210"]
            #expect(papers == (scheme == .system ? expected : scheme == .light ? [expected[0]] : [expected[1]]))
        }
    }

    @Test("a theme's sheet stands behind the others, is kept for good, and is there before a login")
    func themed() async throws {
        let look = Look(theme: .nord, scheme: .dark, accent: Colour("#ff9800"), textSize: .large, motion: .less)
        let settings = Settings(look: look, first: PersonalSettings(look: look))
        let under = try FaceUnderTest(.plain(notes: 0), settings: settings)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for page in [try await browser.get("/login"), try await browser.get("/settings", cookie: cookie)] {
                let sheets = page.text.matches(of: /rel="stylesheet" href="([^"]+)"/).map { String($0.output.1) }
                let address = try #require(sheets.last).replacing("&amp;", with: "&")
                #expect(address.hasPrefix("/theme.css?look=nord-ff9800-large-less&v="))
                #expect(sheets.dropLast().allSatisfy { $0.hasPrefix("/assets/") })
                #expect(
                    page.text.contains("data-scheme=\"dark\" data-motion=\"less\"") && !page.text.contains("style="))
                let sheet = try await browser.get(address)
                #expect(
                    sheet.text == LookSheet(look).text && sheet.text.contains("--paper:light-dark(#dde4ec,#2e3440)"))
                #expect(sheet.headers[.contentType] == "text/css; charset=utf-8")
                #expect(sheet.headers[.cacheControl] == "public, max-age=31536000, immutable")
                let old = try await browser.get("/theme.css?look=nord-ff9800-large-less&v=000000000000")
                #expect(old.headers[.cacheControl] == "no-store" && old.text == sheet.text)
            }
            let settings = try await browser.get("/settings", cookie: cookie).text
            #expect(settings.contains("name=\"theme-color\" content=\"#2e3440\""))
        }
    }

    @Test(
        "a sheet that no look asks for is not there",
        arguments: [
            "", "nord", "nord-ff9800-large", "nord-ff9800-large-less-x", "nord-fff;}body{-large-less",
            "Nord-theme-large-less",
            "nord-own-large-less", "nord-theme-huge-less", "nord-theme-large-more", "nord--large-less",
        ])
    func hostile(name: String) async throws {
        #expect(Look(sheetName: name) == nil)
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let page = try await browser.get("/theme.css?look=\(encodePercent(name))&v=\(LookSheet.edition)")
            #expect(page.status == .notFound && !page.text.contains("body{"))
        }
    }

    @Test("is chosen on the settings page, at once and for the account alone")
    func chosen() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let answer = try await browser.post(
                "/settings/look",
                [
                    "csrf": csrf, "theme": "gruvbox", "scheme": "light", "accent": "own", "colour": "#FFFF00",
                    "text": "large", "motion": "less",
                ], cookie: cookie)
            #expect(answer.location == "/settings?saved=1")
            let look = Look(
                theme: .gruvbox, scheme: .light, accent: Colour("#ffff00"), textSize: .large, motion: .less)
            #expect(await under.personal.look == look)
            #expect(await under.settings.settings() == Settings())
            let page = try await browser.get("/settings?saved=1", cookie: cookie)
            #expect(page.text.contains("look=gruvbox-ffff00-large-less") && page.text.contains("value=\"#ffff00\""))
            #expect(page.text.contains("Your accent is hard to read on light pages, so it is darker there."))
            #expect(try await !browser.get("/login").text.contains("theme.css"))

            _ = try await browser.post("/settings/look", ["csrf": csrf, "accent": "theme"], cookie: cookie)
            let own = try await browser.get("/settings", cookie: cookie)
            #expect(await under.personal.look.theme == .gruvbox && own.text.contains("look=gruvbox-theme-large-less"))
            #expect(!own.text.contains("hard to read"))
        }
    }

    @Test("is given to the pages before a login only where that is ticked, and taken from them again")
    func beforeLogin() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post(
                "/settings/look", ["csrf": csrf, "theme": "nord", "login": "on"], cookie: cookie)
            #expect(try await browser.get("/login").text.contains("look=nord-"))
            #expect(try await browser.get("/settings", cookie: cookie).text.contains("name=\"login\" checked"))
            _ = try await browser.post("/settings/look", ["csrf": csrf, "theme": "nord"], cookie: cookie)
            #expect(try await !browser.get("/login").text.contains("theme.css"))
            #expect(await under.personal.look.theme == .nord)
        }
    }

    @Test(
        "what is no choice is refused in one sentence, and nothing is changed",
        arguments: [
            ("theme", "solarized"), ("scheme", ""), ("text", "huge"), ("motion", "more"), ("accent", "<b>"),
            ("colour", "#fff;}body{"), ("colour", "#fff"), ("colour", "red"), ("colour", ""),
        ])
    func refused(field: String, value: String) async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            let accent = field == "accent" ? value : "own"
            let page = try await browser.post(
                "/settings/look", ["csrf": csrf, field: value, "accent": accent, "scheme": "dark"], cookie: cookie)
            #expect(page.status == .unprocessableContent)
            let sentence = field == "colour" ? "That is not a colour." : "That is not one of the looks"
            #expect(page.text.contains(sentence) && !page.text.contains("body{") && !page.text.contains("<b>"))
            #expect(await under.personal == PersonalSettings())
        }
    }

    @Test("without scripts every choice is a field of the browser's own")
    func fields() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let page = try await browser.get("/settings", cookie: try await browser.logIn()).text
            for (name, count) in [("theme", 5), ("scheme", 3), ("accent", 2), ("text", 2), ("motion", 2)] {
                let fields = try Regex("type=\"radio\" name=\"\(name)\"")
                #expect(page.matches(of: fields).count == count)
            }
            #expect(page.contains("<input type=\"color\" name=\"colour\" value=\"#ff9800\">"))
        }
    }
}
