import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-57 private zaps")
struct PrivateZapsTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let post = String(repeating: "ab", count: 32)

    private func request(tags: [Tag]? = nil, by person: TestPerson = .alice) throws -> Event {
        var random = SeededRandom(seed: 7)
        let tags =
            tags ?? [["p", bob.publicKey.hex], ["e", post], ["relays", "wss://r.example"], ["amount", "21000"]]
        let draft = EventDraft(
            kind: 9734, tags: tags, content: "well said 🧡", createdAt: Timestamp(seconds: 1_700_000_000))
        return try PrivateZap.request(draft, by: person.secretKey, using: &random)
    }

    @Test("hides who zapped and what they said from all but the two")
    func hides() throws {
        let zap = try request()
        #expect(zap.kind == 9734 && zap.content == "")
        #expect(zap.pubkey != alice.publicKey)
        #expect(zap.tags.firstValue("anon")?.hasPrefix("pzap1") == true)
        #expect(zap.tags.firstValue("anon")?.contains("_iv1") == true)
        for person in [alice, bob] {
            let message = try PrivateZap(zap).message(with: person.secretKey)
            #expect(message.kind == 9733)
            #expect(message.pubkey == alice.publicKey)
            #expect(message.content == "well said 🧡")
        }
        #expect(throws: PrivateZapError.notOurs) { try PrivateZap(zap).message(with: TestPerson.eve.secretKey) }
    }

    @Test("works for a zap of a person, and gives each zap a key of its own")
    func ofAPerson() throws {
        let profile = try request(tags: [["p", bob.publicKey.hex]])
        #expect(try PrivateZap(profile).message(with: bob.secretKey).content == "well said 🧡")
        #expect(try PrivateZap(profile).message(with: alice.secretKey).pubkey == alice.publicKey)
        #expect(profile.pubkey != (try request()).pubkey)
    }

    @Test("the key of a zap is the one other programs derive")
    func derivedKey() throws {
        // sha256(hex of the key ‖ id of the post ‖ "1700000000"), computed apart from this program.
        #expect(try request().pubkey.hex == "3848f30031f6bf6f451df02d17d1f9dfbddec4b483047110801b080e59b247ee")
    }

    @Test("the payload is that of NIP-04, so that any signer can open it")
    func payload() throws {
        let zap = try PrivateZap(try request())
        let text = try LegacyEncryption.decrypt(zap.payload, between: bob.secretKey, and: zap.oneTimeKey)
        #expect(try zap.message(text).pubkey == alice.publicKey)
    }

    @Test("says why a request has nothing to read")
    func refusals() throws {
        let to: Tag = ["p", bob.publicKey.hex]
        let cases: [(Kind, [Tag], PrivateZapError)] = [
            (1, [to, ["anon", "pzap1_iv1"]], .notAZapRequest), (9734, [["anon", "x"]], .noRecipient),
            (9734, [["p", "nobody"], ["anon", "x"]], .noRecipient), (9734, [to], .notPrivate),
            (9734, [to, ["anon"]], .notPrivate), (9734, [to, ["anon", ""]], .notPrivate),
            (9734, [to, ["anon", "pzap1qqqsyqcy"]], .malformed), (9734, [to, ["anon", "a_b_c"]], .malformed),
        ]
        for (kind, tags, error) in cases {
            let event = alice.event(kind: kind, tags: tags)
            #expect(throws: error) { try PrivateZap(event) }
        }
        #expect(throws: PrivateZapError.noRecipient) { try request(tags: []) }
    }

    @Test("a message that was meant for another zap, or is forged, is not shown")
    func borrowed() throws {
        let zap = try PrivateZap(try request())
        let tags: [Tag] = [["p", bob.publicKey.hex], ["e", post]]
        #expect(throws: PrivateZapError.forSomethingElse) {
            try zap.message(
                String(decoding: alice.event(kind: 9733, tags: [["p", bob.publicKey.hex]]).json, as: UTF8.self))
        }
        #expect(throws: PrivateZapError.forSomethingElse) {
            try zap.message(
                String(
                    decoding: alice.event(kind: 9733, tags: [["p", alice.publicKey.hex], ["e", post]]).json,
                    as: UTF8.self))
        }
        #expect(throws: PrivateZapError.notAMessage) {
            try zap.message(String(decoding: alice.event(kind: 1, tags: tags).json, as: UTF8.self))
        }
        var forged = alice.event("x", kind: 9733, tags: tags).unverified
        forged.content = "y"
        let text = String(decoding: forged.json, as: UTF8.self)
        #expect(throws: PrivateZapError.notAMessage) { try zap.message(text) }
        #expect(throws: PrivateZapError.notAMessage) { try zap.message("hello") }
    }

    @Test("noise never traps")
    func noise() throws {
        let part = try #require(try request().tags.firstValue("anon"))
        let person = bob
        Noise.run(Array(part.utf8), rounds: 300) { bytes in
            let tags: [Tag] = [["p", person.publicKey.hex], ["anon", String(decoding: bytes, as: UTF8.self)]]
            guard let zap = try? PrivateZap(TestPerson.alice.event(kind: 9734, tags: tags)) else { return }
            // Only that it returns matters here.
            _ = try? zap.message(with: person.secretKey)
        }
    }
}
