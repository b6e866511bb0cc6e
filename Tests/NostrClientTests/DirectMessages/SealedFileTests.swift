import AccountTesting
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Files in private messages: sealed, uploaded, fetched, checked.
@Suite(.timeLimit(.minutes(10)))
struct SealedFileTests {
    let bench = MailBench()
    /// A PNG file that tells nothing: a head, 18 bytes of dots, and the end.
    private let picture: [UInt8] =
        [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        + [0, 0, 0, 18] + Array("IDATand the rest of it".utf8) + [UInt8](repeating: 0, count: 8)
        + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]

    private func running(_ body: (_ alice: MailPerson, _ bob: MailPerson, _ room: ChatRoom) async throws -> Void)
        async throws
    {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("alice knows her own list") { !(await alice.state().inbox.isEmpty) }
            try await body(alice, bob, ChatRoom([alice.key, bob.key]))
        }
    }

    /// The newest message of bob's, once it is a file.
    private func arrived(_ bob: MailPerson, _ room: ChatRoom) async throws -> Message {
        var found: Message?
        try await bench.eventually("bob has a file") {
            let page = try await bob.messages.conversation(room, before: nil, limit: 10)
            found = page.messages.last { if case .file = $0.body { true } else { false } }
            return found != nil
        }
        return try #require(found)
    }

    @Test("a file goes out sealed, with words after it, and opens for the others")
    func exchange() async throws {
        try await running { alice, bob, room in
            let file = OutgoingFile(bytes: picture, name: "../me.png")
            let sent = try await alice.messages.send(file, with: OutgoingMessage(room: room, text: "look"))
            guard case .file(let described) = sent.body else { return #expect(Bool(false), "no file") }
            #expect(described.type == "image/png" && described.originalHash != nil)
            // The server has it sealed, and learns nothing of what it is.
            #expect(bench.blobs.types == ["application/octet-stream"])
            #expect(bench.blobs.all.values.allSatisfy { !$0.contains(Array("the rest".utf8)) })
            let message = try await arrived(bob, room)
            try await bench.eventually("the words follow") {
                try await bob.texts(with: .alice) == ["file \(described.url)", "look"]
            }
            let opened = try await bob.messages.openFile(of: message.id, in: room)
            #expect(opened.bytes == picture && opened.sort == .png && opened.name == "file.png")
            // Once it is open nobody is asked again.
            let asked = bench.blobs.asked.count
            _ = try await bob.messages.openFile(of: message.id, in: room)
            #expect(bench.blobs.asked.count == asked)
            #expect(try await alice.messages.openFile(of: message.id, in: room).bytes == picture)
            await bob.lock()
            #expect(throws: MessagingError.self) { try bob.messages }
        }
    }

    @Test("words for who cannot see a file go with it, and no key among them")
    func described() async throws {
        try await running { alice, bob, room in
            let message = OutgoingMessage(room: room, text: "")
            let file = OutgoingFile(bytes: picture, name: "me.png", description: " The weir at dawn\n")
            _ = try await alice.messages.send(file, with: message)
            guard case .file(let described) = try await arrived(bob, room).body else { return }
            #expect(described.description == "The weir at dawn")
            let secret = OutgoingFile(
                bytes: picture, name: "", description: "\(TestPerson.alice.secretKey.exportNsec())")
            await #expect(throws: MessagingError.holdsSecretKey) {
                _ = try await alice.messages.send(secret, with: message)
            }
            #expect(bench.blobs.all.count == 1)
        }
    }

    @Test("a file that is gone from its addresses is found on its author's servers, if it is that very file")
    func elsewhere() async throws {
        try await running { alice, bob, room in
            let file = OutgoingFile(bytes: picture, name: "")
            _ = try await alice.messages.send(file, with: OutgoingMessage(room: room, text: ""))
            let message = try await arrived(bob, room)
            guard case .file(let described) = message.body else { return }
            let (right, name) = (bench.blobs.all[described.url], described.hash.hex)
            bench.blobs.put(nil, at: described.url)
            let list = TestPerson.alice.event(
                kind: 10_063, tags: [["server", "https://first.example"], ["server", "https://second.example"]])
            _ = await bob.store.save([list], from: nil)
            bench.blobs.put([1, 2, 3], at: "https://first.example/\(name)")
            // A server that gives another file is no news of the file.
            await #expect(throws: SealedFileError.gone) {
                _ = try await bob.messages.openFile(of: message.id, in: room)
            }
            bench.blobs.put(right, at: "https://second.example/\(name)")
            #expect(try await bob.messages.openFile(of: message.id, in: room).bytes == picture)
            #expect(
                bench.blobs.asked.suffix(2) == ["https://first.example/\(name)", "https://second.example/\(name)"])
        }
    }

    @Test("a film goes out without the place where it was made")
    func film() async throws {
        try await running { alice, bob, room in
            let file = OutgoingFile(bytes: SampleMedia.film, name: "holiday.mov")
            _ = try await alice.messages.send(file, with: OutgoingMessage(room: room, text: ""))
            let message = try await arrived(bob, room)
            let opened = try await bob.messages.openFile(of: message.id, in: room)
            #expect(opened.sort == .mp4 && opened.bytes.firstRange(of: Array(SampleMedia.pictures.utf8)) != nil)
            #expect(opened.bytes.firstRange(of: Array(SampleMedia.secret.utf8)) == nil)
        }
    }

    @Test("what lies there instead is not shown, and another address is tried")
    func wrong() async throws {
        try await running { alice, bob, room in
            let file = OutgoingFile(bytes: picture, name: "")
            _ = try await alice.messages.send(file, with: OutgoingMessage(room: room, text: ""))
            let message = try await arrived(bob, room)
            guard case .file(let described) = message.body else { return }
            let right = bench.blobs.all[described.url]
            bench.blobs.put([1, 2, 3], at: described.url)
            await #expect(throws: SealedFileError.another) {
                _ = try await bob.messages.openFile(of: message.id, in: room)
            }
            bench.blobs.put(nil, at: described.url)
            await #expect(throws: SealedFileError.gone) {
                _ = try await bob.messages.openFile(of: message.id, in: room)
            }
            bench.blobs.put(right, at: described.url)
            #expect(try await bob.messages.openFile(of: message.id, in: room).bytes == picture)
        }
    }

    @Test("what another program sends opens from its second address, and lies about its type in vain")
    func foreign() async throws {
        try await running { alice, bob, room in
            var random = SeededRandom(seed: 9)
            let page = Array("<script>alert(1)</script>".utf8)
            let (made, encrypted) = EncryptedFile.sealing(page, type: "image/svg+xml", using: &random)
            var file = made
            (file.url, file.fallbacks) = ("https://gone.example/1", ["https://there.example/1"])
            bench.blobs.put(encrypted, at: "https://there.example/1")
            let draft = file.draft(to: room, by: alice.key, createdAt: bench.now)
            let wrap = try bench.wrap(draft, by: .alice, for: .bob)
            try await bench.eventually("bob listens") { bench.network.standing[relay("bob")] != nil }
            bench.network.arrive(wrap, on: relay("bob"))
            let message = try await arrived(bob, room)
            let opened = try await bob.messages.openFile(of: message.id, in: room)
            #expect(opened.bytes == page && opened.sort == .bytes && !opened.sort.isPicture)
            #expect(bench.blobs.asked == ["https://gone.example/1", "https://there.example/1"])
        }
    }

    @Test("a signer that is away is not told as servers that do not take a file, and one that refuses as that")
    func unsigned() async throws {
        try await running { alice, _, _ in
            let unlocked = try await alice.messages.unlocked
            for away in [SigningFailure.timedOut, .unreachable, .noPage, .locked] {
                await #expect(throws: away) { _ = try await unlocked.upload { _ in throw away } }
            }
            await #expect(throws: SealedFileError.notSigned) {
                _ = try await unlocked.upload { _ in throw SigningFailure.refused }
            }
            await #expect(throws: SealedFileError.notUploaded) { _ = try await unlocked.upload { _ in [] } }
        }
    }

    @Test("nothing is uploaded of what cannot be sent, and nothing is sent of what cannot be uploaded")
    func refused() async throws {
        try await running { alice, bob, room in
            let message = OutgoingMessage(room: room, text: "")
            await #expect(throws: SealedFileError.empty) {
                _ = try await alice.messages.send(OutgoingFile(bytes: [], name: "x"), with: message)
            }
            let secret = OutgoingMessage(room: room, text: "\(TestPerson.alice.secretKey.exportNsec())")
            await #expect(throws: MessagingError.holdsSecretKey) {
                _ = try await alice.messages.send(OutgoingFile(bytes: [1], name: "x"), with: secret)
            }
            #expect(bench.blobs.all.isEmpty)
            bench.blobs.setFull(true)
            await #expect(throws: SealedFileError.notUploaded) {
                _ = try await alice.messages.send(OutgoingFile(bytes: [1], name: "x"), with: message)
            }
            #expect(try await alice.texts(with: .bob).isEmpty)
            let words = try await alice.write("no file", to: .bob)
            await #expect(throws: SealedFileError.noFile) {
                _ = try await alice.messages.openFile(of: words.id, in: room)
            }
        }
    }
}
