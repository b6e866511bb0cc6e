import Circles
import NostrClient
import NostrCore
import NostrTesting
import Testing

/// Our side is a whole account, theirs MDK with nostr-sdk; between them is nothing but a relay.
@Suite(
    "Circles with MDK over a relay", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct CirclesAgainstMDKTests {
    @Test(
        "we found a circle; they come in, talk, are on the map, follow a new name, are removed, and leave",
        arguments: RelayProgram.allCases)
    func ourCircle(program: RelayProgram) async throws {
        try await CircleScene.play(program, ours: .alice, theirs: .bob, .carol) { relay, alice, bob, carol in
            // Bob is found by his lists and his key package.
            try await bob.must(["announce"])
            let id = try await alice.circles.membership.create("Tea", about: "", relays: [relay])
            try await alice.circles.membership.add([TestPerson.bob.publicKey], to: id)
            #expect(try await bob.must(["welcomed"]) == [id.hex, alice.key.hex, "Tea"])
            try await CircleScene.agree(alice, id, [bob])
            try await CircleScene.talk(alice, .alice, bob, .bob, in: id)
            try await CircleScene.sendPlaces(alice, .alice, bob, .bob, in: id)

            var edit = CircleEdit()
            edit.name = "Coffee ☕"
            try await alice.circles.administration.edit(id, edit)
            try await alice.until(epoch: 2, of: id)
            try await CircleScene.agree(alice, id, [bob])

            // Carol has no lists at all, as who uses Whistle, and asks.
            try await carol.must(["ask", id.hex, alice.key.hex, "Carol"])
            try await alice.until("Carol's request") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 1).requests.map(\.name) == ["Carol"]
            }
            try await alice.circles.membership.admit([TestPerson.carol.publicKey], to: id)
            #expect(try await carol.must(["welcomed"]) == [id.hex, alice.key.hex, "Coffee ☕"])
            try await CircleScene.agree(alice, id, [bob, carol])
            try await CircleScene.talk(alice, .alice, carol, .carol, in: id)

            try await alice.circles.administration.remove([TestPerson.carol.publicKey], from: id)
            try await alice.until(epoch: 4, of: id)
            try await alice.circles.messaging.send("just us", replyTo: nil, in: id)
            #expect(try await CircleScene.hears(bob, "just us", in: id))
            try await CircleScene.agree(alice, id, [bob])
            let read = try await carol.must(["all", id.hex])
            #expect(read.contains("commit") && !read.contains("application_message"), "\(read)")

            // We let go who wants to leave, after a while in which others may do it.
            try await bob.must(["leave", id.hex])
            try await alice.until("Bob wants to leave") {
                try await alice.member(.bob, of: id)?.isLeaving ?? true
            }
            alice.setWatch(.seconds(6))
            try await alice.until(epoch: 5, of: id)
            #expect(try await alice.circles.reader.page(of: id, before: nil, limit: 1).members.map(\.id) == [alice.key])
        }
    }

    @Test("files and the circle's picture go both ways, and open after later changes")
    func files() async throws {
        let blobs = SealedBlobs()
        let program = try #require(RelayProgram.allCases.first)
        try await CircleScene.play(program, ours: .alice, theirs: .bob, .carol, blobs: blobs) { relay, alice, bob, _ in
            try await bob.must(["announce"])
            let id = try await alice.circles.membership.create("Tea", about: "", relays: [relay])
            try await alice.circles.membership.add([TestPerson.bob.publicKey], to: id)
            try await bob.must(["welcomed"])
            try await CircleScene.agree(alice, id, [bob])

            // One dot.
            let file =
                Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
                + [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
            try await alice.circles.files.send(
                OutgoingFile(bytes: file, name: "weir.gif"), "ours", replyTo: nil, in: id)
            let sealed = try #require(blobs.all.first)
            #expect(try await bob.must(["opened", id.hex, encodeHex(sealed)]) == [encodeHex(file)])

            let shared = try await bob.must(["share", id.hex, SealedBlobs.folder])
            blobs.put(try bytes(shared[1]))
            try await alice.until("Bob's picture") { try await alice.lines(id).contains("the weir") }
            var edit = CircleEdit()
            edit.name = "Coffee"
            try await alice.circles.administration.edit(id, edit)
            try await alice.until(epoch: 2, of: id)
            try await CircleScene.agree(alice, id, [bob])
            let page = try await alice.circles.reader.page(of: id, before: nil, limit: 50)
            let line = try #require(page.lines.last { $0.body == .text("the weir") })
            #expect(line.files.map(\.name) == ["weir.png"] && line.files.map(\.dimensions) == ["8x8"])
            #expect(try await alice.circles.files.open(0, of: line.id, in: id).sort == .png)

            // A picture of ours for them, then, as an admin, one of theirs for us.
            let before = Set(blobs.all)
            try await alice.circles.files.setGroupPicture(file, in: id)
            try await alice.until(epoch: 3, of: id)
            try await CircleScene.agree(alice, id, [bob])
            let picture = try #require(Set(blobs.all).subtracting(before).first)
            #expect(try await bob.must(["dressed", id.hex, encodeHex(picture)]) == [encodeHex(file)])
            edit = CircleEdit()
            edit.promoted = [TestPerson.bob.publicKey]
            try await alice.circles.administration.edit(id, edit)
            try await alice.until(epoch: 4, of: id)
            try await CircleScene.agree(alice, id, [bob])
            let theirs = try await bob.must(["dress", id.hex])
            blobs.put(try bytes(theirs[1]))
            try await alice.until(epoch: 5, of: id)
            let known = try #require(try await alice.circles.reader.overview().circles.first { $0.id == id }?.picture)
            #expect(try await alice.circles.files.groupPicture(known, in: id)?.sort == .png)
        }
    }

    private func bytes(_ hex: String) throws -> [UInt8] { try decodeHex(hex, byteCount: hex.utf8.count / 2) }

    @Test(
        "they found a circle and let us in unasked; both renew their keys, race, and leave",
        arguments: RelayProgram.allCases)
    func theirCircle(program: RelayProgram) async throws {
        try await CircleScene.play(program, ours: .bob, theirs: .alice, .carol) { relay, bob, alice, carol in
            // Who is in a circle has published a key package.
            _ = try await bob.circles.membership.create("Own", about: "", relays: [relay])
            let made = try await alice.must(["found", "Tea", bob.key.hex])
            let id = try #require(CircleID(hex: made[0]))
            try await bob.until("Bob is asked") { try await !bob.circles.reader.overview().invitations.isEmpty }
            let invitation = try #require(try await bob.circles.reader.overview().invitations.first)
            #expect(invitation.id == id && invitation.name == "Tea")
            #expect(invitation.inviter.key == TestPerson.alice.publicKey)
            #expect(try await bob.standing(in: id) == nil)
            try await bob.circles.membership.acceptInvitation(to: id)
            try await CircleScene.agree(bob, id, [alice])

            // Who has joined renews their keys soon.
            bob.setWatch(.seconds(6))
            try await bob.until(epoch: 2, of: id)
            try await CircleScene.agree(bob, id, [alice])
            bob.setWatch(.zero)
            try await alice.must(["update", id.hex])
            try await bob.until(epoch: 3, of: id)
            try await CircleScene.agree(bob, id, [alice])
            try await CircleScene.talk(bob, .bob, alice, .alice, in: id)
            try await CircleScene.sendPlaces(bob, .bob, alice, .alice, in: id)

            // They rename, make us an admin, and add a third.
            try await alice.must(["rename", id.hex, "Coffee ☕"])
            try await alice.must(["promote", id.hex, bob.key.hex])
            try await carol.must(["announce"])
            try await alice.must(["add", id.hex, TestPerson.carol.publicKey.hex])
            #expect(try await carol.must(["welcomed"]).last == "Coffee ☕")
            try await bob.until(epoch: 6, of: id)
            try await CircleScene.agree(bob, id, [alice, carol])
            #expect(try await bob.circles.reader.overview().circles.first { $0.id == id }?.isAdmin == true)

            // Both commit on the same epoch. The older commit counts, whoever hears of it when.
            try await CircleScene.race(
                bob, ahead: .seconds(5), alice, "commit", [alice, carol], in: id, "Juice", ends: 8)
            try await CircleScene.race(
                bob, ahead: .seconds(-5), alice, "concede", [alice, carol], in: id, "Milk", ends: 9)
            try await CircleScene.talk(bob, .bob, alice, .alice, in: id)

            // Carol asks to leave, and Alice's MDK commits that at once; then Bob, who is no admin any more.
            try await carol.must(["leave", id.hex])
            try await alice.must(["until", id.hex, "10"])
            try await bob.until(epoch: 10, of: id)
            try await CircleScene.agree(bob, id, [alice])
            var edit = CircleEdit()
            edit.demoted = [bob.key]
            try await bob.circles.administration.edit(id, edit)
            try await bob.until(epoch: 11, of: id)
            try await bob.circles.administration.leave(id)
            try await alice.must(["until", id.hex, "12"])
            try await bob.until("Bob is out") { try await bob.standing(in: id) == .left }
            #expect(try await alice.must(["state", id.hex]).suffix(1) == [TestPerson.alice.publicKey.hex])
        }
    }
}
