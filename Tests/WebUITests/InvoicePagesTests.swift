import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Secp256k1
import Testing

@testable import WebUI

@Suite("pages of invoices")
struct InvoicePagesTests {
    private func invoice(
        _ words: String = "a <b>loaf</b>", at moment: Int64 = 1_700_000_000, expiry: Int64 = 10_000_000_000
    ) throws -> String {
        var draft = InvoiceDraft(
            millisatoshis: 2_500_000, createdAt: Timestamp(seconds: moment),
            paymentHash: [UInt8](repeating: 7, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .text(words))
        draft.expiry = expiry
        return try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
    }

    @Test("say what is asked for, as a code and as a link for a wallet")
    func shown() async throws {
        let text = try invoice()
        try await FaceUnderTest().test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/invoices/\(text)", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("Lightning invoice for 2,500 sats"))
            #expect(page.text.contains("a &lt;b&gt;loaf&lt;/b&gt;") && page.text.contains("href=\"lightning:\(text)\""))
            #expect(page.text.contains("<svg class=\"qr\"") && page.text.contains("Can be paid until"))
            let opened = try await browser.get("/open?url=web%2Blightning%3A\(text.uppercased())", cookie: cookie)
            #expect(opened.location == "/invoices/\(text.uppercased())")
            #expect(try await browser.get("/invoices/\(text.uppercased())", cookie: cookie).status == .ok)
        }
    }

    @Test("an LNURL has a page that says where it leads, as a code and as a link for a wallet")
    func places() async throws {
        let lnurl = try #require(LightningPlace("lnurlp://pay.example/ben")).lnurl
        let text = try invoice()
        try await FaceUnderTest().test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/invoices/\(lnurl)", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("Pay to") && page.text.contains("pay.example"))
            #expect(page.text.contains("href=\"lightning:\(lnurl)\"") && page.text.contains("<svg class=\"qr\""))
            let opened = try await browser.get(
                "/open?url=" + encodePercent("bitcoin:bc1qx?amount=0.1&lightning=\(text)"), cookie: cookie)
            #expect(opened.location == "/invoices/\(text)")
            #expect(try await browser.get("/invoices/lnurl1x", cookie: cookie).status == .notFound)
        }
    }

    @Test("offer nothing to pay once that is too late, and nothing for what was changed")
    func notPayable() async throws {
        let late = try invoice(at: 1_600_000_000, expiry: 60)
        let changed = try String(invoice().dropLast()) + "q"
        try await FaceUnderTest().test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/invoices/\(late)", cookie: cookie)
            #expect(page.text.contains("it cannot any more") && !page.text.contains("href=\"lightning:"))
            let wrong = try await browser.get("/invoices/\(changed)", cookie: cookie)
            #expect(wrong.status == .notFound && wrong.text.contains("not a Lightning invoice"))
            #expect(try await browser.get("/invoices/lnbc1", cookie: cookie).status == .notFound)
        }
    }

    @Test("a note has a card of what it asks for: in a feed it leads to the code, on its own page it holds it")
    func card() async throws {
        let text = try invoice()
        var world = FakeWorld.plain(notes: 2)
        let id = world.write("For sale.\n\n\(text)", by: 1, ago: 5).id.hex
        try await FaceUnderTest(world).test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            let note = try await browser.get("/note/\(id)", cookie: cookie).text
            for page in [home, note] {
                #expect(page.contains("<div class=\"card invoice\"><p>Lightning invoice for 2,500 sats</p>"))
                #expect(page.contains("a &lt;b&gt;loaf&lt;/b&gt;") && !page.contains("<b>loaf"))
                #expect(page.contains("Can be paid until") && page.contains("href=\"lightning:\(text)\""))
                // The words do without it: it stands on the card.
                #expect(page.contains(">For sale.</div>"))
            }
            #expect(home.contains("href=\"/invoices/\(text)\">Show its code") && !home.contains("<svg class=\"qr\""))
            #expect(note.contains("<svg class=\"qr\"") && !note.contains("Show its code"))
        }
    }

    @Test("a note whose invoice ran out says so, and offers nothing to pay")
    func lateCard() async throws {
        let text = try invoice(at: 1_600_000_000, expiry: 60)
        var world = FakeWorld.plain(notes: 0)
        let id = world.write(text, by: 1, ago: 5).id.hex
        try await FaceUnderTest(world).test { browser in
            let cookie = try await browser.logIn()
            for path in ["/home", "/note/\(id)"] {
                let page = try await browser.get(path, cookie: cookie).text
                #expect(page.contains("Lightning invoice for 2,500 sats") && page.contains("it cannot any more"))
                #expect(!page.contains("lightning:") && !page.contains("<svg class=\"qr\""))
            }
        }
    }

    @Test("what only looks like an invoice stays words, and many at once are links, not cards")
    func hostileCards() async throws {
        let text = try invoice(), other = try invoice("a jar")
        let changed = String(text.dropLast()) + (text.hasSuffix("q") ? "p" : "q")
        var world = FakeWorld.plain(notes: 0)
        let forged = world.write("lightning:\(changed)", by: 1, ago: 5).id.hex
        let many = world.write([String](repeating: text, count: 5).joined(separator: "\n"), by: 1, ago: 6).id.hex
        let twins = world.write("\(text)\" onclick=\"alert(1) \(other)<script>alert(1)</script>", by: 1, ago: 7).id.hex
        try await FaceUnderTest(world).test { browser in
            let cookie = try await browser.logIn()
            let words = try await browser.get("/note/\(forged)", cookie: cookie).text
            #expect(words.contains(changed) && !words.contains("card invoice"))
            #expect(!words.contains("href=\"lightning:") && !words.contains("/invoices/"))
            let links = try await browser.get("/note/\(many)", cookie: cookie).text
            #expect(links.split(separator: "href=\"/invoices/\(text)\"").count == 6 && !links.contains("card invoice"))
            let both = try await browser.get("/note/\(twins)", cookie: cookie).text
            #expect(both.split(separator: "<div class=\"card invoice\">").count == 3)
            #expect(!both.contains("<script>alert") && !both.contains("onclick=\"alert"))
        }
    }

    @Test("a profile names where its person is paid, as a link and a code; what is no such address is left out")
    func profile() async throws {
        var world = FakeWorld.plain(notes: 0)
        let (paid, hostile) = (world.authors[1].key, world.authors[2].key)
        world.people[paid]?.fields["lud16"] = "Ben@Pay.Example"
        world.people[hostile]?.fields["lud16"] = "\"><script>alert(1)</script>@pay.example"
        world.people[hostile]?.fields["lud06"] = "javascript:alert(1)"
        let lnurl = try #require(LightningPlace("ben@pay.example")).lnurl
        try await FaceUnderTest(world).test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/people/\(paid.hex)", cookie: cookie).text
            #expect(page.contains("<details class=\"pay-address\">") && page.contains("ben@pay.example</summary>"))
            #expect(page.contains("href=\"lightning:\(lnurl)\">Pay with a wallet"))
            #expect(page.contains("<svg class=\"qr\""))
            let other = try await browser.get("/people/\(hostile.hex)", cookie: cookie).text
            #expect(other.contains("id=\"person-name\"") && !other.contains("pay-address"))
            #expect(!other.contains("<script>alert") && !other.contains("javascript:alert"))
        }
    }
}
