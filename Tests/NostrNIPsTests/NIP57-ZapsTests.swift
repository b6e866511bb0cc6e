import Crypto
import NostrCore
import NostrTesting
import Secp256k1
import Testing

@testable import NostrNIPs

@Suite("NIP-57 zap receipts")
struct ZapReceiptTests {
    /// Alice pays Bob for a note; Carol's key is the wallet's.
    private let sender = TestPerson.alice
    private let author = TestPerson.bob
    private let wallet = TestPerson.carol
    private let moment: Int64 = 1_800_000_000

    private var note: Event { author.event("a walk in the rain", kind: 1, at: moment - 60) }
    private var payee: LightningPayee? {
        LightningPlace("bob@pay.example").map { LightningPayee($0, zapIssuer: wallet.publicKey) }
    }

    /// What goes into a receipt, to be changed by who forges one.
    struct Parts {
        var requestTags: [Tag]
        var requestKind: Kind = 9734
        var invoice: InvoiceDraft
        /// What the invoice was made for, where it is not the request.
        var described: String?
        /// Whether it says in words what it is for.
        var saysWords = false
        var change: (inout [Tag]) -> Void = { _ in }
        var description: (String) -> String = { $0 }
        var receiptKind: Kind = 9735
        var sender = TestPerson.alice
        var signer = TestPerson.carol
    }

    private func parts() throws -> Parts {
        let place = try #require(LightningPlace("bob@pay.example"))
        return Parts(
            requestTags: [
                ["relays", "wss://r.example"], ["amount", "21000"], ["lnurl", place.lnurl],
                ["p", author.publicKey.hex], ["e", note.id.hex],
            ],
            invoice: InvoiceDraft(
                millisatoshis: 21_000, createdAt: Timestamp(seconds: moment),
                paymentHash: [UInt8](repeating: 7, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
                purpose: .unsaid))
    }

    private func receipt(_ parts: Parts) throws -> Event {
        let request = parts.sender.event("well said", kind: parts.requestKind, tags: parts.requestTags, at: moment)
        let text = String(decoding: request.json, as: UTF8.self)
        var draft = parts.invoice
        let hash = Array(SHA256.hash(data: Array((parts.described ?? text).utf8)))
        draft.purpose = parts.saysWords ? .text("well said") : .hash(hash)
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        var tags = request.tags.filter { ["p", "e", "a"].contains($0.name) }
        tags += [["P", request.pubkey.hex], ["bolt11", invoice], ["description", parts.description(text)]]
        parts.change(&tags)
        return parts.signer.event("", kind: parts.receiptKind, tags: tags, at: moment + 5)
    }

    /// The sum that would be shown under the note.
    private func counted(_ event: Event, on note: Event? = nil) throws(ZapFailure) -> Int64 {
        let receipt = try ZapReceipt(event)
        guard let payee else { throw .place }
        try receipt.check(by: payee)
        try receipt.check(on: note ?? self.note)
        return receipt.millisatoshis
    }

    @Test("a receipt that keeps every rule counts, and says who paid how much")
    func valid() throws {
        let event = try receipt(parts())
        #expect(try counted(event) == 21_000)
        let read = try ZapReceipt(event)
        #expect(read.request.sender == sender.publicKey && read.request.event.content == "well said")
        #expect(read.issuer == wallet.publicKey && read.paidAt == Timestamp(seconds: moment + 5))
        // What a wallet of ours would write is the same.
        let invoice = try #require(event.tags.firstValue("bolt11"))
        let draft = ZapReceipt.draft(for: read.request, invoice: invoice, paidAt: event.createdAt)
        #expect(draft.tags == event.tags)
    }

    /// A way to forge a receipt, and why it does not count.
    struct Forgery: CustomTestStringConvertible, Sendable {
        let what: String
        let failure: ZapFailure
        let forge: @Sendable (inout Parts, inout SeededRandom) -> Void
        var testDescription: String { what }
    }

    private static func changing(_ name: String, to value: @escaping @Sendable (inout SeededRandom) -> String)
        -> @Sendable (inout Parts, inout SeededRandom) -> Void
    {
        { parts, random in
            let text = value(&random)
            parts.change = { tags in
                tags = tags.map { $0.name == name ? Tag([name, text]) : $0 }
            }
        }
    }

    private static func hex(_ random: inout SeededRandom) -> String {
        encodeHex((0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }

    static let forgeries: [Forgery] = [
        Forgery(what: "signed by somebody else", failure: .issuer) { parts, _ in parts.signer = .eve },
        Forgery(what: "of another kind", failure: .notAReceipt) { parts, _ in parts.receiptKind = 1 },
        Forgery(
            what: "about another person", failure: .mismatch, forge: changing("p") { _ in TestPerson.eve.publicKey.hex }
        ),
        Forgery(what: "about another note", failure: .mismatch, forge: changing("e", to: hex)),
        Forgery(
            what: "sent by another person", failure: .mismatch,
            forge: changing("P") { _ in TestPerson.eve.publicKey.hex }),
        Forgery(what: "with no request", failure: .request, forge: changing("description") { _ in "" }),
        Forgery(what: "with a request nobody signed", failure: .request) { parts, random in
            let words = "\(UInt64.random(in: .min ... .max, using: &random))"
            parts.description = { $0.replacing("well said", with: words) }
        },
        Forgery(what: "with something else in place of a request", failure: .notARequest) { parts, _ in
            parts.requestKind = 1
        },
        Forgery(what: "with an invoice for something else", failure: .description) { parts, random in
            parts.described = hex(&random)
        },
        Forgery(what: "with no invoice", failure: .invoice, forge: changing("bolt11") { _ in "lnbc1nothing" }),
        Forgery(what: "with two invoices", failure: .invoice) { parts, _ in
            parts.change = { tags in tags += tags.filter { $0.name == "bolt11" } }
        },
        Forgery(what: "paid in coins without worth", failure: .invoice) { parts, _ in parts.invoice.network = .regtest
        },
        Forgery(what: "with an invoice for another sum", failure: .amount) { parts, random in
            parts.invoice.millisatoshis = Int64.random(in: 21_001...100_000_000_000, using: &random)
        },
        Forgery(what: "with an invoice for any sum", failure: .amount) { parts, _ in parts.invoice.millisatoshis = nil
        },
        Forgery(what: "with an amount that is none", failure: .amount) { parts, random in
            let text = ["-21000", "0", "21e3", "", "99999999999999999999"].randomElement(using: &random) ?? ""
            parts.requestTags = parts.requestTags.map { $0.name == "amount" ? ["amount", text] : $0 }
        },
        Forgery(what: "for two people", failure: .recipients) { parts, _ in
            parts.requestTags.append(["p", TestPerson.eve.publicKey.hex])
        },
        Forgery(what: "for two notes", failure: .targets) { parts, random in
            parts.requestTags.append(["e", hex(&random)])
        },
        Forgery(what: "paid at another place", failure: .place) { parts, _ in
            let other = LightningPlace("bob@elsewhere.example")?.lnurl ?? ""
            parts.requestTags = parts.requestTags.map { $0.name == "lnurl" ? ["lnurl", other] : $0 }
        },
        Forgery(what: "paid to oneself", failure: .toOneself) { parts, _ in parts.sender = .bob },
        Forgery(what: "about no person", failure: .recipients) { parts, _ in
            parts.change = { tags in tags.removeAll { $0.name == "p" } }
        },
        Forgery(what: "about no note", failure: .mismatch) { parts, _ in
            parts.change = { tags in tags.removeAll { $0.name == "e" } }
        },
        Forgery(what: "about another article", failure: .mismatch) { parts, random in
            let author = TestPerson.bob.publicKey.hex
            parts.requestTags.append(["a", "30023:\(author):rain"])
            let other = "30023:\(author):\(UInt64.random(in: .min ... .max, using: &random))"
            parts.change = { tags in tags = tags.map { $0.name == "a" ? ["a", other] : $0 } }
        },
        Forgery(what: "sent by what is no key", failure: .mismatch, forge: changing("P") { _ in "alice" }),
        Forgery(what: "with an invoice that says in words what it is for", failure: .description) { parts, _ in
            parts.saysWords = true
        },
        Forgery(what: "with an invoice whose sum was written over", failure: .invoice) { parts, _ in
            parts.change = { tags in
                tags = tags.map { tag in
                    guard tag.name == "bolt11", let text = tag[1] else { return tag }
                    return ["bolt11", text.replacing("lnbc210n1", with: "lnbc2100n1")]
                }
            }
        },
        Forgery(what: "for a note of somebody else", failure: .targets) { parts, random in
            let text = hex(&random)
            parts.requestTags = parts.requestTags.map { $0.name == "e" ? ["e", text] : $0 }
        },
    ]

    @Test("a forged receipt does not count, and it is known why", arguments: forgeries)
    func forged(_ forgery: Forgery) throws {
        var random = SeededRandom(seed: 5)
        var parts = try parts()
        forgery.forge(&parts, &random)
        let event = try receipt(parts)
        #expect(throws: forgery.failure) { try counted(event) }
    }

    @Test("of 10 000 forged receipts none counts")
    func many() throws {
        var random = SeededRandom(seed: 57)
        for number in 0..<10_000 {
            var parts = try parts()
            // One forgery at least, often several at once.
            for _ in 0...Int.random(in: 0...2, using: &random) {
                Self.forgeries.randomElement(using: &random)?.forge(&parts, &random)
            }
            let event = try receipt(parts)
            #expect(throws: ZapFailure.self, "number \(number)") { try counted(event) }
        }
    }

    @Test("a note that is only mentioned is not what was paid for")
    func mentions() throws {
        let other = author.event("mentioned", kind: 1, at: moment - 90)
        var parts = try parts()
        parts.requestTags.append(["e", other.id.hex, "", "mention"])
        let event = try receipt(parts)
        #expect(try counted(event) == 21_000)
        #expect(throws: ZapFailure.targets) { try counted(event, on: other) }
    }

    @Test("under a note count only payments to its author, or to whom it names")
    func strangers() throws {
        // Eve pays herself, at a place of her own, for Bob's note.
        var parts = try parts()
        parts.requestTags = [["amount", "21000"], ["p", TestPerson.eve.publicKey.hex], ["e", note.id.hex]]
        let read = try ZapReceipt(receipt(parts))
        #expect(throws: ZapFailure.stranger) { try read.check(on: note) }
        // Nor does anything count that is paid to a place which takes no zaps.
        let place = try #require(LightningPlace("eve@pay.example"))
        #expect(throws: ZapFailure.issuer) { try read.check(by: LightningPayee(place, zapIssuer: nil)) }
        let shared = author.event(
            "by both of us", kind: 1, tags: [["zap", TestPerson.eve.publicKey.hex, "", "1"]], at: moment)
        parts.requestTags[2] = ["e", shared.id.hex]
        try ZapReceipt(receipt(parts)).check(on: shared)
    }

    @Test("an article is zapped by its address, whatever its version")
    func addresses() throws {
        let article = author.event("…", kind: 30_023, tags: [["d", "rain"]], at: moment)
        var parts = try parts()
        parts.requestTags = parts.requestTags.filter { $0.name != "e" }
        parts.requestTags.append(["a", "30023:\(author.publicKey.hex):rain"])
        #expect(try counted(receipt(parts), on: article) == 21_000)
        let other = author.event("…", kind: 30_023, tags: [["d", "sun"]], at: moment)
        #expect(throws: ZapFailure.targets) { try counted(receipt(parts), on: other) }
    }

    @Test("a wallet of one's own says who signs its receipts")
    func documents() throws {
        let place = try #require(LightningPlace("Bob@Pay.example"))
        #expect(place.url == "https://pay.example/.well-known/lnurlp/bob")
        func issuer(_ json: String) -> PublicKey? { LightningPayee(place, json: Array(json.utf8))?.zapIssuer }
        let key = wallet.publicKey.hex
        let start = #"{"tag":"payRequest","callback":"https://pay.example/cb","#
        #expect(issuer(start + #""allowsNostr":true,"nostrPubkey":"\#(key)"}"#) == wallet.publicKey)
        #expect(issuer(start + #""allowsNostr":false,"nostrPubkey":"\#(key)"}"#) == nil)
        #expect(issuer(start + #""allowsNostr":true,"nostrPubkey":"\#(key.dropLast())"}"#) == nil)
        #expect(LightningPayee(place, json: Array(#"{"status":"ERROR","reason":"no such user"}"#.utf8)) == nil)
        #expect(LightningPayee(place, json: Array("<html>".utf8)) == nil)
    }

    @Test("a place has one name in each form, and none of what is no place")
    func places() throws {
        let place = try #require(LightningPlace("bob@pay.example"))
        #expect(
            place.isNamed(place.lnurl) && place.isNamed(place.lnurl.uppercased()) && place.isNamed("bob@pay.example"))
        #expect(!place.isNamed("bob@other.example") && !place.isNamed("") && !place.isNamed("lnurl1qqqq"))
        #expect(LightningPlace(place.lnurl)?.url == place.url)
        // LUD-01's own example.
        let example =
            "LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0V9CXJ0M385EKVCENXC6R2C35XVUKXEFCV5MKVV34X5EKZD3EV56NYD3HXQURZEPEXEJXXEPNXSCRVWFNV9NXZCN9XQ6XYEFHVGCXXCMYXYMNSERXFQ5FNS"
        #expect(
            LightningPlace(example)?.url
                == "https://service.com/api?q=3fc3645b439ce8e7f2553a69e5267081d96dcd340693afabe04be7b0ccd178df")
        #expect(LightningPlace("lnurlp://pay.example/x?y=1")?.url == "https://pay.example/x?y=1")
        let tagged = try #require(LightningPlace("Bob+Tips@pay.example"))
        #expect(tagged.url == "https://pay.example/.well-known/lnurlp/bob+tips")
        #expect(tagged.name == "bob+tips@pay.example")
        #expect(tagged.isNamed(tagged.lnurl) && !tagged.isNamed("bob@pay.example"))
        // Those need no TLS.
        let onion = "lnurlp://\(String(repeating: "a", count: 56)).onion"
        #expect(LightningPlace(onion + "/x")?.url == "http\(onion.dropFirst(6))/x")
        #expect(LightningPlace("bob@\(onion.dropFirst(9))")?.url.hasPrefix("http://") == true)
        let long = try #require(LightningPlace("lnurlp://Pay.example:8080/x?y=1"))
        #expect(long.host == "pay.example:8080" && long.isNamed("lnurlp:pay.example:8080/x?y=1"))
        #expect(LightningPlace(long.lnurl) == long && !long.isNamed("lnurlp:pay.example:8080/X?y=1"))
        for text in [
            "", "bob", "http://pay.example", "lnurlp:", "lnurlp://", "lnurlp://a b",
            bech32Encode(prefix: "lnurl", bytes: Array("http://a.b".utf8)),
            bech32Encode(prefix: "lnurl", bytes: Array("https:///x".utf8)),
            bech32Encode(prefix: "lnurl", bytes: Array("https://pay.example@evil.example/".utf8)),
            "npub1qqqq", "bob@pay@example", "+tips@pay.example", "bob+@pay.example", "bob+a+b@pay.example",
            "bob+a/b@pay.example", "lnurlp://pay.example@evil.example/x", "lnurlw://pay.example/x",
        ] {
            #expect(LightningPlace(text) == nil, "\(text)")
        }
    }
}
