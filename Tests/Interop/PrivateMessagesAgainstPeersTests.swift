import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite(
    "Ciphers and gift wraps against nostr-sdk", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct PrivateMessagesAgainstPeersTests {
    private static let peer = "sdk_private.py"
    // nostr-sdk takes at most 65 408 bytes.
    private static let texts = [
        "a", "grüße 🦜 \"quoted\" \\ \n\t\u{1}", String(repeating: "x", count: 65_408),
    ]
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    @Test("NIP-44 texts go both ways")
    func nip44() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            let key = try ConversationKey(between: bob.secretKey, and: alice.publicKey)
            for text in Self.texts {
                let theirs = try await peer.ask(["nip44_encrypt", alice.secretHex, bob.publicKey.hex, text])
                #expect(try key.decrypt(theirs[0]) == text)
                let ours = try key.encrypt(text, using: &random)
                #expect(try await peer.ask(["nip44_decrypt", alice.secretHex, bob.publicKey.hex, ours]) == [text])
            }
        }
    }

    @Test("NIP-04 texts go both ways")
    func nip04() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            for text in Self.texts {
                let theirs = try await peer.ask(["nip04_encrypt", alice.secretHex, bob.publicKey.hex, text])
                #expect(
                    try LegacyEncryption.decrypt(theirs[0], between: bob.secretKey, and: alice.publicKey) == text)
                let ours = try LegacyEncryption.encrypt(
                    text, between: bob.secretKey, and: alice.publicKey, using: &random)
                #expect(try await peer.ask(["nip04_decrypt", alice.secretHex, bob.publicKey.hex, ours]) == [text])
            }
        }
    }

    @Test("NIP-49 keys go both ways")
    func nip49() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            let passphrase = "pässwörd ÅΩ 🦜"
            let theirs = try await peer.ask(["nip49_encrypt", alice.secretHex, passphrase])
            let opened = try EncryptedSecretKey(theirs[0]).decrypt(passphrase: passphrase)
            #expect(opened.publicKey == alice.publicKey)
            let ours = try EncryptedSecretKey(
                encrypting: alice.secretKey, passphrase: passphrase, logN: 8, handling: .secure, using: &random)
            #expect(try await peer.ask(["nip49_decrypt", ours.description, passphrase]) == [alice.secretHex])
        }
    }

    @Test("a message from them opens here")
    func theirMessage() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            let answer = try await peer.ask(["message", bob.secretHex, alice.publicKey.hex, "hello from there"])
            let message = try #require(ChatMessage(try open(answer[0], as: alice).rumor))
            #expect(message.author == bob.publicKey)
            #expect(message.body == .text("hello from there"))
            #expect(message.room == ChatRoom([alice.publicKey, bob.publicKey]))
        }
    }

    @Test("messages go both ways, in rooms of one, two and five", arguments: [1, 2, 5])
    func rooms(size: Int) async throws {
        let people = Array(TestPerson.allCases.prefix(size))
        let room = ChatRoom(people.map(\.publicKey))
        let relay = try RelayURL("wss://inbox.example.com")
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            for author in people {
                let draft = ChatMessage.draft(
                    "I am \(author) 🦜\n\"hi\"", to: room, by: author.publicKey,
                    replyTo: EventPointer(id: alice.event().id), subject: "Tea", relays: [alice.publicKey: relay],
                    createdAt: Timestamp(seconds: now()))
                let rumor = Rumor(draft, author: author.publicKey)
                for reader in people {
                    let wrap = try GiftWrap.make(
                        rumor, by: author.secretKey, for: reader.publicKey, relay: relay,
                        now: Timestamp(seconds: now()), using: &random)
                    let json = String(decoding: wrap.json, as: UTF8.self)
                    let answer = try await peer.ask(["unwrap", reader.secretHex, json])
                    #expect(answer.first == author.publicKey.hex)
                    #expect(try Rumor(json: try #require(answer.last)) == rumor)
                }
                let theirs = try await peer.ask(
                    ["wrap", author.secretHex, rumor.json] + people.map(\.publicKey.hex))
                #expect(theirs.count == size)
                for (reader, wrap) in zip(people, theirs) {
                    let gift = try open(wrap, as: reader)
                    #expect(gift.rumor == rumor)
                    #expect(ChatMessage(gift.rumor)?.room == room)
                }
            }
        }
    }

    @Test("files go both ways, sealed by them and by us")
    func files() async throws {
        let plain = Array("GIF89a of the weir".utf8)
        let hex = encodeHex(plain)
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            let theirs = try await peer.ask(["file", bob.secretHex, alice.publicKey.hex, hex])
            let message = try #require(ChatMessage(try open(theirs[0], as: alice).rumor))
            guard case .file(let file) = message.body else { return #expect(Bool(false), "\(message.body)") }
            #expect(message.author == bob.publicKey && file.type == "image/gif")
            let sealed = try decodeHex(theirs[1], byteCount: theirs[1].utf8.count / 2)
            #expect(try file.decrypt(sealed) == plain)

            let (sealing, encrypted) = EncryptedFile.sealing(plain, type: "image/gif", using: &random)
            var made = sealing
            made.url = "https://blobs.example/ours"
            let draft = made.draft(
                to: ChatRoom([alice.publicKey, bob.publicKey]), by: alice.publicKey,
                createdAt: Timestamp(seconds: now()))
            let wrap = try GiftWrap.make(
                Rumor(draft, author: alice.publicKey), by: alice.secretKey, for: bob.publicKey,
                now: Timestamp(seconds: now()), using: &random)
            let answer = try await peer.ask(
                ["open_file", bob.secretHex, String(decoding: wrap.json, as: UTF8.self), encodeHex(encrypted)])
            #expect(answer == [alice.publicKey.hex, "image/gif", hex])
        }
    }

    @Test("text with any control character is the same event to them, signed or in a message")
    func controlCharacters() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            var random = SeededRandom(seed: 14)
            for _ in 0..<40 * Noise.factor {
                var characters = "é".unicodeScalars
                for _ in 0..<12 {
                    characters.append(Unicode.Scalar(UInt8.random(in: 0..<0x30, using: &random)))
                }
                let text = String(characters)
                let theirs = try await peer.ask(["note", alice.secretHex, text])
                let event = try Event(verifying: UnverifiedEvent(json: Array(theirs[0].utf8)))
                #expect(event.content == text && event.id.hex == theirs[1])
                let ours = String(decoding: bob.event(text, tags: [["t", text]]).json, as: UTF8.self)
                #expect(try await peer.ask(["believe", ours]) == [])
                let wrap = try await peer.ask(["message", alice.secretHex, bob.publicKey.hex, text])
                #expect(try open(wrap[0], as: bob).rumor.content == text)
            }
        }
    }

    @Test("they do not believe what we do not believe either")
    func impersonation() async throws {
        try await Peer.run(Self.peer) { peer, _ in
            var random = SystemRandomNumberGenerator()
            let draft = ChatMessage.draft(
                "I am Alice", to: ChatRoom([alice.publicKey, bob.publicKey]), by: alice.publicKey,
                createdAt: Timestamp(seconds: now()))
            let wrap = try GiftWrap.make(
                Rumor(draft, author: alice.publicKey), by: TestPerson.eve.secretKey, for: bob.publicKey,
                now: Timestamp(seconds: now()), using: &random)
            let json = String(decoding: wrap.json, as: UTF8.self)
            #expect(throws: GiftRejection.impersonation) { try open(json, as: bob) }
            #expect(try await peer.ask(["unwrap", bob.secretHex, json]).first == "failed")
        }
    }

    private func open(_ json: String, as reader: TestPerson) throws -> UnwrappedGift {
        let wrap = try Event(verifying: UnverifiedEvent(json: Array(json.utf8)))
        return try UnwrappedGift(opening: wrap, with: reader.secretKey, authors: ConversationKeyCache())
    }
}
