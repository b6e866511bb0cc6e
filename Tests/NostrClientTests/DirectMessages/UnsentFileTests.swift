import AccountTesting
import Foundation
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Files of private messages that wait for a media server.
@Suite("files of messages that wait for a media server", .timeLimit(.minutes(10)))
struct UnsentFileTests {
    let bench = MailBench()
    private let media = MediaFolderForTests()
    private let file = OutgoingFile(bytes: Array("rye, water, salt".utf8), name: "bread.txt", description: "A recipe")

    /// Runs Alice, whose media server is full.
    private func running(
        _ body: (_ alice: MailPerson, _ room: ChatRoom) async throws -> Void
    ) async throws -> MailPerson {
        bench.layOut(.alice, .bob)
        bench.blobs.setFull(true)
        let alice = bench.person(.alice, media: media.access)
        try await alice.unlock()
        try await bench.running(alice) {
            try await bench.eventually("alice knows her own list") { !(await alice.state().inbox.isEmpty) }
            try await body(alice, ChatRoom([alice.key, TestPerson.bob.publicKey]))
        }
        return alice
    }

    private func unsent(_ person: MailPerson, _ room: ChatRoom) async throws -> [UnsentFile] {
        try await person.messages.conversation(room, before: nil, limit: 10).unsent
    }

    private func records(_ person: MailPerson) async throws -> Int {
        try await person.records.records(in: DirectMessages.unsentFiles).count
    }

    /// How many files wait, lie on the disk, and are in the vault.
    private func counts(_ person: MailPerson, _ room: ChatRoom) async throws -> [Int] {
        [try await unsent(person, room).count, try media.unsent.count, try await records(person)]
    }

    @Test("what no server takes is kept sealed, and goes out after a restart with the words that belong to it")
    func restart() async throws {
        defer { media.remove() }
        let before = try await running { alice, room in
            var message = OutgoingMessage(room: room, text: "look")
            message.lifetime = .seconds(3600)
            #expect(try await alice.messages.keep(file, with: message) == nil)
            let waiting = try await unsent(alice, room)
            #expect(waiting.map(\.name) == ["bread.txt"] && waiting.map(\.text) == ["look"])
            #expect(waiting.map(\.standing) == [.waiting] && waiting.map(\.trouble) == [.notUploaded])
            // Nothing was said yet, and there is a conversation all the same.
            #expect(try await alice.messages.room(room.word) == room)
            #expect(try await alice.messages.conversations(in: .known).map(\.room) == [room])
            #expect(try await alice.texts(with: .bob).isEmpty)
        }
        // It rests sealed: neither the file nor its name and words lie anywhere in clear.
        #expect(try media.unsent.count == 1)
        let rests = try media.unsent.map { [UInt8]($0) }
        let kept = try await before.records.records(in: DirectMessages.unsentFiles).map(\.value)
        for secret in ["rye, water", "bread.txt", "look"] {
            #expect((rests + kept).allSatisfy { $0.firstRange(of: Array(secret.utf8)) == nil }, "\(secret)")
        }
        bench.blobs.setFull(false)
        bench.clock.advance(by: .seconds(60))
        let (alice, bob) = (bench.person(.alice, records: before.records, media: media.access), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("bob has both") { try await bob.texts(with: .alice).count == 2 }
            let texts = try await bob.texts(with: .alice)
            #expect(texts.first?.hasPrefix("file https://blobs.example/") == true && texts.last == "look")
            let room = ChatRoom([alice.key, bob.key])
            let sent = try await bob.messages.conversation(room, before: nil, limit: 10).messages
            #expect(sent.allSatisfy { $0.expiration != nil })
            let id = try #require(sent.first?.id)
            #expect(try await bob.messages.openFile(of: id, in: room).bytes == file.bytes)
            try await bench.eventually("nothing is left") {
                try await counts(alice, room) == [0, 0, 0]
            }
        }
    }

    @Test("it goes when the person wants it tried, and not at all when they take it back")
    func acts() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "")) == nil)
            let first = try #require(try await unsent(alice, room).first)
            // Another conversation has no say.
            try await alice.messages.removeFile(first.id, in: ChatRoom([alice.key]))
            #expect(try await unsent(alice, room).count == 1)
            try await alice.messages.removeFile(first.id, in: room)
            #expect(try await counts(alice, room) == [0, 0, 0])
            #expect(try await alice.messages.room(room.word) == nil)

            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "")) == nil)
            bench.blobs.setFull(false)
            let second = try #require(try await unsent(alice, room).first)
            try await alice.messages.retryFile(second.id, in: room)
            try await bench.eventually("it is out") { try await alice.texts(with: .bob).count == 1 }
            try await bench.eventually("and no longer waits") { try await unsent(alice, room).isEmpty }
            // What is taken at once waits nowhere.
            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "")) != nil)
            #expect(try await counts(alice, room) == [0, 0, 0])
        }
    }

    @Test("it goes with its conversation, and while the key is locked nothing says what it is")
    func forgotten() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "")) == nil)
            await alice.lock()
            #expect(throws: MessagingError.self) { try alice.messages }
            try await alice.unlock()
            #expect(try await unsent(alice, room).count == 1)
            try await alice.messages.forget(room)
            #expect(try await counts(alice, room) == [0, 0, 0])
        }
    }

    @Test("what can be refused is refused before anything is kept, and no more waits than may")
    func refused() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            await #expect(throws: SealedFileError.empty) {
                _ = try await alice.messages.keep(
                    OutgoingFile(bytes: [], name: ""), with: OutgoingMessage(room: room, text: ""))
            }
            let secret = OutgoingMessage(room: room, text: "\(TestPerson.alice.secretKey.exportNsec())")
            await #expect(throws: MessagingError.holdsSecretKey) {
                _ = try await alice.messages.keep(file, with: secret)
            }
            #expect(try await unsent(alice, room).isEmpty)
            for _ in 0..<UnsentFiles.most {
                _ = try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: ""))
            }
            await #expect(throws: SealedFileError.tooManyWait(limit: UnsentFiles.most)) {
                _ = try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: ""))
            }
            #expect(try media.unsent.count == UnsentFiles.most)
        }
    }

    private static let server = MediaServer("https://a.example")

    @Test(
        "what may pass is tried again, later each time and not for ever; anything else waits for the person",
        arguments: [
            (ServerRefusal.Code.unreachable, true), (.tooMany, true), (.tooLarge, false), (.paymentRequired, false),
            (.unauthorized, false),
        ])
    func failing(code: ServerRefusal.Code, mayPass: Bool) throws {
        var random = SeededRandom(seed: 3)
        let (sealed, _) = EncryptedFile.sealing([1, 2, 3], type: "text/plain", using: &random)
        var file = UnsentFileRecord("x", sealed, in: "y")
        #expect(file.sealed == sealed)
        let server = try #require(Self.server)
        let trouble = SealedFileError.refused([ServerOutcome(server, ServerRefusal(code, reason: "no"))])
        file.fail(trouble, now: Timestamp(seconds: 1000))
        #expect(file.hasFailed == !mayPass && file.next == (mayPass ? 1030 : 0))
        // What the server said is known after a restart.
        let read = try #require(UnsentFileRecord(try file.bytes()))
        #expect(read == file && read.shown(isUnderWay: false).trouble == trouble)
        for _ in 1..<12 { file.fail(trouble, now: Timestamp(seconds: 1000)) }
        #expect(file.hasFailed)
        file.begin()
        #expect(!file.hasFailed && file.next == 0 && file.shown(isUnderWay: false).standing == .waiting)
        #expect(UnsentFileRecord([1, 2, 3]) == nil)
    }
}
