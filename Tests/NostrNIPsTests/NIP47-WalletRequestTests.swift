import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-47: what a wallet is asked to pay")
struct WalletRequestTests {
    private static let payments: [(String, Int64?)] = [
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc2500u1pvjluezpp5"}}"#, 250_000_000),
        (#"{"method":"pay_invoice","params":{"invoice":"LNBC20M1PVJLUEZ"}}"#, 2_000_000_000),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc9678785340p1pwmna7l"}}"#, 967_878_534),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc1pvjluez"}}"#, nil),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc1pvjluez","amount":123}}"#, 123),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc50n1x","amount":1}}"#, 5000),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc2500000001p1x"}}"#, nil),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc2500x1x"}}"#, nil),
        (#"{"method":"pay_invoice","params":{"invoice":"lnbc99999999999999991x"}}"#, nil),
        (#"{"method":"pay_invoice","params":{"invoice":"lntb50n1x"}}"#, nil),
        (#"{"method":"pay_keysend","params":{"amount":77,"pubkey":"03"}}"#, 77),
        (#"{"method":"multi_pay_keysend","params":{"keysends":[{"amount":1},{"amount":2}]}}"#, 3),
        (#"{"method":"multi_pay_invoice","params":{"invoices":[{"invoice":"lnbc50n1x"},{"invoice":"lnbc1x"}]}}"#, nil),
        (#"{"method":"multi_pay_keysend","params":{"keysends":[{"amount":9223372036854775807},{"amount":1}]}}"#, nil),
        (#"{"method":"get_balance","params":{}}"#, nil), (#"{"method":"pay_keysend","params":{"amount":-5}}"#, nil),
    ]

    @Test("is read from the request or its invoice, and from nothing that does not say it whole", arguments: payments)
    func amounts(json: String, amount: Int64?) throws {
        #expect(try #require(WalletRequest(json: json)).amount == amount)
    }

    @Test("noise never traps")
    func noise() {
        for (json, _) in Self.payments {
            Noise.run(Array(json.utf8), rounds: 300) { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                _ = WalletRequest(json: text)
                _ = CashuWallet.amount(ofHistory: text)
                _ = CashuWallet.amount(ofTokens: text)
            }
        }
        #expect(WalletRequest(json: "[]") == nil && WalletRequest(json: "") == nil)
    }
}

@Suite("NIP-60: what a wallet's events are worth")
struct CashuWalletTests {
    @Test(
        "is read from the history's amount and unit",
        arguments: [
            (#"[["direction","in"],["amount","1"],["unit","sat"]]"#, 1000),
            (#"[["amount","7"],["unit","msat"]]"#, 7), (#"[["amount","7"]]"#, 7000),
            (#"[["amount","7"],["unit","usd"]]"#, nil), (#"[["amount","-7"]]"#, nil), ("[]", nil), ("{}", nil),
        ] as [(String, Int64?)])
    func history(json: String, amount: Int64?) {
        #expect(CashuWallet.amount(ofHistory: json) == amount)
    }

    @Test(
        "is the sum of proofs, all of which have to be read",
        arguments: [
            (#"{"mint":"https://m","unit":"sat","proofs":[{"id":"1","amount":1},{"amount":8}]}"#, 9000),
            (#"{"unit":"sat","proofs":[{"amount":1},{"amount":"2"}]}"#, nil),
            (#"{"unit":"eur","proofs":[{"amount":1}]}"#, nil), (#"{"unit":"sat"}"#, nil),
        ] as [(String, Int64?)])
    func tokens(json: String, amount: Int64?) {
        #expect(CashuWallet.amount(ofTokens: json) == amount)
    }
}
