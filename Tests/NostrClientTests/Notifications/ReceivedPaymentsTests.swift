import AccountTesting
import Crypto
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Secp256k1
import Testing

/// Payments to the account among its notifications.
@Suite(.timeLimit(.minutes(10)))
struct ReceivedPaymentsTests {
    private let alice = TestPerson.alice
    /// The key of Alice's wallet.
    private let wallet = TestPerson.dave
    private static let place = "https://pay.example/.well-known/lnurlp/alice"
    private var note: Event { alice.event("a walk in the rain", at: seconds(-60)) }
    private var document: String {
        #"{"tag":"payRequest","callback":"https://pay.example/cb","allowsNostr":true,"nostrPubkey":"\#(wallet.publicKey.hex)"}"#
    }

    /// A receipt; without a note, for the profile.
    private func receipt(
        _ number: UInt8, sats: Int64 = 21, by sender: TestPerson = .carol, signedBy signer: TestPerson? = nil,
        for note: Event?, at address: EventAddress? = nil
    ) throws -> Event {
        var tags: [NostrCore.Tag] = [
            ["amount", "\(sats * 1000)"], ["p", alice.publicKey.hex], ["relays", "wss://alice.example"],
        ]
        if let note { tags.append(["e", note.id.hex]) }
        if let address { tags.append(["a", address.description]) }
        let request = sender.event("for the kettle", kind: 9734, tags: tags, at: seconds(-30))
        let draft = InvoiceDraft(
            millisatoshis: sats * 1000, createdAt: Timestamp(seconds: seconds(-30)),
            paymentHash: [UInt8](repeating: number, count: 32), paymentSecret: [UInt8](repeating: 9, count: 32),
            purpose: .hash(Array(SHA256.hash(data: request.json))))
        let invoice = try draft.signed(by: SigningKey(secret: [UInt8](repeating: 3, count: 32).span))
        let receipt = ZapReceipt.draft(
            for: try ZapRequest(request), invoice: invoice, paidAt: Timestamp(seconds: seconds(-20)))
        return (signer ?? wallet).event(receipt.content, kind: 9735, tags: receipt.tags, at: seconds(-20))
    }

    private func zaps(_ bench: AccountBench) async throws -> [NotificationGroup] {
        try await bench.account.services.notifications.page([.zap], before: nil, since: nil, limit: 100).groups
    }

    @Test("payments for notes and for the profile are told, and nothing that does not count")
    func told() async throws {
        let bench = AccountBench(payees: ScriptedDocuments([Self.place: document]))
        let profile = alice.event(#"{"name":"alice","lud16":"alice@pay.example"}"#, kind: 0)
        let foreign = TestPerson.bob.event("another's note", at: seconds(-50))
        let events = [
            profile, note, foreign, try receipt(1, for: note), try receipt(2, sats: 100, by: .bob, for: note),
            try receipt(3, sats: 500, for: nil),
            // Signed by another key, for a note the account has no part in, from oneself, and one payment twice.
            try receipt(4, signedBy: .eve, for: note), try receipt(5, for: foreign),
            try receipt(6, by: alice, for: note), try receipt(1, by: .bob, for: note),
        ]
        _ = await bench.store.save(events, from: nil)
        #expect(try await zaps(bench).isEmpty)
        try await bench.running {
            try await bench.eventually("they are told") { try await zaps(bench).flatMap(\.members).count == 3 }
            let groups = try await zaps(bench)
            #expect(Set(groups.map(\.target)) == [note.id, nil])
            #expect(groups.first { $0.target == nil }?.millisatoshis == 500_000)
            #expect(groups.first { $0.target == note.id }?.members.count == 2)
        }
    }

    @Test("a payment to the wallet that the account's profile names only later is told when that has come")
    func walletChanges() async throws {
        let other = document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex)
        let bench = AccountBench(
            payees: ScriptedDocuments([Self.place: document, "https://new.example/.well-known/lnurlp/alice": other]))
        let profile = alice.event(#"{"name":"alice","lud16":"alice@pay.example"}"#, kind: 0)
        let events = [profile, note, try receipt(1, for: note), try receipt(2, sats: 100, signedBy: .eve, for: note)]
        _ = await bench.store.save(events, from: nil)
        func told() async throws -> [Int64?] {
            try await zaps(bench).flatMap(\.members).map(\.zap?.millisatoshis)
        }
        try await bench.running {
            try await bench.eventually("that to the wallet that is known is told") { try await told() == [21_000] }
            let moved = alice.event(#"{"name":"alice","lud16":"alice@new.example"}"#, kind: 0, at: seconds(1))
            _ = await bench.store.save([moved], from: nil)
            try await bench.eventually("so is that to the new one") {
                try await Set(told()) == [21_000, 100_000]
            }
        }
    }

    @Test("a payment to a new key of the wallet is told also where the wallet was silent when it was judged again")
    func silentWhenJudgedAgain() async throws {
        let places = ScriptedDocuments([Self.place: document])
        let bench = AccountBench(payees: places)
        let profile = alice.event(#"{"name":"alice","lud16":"alice@pay.example"}"#, kind: 0)
        let events = [profile, note, try receipt(1, for: note), try receipt(2, sats: 100, signedBy: .eve, for: note)]
        _ = await bench.store.save(events, from: nil)
        func told() async throws -> Set<Int64?> {
            try await Set(zaps(bench).flatMap(\.members).map(\.zap?.millisatoshis))
        }
        try await bench.running {
            try await bench.eventually("that of the key that is known is told") { try await told() == [21_000] }
            let asked = places.questions.count
            places.set(Self.place, nil)
            bench.clock.advance(by: .seconds(25 * 3600))
            try await bench.eventually("the wallet was asked again, and said nothing") {
                _ = try await told()
                return places.questions.count > asked
            }
            let askedAgain = places.questions.count
            places.set(Self.place, document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex))
            // The silence may not have been noted yet: it is left alone from when it is.
            try await bench.eventually("so is that of the new key") {
                if places.questions.count == askedAgain { bench.clock.advance(by: .seconds(60)) }
                return try await told() == [21_000, 100_000]
            }
        }
    }

    @Test("a profile that comes while the wallet of the one before is asked is not missed")
    func profileComesMeanwhile() async throws {
        let eves = document.replacing(wallet.publicKey.hex, with: TestPerson.eve.publicKey.hex)
        let places = HeldDocuments([Self.place: document, "https://new.example/.well-known/lnurlp/alice": eves])
        let bench = AccountBench(payees: places)
        let profile = alice.event(#"{"name":"alice","lud16":"alice@pay.example"}"#, kind: 0)
        let other = alice.event("it drizzles", at: seconds(-50))
        let events = [profile, note, other, try receipt(1, signedBy: .eve, for: note)]
        _ = await bench.store.save(events, from: nil)
        try await bench.running {
            try await bench.eventually("the first wallet is asked") {
                _ = try await zaps(bench)
                return places.isAsked
            }
            let moved = alice.event(#"{"name":"alice","lud16":"alice@new.example"}"#, kind: 0, at: seconds(1))
            // The account looks at what comes in order: when it has seen the last, it knows of the profile, too.
            let reply = TestPerson.bob.event("it pours", tags: [["e", other.id.hex, "", "root"]], at: seconds(2))
            let changes = await bench.account.changes()
            _ = await bench.store.save([moved, reply], from: nil)
            for await change in changes where change == .touched(other.id) { break }
            places.answer()
            try await bench.eventually("it is told") { try await zaps(bench).flatMap(\.members).count == 1 }
        }
    }

    @Test("payments for a stream that another published and the account hosts are told, for others' streams none")
    func hosted() async throws {
        let bench = AccountBench(payees: ScriptedDocuments([Self.place: document]))
        let profile = alice.event(#"{"name":"alice","lud16":"alice@pay.example"}"#, kind: 0)
        let bob = TestPerson.bob
        func stream(_ name: String, host: TestPerson) -> Event {
            bob.event(
                kind: 30_311, tags: [["d", name], ["status", "live"], ["p", host.publicKey.hex, "", "host"]],
                at: seconds(-60))
        }
        func address(_ kind: Kind, _ name: String, of author: TestPerson) -> EventAddress {
            EventAddress(kind: kind, author: author.publicKey, identifier: name)
        }
        let article = alice.event("on rain", kind: 30_023, tags: [["d", "rain"]], at: seconds(-60))
        let earlier = alice.event("on drizzle", kind: 30_023, tags: [["d", "rain"]], at: seconds(-90))
        let events = [
            profile, article, stream("mine", host: alice), stream("other", host: .carol),
            try receipt(1, for: nil, at: address(30_311, "mine", of: bob)),
            try receipt(2, sats: 100, for: earlier, at: address(30_023, "rain", of: alice)),
            // For a stream the account has no part in, one that nobody knows, and signed by another key.
            try receipt(3, for: nil, at: address(30_311, "other", of: bob)),
            try receipt(4, for: nil, at: address(30_311, "gone", of: bob)),
            try receipt(5, signedBy: .eve, for: nil, at: address(30_311, "mine", of: bob)),
        ]
        _ = await bench.store.save(events, from: nil)
        #expect(try await zaps(bench).isEmpty)
        try await bench.running {
            try await bench.eventually("they are told") { try await zaps(bench).flatMap(\.members).count == 2 }
            let told = try await zaps(bench).flatMap(\.members)
            #expect(Set(told.compactMap(\.zap?.millisatoshis)) == [21_000, 100_000])
        }
    }
}
