import AccountTesting
import Marmot
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Sealed files of circles: those that lines name, and the picture of the group.
@Suite(.timeLimit(.minutes(10)))
struct CircleFileTests {
    let bench = SharingBench()
    /// A PNG file that tells nothing: a head, 18 bytes of dots, and the end.
    private let picture: [UInt8] =
        [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + [UInt8](repeating: 0, count: 17)
        + [0, 0, 0, 18] + Array("IDATand the rest of it".utf8) + [UInt8](repeating: 0, count: 8)
        + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
    private var blobs: ScriptedBlobs { bench.mail.blobs }

    private func line(_ person: MailPerson, _ id: CircleID) async throws -> CircleLine? {
        try await person.circles.reader.page(of: id, before: nil, limit: 50).lines.last { !$0.files.isEmpty }
    }

    @Test("a file is named by a line, opens for the members, and still opens when its epoch is long over")
    func exchange() async throws {
        try await bench.running { alice, bob, id in
            let file = OutgoingFile(bytes: picture, name: "me \u{7}at the weir.png")
            let sent = try await bob.circles.files.send(file, "look", replyTo: nil, in: id)
            #expect(blobs.types == ["application/octet-stream"])
            #expect(blobs.all.values.allSatisfy { !$0.contains(Array("the rest".utf8)) })
            try await bench.mail.eventually("alice has it") { try await alice.lines(id) == ["look"] }
            let line = try #require(try await line(alice, id))
            #expect(line.id == sent)
            let described = CircleFile(name: "me at the weir.png", type: "image/png", dimensions: nil, canOpen: true)
            #expect(line.files == [described])
            // The group goes on, further than its keys are kept.
            for name in 1...7 {
                var edit = CircleEdit()
                edit.name = "Family \(name)"
                try await bob.circles.administration.edit(id, edit)
                try await bench.mail.eventually("alice has heard of change \(name)") {
                    try await alice.circles.reader.page(of: id, before: nil, limit: 1).summary.name == "Family \(name)"
                }
            }
            for person in [alice, bob] {
                let opened = try await person.circles.files.open(0, of: sent, in: id)
                #expect(opened.bytes == picture && opened.sort == .png && opened.name == "me at the weir.png")
            }
            for number in [1, -1] {
                await #expect(throws: SealedFileError.noFile) {
                    _ = try await alice.circles.files.open(number, of: sent, in: id)
                }
            }
        }
    }

    @Test("a line may be a file alone; one that is another, gone or of a strange version is named as that")
    func wrong() async throws {
        try await bench.running { alice, bob, id in
            let sent = try await bob.circles.files.send(
                OutgoingFile(bytes: picture, name: ""), "", replyTo: nil, in: id)
            try await bench.mail.eventually("alice has it") { try await line(alice, id) != nil }
            #expect(try await line(alice, id)?.files.first?.name == "file.png")
            let address = try #require(blobs.all.keys.first)
            let right = try #require(blobs.all[address])
            blobs.put([UInt8](repeating: 1, count: right.count), at: address)
            await #expect(throws: SealedFileError.doesNotOpen) {
                _ = try await alice.circles.files.open(0, of: sent, in: id)
            }
            blobs.put(nil, at: address)
            await #expect(throws: SealedFileError.gone) { _ = try await alice.circles.files.open(0, of: sent, in: id) }

            let later: NostrCore.Tag = ["imeta", "url https://x.example", "v mip04-v3"]
            let broken: NostrCore.Tag = ["imeta", "v mip04-v2", "x 00"]
            try await bob.circles.messaging.send(in: id) { now, _ in
                try CircleMessage.chat("odd", tags: [later, broken], now: now)
            }
            try await bench.mail.eventually("alice reads the words") { try await alice.lines(id).contains("odd") }
            let page = try await alice.circles.reader.page(of: id, before: nil, limit: 50)
            #expect(page.lines.count { !$0.files.isEmpty } == 1)
        }
    }

    @Test("what a line has no room for is remembered by who sent it; others find the file on that person's servers")
    func copies() async throws {
        blobs.setCopies(at: ["https://copy.example"])
        try await bench.running { alice, bob, id in
            let sent = try await bob.circles.files.send(
                OutgoingFile(bytes: picture, name: "a.png"), "", replyTo: nil, in: id)
            try await bench.mail.eventually("alice has it") { try await line(alice, id) != nil }
            let first = try #require(blobs.all.keys.first { $0.hasPrefix("https://blobs.example/") })
            blobs.put(nil, at: first)
            #expect(try await bob.circles.files.open(0, of: sent, in: id).bytes == picture)
            await #expect(throws: SealedFileError.gone) { _ = try await alice.circles.files.open(0, of: sent, in: id) }
            let list = TestPerson.bob.event(kind: 10_063, tags: [["server", "https://copy.example"]])
            _ = await alice.store.save([list], from: nil)
            #expect(try await alice.circles.files.open(0, of: sent, in: id).bytes == picture)
        }
    }

    @Test("a file that was taken back is shown no more, and nothing is said where it could not be uploaded")
    func takenBack() async throws {
        try await bench.running { alice, bob, id in
            let file = OutgoingFile(bytes: picture, name: "a.png")
            blobs.setFull(true)
            await #expect(throws: SealedFileError.notUploaded) {
                try await bob.circles.files.send(file, "look", replyTo: nil, in: id)
            }
            #expect(try await bob.lines(id).isEmpty)
            blobs.setFull(false)
            let sent = try await bob.circles.files.send(file, "look", replyTo: nil, in: id)
            try await bench.mail.eventually("alice has it") { try await alice.lines(id) == ["look"] }
            try await bob.circles.messaging.retract(sent, in: id)
            try await bench.mail.eventually("it is gone") { try await alice.lines(id) == ["deleted"] }
            #expect(try await line(alice, id) == nil)
        }
    }

    @Test("what no server takes is kept sealed, and goes out sealed for those who are members then")
    func unsent() async throws {
        let media = MediaFolderForTests()
        defer { media.remove() }
        try await bench.running(media: media.access) { alice, bob, id in
            let file = OutgoingFile(bytes: Array("rye, water, salt".utf8), name: "bread.txt")
            blobs.setFull(true)
            #expect(try await bob.circles.files.keep(file, "look", replyTo: nil, in: id) == nil)
            let waiting = try #require(await bob.circles.files.unsent(in: id).first)
            #expect(waiting.name == "bread.txt" && waiting.text == "look" && waiting.standing == .waiting)
            #expect(try media.unsent.count == 1)
            #expect(try media.unsent.allSatisfy { [UInt8]($0).firstRange(of: Array("rye".utf8)) == nil })
            #expect(try await bob.lines(id).isEmpty)
            // The group goes on meanwhile.
            var edit = CircleEdit()
            edit.name = "Bakers"
            try await bob.circles.administration.edit(id, edit)
            try await bench.mail.eventually("alice has heard of it") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 1).summary.name == "Bakers"
            }
            blobs.setFull(false)
            try await bob.circles.files.retry(waiting.id, in: id)
            try await bench.mail.eventually("alice has it") { try await alice.lines(id).contains("look") }
            let line = try #require(try await line(alice, id))
            #expect(try await alice.circles.files.open(0, of: line.id, in: id).bytes == file.bytes)
            try await bench.mail.eventually("nothing is left") {
                try await bob.circles.files.unsent(in: id).isEmpty && media.unsent.isEmpty
            }
            // One that is taken back is never said.
            blobs.setFull(true)
            #expect(try await bob.circles.files.keep(file, "no", replyTo: nil, in: id) == nil)
            let second = try #require(await bob.circles.files.unsent(in: id).first)
            try await bob.circles.files.remove(second.id, in: id)
            #expect(try await bob.circles.files.unsent(in: id).isEmpty && media.unsent.isEmpty)
            #expect(try await !bob.lines(id).contains("no"))
        }
    }

    @Test("what was to be sent to a circle goes when the account is removed from it")
    func removed() async throws {
        let media = MediaFolderForTests()
        defer { media.remove() }
        try await bench.running(media: media.access) { alice, bob, id in
            blobs.setFull(true)
            let file = OutgoingFile(bytes: Array("rye".utf8), name: "bread.txt")
            #expect(try await bob.circles.files.keep(file, "", replyTo: nil, in: id) == nil)
            #expect(try await bench.bobRecords.records(in: CircleTable.unsentFiles).count == 1)
            try await bob.circles.administration.handOver(id, to: alice.key)
            try await bench.mail.eventually("alice is the admin") {
                let members = try await alice.circles.reader.page(of: id, before: nil, limit: 1).members
                return members.filter(\.isAdmin).map(\.id) == [alice.key]
            }
            #expect(try await bob.circles.files.unsent(in: id).count == 1)
            try await alice.circles.administration.remove([bob.key], from: id)
            try await bench.mail.eventually("bob is out") {
                try await bob.circles.reader.overview().circles.first?.standing == .removed
            }
            #expect(try await bench.bobRecords.records(in: CircleTable.unsentFiles).isEmpty)
            try await bench.mail.eventually("nothing waits") {
                try await bob.circles.files.unsent(in: id).isEmpty && media.unsent.isEmpty
            }
        }
    }

    @Test("a file goes to nobody who came after it was sent, before the person wants that")
    func newcomer() async throws {
        let media = MediaFolderForTests()
        defer { media.remove() }
        try await bench.running(media: media.access) { _, bob, id in
            blobs.setFull(true)
            let file = OutgoingFile(bytes: Array("rye".utf8), name: "bread.txt")
            #expect(try await bob.circles.files.keep(file, "look", replyTo: nil, in: id) == nil)
            bench.mail.layOut(.carol)
            let carol = bench.mail.person(.carol)
            try await carol.unlock()
            try await bench.mail.running(carol) {
                try await bench.mail.eventually("her list is known") { await !carol.account.state().inbox.isEmpty }
                try await bench.mail.join(carol, id, of: bob)
                blobs.setFull(false)
                bench.pass(60)
                try await bench.mail.eventually("bob is asked") {
                    let waiting = try await bob.circles.files.unsent(in: id).first
                    return waiting?.standing == .failed && waiting?.trouble == .membersChanged
                }
                #expect(blobs.all.isEmpty)
                let waiting = try #require(await bob.circles.files.unsent(in: id).first)
                try await bob.circles.files.retry(waiting.id, in: id)
                try await bench.mail.eventually("carol has it") { try await carol.lines(id).contains("look") }
                let line = try #require(try await line(carol, id))
                #expect(try await carol.circles.files.open(0, of: line.id, in: id).bytes == file.bytes)
            }
        }
    }

    @Test("a picture of the group is set by an admin, found by its hash, and taken away")
    func groupPicture() async throws {
        try await bench.running { alice, bob, id in
            await #expect(throws: CircleError.notAdmin) {
                try await alice.circles.files.setGroupPicture(picture, in: id)
            }
            await #expect(throws: CircleError(.badPicture(.notJPEG))) {
                try await bob.circles.files.setGroupPicture(Array("<svg>".utf8), in: id)
            }
            #expect(blobs.all.isEmpty)
            try await bob.circles.files.setGroupPicture(picture, in: id)
            // The server knows neither the circle nor who is in it.
            #expect(blobs.signers.count == 1 && !blobs.signers.contains(bob.key) && !blobs.signers.contains(alice.key))
            try await bench.mail.eventually("alice knows of it") {
                try await alice.circles.reader.overview().circles.first?.picture != nil
            }
            let known = try #require(try await alice.circles.reader.overview().circles.first?.picture)
            // It lies on the media server that bob names.
            let list = TestPerson.bob.event(kind: 10_063, tags: [["server", "https://blobs.example/"]])
            _ = await alice.store.save([list], from: nil)
            let opened = try await alice.circles.files.groupPicture(known, in: id)
            #expect(opened?.bytes == picture)
            var another = known
            another.version = String(repeating: "0", count: 64)
            #expect(try await alice.circles.files.groupPicture(another, in: id) == nil)
            // What an admin sent to the members goes first.
            let small = jpeg(2000)
            try await bob.circles.pictures.setPicture(small, in: id)
            try await bench.mail.eventually("alice sees that") { try await alice.picture(of: nil, id) == small }
            try await bob.circles.pictures.setPicture(nil, in: id)
            try await bob.circles.files.setGroupPicture(nil, in: id)
            try await bench.mail.eventually("it is gone") {
                try await alice.circles.reader.overview().circles.first?.picture == nil
            }
        }
    }
}
