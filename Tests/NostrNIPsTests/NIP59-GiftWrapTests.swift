import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-59 gift wrap")
struct GiftWrapTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let eve = TestPerson.eve
    private let draft = EventDraft(
        kind: 14, tags: [["p", TestPerson.bob.publicKey.hex]], content: "hi \"Bob\" \n\u{1} 🦜",
        createdAt: Timestamp(seconds: 1_700_000_000))

    // MARK: examples of the text

    @Test("the text's rumor and seal verify, and its wrap opens")
    func example() throws {
        let rumor = try Rumor(json: GiftWrapExamples.rumor)
        #expect(rumor.id.hex == "9dd003c6d3b73b74a85a9ab099469ce251653a7af76f523671ab828acd2a0ef9")
        let seal = try Seal(json: GiftWrapExamples.seal)
        #expect(seal.author == rumor.pubkey)
        let wrap = try Event(verifying: UnverifiedEvent(json: Array(GiftWrapExamples.wrap.utf8)))
        let gift = try open(wrap, with: SecretKey(hex: GiftWrapExamples.recipient))
        #expect(gift.rumor == rumor)
        #expect(gift.wrapID == wrap.id && gift.expiration == nil)
    }

    // MARK: round trip

    @Test("a rumor comes back as it was, for each recipient and oneself")
    func roundTrip() throws {
        var random = SeededRandom(seed: 1)
        let rumor = Rumor(draft, author: alice.publicKey)
        for reader in [alice, bob] {
            let wrap = try GiftWrap.make(
                rumor, by: alice.secretKey, for: reader.publicKey, now: moment, using: &random)
            #expect(wrap.kind == 1059 && wrap.tags == [["p", reader.publicKey.hex]])
            #expect(try Event(verifying: wrap.unverified) == wrap)
            #expect(try open(wrap, with: reader.secretKey).rumor == rumor)
            #expect(!String(decoding: wrap.json, as: UTF8.self).contains(alice.publicKey.hex) || reader == alice)
        }
    }

    @Test("a rumor's JSON has an id and no signature")
    func rumorJSON() throws {
        let rumor = Rumor(draft, author: alice.publicKey)
        let value = try JSONValue(Array(rumor.json.utf8))
        #expect(value["id"]?.string == rumor.id.hex)
        #expect(value["sig"] == nil)
        #expect(try Rumor(json: rumor.json) == rumor)
    }

    @Test("a rumor with control characters is believed as others hash it, and keeps that id")
    func controlCharacters() throws {
        for event in ControlCharacterEvents.all {
            // A `sig` is passed over, so a whole event can stand for a rumor.
            let rumor = try Rumor(json: String(decoding: event.json, as: UTF8.self))
            #expect(rumor.id == event.id && rumor.content == event.content)
        }
        // As Linnet hashed them once, and whoever follows NIP-01 to the letter.
        let verbatim = try EventID(hex: "efa779cca721e2decab7e105b1fc3a6ee5cb3d3a0bee6a6a618a2c2220b4b9df")
        let text =
            #"{"id":"\#(verbatim.hex)","pubkey":"\#(alice.publicKey.hex)","created_at":7,"kind":1,"#
            + #""tags":[["t","\u0000"]],"content":"\u001f\n"}"#
        let rumor = try Rumor(json: text)
        #expect(rumor.id == verbatim)
        #expect(try Rumor(json: rumor.json) == rumor)
        #expect(throws: GiftRejection.wrongRumorID) { try Rumor(json: text.replacing("001f", with: "001e")) }
    }

    @Test("every wrap has a key of its own, and times spread over two days, independent of each other")
    func unlinkable() throws {
        var random = SeededRandom(seed: 2)
        let rumor = Rumor(draft, author: alice.publicKey)
        var keys: Set<PublicKey> = []
        var differences: Set<Int64> = []
        for _ in 0..<40 {
            let wrap = try GiftWrap.make(rumor, by: alice.secretKey, for: bob.publicKey, now: moment, using: &random)
            let seal = try seal(in: wrap)
            keys.insert(wrap.pubkey)
            differences.insert(wrap.createdAt.seconds - seal.event.createdAt.seconds)
            for age in [wrap, seal.event].map({ moment.seconds - $0.createdAt.seconds }) {
                #expect((0...172_800).contains(age))
            }
        }
        #expect(keys.count == 40)
        #expect(differences.count > 35)
        let ages = (0..<2_000).map { _ in moment.seconds - GiftWrap.moment(before: moment, using: &random).seconds }
        #expect((ages.min() ?? 99_999) < 1_000 && (ages.max() ?? 0) > 171_800)
    }

    @Test("carries a relay, an expiration on both layers, and the ephemeral kind where asked")
    func options() throws {
        var random = SeededRandom(seed: 3)
        let end = Timestamp(seconds: 1_800_000_000)
        let relay = try RelayURL("wss://inbox.example.com")
        var expiring = draft
        expiring.tags.append(.expiration(end))
        let wraps = try (0..<5).map { _ in
            try GiftWrap.make(
                Rumor(expiring, author: alice.publicKey), by: alice.secretKey, for: bob.publicKey, relay: relay,
                now: moment, expiration: end, isEphemeral: true, using: &random)
        }
        for wrap in wraps {
            #expect(wrap.kind == 21_059)
            #expect(wrap.tags.first == ["p", bob.publicKey.hex, relay.text] && wrap.tags.count == 2)
            #expect(try open(wrap, with: bob.secretKey).expiration == end)
        }
        // What all can see neither tells the moment nor which wraps and seals belong together.
        let ends = try wraps.flatMap { [$0.tags.expiration, try seal(in: $0).event.tags.expiration] }.compactMap { $0 }
        #expect(Set(ends).count == 10)
        #expect(ends.allSatisfy { (end...(end + GiftWrap.spread)).contains($0) })
    }

    @Test("work is done on the draft the drawn key signs")
    func work() async throws {
        var random = SeededRandom(seed: 4)
        let payload = try ConversationKey(between: alice.secretKey, and: bob.publicKey).encrypt(
            Rumor(draft, author: alice.publicKey).sealable(), using: &random)
        let seal = Event(
            signing: Seal.draft(payload, now: moment, using: &random), with: alice.secretKey, using: &random)
        var miner: PublicKey?
        let wrap = try await GiftWrap.wrap(seal, for: bob.publicKey, now: moment, using: &random) { draft, key in
            miner = key
            var mined = draft
            mined.tags.append(["nonce", "7", "1"])
            return mined
        }
        #expect(wrap.pubkey == miner)
        #expect(wrap.tags.last == ["nonce", "7", "1"])
        #expect(try open(wrap, with: bob.secretKey).rumor.content == draft.content)
    }

    @Test("more work goes into a wrap that was made, under its own key, and its seal stays")
    func rework() async throws {
        var random = SeededRandom(seed: 6)
        let payload = try ConversationKey(between: alice.secretKey, and: bob.publicKey).encrypt(
            Rumor(draft, author: alice.publicKey).sealable(), using: &random)
        let seal = Event(
            signing: Seal.draft(payload, now: moment, using: &random), with: alice.secretKey, using: &random)
        let key = WrapKey(using: &random)
        let wrap = try await GiftWrap.wrap(seal, for: bob.publicKey, now: moment, under: key, using: &random) {
            try await ProofOfWork.mine($0, author: $1, bits: 4)
        }
        let kept = try WrapKey(hex: key.exportHex)
        let more = try await GiftWrap.rework(wrap, under: kept, using: &random) {
            try await ProofOfWork.mine($0, author: $1, bits: 8)
        }
        #expect(kept == key && more.pubkey == wrap.pubkey && more.content == wrap.content)
        #expect(more.tags.named("nonce").count == 1 && ProofOfWork(more).meets(8, commitmentRequired: true))
        #expect(try open(more, with: bob.secretKey).rumor.content == draft.content)
        #expect(throws: SecretKeyError.self) { try WrapKey(hex: String(repeating: "0", count: 64)) }
    }

    @Test("the longest rumor still makes a seal every program reads; a longer one is refused")
    func longest() throws {
        var random = SeededRandom(seed: 5)
        var long = draft
        long.content = ""
        let empty = Rumor(long, author: alice.publicKey).json.utf8.count
        long.content = String(repeating: "a", count: GiftWrap.longestRumor - empty)
        let rumor = Rumor(long, author: alice.publicKey)
        let wrap = try GiftWrap.make(rumor, by: alice.secretKey, for: bob.publicKey, now: moment, using: &random)
        #expect(try open(wrap, with: bob.secretKey).rumor == rumor)
        long.content += "a"
        #expect(throws: PayloadError.tooLong(limit: GiftWrap.longestRumor)) {
            try GiftWrap.make(
                Rumor(long, author: alice.publicKey), by: alice.secretKey, for: bob.publicKey, now: moment,
                using: &random)
        }
    }

    // MARK: what must not be believed

    @Test("a wrap for somebody else does not open")
    func wrongRecipient() throws {
        var random = SeededRandom(seed: 6)
        let wrap = try GiftWrap.make(
            Rumor(draft, author: alice.publicKey), by: alice.secretKey, for: bob.publicKey, now: moment,
            using: &random)
        #expect(throws: GiftRejection.notForUs) { try open(wrap, with: eve.secretKey) }
        // The author cannot open it either: the wrap's key is gone.
        #expect(throws: GiftRejection.notForUs) { try open(wrap, with: alice.secretKey) }
    }

    @Test("a rumor by one person sealed by another is an impersonation")
    func impersonation() throws {
        let rumor = Rumor(draft, author: alice.publicKey)
        #expect(throws: GiftRejection.impersonation) {
            try open(wrapped(sealed(rumor.json, by: eve)), with: bob.secretKey)
        }
    }

    @Test("a seal whose signature or id does not fit is a forgery")
    func forgedSeal() throws {
        let seal = try sealed(Rumor(draft, author: alice.publicKey).json, by: alice).unverified
        var other = seal
        other.signature = TestPerson.alice.event("other").signature
        var renamed = seal
        renamed.id = TestPerson.alice.event("other").id
        var taken = try sealed(Rumor(draft, author: alice.publicKey).json, by: eve).unverified
        taken.pubkey = alice.publicKey
        for forged in [other, renamed, taken] {
            #expect(throws: GiftRejection.forgedSeal) {
                try open(wrapped(String(decoding: forged.json, as: UTF8.self)), with: bob.secretKey)
            }
        }
    }

    @Test("a seal with tags is refused, one that only expires is not")
    func taggedSeal() throws {
        let rumor = Rumor(draft, author: alice.publicKey)
        #expect(throws: GiftRejection.taggedSeal) {
            try open(wrapped(sealed(rumor.json, by: alice, tags: [["p", bob.publicKey.hex]])), with: bob.secretKey)
        }
        let expiring = try wrapped(sealed(rumor.json, by: alice, tags: [.expiration(moment)]))
        #expect(try open(expiring, with: bob.secretKey).expiration == moment)
    }

    @Test("a rumor with a wrong id is refused, one without an id or with a signature is read")
    func rumorForms() throws {
        let rumor = Rumor(draft, author: alice.publicKey)
        let wrong = rumor.json.replacing(rumor.id.hex, with: alice.event("other").id.hex)
        #expect(throws: GiftRejection.wrongRumorID) { try open(wrapped(sealed(wrong, by: alice)), with: bob.secretKey) }
        let nameless = rumor.json.replacing("\"id\":\"\(rumor.id.hex)\",", with: "")
        for text in [nameless, rumor.json.dropLast() + ",\"sig\":\"\"}", rumor.json.dropLast() + ",\"sig\":7}"] {
            #expect(try open(wrapped(sealed(String(text), by: alice)), with: bob.secretKey).rumor == rumor)
        }
    }

    @Test("what is no seal, no rumor, no wrap, or too large is named")
    func otherThings() throws {
        #expect(throws: GiftRejection.notAGiftWrap) { try open(alice.event("x"), with: bob.secretKey) }
        #expect(throws: GiftRejection.notASeal) { try open(wrapped("hello"), with: bob.secretKey) }
        let note = String(decoding: alice.event("x").json, as: UTF8.self)
        #expect(throws: GiftRejection.notASeal) { try open(wrapped(note), with: bob.secretKey) }
        for inside in ["hello", "{}", "[]", note.replacing("\"kind\":1", with: "\"kind\":-1")] {
            #expect(throws: GiftRejection.notARumor) {
                try open(wrapped(sealed(inside, by: alice)), with: bob.secretKey)
            }
        }
        let loose = alice.event("not encrypted", kind: 13)
        #expect(throws: GiftRejection.notARumor) {
            try open(wrapped(String(decoding: loose.json, as: UTF8.self)), with: bob.secretKey)
        }
        let huge = alice.event(String(repeating: "A", count: 1 << 20), kind: 1059)
        #expect(throws: GiftRejection.tooLarge) { try open(huge, with: bob.secretKey) }
        #expect(throws: GiftRejection.notForUs) { try open(alice.event("", kind: 1059), with: bob.secretKey) }
    }

    @Test("payloads cut short, damaged or of another version open nothing and never trap")
    func noise() throws {
        let seal = String(
            decoding: try sealed(Rumor(draft, author: alice.publicKey).json, by: alice).json, as: UTF8.self)
        let wrap = try wrapped(seal)
        let cache = ConversationKeyCache()
        let key = bob.secretKey
        var turn: UInt64 = 0
        Noise.run(Array(wrap.content.utf8), rounds: 400) { bytes in
            let content = String(decoding: bytes, as: UTF8.self)
            let damaged = alice.event(content, kind: 1059)
            // The damage may be undone by a later change; otherwise nothing opens.
            let gift = try? UnwrappedGift(opening: damaged, with: key, authors: cache)
            #expect(gift == nil || content == wrap.content)
            turn += 1
        }
        Noise.run(Array(seal.utf8), rounds: 4_000) { bytes in
            // Only that it returns matters here.
            _ = try? Seal(json: String(decoding: bytes, as: UTF8.self))
        }
        let rumor = Rumor(draft, author: alice.publicKey)
        Noise.run(Array(rumor.json.utf8), rounds: 10_000) { bytes in
            if let read = try? Rumor(json: String(decoding: bytes, as: UTF8.self)) {
                #expect((try? Rumor(json: read.json)) == read)
            }
        }
    }

    // MARK: helpers

    private func open(_ wrap: Event, with key: borrowing SecretKey) throws -> UnwrappedGift {
        try UnwrappedGift(opening: wrap, with: key, authors: ConversationKeyCache())
    }

    private func seal(in wrap: Event) throws -> Seal {
        try Seal(json: ConversationKey(between: bob.secretKey, and: wrap.pubkey).decrypt(wrap.content))
    }

    /// A seal around any text, for Bob.
    private func sealed(_ text: String, by person: TestPerson, tags: [Tag] = []) throws -> Event {
        var random = SeededRandom(seed: 8)
        let payload = try ConversationKey(between: person.secretKey, and: bob.publicKey).encrypt(text, using: &random)
        return person.event(payload, kind: 13, tags: tags)
    }

    private func wrapped(_ seal: Event) throws -> Event {
        try wrapped(String(decoding: seal.json, as: UTF8.self))
    }

    /// A wrap around any text, for Bob, under Dave's key as the one drawn.
    private func wrapped(_ text: String) throws -> Event {
        var random = SeededRandom(seed: 9)
        let payload = try ConversationKey(between: TestPerson.dave.secretKey, and: bob.publicKey)
            .encrypt(text, limit: 1 << 20, using: &random)
        return TestPerson.dave.event(payload, kind: 1059, tags: [["p", bob.publicKey.hex]])
    }
}
