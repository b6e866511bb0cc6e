import Crypto
import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-17 private messages")
struct PrivateMessagesTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let carol = TestPerson.carol
    private var room: ChatRoom { ChatRoom([alice, bob, carol].map(\.publicKey)) }

    @Test("the text's ready-made messages open for receiver and sender, and are one message")
    func examples() throws {
        var rumors: [Rumor] = []
        for (text, nsec) in [
            (GiftWrapExamples.chatToReceiver, GiftWrapExamples.chatReceiver),
            (GiftWrapExamples.chatToSender, GiftWrapExamples.chatSender),
        ] {
            let wrap = try Event(verifying: UnverifiedEvent(json: Array(text.utf8)))
            rumors.append(
                try UnwrappedGift(opening: wrap, with: SecretKey.parse(nsec: nsec), authors: ConversationKeyCache())
                    .rumor)
        }
        let message = try #require(ChatMessage(rumors[0]))
        #expect(message.body == .text("Hola, que tal?"))
        #expect(rumors[0] == rumors[1])
        let people = try [GiftWrapExamples.chatSender, GiftWrapExamples.chatReceiver].map {
            try SecretKey.parse(nsec: $0).publicKey
        }
        #expect(message.room == ChatRoom(people))
        #expect(message.author == people[0])
    }

    @Test("a draft read back has its room, parent, subject, citations, emoji and end")
    func everything() throws {
        let emoji = try #require(CustomEmoji(shortcode: "wave", url: "https://e.example.com/w.png"))
        let cited = bob.event("cited")
        let relay = try RelayURL("wss://inbox.example.com")
        let draft = ChatMessage.draft(
            "hello :wave:", to: room, by: alice.publicKey, replyTo: EventPointer(id: repeatedID("a"), relays: [relay]),
            subject: "Tea", relays: [bob.publicKey: relay], expiration: moment,
            tags: [Quote.event(EventPointer(cited)).tag, emoji.tag], createdAt: moment)
        #expect(draft.tags.contains(["p", bob.publicKey.hex, relay.text]))
        #expect(!draft.tags.contains(["p", alice.publicKey.hex]))
        let message = try #require(ChatMessage(Rumor(draft, author: alice.publicKey)))
        #expect(message.room == room)
        #expect(message.body == .text("hello :wave:"))
        #expect(message.replyTo == repeatedID("a"))
        #expect(message.subject == "Tea")
        #expect(message.quotes == [.event(EventPointer(id: cited.id, author: bob.publicKey))])
        #expect(message.emoji == [emoji])
        #expect(message.expiration == moment)
    }

    @Test("everybody gets one and the same rumor, so that it has one id")
    func oneRumor() throws {
        var random = SeededRandom(seed: 1)
        let rumor = Rumor(
            ChatMessage.draft("hello", to: room, by: alice.publicKey, createdAt: moment), author: alice.publicKey)
        let opened = try [alice, bob, carol].map { person in
            let wrap = try GiftWrap.make(
                rumor, by: alice.secretKey, for: person.publicKey, now: moment, using: &random)
            return try UnwrappedGift(opening: wrap, with: person.secretKey, authors: ConversationKeyCache()).rumor
        }
        #expect(Set(opened) == [rumor])
        #expect(Set(opened.map { ChatRoom(of: $0) }) == [room])
    }

    @Test("notes to oneself stay in a room of one")
    func oneself() throws {
        let alone = ChatRoom([alice.publicKey])
        let rumor = Rumor(
            ChatMessage.draft("milk", to: alone, by: alice.publicKey, createdAt: moment), author: alice.publicKey)
        #expect(rumor.tags == [["p", alice.publicKey.hex]])
        #expect(ChatMessage(rumor)?.room == alone)
    }

    @Test(
        "the parent is the marked one, else the first that is not marked otherwise",
        arguments: [
            ([["e", repeatedHex("a")]], "a"), ([["e", repeatedHex("a"), "", "reply"]], "a"),
            ([["e", repeatedHex("a"), "", "root"], ["e", repeatedHex("b"), "", "reply"]], "b"),
            ([["e", repeatedHex("a"), "", "mention"], ["e", repeatedHex("b")]], "b"),
            ([["e", repeatedHex("a"), "", "root"]], "a"), ([["e", "nonsense"]], nil), ([["e"]], nil),
        ] as [([[String]], Character?)])
    func parents(tags: [[String]], expected: Character?) {
        let draft = EventDraft(kind: 14, tags: tags.map { Tag($0) }, content: "x", createdAt: moment)
        #expect(ChatMessage(Rumor(draft, author: alice.publicKey))?.replyTo == expected.map(repeatedID))
    }

    @Test("a reaction and a deletion stay in the message's room and name it")
    func reactionsAndDeletions() throws {
        let sent = Rumor(
            ChatMessage.draft("hello", to: room, by: alice.publicKey, createdAt: moment), author: alice.publicKey)
        let message = try #require(ChatMessage(sent))
        let draft = ChatReaction.draft("🦜", to: message, by: bob.publicKey, createdAt: moment)
        #expect(draft.tags.last { $0.name == "p" }?.value == alice.publicKey.hex)
        let reaction = try #require(ChatReaction(Rumor(draft, author: bob.publicKey)))
        #expect(reaction.room == room && reaction.target == message.id && reaction.meaning == .emoji("🦜"))
        let own = ChatReaction.draft("+", to: message, by: alice.publicKey, createdAt: moment)
        #expect(ChatReaction(Rumor(own, author: alice.publicKey))?.room == room)

        let deletion = try #require(
            ChatDeletion(
                Rumor(
                    ChatDeletion.draft(deleting: [sent], in: room, by: alice.publicKey, createdAt: moment),
                    author: alice.publicKey)))
        #expect(deletion.room == room && deletion.covers(sent))
        let others = try #require(
            ChatDeletion(
                Rumor(
                    ChatDeletion.draft(deleting: [sent], in: room, by: bob.publicKey, createdAt: moment),
                    author: bob.publicKey)))
        #expect(!others.covers(sent))
    }

    @Test("rumors of other kinds are none of these")
    func otherKinds() {
        let rumor = Rumor(EventDraft(kind: 1, content: "x", createdAt: moment), author: alice.publicKey)
        #expect(ChatMessage(rumor) == nil && ChatReaction(rumor) == nil && ChatDeletion(rumor) == nil)
    }

    // MARK: files

    @Test("an encrypted file is read, checked and decrypted, with nonces of 12 and 16 bytes", arguments: [12, 16])
    func file(nonceLength: Int) throws {
        let (draft, encrypted) = try fileMessage(nonceLength: nonceLength)
        let message = try #require(ChatMessage(Rumor(draft, author: alice.publicKey)))
        guard case .file(let file) = message.body else { return #expect(Bool(false), "no file") }
        #expect(file.url == "https://files.example.com/x" && file.type == "image/png")
        #expect(file.fallbacks == ["https://other.example.com/x"])
        #expect(file.size == encrypted.count && file.dimensions == "3x4" && file.blurhash == "LEHV6n")
        #expect(try file.decrypt(encrypted) == Array("a picture".utf8))
        #expect(throws: EncryptedFileError.wrongHash) { try file.decrypt(encrypted + [0]) }
        var wrongKey = file
        wrongKey.key[0] ^= 1
        #expect(throws: EncryptedFileError.doesNotOpen) { try wrongKey.decrypt(encrypted) }
        var wrongOriginal = file
        wrongOriginal.originalHash = file.hash
        #expect(throws: EncryptedFileError.wrongOriginalHash) { try wrongOriginal.decrypt(encrypted) }
        var short = file
        short.hash = try Bytes32(Array(SHA256.hash(data: [1, 2, 3])).span)
        #expect(throws: EncryptedFileError.doesNotOpen) { try short.decrypt([1, 2, 3]) }
    }

    @Test("a file that is sealed is written so that it reads and opens, and no two are sealed alike")
    func sealing() throws {
        var random = SeededRandom(seed: 5)
        let plain = Array("a picture".utf8)
        let (made, encrypted) = EncryptedFile.sealing(plain, type: "image/png", using: &random)
        #expect(made.key.count == 32 && made.nonce.count == 12 && encrypted.count == plain.count + 16)
        var file = made
        (file.url, file.fallbacks) = ("https://files.example.com/x", ["https://other.example.com/x"])
        (file.dimensions, file.blurhash, file.thumb) = ("3x4", "LEHV6n", "https://files.example.com/t")
        file.description = "The weir at dawn"
        let draft = file.draft(
            to: room, by: alice.publicKey, replyTo: EventPointer(id: repeatedID("a")), subject: "Tea",
            expiration: moment, createdAt: moment)
        #expect(draft.kind == 15 && draft.content == file.url)
        #expect(draft.tags.contains(["encryption-algorithm", "aes-gcm"]))
        #expect(draft.tags.contains(["alt", "The weir at dawn"]))
        #expect(draft.tags.contains(["e", repeatedHex("a"), "", "reply"]))
        #expect(draft.tags.contains(["ox", encodeHex(Array(SHA256.hash(data: plain)))]))
        #expect(draft.tags.contains(["x", encodeHex(Array(SHA256.hash(data: encrypted)))]))
        let message = try #require(ChatMessage(Rumor(draft, author: alice.publicKey)))
        #expect(message.body == .file(file))
        #expect(message.room == room && message.replyTo == repeatedID("a") && message.subject == "Tea")
        #expect(message.expiration == moment)
        #expect(try file.decrypt(encrypted) == plain)
        let again = EncryptedFile.sealing(plain, type: "image/png", using: &random)
        #expect(again.encrypted != encrypted && again.file.key != file.key && again.file.nonce != file.nonce)
    }

    @Test("of many further addresses some are read, and of those the ones of the web")
    func fallbacks() throws {
        var draft = try fileMessage(nonceLength: 12).draft
        draft.tags += (0..<50).map { ["fallback", "https://\($0).example.com/x"] }
        draft.tags += [["fallback", "javascript:alert(1)"], ["thumb", "data:text/html,x"]]
        let message = try #require(ChatMessage(Rumor(draft, author: alice.publicKey)))
        guard case .file(let file) = message.body else { return #expect(Bool(false), "no file") }
        #expect(file.fallbacks.count == 8 && file.thumb == nil)
    }

    @Test(
        "a file that cannot be decrypted with what stands there is shown as the text that names it",
        arguments: [
            "decryption-key", "decryption-nonce", "x", "encryption-algorithm",
        ])
    func incompleteFile(missing: String) throws {
        var draft = try fileMessage(nonceLength: 12).draft
        draft.tags.removeAll { $0.name == missing }
        #expect(ChatMessage(Rumor(draft, author: alice.publicKey))?.body == .text("https://files.example.com/x"))
    }

    @Test("noise never traps")
    func noise() throws {
        let (draft, encrypted) = try fileMessage(nonceLength: 12)
        let lines = draft.tags.map { $0.elements.joined(separator: " ") }.joined(separator: "\n")
        Noise.run(Array((lines + "\ne \(repeatedHex("a")) x reply\nsubject a\nq b\nexpiration 5").utf8), rounds: 5_000)
        {
            let tags = String(decoding: $0, as: UTF8.self).split(separator: "\n")
                .map { Tag($0.split(separator: " ", omittingEmptySubsequences: false).map(String.init)) }
            for kind: Kind in [5, 7, 14, 15] {
                let rumor = Rumor(
                    EventDraft(kind: kind, tags: tags, content: draft.content, createdAt: moment),
                    author: alice.publicKey)
                _ = (ChatReaction(rumor)?.room, ChatDeletion(rumor)?.targets)
                let message = ChatMessage(rumor)
                _ = (message?.replyTo, message?.subject, message?.quotes, message?.room.word)
                // Only that it returns matters here.
                if case .file(let file)? = message?.body { _ = try? file.decrypt(encrypted) }
            }
        }
    }

    private func fileMessage(nonceLength: Int) throws -> (draft: EventDraft, encrypted: [UInt8]) {
        let plain = Array("a picture".utf8)
        let key = [UInt8](repeating: 7, count: 32)
        let nonce = [UInt8](repeating: 9, count: nonceLength)
        let box = try AES.GCM.seal(plain, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce))
        let encrypted = Array(box.ciphertext) + Array(box.tag)
        let tags: [Tag] = [
            ["p", bob.publicKey.hex], ["file-type", "image/png"], ["encryption-algorithm", "aes-gcm"],
            ["decryption-key", encodeHex(key)], ["decryption-nonce", encodeHex(nonce)],
            ["x", encodeHex(Array(SHA256.hash(data: encrypted)))], ["ox", encodeHex(Array(SHA256.hash(data: plain)))],
            ["size", "\(encrypted.count)"], ["dim", "3x4"], ["blurhash", "LEHV6n"],
            ["fallback", "https://other.example.com/x"], ["fallback", "nonsense"],
        ]
        return (
            EventDraft(kind: 15, tags: tags, content: "https://files.example.com/x", createdAt: moment), encrypted
        )
    }
}
