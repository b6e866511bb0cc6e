import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("NIP-19 and NIP-21 entities")
struct EntitiesTests {
    @Test("the examples of the NIP")
    func examples() throws {
        let key = try PublicKey(hex: "7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e")
        #expect(key.npub == "npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg")
        #expect(try PublicKey(npub: key.npub) == key)
        let other = try PublicKey(hex: "3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d")
        #expect(other.npub == "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6")
        let text =
            "nprofile1qqsrhuxx8l9ex335q7he0f09aej04zpazpl0ne2cgukyawd24mayt8gpp4mhxue69uhhytnc9e3k7mgpz4mhxue69uhkg6nzv9ejuumpv34kytnrdaksjlyr9p"
        let entity = try NostrEntity(text)
        #expect(
            entity
                == .nprofile(
                    ProfilePointer(
                        key: other, relays: [try RelayURL("wss://r.x.com"), try RelayURL("wss://djbas.sadkb.com")])))
        #expect(try entity.encoded() == text)
    }

    @Test("the secret key of the NIP, which is no entity")
    func nsec() throws {
        let nsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        let key = try SecretKey.parse(nsec: nsec)
        #expect(key.exportHex() == "67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa")
        #expect(key.exportNsec() == nsec)
        #expect(try SecretKey.parse(pasted: " \(nsec)\n").publicKey == key.publicKey)
        #expect(try SecretKey.parse(pasted: key.exportHex().uppercased()).publicKey == key.publicKey)
        #expect(throws: EntityError.secret) { try NostrEntity(nsec) }
        #expect(throws: EntityError.secret) { try NostrEntity(uri: "nostr:" + nsec) }
        #expect(throws: EntityError.notBech32(.badChecksum)) {
            _ = try SecretKey.parse(nsec: String(nsec.dropLast()) + "q")
        }
        #expect(throws: EntityError.unknownPrefix("npub")) {
            _ = try SecretKey.parse(nsec: TestPerson.alice.publicKey.npub)
        }
    }

    @Test(
        "the addresses of NIP-21",
        arguments: [
            "nostr:npub1sn0wdenkukak0d9dfczzeacvhkrgz92ak56egt7vdgzn8pv2wfqqhrjdv9",
            "nostr:nevent1qqstna2yrezu5wghjvswqqculvvwxsrcvu7uc0f78gan4xqhvz49d9spr3mhxue69uhkummnw3ez6un9d3shjtn4de6x2argwghx6egpr4mhxue69uhkummnw3ez6ur4vgh8wetvd3hhyer9wghxuet5nxnepm",
            "nostr:naddr1qqyrzwrxvc6ngvfkqyghwumn8ghj7enfv96x5ctx9e3k7mgzyqalp33lewf5vdq847t6te0wvnags0gs0mu72kz8938tn24wlfze6qcyqqq823cph95ag",
        ])
    func uris(text: String) throws {
        let entity = try NostrEntity(uri: text)
        #expect(try NostrEntity(uri: entity.uri()) == entity)
        #expect(try NostrEntity(uri: text.uppercased()) == entity)
        #expect(throws: EntityError.self) { try NostrEntity(uri: String(text.dropFirst(6))) }
    }

    @Test("every entity survives the way to text and back")
    func roundTrip() throws {
        let id = TestPerson.alice.event().id
        let relays = [try RelayURL("wss://a.example.com"), try RelayURL("ws://b.example.com:7000/x")]
        let address = EventAddress(kind: 30_023, author: TestPerson.bob.publicKey, identifier: "wörter:1")
        let all: [NostrEntity] = [
            .npub(TestPerson.alice.publicKey), .note(id), .nprofile(ProfilePointer(key: TestPerson.alice.publicKey)),
            .nevent(EventPointer(id: id)),
            .nevent(EventPointer(id: id, relays: relays, author: TestPerson.bob.publicKey, kind: 65_535)),
            .naddr(AddressPointer(address: address, relays: relays)),
            .naddr(AddressPointer(address: EventAddress(kind: 0, author: TestPerson.bob.publicKey, identifier: ""))),
            .nrelay(relays[0]),
        ]
        for entity in all { #expect(try NostrEntity(entity.encoded()) == entity) }
    }

    @Test("unknown parts are ignored, broken ones are refused")
    func parts() throws {
        let key = TestPerson.alice.publicKey
        func decode(_ prefix: String, _ bytes: [UInt8]) throws -> NostrEntity {
            try NostrEntity(bech32Encode(prefix: prefix, bytes: bytes))
        }
        let special: [UInt8] = [0, 32] + key.bytes.array
        let plain = NostrEntity.nprofile(ProfilePointer(key: key))
        #expect(try decode("nprofile", special + [200, 2, 1, 1] + [1, 3, 0xFF, 0xFE, 0x00]) == plain)
        #expect(try decode("nevent", special + [3, 4, 0, 1, 0, 0]) == .nevent(EventPointer(id: EventID(key.bytes))))
        #expect(throws: EntityError.wrongLength) { try decode("nprofile", special + [1, 5, 1]) }
        #expect(throws: EntityError.wrongLength) { try decode("nprofile", special + [1]) }
        #expect(throws: EntityError.wrongLength) { try decode("nprofile", [0, 2, 1, 1]) }
        #expect(throws: EntityError.wrongLength) { try decode("npub", [1, 2, 3]) }
        #expect(throws: EntityError.missingPart) { try decode("nprofile", []) }
        #expect(throws: EntityError.missingPart) { try decode("naddr", [0, 0] + [2, 32] + key.bytes.array) }
        #expect(throws: EntityError.unknownPrefix("nthing")) { try decode("nthing", special) }
        #expect(throws: EntityError.notBech32(.tooLong(limit: 5000))) {
            try NostrEntity("npub1" + String(repeating: "q", count: 5000))
        }
    }

    @Test("encoding limits: long identifiers are refused, relays cut to ten and never too long")
    func encodingLimits() throws {
        let long = EventAddress(
            kind: 30_023, author: TestPerson.bob.publicKey, identifier: String(repeating: "ü", count: 128))
        #expect(throws: EntityError.identifierTooLong(bytes: 256)) {
            try NostrEntity.naddr(AddressPointer(address: long)).encoded()
        }
        let fits = EventAddress(
            kind: 30_023, author: TestPerson.bob.publicKey, identifier: String(repeating: "x", count: 255))
        let relays = try (0..<100).map { try RelayURL("wss://\($0).example.com/" + String(repeating: "y", count: 230)) }
        let text = try NostrEntity.naddr(AddressPointer(address: fits, relays: relays)).encoded()
        #expect(text.utf8.count <= NostrEntity.maxLength)
        #expect(try NostrEntity(text).relays.count == NostrEntity.maxRelays)
    }

    @Test("finds a person in whatever is pasted")
    func pasted() throws {
        let key = TestPerson.alice.publicKey
        for text in [
            key.hex, key.hex.uppercased(), key.npub, "nostr:\(key.npub)", "@\(key.npub)", "  NOSTR:\(key.npub)\n",
        ] {
            #expect(ProfilePointer(pasted: text)?.key == key, "\(text)")
        }
        #expect(ProfilePointer(pasted: "alice") == nil)
        #expect(ProfilePointer(pasted: TestPerson.alice.event().id.note) == nil)
    }
}
