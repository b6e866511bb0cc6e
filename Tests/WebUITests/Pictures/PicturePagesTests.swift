import Foundation
import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pictures of others, by way of this program")
struct PicturePagesTests {
    private static let face = "https://pictures.example/ben?a=1&b=2"

    /// A face of somebody who follows Ben, with a picture, a banner and an emoji of his.
    private func face(
        fetches: Bool, media: PersonalSettings.RemoteMedia = .follows
    ) async throws -> FaceUnderTest {
        var world = FakeWorld.plain(notes: 0)
        let ben = world.authors[1]
        world.people[ben.key] = Person(
            key: ben.key,
            fields: [
                "name": "Ben", "picture": Self.face, "banner": "https://pictures.example/wide.jpg", "about": "hello",
            ], isFollowed: true)
        let emoji: NostrCore.Tag = ["emoji", "leaf", "https://pictures.example/leaf.png"]
        world.write("A :leaf: and https://pictures.example/tree.jpg", tags: [emoji], ago: 10)
        let first = PersonalSettings(remoteMedia: media, fetchesPictures: fetches)
        let under = try FaceUnderTest(world, settings: Settings(first: first))
        try await under.account.keptPictures.put(
            Array("GIF89a a face".utf8), type: "image/gif", at: Self.face)
        return under
    }

    private func path(_ size: PictureSize, _ address: String) -> String {
        "/picture/\(size.rawValue)?url=\(encodePercent(address))"
    }

    @Test("where it was chosen no address of another server is loaded by the browser")
    func chosen() async throws {
        let under = try await face(fetches: true)
        let ben = try #require(await under.account.notes.first).event.pubkey.hex
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("src=\"\(path(.small, Self.face))\""))
            #expect(home.contains("src=\"\(path(.emoji, "https://pictures.example/leaf.png"))\" alt=\":leaf:\""))
            #expect(home.contains("src=\"\(path(.wide, "https://pictures.example/tree.jpg"))\""))
            let person = try await browser.get("/people/\(ben)", cookie: cookie).text
            #expect(person.contains("src=\"\(path(.large, Self.face))\""))
            #expect(person.contains("src=\"\(path(.wide, "https://pictures.example/wide.jpg"))\""))
            for page in [home, person] {
                #expect(!page.contains("src=\"https://") && !page.contains("poster=\"https://"))
            }
        }
        let direct = try await face(fetches: false)
        try await direct.test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(home.contains("src=\"https://pictures.example/ben?a=1&amp;b=2\"") && !home.contains("/picture/"))
        }
    }

    @Test("what its author says a file is goes along to where it is fetched, also to its other addresses")
    func told() async throws {
        let (url, other) = ("https://pictures.example/heron.png", "https://mirror.example/heron.png")
        let hash = BlobHash(of: Array("heron".utf8))
        var world = FakeWorld.plain(notes: 0)
        let imeta: NostrCore.Tag = ["imeta", "url \(url)", "m image/png", "x \(hash.hex)", "fallback \(other)"]
        let author = world.write(url, tags: [imeta], ago: 10).event.pubkey
        let under = try FaceUnderTest(
            world, settings: Settings(first: PersonalSettings(remoteMedia: .follows, fetchesPictures: true)))
        try await under.account.keptPictures.put(Array("GIF89a".utf8), type: "image/gif", at: url)
        let (first, second) = ("\(path(.wide, url))&x=\(hash.hex)", "\(path(.wide, other))&x=\(hash.hex)")
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text.replacing("&amp;", with: "&")
            #expect(home.contains("src=\"\(first)\""))
            #expect(home.contains("data-else=\"\(second) /media/\(author.hex)/\(hash.hex)\""))
            #expect(try await browser.get(first, cookie: cookie).status == .ok)
            let strange = try await browser.get("\(path(.wide, url))&x=12", cookie: cookie)
            #expect(strange.status == .notFound)
        }
        #expect(await under.account.keptPictures.asked == ["wide \(url) \(hash.hex)"])
    }

    @Test("a picture is given out under its type, for a while and to this browser alone, and nothing in it runs")
    func given() async throws {
        let under = try await face(fetches: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let answer = try await browser.get(path(.small, Self.face), cookie: cookie)
            #expect(answer.status == .ok && answer.text == "GIF89a a face")
            #expect(answer.headers[.contentType] == "image/gif")
            #expect(answer.headers[.cacheControl] == "private, max-age=86400")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            let part = try await browser.get(path(.small, Self.face), cookie: cookie, ["Range": "bytes=0-2"])
            #expect(part.status == .partialContent && part.text == "GIF")
            #expect(part.headers[.contentRange] == "bytes 0-2/13")
        }
        #expect(await under.account.keptPictures.asked == ["small \(Self.face)", "small \(Self.face)"])
    }

    @Test("nothing is fetched for other sites, of other addresses, of strange sizes, or where settings load nothing")
    func refused() async throws {
        let under = try await face(fetches: true)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for (path, headers) in [
                (path(.small, Self.face), ["Sec-Fetch-Site": "cross-site"]), (path(.small, "http://a.example/"), [:]),
                (path(.small, "file:///etc/passwd"), [:]), (path(.small, ""), [:]), ("/picture/small", [:]),
                ("/picture/huge?url=\(encodePercent(Self.face))", [:]),
            ] as [(String, [String: String])] {
                let answer = try await browser.get(path, cookie: cookie, headers)
                #expect(answer.status == .notFound && answer.headers[.cacheControl] == "no-store", "\(path)")
            }
            #expect(try await browser.get(path(.small, Self.face)).status != .ok)
        }
        #expect(await under.account.keptPictures.asked.isEmpty)
        for (fetches, media) in [(true, .never), (false, .always)] as [(Bool, PersonalSettings.RemoteMedia)] {
            let other = try await face(fetches: fetches, media: media)
            try await other.test { browser in
                let cookie = try await browser.logIn()
                #expect(try await browser.get(path(.small, Self.face), cookie: cookie).status == .notFound)
            }
            #expect(await other.account.keptPictures.asked.isEmpty)
        }
    }

    @Test("the page says how much is kept, takes another bound, and empties it")
    func settings() async throws {
        let under = try await face(fetches: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let door = try await browser.get("/settings", cookie: cookie)
            #expect(door.text.contains("href=\"/settings/pictures\""))
            let page = try await browser.get("/settings/pictures", cookie: cookie)
            #expect(page.text.contains("One picture, 13 bytes of 268.4 MB.") && page.text.contains("value=\"256\""))
            #expect(page.headers[.cacheControl] == "no-store")
            let csrf = page.csrf
            let saved = try await browser.post(
                "/settings/pictures", ["csrf": csrf, "fetched": "1", "limit": "64"], cookie: cookie)
            #expect(saved.status == .seeOther && saved.location == "/settings/pictures")
            for limit in ["", "5", "many", "99999999"] {
                let answer = try await browser.post(
                    "/settings/pictures", ["csrf": csrf, "limit": limit], cookie: cookie)
                #expect(answer.status.kind != .redirection)
            }
            let cleared = try await browser.post("/settings/pictures/clear", ["csrf": csrf], cookie: cookie)
            #expect(cleared.status == .seeOther)
            let after = try await browser.get("/settings/pictures", cookie: cookie).text
            #expect(after.contains("Nothing is kept.") && after.contains("value=\"64\""))
        }
        #expect(await under.personal.fetchesPictures)
        #expect(await under.account.keptPictures.isCleared)
    }

    @Test(
        "a player is given the part that it asks for, as far as there is one",
        arguments: [
            ("bytes=0-", WantedBytes.part(0..<10)), ("bytes=2-4", .part(2..<5)), ("bytes=2-400", .part(2..<10)),
            ("bytes=-3", .part(7..<10)), ("bytes=-30", .part(0..<10)), ("bytes=10-", .outside), ("bytes=-0", .outside),
            ("bytes=99999999999999999999-", .outside), ("bytes=4-2", .whole), ("bytes=0-1,3-4", .whole),
            ("bytes=-", .whole), ("bytes=a-b", .whole), ("lines=1-2", .whole), ("bytes=+1-2", .whole), ("", .whole),
        ])
    func parts(field: String, wanted: WantedBytes) {
        #expect(WantedBytes(field, of: 10) == wanted)
    }

    @Test("a film and a sound that are named by their hash have one more place, here")
    func films() async throws {
        let hash = String(repeating: "ab", count: 32)
        var world = FakeWorld.plain(notes: 0)
        world.write("https://a.example/\(hash).mp4 https://a.example/\(hash).mp3", ago: 10)
        let author = world.authors[1].key.hex
        let first = PersonalSettings(remoteMedia: .always)
        let under = try FaceUnderTest(world, settings: Settings(first: first))
        try await under.test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn()).text
            let last = "<source src=\"/media/\(author)/\(hash)\"></"
            #expect(home.contains(last + "video>") && home.contains(last + "audio>"))
        }
    }
}
