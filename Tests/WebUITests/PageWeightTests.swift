import HTTPTypes
import NostrClient
import NostrCore
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("what pages weigh")
struct PageWeightTests {
    private static let gzip = ["Accept-Encoding": "br;q=1, gzip"]

    @Test("pages are packed for browsers that ask for it, and hold the same")
    func pages() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let plain = try await browser.get("/home", cookie: cookie)
            let packed = try await browser.get("/home", cookie: cookie, Self.gzip)
            #expect(plain.headers[.contentEncoding] == nil && packed.headers[.contentEncoding] == "gzip")
            #expect(packed.headers[.vary] == "Accept-Encoding" && plain.headers[.vary] == "Accept-Encoding")
            let length = try #require(packed.headers[.contentLength].flatMap { Int($0) })
            #expect(length < plain.text.utf8.count / 3)
            for refusal in ["gzip;q=0", "gzip; q=0.0", "br", ""] {
                let page = try await browser.get("/home", cookie: cookie, ["Accept-Encoding": refusal])
                #expect(page.headers[.contentEncoding] == nil)
            }
        }
    }

    @Test(
        "what rests in no cache is not packed, since secrets stand there beside what others wrote",
        arguments: ["/compose", "/drafts", "/lists", "/keys", "/unlock", "/settings"])
    func secrets(path: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn(), Self.gzip)
            #expect(page.headers[.contentEncoding] == nil)
            #expect(page.headers[.cacheControl] == "no-store")
        }
    }

    @Test("in a page that may be packed the word of forms looks different each time, and counts all the same")
    func masked() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let first = try await browser.get("/home", cookie: cookie)
            let second = try await browser.get("/home", cookie: cookie)
            let plain = try await browser.get("/settings", cookie: cookie).csrf
            #expect(Set([first.csrf, second.csrf, plain]).count == 3)
            #expect(!first.text.contains(plain) && !second.text.contains(plain))
            let id = try #require(await under.account.notes.first?.id.hex)
            for csrf in [first.csrf, second.csrf, plain] {
                let page = try await browser.post("/note/\(id)/like", ["csrf": csrf], cookie: cookie)
                #expect(page.status == .seeOther)
            }
            let broken = String(first.csrf.reversed())
            #expect(try await browser.post("/note/\(id)/like", ["csrf": broken], cookie: cookie).status == .forbidden)
        }
    }

    @Test("files are packed once, kept for good under the digest of all, and not under another")
    func assets() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let address = Assets.address.text
            let plain = try await browser.get("\(address)/linnet.css")
            let packed = try await browser.get("\(address)/linnet.css", Self.gzip)
            #expect(plain.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(packed.headers[.contentEncoding] == "gzip" && packed.headers[.vary] == "Accept-Encoding")
            let length = try #require(packed.headers[.contentLength].flatMap { Int($0) })
            #expect(length < plain.text.utf8.count / 2)
            let other = try await browser.get("/assets/000000000000/linnet.css")
            #expect(other.status == .ok && other.headers[.cacheControl] == "no-store")
        }
    }

    @Test("a page names the style sheets and scripts of its parts, each script with all it imports")
    func parts() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let settings = try await browser.get("/settings", cookie: cookie).text
            #expect(names(in: settings, ending: ".css") == ["linnet", "pages"])
            let scripts = names(in: settings, ending: ".js")
            #expect(scripts.isDisjoint(with: ["messages", "signer", "map", "circles", "compose", "viewer", "nip07"]))
            #expect(scripts.count <= 12)
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(names(in: home, ending: ".css") == ["linnet", "notes", "media", "reactions"])
            for name in names(in: home, ending: ".js") {
                #expect(names(in: home, ending: ".js").isSuperset(of: Assets.imports(of: name)))
            }
        }
    }

    @Test("every part's files are there", arguments: PagePart.allCases)
    func files(part: PagePart) throws {
        let assets = try Assets.installed.get()
        for name in [part].scripts + [part].importedScripts { #expect(assets["\(name).js"] != nil, "\(name)") }
        for name in [part].styleSheets { #expect(assets["\(name).css"] != nil, "\(name)") }
        #expect([part].scripts.contains("linnet") && [part].importedScripts.contains("live"))
    }

    /// The files of the program that a page names.
    private func names(in page: String, ending: String) -> Set<String> {
        Set(
            page.split(separator: "\"").filter { $0.hasPrefix("/assets/") && $0.hasSuffix(ending) }.map {
                String($0.split(separator: "/").last?.dropLast(ending.count) ?? "")
            })
    }
}
