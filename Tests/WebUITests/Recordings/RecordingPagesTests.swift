import AsyncPrimitives
import HTTPTypes
import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("films and sounds of others, by way of this program")
struct RecordingPagesTests {
    private static let film = "https://films.example/tide.mp4?a=1&b=2"
    private static let sound = "https://films.example/wren.mp3"

    /// A face of somebody who sees a film, a sound and the picture of the film.
    private func face(
        fetches: Bool, media: PersonalSettings.RemoteMedia = .always
    ) throws -> FaceUnderTest {
        var world = FakeWorld.plain(notes: 0)
        let imeta: NostrCore.Tag = [
            "imeta", "url \(Self.film)", "m video/mp4", "image https://films.example/tide.jpg",
        ]
        world.write("\(Self.film) and \(Self.sound)", tags: [imeta], ago: 10)
        let first = PersonalSettings(remoteMedia: media, fetchesPictures: fetches)
        let under = try FaceUnderTest(world, settings: Settings(first: first))
        under.account.played.put(Array("0123456789".utf8), type: "video/mp4", at: Self.film)
        return under
    }

    private func path(_ address: String) -> String { "/recording?url=\(encodePercent(address))" }

    @Test("where it was chosen a player asks this program alone, and the browser may ask no other for films")
    func chosen() async throws {
        try await face(fetches: true).test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(home.text.contains("<source src=\"\(path(Self.film))\" type=\"video/mp4\">"))
            #expect(home.text.contains("<source src=\"\(path(Self.sound))\""))
            #expect(!home.text.contains("src=\"https://") && !home.text.contains("poster=\"https://"))
            let policy = home.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("media-src 'self'; connect-src 'self';"))
        }
        try await face(fetches: false).test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(home.text.contains("<source src=\"https://films.example/tide.mp4?a=1&amp;b=2\""))
            #expect(!home.text.contains("/recording?"))
            #expect(home.headers[.contentSecurityPolicy]?.contains("media-src 'self' https:;") == true)
        }
    }

    @Test("a film that lies nowhere but in pieces leads to a player, whoever fetches films", arguments: [true, false])
    func inPieces(fetches: Bool) async throws {
        var world = FakeWorld.plain(notes: 0)
        let list = "https://films.example/tide.m3u8?a=1"
        let imeta: NostrCore.Tag = ["imeta", "url \(list)", "m application/vnd.apple.mpegurl"]
        world.write(list, tags: [imeta], ago: 10)
        let first = PersonalSettings(remoteMedia: .always, fetchesPictures: fetches)
        try await FaceUnderTest(world, settings: Settings(first: first)).test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(home.contains("This film comes in pieces (HLS)") && home.contains("href=\"\(list)\""))
        }
        try await face(fetches: fetches).test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(home.contains("<video") && !home.contains("in pieces (HLS)"))
        }
    }

    @Test("what its author says the file is goes along, for this program to look")
    func checked() async throws {
        let hash = String(repeating: "ab", count: 32)
        var world = FakeWorld.plain(notes: 0)
        world.write("\(Self.film)", tags: [["imeta", "url \(Self.film)", "m video/mp4", "x \(hash)"]], ago: 10)
        let first = PersonalSettings(remoteMedia: .always, fetchesPictures: true)
        try await FaceUnderTest(world, settings: Settings(first: first)).test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn())
            #expect(home.text.contains("<source src=\"\(path(Self.film))&amp;x=\(hash)\" type=\"video/mp4\">"))
        }
    }

    @Test("the pages that draw a still of a film that is to be brought may play it, and no others")
    func stills() async throws {
        for fetches in [true, false] {
            try await face(fetches: fetches).test { browser in
                let cookie = try await browser.logIn()
                for (path, draws) in [("/compose", true), ("/files", true), ("/home", false)] {
                    let policy = try await browser.get(path, cookie: cookie).headers[.contentSecurityPolicy] ?? ""
                    let films = policy.split(separator: ";").first { $0.contains("media-src") } ?? ""
                    #expect(films.hasSuffix(" blob:") == draws, "\(path): \(policy)")
                    #expect(films.contains("https:") != fetches, "\(path): \(policy)")
                }
            }
        }
    }

    @Test("so may the page of a note that was taken back")
    func stillsAfterUndo() async throws {
        try await face(fetches: true).test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let form: KeyValuePairs = ["csrf": csrf, "text": "Hello.", "do": "publish"]
            let sent = try await browser.post("/compose", form, cookie: cookie)
            let id = try #require(sent.location?.split(separator: "=").last.map(String.init))
            let taken = try await browser.post("/compose/undo", ["csrf": csrf, "id": id], cookie: cookie)
            let policy = taken.headers[.contentSecurityPolicy] ?? ""
            #expect(taken.text.contains("Hello.") && policy.contains("media-src 'self' blob:;"))
        }
    }

    @Test("a film is handed on under its type, whole or in the part that was asked for, and nothing in it runs")
    func handedOn() async throws {
        let under = try face(fetches: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let whole = try await browser.get(path(Self.film), cookie: cookie)
            #expect(whole.status == .ok && whole.text == "0123456789")
            #expect(whole.headers[.contentType] == "video/mp4" && whole.headers[.acceptRanges] == "bytes")
            #expect(whole.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
            #expect(whole.headers[.xContentTypeOptions] == "nosniff")
            #expect(whole.headers[.cacheControl]?.hasPrefix("private") == true)
            for (asked, text, said) in [
                ("bytes=2-4", "234", "bytes 2-4/10"), ("bytes=7-", "789", "bytes 7-9/10"),
                ("bytes=-2", "89", "bytes 8-9/10"), ("bytes=8-400", "89", "bytes 8-9/10"),
            ] {
                let part = try await browser.get(path(Self.film), cookie: cookie, ["Range": asked])
                #expect(part.status == .partialContent && part.text == text, "\(asked)")
                #expect(part.headers[.contentRange] == said)
            }
            let beyond = try await browser.get(path(Self.film), cookie: cookie, ["Range": "bytes=10-"])
            #expect(beyond.status == .rangeNotSatisfiable && beyond.headers[.contentRange] == "bytes */10")
        }
        #expect(under.account.played.asked.allSatisfy { $0 == Self.film })
    }

    @Test("what its server gives only from its beginning comes whole, whatever part is asked for")
    func whole() async throws {
        let under = try face(fetches: true)
        for (saysSize, address) in [(true, Self.film), (false, Self.sound)] {
            under.account.played.put(
                Array("0123456789".utf8), type: "audio/mpeg", at: address, saysSize: saysSize, hasParts: false)
        }
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for address in [Self.film, Self.sound] {
                let answer = try await browser.get(path(address), cookie: cookie, ["Range": "bytes=2-4"])
                #expect(answer.status == .ok && answer.text == "0123456789")
                #expect(answer.headers[.acceptRanges] == nil && answer.headers[.contentRange] == nil)
            }
        }
    }

    @Test("nothing is asked for other sites, without a session, at other addresses, or where settings say otherwise")
    func refused() async throws {
        let under = try face(fetches: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for (path, headers) in [
                (path(Self.film), ["Sec-Fetch-Site": "cross-site"]), (path("http://films.example/a.mp4"), [:]),
                (path("file:///etc/passwd"), [:]), (path(""), [:]), ("/recording", [:]),
            ] as [(String, [String: String])] {
                let answer = try await browser.get(path, cookie: cookie, headers)
                #expect(answer.status == .notFound && answer.headers[.cacheControl] == "no-store", "\(path)")
            }
            #expect(try await browser.get(path(Self.film)).status != .ok)
        }
        #expect(under.account.played.asked.isEmpty)
        for (fetches, media) in [(true, .never), (false, .always)] as [(Bool, PersonalSettings.RemoteMedia)] {
            let other = try face(fetches: fetches, media: media)
            try await other.test { browser in
                let cookie = try await browser.logIn()
                #expect(try await browser.get(path(Self.film), cookie: cookie).status == .notFound)
            }
            #expect(other.account.played.asked.isEmpty)
        }
        // Where there is none, a player is told so.
        try await face(fetches: true).test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get(path(Self.sound), cookie: cookie).status == .notFound)
        }
    }

    @Test("the setting says what it does with films and sounds")
    func words() async throws {
        try await face(fetches: true).test { browser in
            let page = try await browser.get("/settings/pictures", cookie: try await browser.logIn()).text
            #expect(page.contains("Fetch pictures, emoji, films and sounds through this Linnet"))
            #expect(page.contains("live streams still come from their servers"))
        }
    }

    @Test("a page that offers a live stream allows its place, and films of no other")
    func streams() {
        for (film, allowed) in [
            ("https://live.example/pieces.m3u8", "'self' https:"),
            ("http://127.0.0.1:9/x", "'self' http://127.0.0.1:9"), (nil, "'self'"),
        ] as [(String?, String)] {
            let policy = contentPolicy(.always, pictureHosts: [], film: film, playsRecordings: true)
            #expect(policy.contains("media-src \(allowed); connect-src 'self';"))
        }
    }

    @Test("a player that stands still for long keeps no place, and one that goes on plays to the end")
    func standingStill() async throws {
        let clock = ManualClock()
        let recordings = FakeRecordings()
        recordings.put(Array("0123456789".utf8), type: "video/mp4", at: Self.film)
        let found = try #require(try await recordings.recording(at: Self.film))
        let stopped = BoundedQueue<[UInt8]>(capacity: 4)
        async let playing: Void = RecordingsController.play(found, nil, recordings, into: stopped, on: clock)
        await clock.waitForSleepers()
        clock.advance(by: .seconds(61))
        do {
            try await playing
            Issue.record("it played to the end")
        } catch {
            #expect(error is RecordingsController.PlayerStandsStill)
        }
        #expect(stopped.receiveNow(atMost: 10).count == 4)
        #expect(await stopped.receive() == nil)

        let going = BoundedQueue<[UInt8]>(capacity: 4)
        async let other: Void = RecordingsController.play(found, nil, recordings, into: going, on: clock)
        var bytes: [UInt8] = []
        while let piece = await going.receive() { bytes += piece }
        try await other
        #expect(String(decoding: bytes, as: UTF8.self) == "0123456789")
    }
}
