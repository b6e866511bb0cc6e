import AccountTesting
import Crypto
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Secp256k1
import Testing

/// What was paid for the answers of a zap poll: receipts that keep every rule, and nothing else.
@Suite(.timeLimit(.minutes(10)))
struct ZapPollTests {
    let bob = TestPerson.bob
    let wallet = TestPerson.dave

    private var poll: Event {
        bob.event(
            "Which bread?", kind: 6969,
            tags: [["poll_option", "0", "Rye"], ["poll_option", "1", "Spelt"], ["value_maximum", "1000"]],
            at: seconds(-60))
    }

    private func receipt(
        _ number: UInt8, _ option: String, sats: Int64, by sender: TestPerson, signedBy signer: TestPerson? = nil,
        for recipient: TestPerson? = nil, asking asked: Int64? = nil
    ) throws -> Event {
        let request = sender.event(
            "", kind: 9734,
            tags: [
                ["amount", "\((asked ?? sats) * 1000)"], ["p", (recipient ?? bob).publicKey.hex], ["e", poll.id.hex],
                ["poll_option", option], ["relays", "wss://bob.example"],
            ], at: seconds(-30))
        let draft = InvoiceDraft(
            millisatoshis: sats * 1000, createdAt: Timestamp(seconds: seconds(-30)),
            paymentHash: [UInt8](repeating: number, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let made = ZapReceipt.draft(
            for: try ZapRequest(request), invoice: invoice, paidAt: Timestamp(seconds: seconds(-20)))
        return (signer ?? wallet).event(made.content, kind: 9735, tags: made.tags, at: seconds(-20))
    }

    @Test("payments are counted by answer; of forged receipts none counts")
    func counted() async throws {
        let document =
            #"{"tag":"payRequest","callback":"https://pay.example/cb","allowsNostr":true,"nostrPubkey":"\#(wallet.publicKey.hex)"}"#
        let places = ScriptedDocuments(["https://pay.example/.well-known/lnurlp/bob": document])
        let bench = AccountBench(payees: places)
        let profile = bob.event(#"{"name":"bob","lud16":"bob@pay.example"}"#, kind: 0)
        let forged = [
            // Signed by another key, by the payer, for somebody else, to oneself, and with another sum than asked for.
            try receipt(3, "1", sats: 900, by: .carol, signedBy: .eve),
            try receipt(4, "1", sats: 900, by: .eve, signedBy: .eve),
            try receipt(5, "1", sats: 900, by: .eve, for: .eve), try receipt(6, "1", sats: 900, by: bob),
            try receipt(7, "1", sats: 900, by: .eve, asking: 901),
        ]
        let true1 = [
            try receipt(1, "0", sats: 21, by: .carol), try receipt(2, "1", sats: 100, by: .alice),
            // More than the poll takes, and for an answer it does not have.
            try receipt(8, "1", sats: 5000, by: .eve), try receipt(9, "7", sats: 50, by: .eve),
        ]
        _ = await bench.store.save([profile, poll] + true1 + forged, from: nil)
        try await bench.running {
            try await bench.eventually("they are counted") {
                let focus = try await bench.account.timeline.thread(poll.id, hints: []).focus
                guard case .zaps(let standing) = focus?.poll else { return false }
                return standing.tally.millisatoshis == [0: 21_000, 1: 100_000] && standing.tally.voters == 2
            }
            // All receipts that count as payments were seen: nothing is still waiting to be judged.
            let focus = try await bench.account.timeline.thread(poll.id, hints: []).focus
            #expect(focus?.zaps.count == 4)
        }
    }
}
