import AccountTesting
import Crypto
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Secp256k1
import Testing

/// What was paid for notes, as pages say it.
@Suite(.timeLimit(.minutes(10)))
struct ZapsTests {
    /// Bob wrote the note, Carol pays, and Dave's key is that of Bob's wallet.
    let bob = TestPerson.bob
    let carol = TestPerson.carol
    let wallet = TestPerson.dave

    private static let place = "https://pay.example/.well-known/lnurlp/bob"
    private var document: String {
        #"{"tag":"payRequest","callback":"https://pay.example/cb","allowsNostr":true,"nostrPubkey":"\#(wallet.publicKey.hex)"}"#
    }
    private var note: Event { bob.event("a walk in the rain", at: seconds(-60)) }

    /// - Parameter number: tells payments apart.
    private func receipt(
        _ number: UInt8, sats: Int64 = 21, by sender: TestPerson? = nil, signedBy signer: TestPerson? = nil,
        for recipient: TestPerson? = nil
    ) throws -> Event {
        let request = (sender ?? carol).event(
            "for the kettle", kind: 9734,
            tags: [
                ["amount", "\(sats * 1000)"], ["p", (recipient ?? bob).publicKey.hex], ["e", note.id.hex],
                ["relays", "wss://bob.example"],
            ], at: seconds(-30))
        let draft = InvoiceDraft(
            millisatoshis: sats * 1000, createdAt: Timestamp(seconds: seconds(-30)),
            paymentHash: [UInt8](repeating: number, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let receipt = ZapReceipt.draft(
            for: try ZapRequest(request), invoice: invoice, paidAt: Timestamp(seconds: seconds(-20)))
        return (signer ?? wallet).event(receipt.content, kind: 9735, tags: receipt.tags, at: seconds(-20))
    }

    private func bench(_ places: any PayeeFetching, records: any RecordStore = MemoryRecordStore()) async
        -> AccountBench
    {
        let bench = AccountBench(records: records, payees: places)
        let profile = bob.event(#"{"name":"bob","lud16":"bob@pay.example"}"#, kind: 0)
        _ = await bench.store.save([profile, note], from: nil)
        return bench
    }

    private func zaps(_ bench: AccountBench) async throws -> ZapTally? {
        try await bench.account.timeline.thread(note.id, hints: []).focus?.zaps
    }

    @Test("receipts of the recipient's wallet are counted, each payment once; all others are not")
    func counted() async throws {
        let places = ScriptedDocuments([Self.place: document])
        let bench = await bench(places)
        let true1 = try receipt(1)
        let events = [
            true1, try receipt(2, sats: 100), try receipt(1, signedBy: wallet),
            // Signed by somebody else, to oneself, and for somebody who has no part in the note.
            try receipt(3, sats: 1_000_000, signedBy: .eve), try receipt(4, by: bob),
            try receipt(5, sats: 5_000, for: .eve),
        ]
        _ = await bench.store.save(events, from: nil)
        #expect(try await zaps(bench) == ZapTally())
        try await bench.running {
            try await bench.eventually("they are counted") { try await zaps(bench)?.count == 2 }
            let tally = try #require(try await zaps(bench))
            #expect(tally.millisatoshis == 121_000)
            #expect(tally.largest.map(\.millisatoshis) == [100_000, 21_000])
            #expect(tally.largest.allSatisfy { $0.sender == carol.publicKey && $0.comment == "for the kettle" })
            // One more is counted with those that are there.
            _ = await bench.store.save([try receipt(6, sats: 500)], from: nil)
            try await bench.eventually("the new one is counted") { try await zaps(bench)?.millisatoshis == 621_000 }
            #expect(places.questions == [Self.place])
        }
    }

    @Test("while a place of payment is silent nothing counts, and it is asked again later")
    func silence() async throws {
        let places = ScriptedDocuments([:])
        let bench = await bench(places)
        _ = await bench.store.save([try receipt(1)], from: nil)
        try await bench.running {
            try await bench.eventually("the place was asked") {
                _ = try await zaps(bench)
                return places.questions.count == 1
            }
            places.set(Self.place, document)
            // The silence may not have been noted yet: it is left alone from when it is.
            try await bench.eventually("it counts now") {
                if places.questions.count == 1 { bench.clock.advance(by: .seconds(60)) }
                return try await zaps(bench)?.count == 1
            }
            #expect(bench.clock.now.offset >= .seconds(900))
            #expect(places.questions.count == 2)
        }
    }

    @Test("a receipt that comes before its recipient's profile counts when that has come")
    func profileComesLater() async throws {
        let places = ScriptedDocuments([Self.place: document])
        let bench = AccountBench(payees: places)
        _ = await bench.store.save([note, try receipt(1)], from: nil)
        try await bench.running {
            try await bench.eventually("it was looked at") {
                _ = try await zaps(bench)
                return bench.network.questions.contains { $0.filters.contains { $0.kinds?.contains(0) == true } }
            }
            let profile = bob.event(#"{"name":"bob","lud16":"bob@pay.example"}"#, kind: 0)
            _ = await bench.store.save([profile], from: nil)
            try await bench.eventually("it counts now") { try await zaps(bench)?.count == 1 }
        }
    }

    @Test("what a place said is kept for a day, over a restart too")
    func kept() async throws {
        let places = ScriptedDocuments([Self.place: document])
        let records = MemoryRecordStore()
        for _ in 0..<2 {
            let bench = await bench(places, records: records)
            _ = await bench.store.save([try receipt(1)], from: nil)
            try await bench.running {
                try await bench.eventually("it counts") { try await zaps(bench)?.count == 1 }
            }
        }
        #expect(places.questions == [Self.place])
    }

    @Test("a receipt of the wallet that a profile names only later counts when that has come")
    func walletChanges() async throws {
        let other = "https://new.example/.well-known/lnurlp/bob"
        let places = ScriptedDocuments([
            Self.place: document, other: document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex),
        ])
        let bench = await bench(places)
        _ = await bench.store.save([try receipt(1), try receipt(2, sats: 100, signedBy: .eve)], from: nil)
        try await bench.running {
            try await bench.eventually("that of the wallet that is known counts") {
                try await zaps(bench)?.millisatoshis == 21_000
            }
            let profile = bob.event(#"{"name":"bob","lud16":"bob@new.example"}"#, kind: 0, at: seconds(1))
            _ = await bench.store.save([profile], from: nil)
            try await bench.eventually("so does that of the new one") {
                try await zaps(bench)?.millisatoshis == 121_000
            }
            #expect(places.questions == [Self.place, other])
        }
    }

    @Test("a profile that comes while the wallet of the one before is asked is not missed")
    func profileComesMeanwhile() async throws {
        let eves = document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex)
        let places = HeldDocuments([Self.place: document, "https://new.example/.well-known/lnurlp/bob": eves])
        let bench = await bench(places)
        let other = bob.event("it drizzles", at: seconds(-50))
        _ = await bench.store.save([other, try receipt(1, signedBy: .eve)], from: nil)
        try await bench.running {
            try await bench.eventually("the first wallet is asked") {
                _ = try await zaps(bench)
                return places.isAsked
            }
            let moved = bob.event(#"{"name":"bob","lud16":"bob@new.example"}"#, kind: 0, at: seconds(1))
            // The account looks at what comes in order: when it has seen the last, it knows of the profile, too.
            let reply = carol.event("it pours", tags: [["e", other.id.hex, "", "root"]], at: seconds(2))
            let changes = await bench.account.changes()
            _ = await bench.store.save([moved, reply], from: nil)
            for await change in changes where change == .touched(other.id) { break }
            places.answer()
            try await bench.eventually("it counts") { try await zaps(bench)?.count == 1 }
        }
    }

    @Test("a wallet that has another key since counts within a day")
    func keyChanges() async throws {
        let places = ScriptedDocuments([Self.place: document])
        let bench = await bench(places)
        _ = await bench.store.save([try receipt(1), try receipt(2, sats: 100, signedBy: .eve)], from: nil)
        try await bench.running {
            try await bench.eventually("that of the key that is known counts") {
                try await zaps(bench)?.millisatoshis == 21_000
            }
            places.set(Self.place, document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex))
            bench.clock.advance(by: .seconds(12 * 3600))
            #expect(try await zaps(bench)?.millisatoshis == 21_000)
            bench.clock.advance(by: .seconds(13 * 3600))
            try await bench.eventually("so does that of the new one") {
                try await zaps(bench)?.millisatoshis == 121_000
            }
        }
    }

    @Test("what muted people pay is not shown")
    func muted() async throws {
        let bench = await bench(ScriptedDocuments([Self.place: document]))
        _ = await bench.store.save([try receipt(1), try receipt(2, sats: 100, by: .eve)], from: nil)
        try await bench.running {
            try await bench.eventually("both count") { try await zaps(bench)?.count == 2 }
            let mutes = TestPerson.alice.event(
                kind: 10_000, tags: [["p", TestPerson.eve.publicKey.hex]], at: seconds(1))
            _ = await bench.store.save([mutes], from: nil)
            try await bench.eventually("one is left") { try await zaps(bench)?.millisatoshis == 21_000 }
        }
    }
}
