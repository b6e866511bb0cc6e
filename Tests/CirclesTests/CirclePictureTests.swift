import AccountTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

extension MailPerson {
    /// The picture that this person sees of somebody in a circle; that of the circle for nil.
    func picture(of person: PublicKey?, _ id: CircleID) async throws -> [UInt8]? {
        let page = try await circles.reader.page(of: id, before: nil, limit: 1)
        let known = person.map { key in page.members.first { $0.id == key }?.picture } ?? page.summary.picture
        guard let known else { return nil }
        return try await circles.pictures.picture(known, in: id)
    }
}

/// Pictures of members and of the circle itself.
@Suite(.timeLimit(.minutes(10)))
struct CirclePictureTests {
    let bench = SharingBench()
    private let first = jpeg(2000)
    private let second = jpeg(3000, seed: 2)
    private let third = jpeg(12_288, seed: 3)

    @Test("a picture of oneself is seen by the others, replaced, and taken back")
    func avatar() async throws {
        try await bench.running { alice, bob, id in
            #expect(try await bob.picture(of: alice.key, id) == nil)
            for picture in [first, second, third, first] {
                try await alice.circles.pictures.setAvatar(picture, in: id)
                #expect(try await alice.picture(of: alice.key, id) == picture)
                try await bench.mail.eventually("bob sees it") { try await bob.picture(of: alice.key, id) == picture }
            }
            let known = try await bob.circles.reader.overview().circles.first?.avatars
            let shown = try #require(known?[alice.key])
            #expect(known?.keys.map(\.self) == [alice.key])
            try await alice.circles.pictures.setAvatar(nil, in: id)
            try await bench.mail.eventually("it is gone") { try await bob.picture(of: alice.key, id) == nil }
            #expect(try await bob.circles.pictures.picture(shown, in: id) == nil)
            // Nothing of it is a line of the chat.
            #expect(try await bob.lines(id).isEmpty)
            #expect(try await bench.bobRecords.records(in: CircleTable.pictures).isEmpty)
        }
    }

    @Test("a picture of the circle comes from an admin, and from nobody else")
    func circle() async throws {
        try await bench.running { alice, bob, id in
            try await bob.circles.pictures.setPicture(first, in: id)
            try await bench.mail.eventually("alice sees it") { try await alice.picture(of: nil, id) == first }
            await #expect(throws: CircleError.notAdmin) { try await alice.circles.pictures.setPicture(second, in: id) }
            // What another program sends all the same is passed over.
            let image = try #require(CircleImage(jpeg: second))
            let draft = CircleMessage.circleAvatar(image, readers: [], now: bench.mail.now)
            let (_, _, tasks) = try await alice.circles.store.send(draft, in: id)
            try await alice.circles.work.plan(tasks)
            try await alice.circles.messaging.send("look", replyTo: nil, in: id)
            try await bench.mail.eventually("bob has read all") { try await bob.lines(id) == ["look"] }
            #expect(try await bob.picture(of: nil, id) == first)
            try await bob.circles.pictures.setPicture(nil, in: id)
            try await bench.mail.eventually("it is gone") { try await alice.picture(of: nil, id) == nil }
        }
    }

    @Test("files that are no picture for a circle are refused, and nothing is sent")
    func refused() async throws {
        try await bench.running { alice, bob, id in
            for (file, why) in [
                ([], CircleImageError.notJPEG), (Array("GIF89a".utf8), .notJPEG),
                ([0xFF, 0xD8, 0xFF], .damaged),
                (jpeg(12_289), .tooLarge), (jpeg(400, width: 200), .tooLarge),
            ] {
                await #expect(throws: CircleError(.badPicture(why))) {
                    try await bob.circles.pictures.setPicture(file, in: id)
                }
                await #expect(throws: CircleError(.badPicture(why))) {
                    try await bob.circles.pictures.setAvatar(file, in: id)
                }
            }
            #expect(try await bob.picture(of: nil, id) == nil)
            #expect(try await bob.picture(of: bob.key, id) == nil)
            #expect(try await bench.bobRecords.records(in: CircleTable.pictures).isEmpty)
            try await bob.circles.messaging.send("done", replyTo: nil, in: id)
            try await bench.mail.eventually("alice has read all") { try await alice.lines(id) == ["done"] }
            #expect(try await alice.picture(of: nil, id) == nil)
        }
    }

    @Test("who comes later sees the pictures that were shown before, and who goes takes theirs along")
    func newcomer() async throws {
        bench.mail.layOut(.carol)
        let carol = bench.mail.person(.carol)
        try await carol.unlock()
        try await bench.running { alice, bob, id in
            try await bob.circles.pictures.setPicture(first, in: id)
            try await alice.circles.pictures.setAvatar(second, in: id)
            try await bench.mail.eventually("bob sees alice") { try await bob.picture(of: alice.key, id) == second }
            try await bench.mail.running(carol) {
                try await bench.mail.eventually("lists are known") { await !carol.account.state().inbox.isEmpty }
                try await bench.mail.join(carol, id, of: bob)
                try await bench.mail.eventually("carol sees all") {
                    let (own, other) = (
                        try await carol.picture(of: nil, id), try await carol.picture(of: alice.key, id)
                    )
                    return own == first && other == second
                }
                try await bob.circles.administration.remove([alice.key], from: id)
                try await bench.mail.eventually("alice is gone") { try await !carol.members(id).contains(alice.key) }
                #expect(try await carol.circles.reader.overview().circles.first?.avatars.isEmpty == true)
            }
        }
    }

    @Test("of two pictures the later one is kept, whichever comes first")
    func order() async throws {
        try await bench.running { alice, bob, id in
            let keeper = try alice.circles.store
            let now = bench.mail.now
            // Two programs of one person, one with a clock that is behind.
            for (file, moment) in [(first, now), (second, now - .seconds(60))] {
                let draft = CircleMessage.avatar(
                    CircleImage(jpeg: file), readers: [], sentAt: moment, now: now)
                let (_, _, tasks) = try await keeper.send(draft, in: id)
                try await alice.circles.work.plan(tasks)
            }
            try await alice.circles.messaging.send("done", replyTo: nil, in: id)
            // Relays are offered all of them at once, so that what was said last may come first.
            try await bench.mail.eventually("bob has read all") {
                let (lines, picture) = (try await bob.lines(id), try await bob.picture(of: alice.key, id))
                return lines == ["done"] && picture == first
            }
            try await alice.circles.messaging.send("again", replyTo: nil, in: id)
            try await bench.mail.eventually("and what came after") { try await bob.lines(id) == ["done", "again"] }
            #expect(try await bob.picture(of: alice.key, id) == first)
            #expect(try await alice.picture(of: alice.key, id) == first)
        }
    }

    @Test("pictures rest sealed, and a damaged one is none")
    func atRest() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.pictures.setAvatar(first, in: id)
            try await bench.mail.eventually("bob sees it") { try await bob.picture(of: alice.key, id) == first }
            let found = try await bench.bobRecords.records(in: CircleTable.pictures)
            #expect(found.count == 1)
            let record = try #require(found.first)
            #expect(!record.key.contains(alice.key.hex) && !record.value.starts(with: [0xFF, 0xD8]))
            let inside = first[40..<80]
            #expect(!record.value.indices.contains { record.value[$0...].starts(with: inside) })
            var damaged = record.value
            damaged[damaged.count / 2] ^= 1
            try await bench.bobRecords.put(damaged, for: record.key, in: CircleTable.pictures)
            #expect(try await bob.picture(of: alice.key, id) == nil)
        }
    }
}
