import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("the search page")
struct SearchPagesTests {
    private static let script = ["X-Linnet-Fragment": "1"]
    private let ben = FakeAuthor(2)

    @Test("what was pasted is gone to, whatever stands around it")
    func pasted() async throws {
        let note = FakeWorld.plain(notes: 1).notes[0].id
        let address = EventAddress(kind: 30_023, author: ben.key, identifier: "slow")
        let article = try NostrEntity.naddr(AddressPointer(address: address)).encoded()
        let npub = ben.key.npub
        let lnurl = try #require(LightningPlace("lnurlp://pay.example/ben")).lnurl
        let cases: [(String, String?)] = [
            (npub, "/people/\(npub)"), ("@\(npub)", "/people/\(npub)"), ("nostr:\(npub)", "/people/\(npub)"),
            (" \(npub.uppercased())\n", "/people/\(npub)"), (ben.key.hex, "/people/\(ben.key.hex)"),
            ("https://njump.me/\(npub)", "/people/\(npub)"), (note.note, "/note/\(note.note)"),
            ("https://client.example/e/\(note.note)?x=1#y", "/note/\(note.note)"),
            ("https://client.example/#/\(note.note)", "/note/\(note.note)"),
            ("web+nostr:\(article)", "/article/\(article)"), (article, "/article/\(article)"),
            ("#birds", "/tags/birds"),
            ("wss://relay.example", "/relays/relay?relay=wss%3A%2F%2Frelay.example"),
            ("https://client.example/about", nil), ("birds in spring", nil), ("#", nil), ("@", nil), ("npub1xyz", nil),
            ("lnbc1", nil), ("lnurl1x", nil), ("bitcoin:bc1qx?amount=1", nil),
            (lnurl.uppercased(), "/invoices/\(lnurl)"), ("lnurlp://pay.example/ben", "/invoices/\(lnurl)"),
            ("lightning:\(lnurl)", "/invoices/\(lnurl)"),
            ("https://shop.example/buy?lightning=\(lnurl)", "/invoices/\(lnurl)"),
            (
                "bitcoin:bc1qx?lightning=lnbc1" + String(repeating: "q", count: 200),
                "/invoices/lnbc1" + String(repeating: "q", count: 200)
            ),
            ("lnbc1" + String(repeating: "q", count: 200), "/invoices/lnbc1" + String(repeating: "q", count: 200)),
        ]
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for (text, path) in cases {
                let page = try await browser.get("/search?q=\(encodePercent(text))", cookie: cookie)
                #expect(page.location == path, "\(text)")
            }
        }
    }

    @Test("while somebody types nothing leads away, and only the part with the results comes")
    func typed() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let part = try await browser.get("/search?q=%23note&typed=1", cookie: cookie, Self.script)
            #expect(part.status == .ok && !part.text.contains("<h1>"))
            let found = try await browser.get("/search?q=Note%201&typed=1", cookie: cookie, Self.script)
            #expect(found.text.contains("data-search") && found.text.contains("Note 1"))
        }
    }

    @Test("one relay in a private network is not asked before it is allowed, with a button beside the reason")
    func unchosenRelay() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/search?q=Note&relay=ws%3A%2F%2F192.168.1.5%3A7777", cookie: cookie)
            #expect(page.text.contains("192.168.1.5:7777 is in a private network and was not asked."))
            #expect(page.text.contains(#"name="relay" value="ws://192.168.1.5:7777">Allow ws://192.168.1.5:7777<"#))
            let far = try await browser.get("/search?q=Note&relay=wss%3A%2F%2Ffar.example", cookie: cookie)
            #expect(!far.text.contains(">Allow "))
        }
    }

    @Test("the sort and the relays that were chosen go along, and a relay that is none is said")
    func choices() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(
                "/search?q=Note&sort=articles&scope=usual&relay=wss%3A%2F%2Fone.example", cookie: cookie)
            let question = try #require(await under.account.questions.last)
            #expect(question.sort == .articles)
            #expect(question.scope == .relay(try RelayURL("wss://one.example")))
            #expect(page.text.contains("sort=articles&amp;scope=wss%3A%2F%2Fone.example"))
            let wrong = try await browser.get("/search?q=Note&relay=a%20b", cookie: cookie)
            #expect(wrong.text.contains("is not a relay&#39;s address"))
            #expect(await under.account.questions.last?.scope == .usual)
            let unread = try await browser.get("/search?q=Note+since%3Ayesterday", cookie: cookie)
            #expect(unread.text.contains("since:yesterday"))
        }
    }

    @Test("a name behind from: asks whose notes are meant, and each leads to the same search with their key")
    func author() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/search?q=Note%20from%3A%40ben&scope=here", cookie: cookie).text
            #expect(page.contains("Whose notes?") && !page.contains("Left out"))
            let path = Path("/search").with("q", "Note from:\(ben.key.npub)").with("scope", "here")
            #expect(page.contains("href=\"\(path.text.replacing("&", with: "&amp;"))\""))
            let asked = try #require(await under.account.questions.first)
            #expect(asked.words == "ben" && asked.sort == .people && asked.scope == .here)
            let nobody = try await browser.get("/search?q=Note%20from%3Axyzzy", cookie: cookie).text
            #expect(!nobody.contains("Whose notes?") && nobody.contains("from:xyzzy"))
            let alone = try await browser.get("/search?q=from%3Aben", cookie: cookie).text
            #expect(alone.contains("Whose notes?") && !alone.contains("Type a little more"))
        }
    }

    @Test("one letter and a secret key are not searched for, and the key is not shown again")
    func refused() async throws {
        let under = try FaceUnderTest()
        let secret = "nsec1" + String(repeating: "q", count: 58)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/search?q=a", cookie: cookie).text.contains("Type a little more"))
            let page = try await browser.get("/search?q=\(secret)", cookie: cookie)
            #expect(page.text.contains("That is a secret key") && !page.text.contains(secret))
            #expect(await under.account.questions.isEmpty)
        }
    }

    @Test(
        "an address that lets in whoever has it is not searched for, nor shown again",
        arguments: [
            "bunker://\(zeros)?relay=wss://one.example&secret=sesame", "nostrconnect://\(zeros)?secret=sesame",
            "nostr+walletconnect://\(zeros)?secret=sesame", "web+whistle:sesame", "see famstr://sesame",
            "ncryptsec1qqsesame",
        ])
    func secretAddress(text: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            for typed in ["", "&typed=1"] {
                let path = Path("/search").with("q", text).text + typed
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.status == .ok && page.text.contains("not searched for") && !page.text.contains("sesame"))
            }
            #expect(await under.account.questions.isEmpty)
            // Words that only look like one are words.
            _ = try await browser.get("/search?q=whistle%20and%20bunker", cookie: cookie)
            #expect(await under.account.questions.count == 1)
        }
    }

    @Test("a code that was not copied whole is told as such", arguments: ["npub1zqqqq", "nostr:nevent1qqs", "NOTE1QQ"])
    func brokenCodes(code: String) async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/search?q=\(code)", cookie: cookie)
            #expect(page.text.contains("This code is mistyped or incomplete."))
            let words = try await browser.get("/search?q=note1%20of%20many", cookie: cookie)
            #expect(!words.text.contains("mistyped"))
        }
    }

    @Test("a domain is asked whom its name leads to apart from the page")
    func named() async throws {
        var world = FakeWorld.plain(notes: 3)
        let identifier = try #require(InternetIdentifier("ben@birds.example"))
        world.people[ben.key]?.address = NostrAddress(identifier, .verified)
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/search?q=ben%40birds.example", cookie: cookie)
            #expect(page.text.contains("data-search-name=\"/search/name?q=ben%40birds.example\""))
            let part = try await browser.get("/search/name?q=ben%40birds.example", cookie: cookie, Self.script)
            #expect(part.text.contains("/people/\(ben.key.hex)") && !part.text.contains("<h1>"))
            let nobody = try await browser.get("/search/name?q=eve%40birds.example", cookie: cookie)
            #expect(nobody.text.contains("knows nobody called eve"))
        }
    }
}

private let zeros = String(repeating: "0", count: 64)
