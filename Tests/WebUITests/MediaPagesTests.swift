import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pictures, films and sounds")
struct MediaPagesTests {
    private static let blur = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"

    /// Home with one event, drawn for somebody who loads everything.
    private func home(
        _ content: String, kind: Kind = 1, tags: [NostrCore.Tag], media: PersonalSettings.RemoteMedia = .always,
        autoplay: Bool = false
    ) async throws -> String {
        var world = FakeWorld.plain(notes: 0)
        world.keep(world.note(content, by: 1, kind: kind, tags: tags, ago: 10))
        let first = PersonalSettings(remoteMedia: media, autoplay: autoplay)
        let under = try FaceUnderTest(world, settings: Settings(first: first))
        return try await under.test { browser in
            try await browser.get("/home", cookie: try await browser.logIn()).text
        }
    }

    @Test("a picture is told as its author tells it, keeps its room, and has other addresses")
    func picture() async throws {
        let url = "https://a.example/heron"
        let tags: [NostrCore.Tag] = [
            [
                "imeta", "url \(url)", "m image/jpeg", "dim 400x300", "alt A heron \"at\" dawn",
                "blurhash \(Self.blur)",
                "fallback https://b.example/heron.jpg", "fallback javascript:alert(1)",
            ]
        ]
        let page = try await home("Look: \(url)", tags: tags)
        #expect(page.contains("alt=\"A heron &quot;at&quot; dawn\" data-else=\"https://b.example/heron.jpg\""))
        #expect(page.contains("<svg class=\"sizer\" viewBox=\"0 0 400 300\" aria-hidden=\"true\">"))
        let placeholder = "class=\"blur\" loading=\"lazy\" src=\"/placeholder?blur=LEHV6nWB2yk8pyo0adR%2A.7kCMdnj\""
        #expect(page.contains(placeholder))
        #expect(page.contains("src=\"\(url)\"") && !page.contains("javascript:") && !page.contains("Picture by"))
    }

    @Test("what nobody described says whose it is, and what is said of another file is not believed")
    func undescribed() async throws {
        let tags: [NostrCore.Tag] = [["imeta", "url https://a.example/other.png", "alt A lie", "dim 1x1"]]
        let page = try await home("https://a.example/cat.png", tags: tags)
        #expect(page.contains("alt=\"Picture by Ben\"") && !page.contains("A lie") && !page.contains("sizer"))
    }

    @Test("a post of pictures has a title, a grid, and stands behind its warning")
    func post() async throws {
        let pictures: [NostrCore.Tag] = (1...3).map {
            ["imeta", "url https://a.example/\($0).png", "m image/png", "alt View \($0)", "dim 40x30"]
        }
        let facts: [NostrCore.Tag] = [
            ["title", "Three views"], ["content-warning", "heights"], ["location", "Oslo"],
        ]
        let tags = facts + pictures
        let page = try await home("Words", kind: 20, tags: tags)
        #expect(page.contains("<p class=\"note-title\">Three views</p>") && page.contains("class=\"media is-many\""))
        #expect(page.contains("<details class=\"warned\"><summary>Content warning: heights</summary>"))
        for number in 1...3 { #expect(page.contains("alt=\"View \(number)\"")) }
        #expect(page.contains("Oslo"))
        let never = try await home("Words", kind: 20, tags: tags, media: .never)
        #expect(!never.contains("src=\"https://") && never.contains("href=\"https://a.example/2.png\""))
        #expect(never.contains("View 2"))
    }

    @Test("people in a picture are pointed at where they are, by links; without a size they are named alone")
    func people() async throws {
        let (ada, cleo, nobody) = (FakeAuthor(1).key, FakeAuthor(3).key, FakeAuthor(9).key)
        func post(_ size: String) -> [NostrCore.Tag] {
            [
                [
                    "imeta", "url https://a.example/1.png", "m image/png", size, "annotate-user \(ada.hex):100:200",
                    "annotate-user \(cleo.hex):300:10", "annotate-user \(cleo.hex):1:1",
                    "annotate-user \(nobody.hex):5:5", "annotate-user \(ada.hex):4000:5",
                ]
            ]
        }
        func shown(_ tags: [NostrCore.Tag], media: PersonalSettings.RemoteMedia = .always) async throws -> String {
            var world = FakeWorld.plain(notes: 0)
            var note = world.note("Us", by: 1, kind: 20, tags: tags, ago: 10)
            note.mentioned[ada] = Person(key: ada, fields: ["name": "Ada <b>"])
            note.mentioned[cleo] = Person(key: cleo, fields: ["name": "Cleo"])
            world.keep(note)
            let under = try FaceUnderTest(world, settings: Settings(first: PersonalSettings(remoteMedia: media)))
            return try await under.test { browser in
                try await browser.get("/home", cookie: try await browser.logIn()).text
            }
        }
        let page = try await shown(post("dim 400x300"))
        #expect(page.contains("<svg class=\"marks\" viewBox=\"0 0 400 300\" preserveAspectRatio=\"xMidYMid slice\""))
        #expect(page.contains("<a class=\"mark\" href=\"/people/\(ada.hex)\" aria-label=\"@Ada &lt;b&gt;\">"))
        #expect(page.contains("d=\"M100 200h.01\"") && page.contains("x=\"116\" y=\"200\" font-size=\"16\""))
        #expect(page.contains("x=\"284\" y=\"10\" font-size=\"16\" text-anchor=\"end\""))
        #expect(page.ranges(of: "class=\"mark\"").count == 2 && !page.contains(" style="))
        #expect(page.contains("In the picture:"))
        let sizeless = try await shown(post("dim 0x300"))
        #expect(!sizeless.contains("class=\"mark\"") && sizeless.contains("In the picture:"))
        let unloaded = try await shown(post("dim 400x300"), media: .never)
        #expect(!unloaded.contains("class=\"mark\"") && unloaded.contains("@Cleo"))
    }

    @Test(
        "a film is played from its best form, and nothing of it is loaded behind a warning",
        arguments: [21, 22, 34_235] as [UInt16])
    func film(kind: UInt16) async throws {
        let film: [NostrCore.Tag] = [
            ["d", "x"], ["title", "Waves"], ["segment", "00:00:05", "", "Out"],
            ["text-track", "https://a.example/en.vtt", "captions", "en"],
            [
                "imeta", "url https://a.example/large.mp4", "m video/mp4", "dim 3840x2160", "duration 65.5",
                "image https://a.example/poster.jpg", "alt Waves come in",
            ],
            ["imeta", "url https://a.example/small.mp4", "m video/mp4", "dim 1280x720"],
            ["imeta", "url https://a.example/nb.mp3", "m audio/mpeg", "l nb ISO-639-1 ov"],
            ["origin", "tube <b>", "x1", "https://tube.example/x1"], ["r", "https://a.example/tides"],
            ["r", "javascript:alert(1)"],
        ]
        let page = try await home("About", kind: Kind(kind), tags: film)
        if kind >= 30_000 {
            // Such films stand in other timelines; home has what it was asked for.
            #expect(NoteKinds.timelines.contains(Kind(kind)))
        }
        #expect(page.contains("preload=\"none\" poster=\"https://a.example/poster.jpg\" aria-label=\"Waves come in\""))
        let small = try #require(page.firstRange(of: "small.mp4\" type=\"video/mp4\""))
        let large = try #require(page.firstRange(of: "large.mp4\" type"))
        #expect(small.lowerBound < large.lowerBound)
        #expect(page.contains("1:05") && page.contains("Captions (en)") && page.contains("0:05</span> Out"))
        #expect(page.contains("Sound (nb, the original)"))
        #expect(page.contains("First shown at <a href=\"https://tube.example/x1\""))
        #expect(page.contains("tube &lt;b&gt; (tube.example)</a>"))
        #expect(page.contains(">a.example</a>") && !page.contains("javascript:alert"))
        let warned = try await home("About", kind: Kind(kind), tags: film + [["content-warning", ""] as NostrCore.Tag])
        #expect(!warned.contains("poster=") && warned.contains("preload=\"none\""))
    }

    @Test("a short film begins by itself only where that was chosen")
    func autoplay() async throws {
        let tags: [NostrCore.Tag] = [["imeta", "url https://a.example/1.mp4", "m video/mp4", "duration 3"]]
        let still = try await home("https://a.example/1.mp4", tags: tags)
        let moving = try await home("https://a.example/1.mp4", tags: tags, autoplay: true)
        #expect(!still.contains("autoplay") && moving.contains(" autoplay muted loop"))
    }

    @Test("a sound is heard, not seen")
    func sound() async throws {
        let page = try await home("https://a.example/song.mp3", tags: [])
        #expect(page.contains("<audio controls preload=\"none\" aria-label=\"Recording by Ben\">"))
        #expect(!page.contains("class=\"waveform\""))
        let drawn = try await home(
            "https://a.example/1.mp3",
            tags: [["imeta", "url https://a.example/1.mp3", "m audio/mpeg", "waveform 0 100 7"]])
        #expect(drawn.contains("viewBox=\"0 0 12 100\"") && drawn.contains("d=\"M2 49v2M6 0v100M10 47v7\""))
    }

    @Test("a placeholder is a picture of ours, and nonsense is none")
    func placeholder() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/placeholder?blur=\(encodePercent(Self.blur))", cookie: cookie)
            #expect(page.status == .ok && page.headers[.contentType] == "image/png")
            #expect(page.headers[.cacheControl]?.contains("immutable") == true)
            let thumb = encodePercent("zOcFFIIKmXdCinaXaHcmcHUFSA==")
            #expect(try await browser.get("/placeholder?thumb=\(thumb)", cookie: cookie).status == .ok)
            for path in ["/placeholder", "/placeholder?blur=x", "/placeholder?thumb=%00"] {
                #expect(try await browser.get(path, cookie: cookie).status == .notFound)
            }
        }
    }

    @Test("a picture is added by its address with words, kept while more is written, and published as a post")
    func writing() async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let compose = try await browser.get("/compose", cookie: cookie)
            #expect(compose.text.contains("name=\"file\"") && compose.text.contains("name=\"as\" value=\"pictures\""))
            let wrong = try await browser.post(
                "/compose", ["csrf": compose.csrf, "do": "attach", "text": "x", "file": "heron.jpg"], cookie: cookie)
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("value=\"heron.jpg\""))
            let added = try await browser.post(
                "/compose",
                [
                    "csrf": compose.csrf, "do": "attach", "text": "", "file": " https://x.example/a.jpg ",
                    "file-words": "A\nheron",
                ], cookie: cookie)
            #expect(added.status == .ok && added.text.contains("<span class=\"hint\">A heron</span>"))
            let tag = #"["imeta","url https://x.example/a.jpg","m image/jpeg","alt A heron"]"#
            let post: KeyValuePairs = [
                "csrf": compose.csrf, "do": "publish", "text": "Look", "attached-0": tag, "as": "pictures",
                "title": "Morning",
            ]
            let sent = try await browser.post("/compose", post, cookie: cookie)
            let held = try #require(sent.location?.split(separator: "held=").last)
            _ = try await browser.post("/compose/now", ["csrf": compose.csrf, "id": String(held)], cookie: cookie)
            let composition = try #require(await under.account.published.last)
            #expect(composition.mediaPost == MediaPost(.pictures, title: "Morning"))
            #expect(composition.attachments.first?.elements.last == "alt A heron")
            let none = try await browser.post(
                "/compose", ["csrf": compose.csrf, "do": "publish", "text": "Look", "as": "film", "title": "T"],
                cookie: cookie)
            #expect(none.status == .unprocessableContent)
        }
    }
}
