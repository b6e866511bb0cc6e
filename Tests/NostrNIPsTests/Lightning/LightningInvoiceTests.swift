import NostrCore
import NostrTesting
import Secp256k1
import Testing

@testable import NostrNIPs

@Suite("BOLT-11: invoices")
struct LightningInvoiceTests {
    static let path = "bitcoin/bolt11-examples.json"
    static let reason = Comment(rawValue: "the examples of BOLT-11 are not here; see make vectors")

    struct Examples: Decodable {
        struct Example: Decodable {
            let desc: String
            let invoice: String
        }

        let valid: [Example]
        let invalid: [Example]
    }

    static let payee = "03e7156ae33b0a208d0744199163177e909e80176e55d97a2f221ede0f934dd9ad"
    static let hash = "0001020304050607080900010203040506070809000102030405060708090102"

    private func example(_ words: String) throws -> LightningInvoice {
        let examples = try Vectors.decode(Examples.self, from: Self.path)
        return try LightningInvoice(#require(examples.valid.first { $0.desc.contains(words) }).invoice)
    }

    @Test("reads every valid example, and who is paid", .enabled(if: Vectors.hold(path), reason))
    func valid() throws {
        for example in try Vectors.decode(Examples.self, from: Self.path).valid {
            let invoice = try LightningInvoice(example.invoice)
            #expect(invoice.text == example.invoice.lowercased())
            #expect(invoice.createdAt.seconds > 1_400_000_000 && invoice.finalDelta >= 9)
            // Those whose words name the payer's peer were signed by the key of the examples.
            if example.desc.contains("high-S") || example.desc.contains("pico-BTC") { continue }
            #expect(
                encodeHex(invoice.payee) == Self.payee && encodeHex(invoice.paymentHash) == Self.hash,
                "\(example.desc)")
        }
    }

    @Test("reads amounts, purposes, ends and networks", .enabled(if: Vectors.hold(path), reason))
    func meanings() throws {
        let donation = try example("donation of any amount")
        #expect(donation.millisatoshis == nil && donation.network == .bitcoin && donation.expiry == 3600)
        #expect(donation.purpose == .text("Please consider supporting this project"))
        let coffee = try example("cup of coffee")
        #expect(coffee.millisatoshis == 250_000_000 && coffee.purpose == .text("1 cup coffee") && coffee.expiry == 60)
        #expect(coffee.expiresAt.seconds == coffee.createdAt.seconds + 60)
        #expect(try example("cup of nonsense").purpose == .text("ナンセンス 1杯"))
        let list = try example("entire list of things (hashed)")
        #expect(list.millisatoshis == 2_000_000_000)
        #expect(
            list.purpose
                == .hash(
                    try decodeHex("3925b6f67e2c340036ed12093dd44e0368df1b6ea26c53dbe4811f58fd5db8c1", byteCount: 32)))
        let test = try example("on testnet")
        #expect(test.network == .testnet && test.fallbacks.map(\.version) == [17])
        #expect(try example("pico-BTC").millisatoshis == 967_878_534)
        #expect(try example("payment metadata").metadata == [1, 0xFA, 0xFA, 0xF0])
        #expect(try example("(P2WPKH)").fallbacks.map(\.program.count) == [20])
        #expect(try example("(P2WSH)").fallbacks.map(\.version) == [0])
        let routes = try example("extra routing info").routes
        #expect(routes.map(\.count) == [2])
        let hop = try #require(routes.first?.first)
        #expect(encodeHex(hop.node) == "029e03a901b85534ff1e92c43c74431f7ce72046060fcf7a95c37e148f78c77255")
        #expect(hop.channel == 0x0102_0304_0506_0708 && hop.baseFee == 1 && hop.proportionalFee == 20 && hop.delta == 3)
    }

    @Test("refuses every invalid example", .enabled(if: Vectors.hold(path), reason))
    func invalid() throws {
        let refusals = try Vectors.decode(Examples.self, from: Self.path).invalid.map { example in
            do throws(LightningInvoiceError) {
                _ = try LightningInvoice(example.invoice)
                return "\(example.desc) was read"
            } catch {
                return "\(error)"
            }
        }
        #expect(
            refusals == [
                "unknownFeature(bit: 100)", "notBech32(NostrCore.Bech32Error.badChecksum)",
                "notBech32(NostrCore.Bech32Error.noSeparator)", "notBech32(NostrCore.Bech32Error.mixedCase)",
                "badSignature", "tooShort", "badAmount", "badAmount", "missing(field: \"s\")", "badSignature",
            ])
    }

    @Test(
        "takes amounts that can be, and no others",
        arguments: [
            ("lnbc", nil), ("lnbc1", 100_000_000_000), ("lnbc2500u", 250_000_000), ("lntbs10p", 1), ("lnbcrt20n", 2000),
            ("lnbc21000000", 2_100_000_000_000_000_000),
        ] as [(String, Int64?)])
    func amounts(prefix: String, amount: Int64?) throws {
        #expect(try LightningInvoice.amount(in: prefix).1 == amount)
    }

    @Test(
        "refuses amounts of nothing, of less than can be sent, and beyond all there is",
        arguments: [
            "lnbc0", "lnbc1p", "lnbc21000001", "lnbc99999999999999999999", "lnbc1x", "lnbc1mm",
            "lnbc9223372036854775807p",
        ])
    func wrongAmounts(prefix: String) {
        #expect(throws: LightningInvoiceError.badAmount) { try LightningInvoice.amount(in: prefix) }
    }

    @Test("refuses other money", arguments: ["lnltc1u", "lnb1", "ln", "lightning", "bc1"])
    func otherNetworks(prefix: String) {
        #expect(throws: LightningInvoiceError.unknownNetwork) { try LightningInvoice.amount(in: prefix) }
    }

    @Test("a changed letter is no invoice, and noise never traps", .enabled(if: Vectors.hold(path), reason))
    func noise() throws {
        let text = try example("cup of coffee").text
        Noise.run(Array(text.utf8), rounds: 3000) { bytes in
            guard let read = try? LightningInvoice(String(decoding: bytes, as: UTF8.self)) else { return }
            #expect(read.text == text)
        }
        var random = SeededRandom(seed: 7)
        for _ in 0..<2000 {
            let values = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: 0...31, using: &random)
            }
            _ = try? InvoiceFields(values[...])
        }
    }

    @Test(
        "reads what it wrote, to the last letter",
        arguments: [nil, 1, 10, 21_000, 250_000_000, 100_000_000_000] as [Int64?])
    func roundTrip(amount: Int64?) throws {
        var draft = InvoiceDraft(
            millisatoshis: amount, createdAt: Timestamp(seconds: 1_800_000_000),
            paymentHash: [UInt8](repeating: 7, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .text("a loaf, ein Laib, パン"))
        draft.network = .signet
        draft.expiry = 90_000
        let key = try SigningKey(secret: [UInt8](repeating: 3, count: 32).span)
        let invoice = try LightningInvoice(draft.signed(by: key))
        #expect(invoice.millisatoshis == amount && invoice.network == .signet && invoice.purpose == draft.purpose)
        #expect(invoice.expiresAt == Timestamp(seconds: 1_800_090_000) && invoice.finalDelta == 18)
        #expect(invoice.paymentHash == draft.paymentHash && invoice.paymentSecret == draft.paymentSecret)
        #expect(Array(invoice.payee.dropFirst()) == key.publicKey)
    }

    @Test(
        "what a wallet reads is found in what stands around it",
        arguments: [
            ("lnbc1x", "lnbc1x"), (" lightning:LNBC1X\n", "LNBC1X"), ("lightning://lnurl1x", "lnurl1x"),
            ("bitcoin:bc1qx?amount=0.1&lightning=lnbc1x", "lnbc1x"), ("BITCOIN:BC1QX?LIGHTNING=LNBC1X", "LNBC1X"),
            ("bitcoin:?lightning=lnbc1x#y", "lnbc1x"), ("https://shop.example/buy?lightning=LNURL1X", "LNURL1X"),
            ("bitcoin:bc1qx?amount=1", "bitcoin:bc1qx?amount=1"),
            ("bitcoin:bc1qx?lightning=", "bitcoin:bc1qx?lightning="),
            ("", ""), ("http://a.example/?lightning=x", "http://a.example/?lightning=x"),
        ])
    func codes(text: String, code: String) {
        #expect(lightningCode(in: text) == code)
    }

    @Test("stands in a text, alone or after its scheme, and only whole")
    func inText() throws {
        let draft = InvoiceDraft(
            millisatoshis: 2_500_000, createdAt: Timestamp(seconds: 1_800_000_000),
            paymentHash: [UInt8](repeating: 7, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .unsaid)
        let text = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let invoice = try LightningInvoice(text)
        let tokens = ContentToken.split("Pay \(text), or lightning:\(text.uppercased())! Not \(text)x or x\(text).")
        #expect(tokens.map(\.source).joined().contains("Not \(text)x or x\(text)."))
        #expect(
            tokens.filter { $0.meaning == .invoice(invoice) }.map(\.source) == [text, "lightning:\(text.uppercased())"])
        let address = "bitcoin:bc1qar0srrr7?amount=0.1&lightning=\(text)"
        let both = ContentToken.split("Or \(address). Not bitcoin:bc1qar0srrr7?lightning=\(text)x")
        #expect(both.filter { $0.meaning == .invoice(invoice) }.map(\.source) == [address])
        // Each is checked, so a text of thousands is not.
        let many = ContentToken.split(String(repeating: text + " ", count: 1000))
        #expect(many.count { $0.meaning == .invoice(invoice) } == 32)
    }
}
