import HTTPTypes
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
}
