import AccountTesting
import AsyncPrimitives
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
        records: any RecordStore = MemoryRecordStore(),
        _ body: (_ alice: MailPerson, _ room: ChatRoom) async throws -> Void
    ) async throws -> MailPerson {
        bench.layOut(.alice, .bob)
        bench.blobs.setFull(true)
        let alice = bench.person(.alice, records: records, media: media.access)
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

    @Test("what is being written to the disk is not taken back, and what was taken back before is not written")
    func onItsWay() async throws {
        defer { media.remove() }
        let (store, answered) = (HeldRecordStore(), Flag())
        _ = try await running(records: store) { alice, room in
            let message = OutgoingMessage(room: room, text: "look")
            #expect(try await alice.messages.keep(file, with: message) == nil)
            let waiting = try #require(try await unsent(alice, room).first)
            bench.blobs.setFull(false)
            await store.hold()
            let messages = try alice.messages
            try await messages.retryFile(waiting.id, in: room)
            try await bench.eventually("its message is being written") { await store.isHolding }
            // Pressed again, it stays as it is.
            try await messages.retryFile(waiting.id, in: room)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    await #expect(throws: SealedFileError.onItsWay) {
                        try await messages.removeFile(waiting.id, in: room)
                    }
                    await answered.raise()
                }
                try await bench.eventually("the person is told") {
                    bench.clock.advance(by: .seconds(5))
                    return await answered.isUp
                }
            }
            await store.letGo()
            try await bench.eventually("both are out") { try await alice.texts(with: .bob).count == 2 }
            try await bench.eventually("nothing is left") { try await counts(alice, room) == [0, 0, 0] }

            bench.blobs.setFull(true)
            #expect(try await messages.keep(file, with: message) == nil)
            let second = try #require(try await unsent(alice, room).first)
            try await messages.removeFile(second.id, in: room)
            await #expect(throws: CancellationError.self) { try await messages.unsent.claim(second.id) }
        }
    }

    @Test("no more waits than may, however many come at once")
    func atOnce() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            let messages = try alice.messages
            let file = file
            let taken = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<(UnsentFiles.most + 8) {
                    group.addTask {
                        do {
                            _ = try await messages.keep(file, with: OutgoingMessage(room: room, text: ""))
                            return 1
                        } catch { return 0 }
                    }
                }
                return await group.reduce(0, +)
            }
            #expect(taken == UnsentFiles.most)
            #expect(try await counts(alice, room) == [UnsentFiles.most, UnsentFiles.most, UnsentFiles.most])
        }
    }

    @Test("a form that is sent twice sends its file once")
    func pressedTwice() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            var file = file
            file.once = String(repeating: "0a", count: 16)
            let message = OutgoingMessage(room: room, text: "")
            for _ in 0..<2 { #expect(try await alice.messages.keep(file, with: message) == nil) }
            #expect(try await counts(alice, room) == [1, 1, 1])
            // Other words are another message, and so is a file that comes after the first was taken back.
            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "look")) == nil)
            #expect(try await counts(alice, room) == [2, 2, 2])
            let first = try #require(try await unsent(alice, room).first)
            try await alice.messages.removeFile(first.id, in: room)
            #expect(try await alice.messages.keep(file, with: message) == nil)
            #expect(try await counts(alice, room) == [2, 2, 2])
            // One that went at once does not go again.
            bench.blobs.setFull(false)
            file.once = String(repeating: "0b", count: 16)
            let sent = try await alice.messages.keep(file, with: message)
            #expect(try await alice.messages.keep(file, with: message) == sent && sent != nil)
            #expect(try await alice.texts(with: .bob).count == 1)
        }
    }

    @Test("what was to disappear does not stay because it could not be sent")
    func disappearing() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            var message = OutgoingMessage(room: room, text: "")
            message.lifetime = .seconds(3600)
            #expect(try await alice.messages.keep(file, with: message) == nil)
            #expect(try await counts(alice, room) == [1, 1, 1])
            try await bench.eventually("it is tried no more, and gone") {
                bench.clock.advance(by: .seconds(21_600))
                return try await counts(alice, room) == [0, 0, 0]
            }
        }
    }

    @Test("bytes that were damaged on the disk are not sent")
    func damaged() async throws {
        defer { media.remove() }
        _ = try await running { alice, room in
            #expect(try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: "")) == nil)
            let waiting = try #require(try await unsent(alice, room).first)
            let place = media.folder.appendingPathComponent("unsent/\(DirectMessages.unsentFiles)/\(waiting.id)")
            try Data([1, 2, 3]).write(to: place)
            bench.blobs.setFull(false)
            try await alice.messages.retryFile(waiting.id, in: room)
            try await bench.eventually("it failed") {
                let now = try await unsent(alice, room).first
                return now?.standing == .failed && now?.trouble == .notSent
            }
            #expect(bench.blobs.all.isEmpty)
        }
    }

    @Test("what does not read keeps its bytes: another version may read it")
    func unreadable() async throws {
        defer { media.remove() }
        let before = try await running { alice, room in
            let sent = try await alice.messages.keep(file, with: OutgoingMessage(room: room, text: ""))
            #expect(sent == nil)
        }
        let kept = try #require(try await before.records.records(in: DirectMessages.unsentFiles).first)
        try await before.records.apply([.put(table: DirectMessages.unsentFiles, key: kept.key, value: [1, 2, 3])])
        let alice = bench.person(.alice, records: before.records, media: media.access)
        try await alice.unlock()
        try await bench.running(alice) {
            let found = try await counts(alice, ChatRoom([alice.key, TestPerson.bob.publicKey]))
            #expect(found == [0, 1, 1])
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

/// Something that a test waits for.
private actor Flag {
    private(set) var isUp = false

    func raise() { isUp = true }
}

/// A store whose next write of a message with a file that waited takes until a test lets it go.
private actor HeldRecordStore: RecordStore {
    private let inner = MemoryRecordStore()
    private let goes = Doorbell()
    private var holds = false
    private(set) var isHolding = false

    func hold() { holds = true }

    func letGo() {
        isHolding = false
        goes.ring()
    }

    func value(_ key: String, in table: String) async throws -> [UInt8]? { await inner.value(key, in: table) }

    func records(in table: String, prefix: String) async throws -> [Record] {
        await inner.records(in: table, prefix: prefix)
    }

    func apply(_ changes: [RecordChange]) async throws {
        let isOfFile = changes.contains {
            switch $0 {
            case .put(DirectMessages.unsentFiles, _, _), .remove(DirectMessages.unsentFiles, _): true
            default: false
            }
        }
        if holds, isOfFile, changes.count > 1 {
            (holds, isHolding) = (false, true)
            await goes.wait()
        }
        await inner.apply(changes)
    }
}
