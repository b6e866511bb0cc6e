import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

@Suite("Key packages (MIP-00)") struct KeyPackageTests {
    @Test("writes the event that MDK writes, tag by tag", .enabled(if: Vectors.hold(Capture.path), Capture.reason))
    func writesAsMDK() throws {
        let capture = try Capture()
        let event = capture.keyPackage
        let slot = try EventID(hex: #require(event.tags.firstValue("d"))).bytes
        let draft = try GenerationB().draft(
            of: capture.own().keyPackage,
            KeyPackagePublication(
                slot: slot, relays: [RelayURL("wss://relay.example.com")], now: event.createdAt, client: "MDK/0.8.0"))
        #expect(draft.tags == event.tags && draft.content == event.content && draft.kind == event.kind)
    }

    @Test("makes key packages as MDK's, for their owner alone")
    func makes() throws {
        let (own, event, published) = try TestPerson.bob.keyPackage()
        #expect(published.keyPackage == own.keyPackage && published.owner == TestPerson.bob.publicKey)
        #expect(published.isLastResort && published.knowsSelfRemove)
        let leaf = own.keyPackage.leafNode
        #expect(leaf.source == .keyPackage(Lifetime(notBefore: 1_799_996_400, notAfter: 1_807_257_600)))
        #expect(leaf.capabilities.cipherSuites.contains(.x25519AES128) && leaf.capabilities.cipherSuites.count == 2)
        #expect(leaf.credential.nostrKey == TestPerson.bob.publicKey)
        #expect(try TestPerson.bob.keyPackage().own.keyPackage.initKey != own.keyPackage.initKey)
        #expect(event.kind.retention == .addressable && event.tags.firstValue("client") == nil)
        var publication = KeyPackagePublication(slot: Bytes32(), relays: published.relays, now: noon)
        publication.isProtected = true
        #expect(try GenerationB().draft(of: own.keyPackage, publication).tags.isProtected)
        publication.relays = []
        refuses(.badTag) { _ = try GenerationB().draft(of: own.keyPackage, publication) }
    }

    @Test("refuses what is wrong with an event", arguments: KeyPackageRefusals.all)
    func refusesEvent(one: KeyPackageRefusals.Case) throws {
        var draft = EventDraft(try TestPerson.bob.keyPackage().event)
        one.change(&draft)
        let event = TestPerson.bob.event(draft)
        refuses(one.code, one.testDescription) { _ = try GenerationB().keyPackage(in: event, now: noon) }
    }

    @Test("refuses a key package that somebody else publishes as theirs")
    func refusesOthers() throws {
        let draft = EventDraft(try TestPerson.bob.keyPackage().event)
        let stolen = TestPerson.eve.event(draft)
        refuses(.wrongAuthor) { _ = try GenerationB().keyPackage(in: stolen, now: noon) }
    }

    @Test("refuses it out of its lifetime", arguments: [-3_601, 84 * 86_400 + 1] as [Int64])
    func refusesLate(after seconds: Int64) throws {
        let event = try TestPerson.bob.keyPackage().event
        refuses(.refusedByMLS) { _ = try GenerationB().keyPackage(in: event, now: noon + .seconds(seconds)) }
    }

    @Test("refuses a leaf that lacks what its tags promise, or that lives for too long")
    func refusesLeaf() throws {
        func event(_ capabilities: Capabilities, _ end: UInt64) throws -> Event {
            let own = try OwnKeyPackage(
                cipherSuite: .x25519AES128, signer: SignaturePrivateKey(for: .x25519AES128),
                credential: Credential(TestPerson.bob.publicKey), capabilities: capabilities,
                lifetime: Lifetime(notBefore: 0, notAfter: end))
            let relay = try RelayURL("wss://relay.example.com")
            let draft = try GenerationB().draft(
                of: own.keyPackage, KeyPackagePublication(slot: Bytes32(), relays: [relay], now: noon))
            return TestPerson.bob.event(draft)
        }
        let now = Timestamp(seconds: 1_000)
        let bare = try event(Capabilities(extensions: [.lastResort]), 10_000)
        refuses(.unsupported) { _ = try GenerationB().keyPackage(in: bare, now: now) }
        let eternal = try event(Capabilities(extensions: [.lastResort, .marmotGroupData]), .max)
        refuses(.refusedByMLS) { _ = try GenerationB().keyPackage(in: eternal, now: now) }
    }

    @Test("reads kind 443 without what came later, and numbers in any case")
    func readsLegacy() throws {
        var draft = EventDraft(try TestPerson.bob.keyPackage().event)
        draft.kind = .legacyKeyPackage
        for name in ["d", "i", "mls_proposals"] { draft.drop(name) }
        draft.set("mls_extensions", "0X000A", "0xF2EE", "0x1234")
        draft.set("encoding", "Base64")
        let event = TestPerson.bob.event(draft)
        #expect(try GenerationB().keyPackage(in: event, now: noon).slot == nil)
    }

    @Test("never traps on noise")
    func noise() throws {
        var draft = EventDraft(try TestPerson.bob.keyPackage().event)
        let bytes = try #require(Base64.decode(draft.content))
        Noise.run(bytes, rounds: 200) { damaged in
            draft.content = Base64.encode(damaged.span)
            let event = TestPerson.bob.event(draft)
            guard damaged != bytes else { return }
            #expect(throws: MarmotError.self) { try GenerationB().keyPackage(in: event, now: noon) }
        }
    }
}
