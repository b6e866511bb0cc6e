import AccountTesting
import Location
import LocationTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// What a circle shows to somebody who muted one of its members.
@Suite(.timeLimit(.minutes(10)))
struct MutedMembersTests {
    let bench = SharingBench()

    /// A mute list of somebody, as it comes from another device.
    private func mute(_ tags: [NostrCore.Tag], by person: MailPerson, at second: Int64 = 0) async throws {
        let list = person.who.event(kind: 10_000, tags: tags, at: bench.mail.now.seconds + second)
        _ = await person.store.save([list], from: nil)
        try await bench.mail.eventually("the list is in force") {
            await person.account.services.mutes.upToDate()
                == Mutes(tags.compactMap { ListItem(tag: $0) }, owner: person.key)
        }
    }

    private func page(_ id: CircleID, of person: MailPerson) async throws -> CirclePage {
        try await person.circles.reader.page(of: id, before: nil, limit: 50)
    }

    private func bodies(_ page: CirclePage) -> [CircleLine.Body] {
        page.lines.map(\.body).filter { if case .change = $0 { false } else { true } }
    }

    @Test("a muted member's line is a mark that says nothing, and is shown to whoever asks for that one")
    func lines() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.messaging.setNickname("Mutilda", in: id)
            try await alice.circles.messaging.send("first words", replyTo: nil, in: id)
            try await bench.mail.eventually("bob reads it") { try await bob.lines(id) == ["first words"] }
            let line = try #require(try await page(id, of: bob).lines.last)
            try await alice.circles.messaging.react(to: line.id, in: id, with: "🔥")
            try await bob.circles.messaging.send("an answer", replyTo: line.id, in: id)
            try await bob.circles.messaging.react(to: line.id, in: id, with: "+")
            try await bench.mail.eventually("all of it is there") {
                let page = try await page(id, of: bob)
                return page.lines.first { $0.id == line.id }?.reactions.count == 2
                    && page.members.contains { $0.nickname == "Mutilda" }
            }
            let before = try await page(id, of: bob)
            #expect(before.summary.unread > 0)
            #expect(before.lines.last?.replyExcerpt == "first words")

            try await mute([["p", alice.key.hex]], by: bob)
            let after = try await page(id, of: bob)
            #expect(bodies(after) == [.muted(.person), .text("an answer")])
            let mark = try #require(after.lines.first { $0.id == line.id })
            #expect(mark.reactions.isEmpty && mark.files.isEmpty && mark.replyTo == nil)
            #expect(after.lines.last?.replyTo == line.id && after.lines.last?.replyExcerpt == nil)
            #expect(after.members.allSatisfy { $0.nickname == nil && $0.picture == nil })
            #expect(after.members.first { $0.id == alice.key }?.person.isMuted == true)
            #expect(after.summary.unread == 0 && after.summary.avatars[alice.key] == nil)

            let shown = try #require(try await bob.circles.reader.line(line.id, in: id))
            #expect(shown.body == .text("first words"))
            // Asked for is the line, not what she thinks of it.
            #expect(shown.reactions.map(\.author) == [bob.key])
            #expect(try await bob.circles.reader.line(bob.who.event("x").id, in: id) == nil)

            try await mute([], by: bob, at: 1)
            #expect(try await bodies(page(id, of: bob)) == [.text("first words"), .text("an answer")])
        }
    }

    @Test("the picture of a muted member's reaction is not sent along")
    func joining() async throws {
        try await bench.running { alice, bob, id in
            let url = "https://e.example/linnet.png"
            let list = alice.who.event(
                kind: 10_030, tags: [["emoji", "linnet", url]], at: bench.mail.now.seconds)
            _ = await alice.store.save([list], from: nil)
            try await bob.circles.messaging.send("a bird", replyTo: nil, in: id)
            try await bench.mail.eventually("alice reads it") { try await alice.lines(id) == ["a bird"] }
            let line = try #require(try await page(id, of: bob).lines.last)
            try await alice.circles.messaging.react(to: line.id, in: id, with: ":linnet:")
            try await bench.mail.eventually("bob sees it") {
                try await page(id, of: bob).lines.last?.reactions.map { $0.emoji?.url } == [url]
            }
            try await mute([["p", alice.key.hex]], by: bob)
            try await bob.circles.messaging.react(to: line.id, in: id, with: ":linnet:", showing: url)
            let shown = try await page(id, of: bob).lines.last?.reactions
            #expect(shown == [MessageReaction(content: ":linnet:", author: bob.key)])
        }
    }

    @Test("a muted member's lines are not counted as unread, and do not stand in the list of circles")
    func newest() async throws {
        try await bench.running { alice, bob, id in
            try await bob.circles.messaging.send("mine", replyTo: nil, in: id)
            try await bob.circles.messaging.markRead(id)
            try await mute([["p", alice.key.hex]], by: bob)
            bench.pass(10)
            try await alice.circles.messaging.send("hers", replyTo: nil, in: id)
            try await bench.mail.eventually("it came") {
                try await bodies(page(id, of: bob)) == [.text("mine"), .muted(.person)]
            }
            let circle = try #require(try await bob.circles.reader.overview().circles.first)
            #expect(circle.unread == 0 && circle.newest?.body == .text("mine"))
            // Of somebody who is not muted it is counted again.
            try await mute([], by: bob, at: 1)
            let again = try #require(try await bob.circles.reader.overview().circles.first)
            #expect(again.unread == 1 && again.newest?.body == .text("hers"))
            try await bob.circles.messaging.markRead(id)
            #expect(try await bob.circles.reader.overview().circles.first?.unread == 0)
        }
    }

    @Test("a muted word hides a line of anybody's but one's own, and no change of the circle")
    func words() async throws {
        try await bench.running { alice, bob, id in
            try await mute([["word", "zanzibar"]], by: bob)
            try await bob.circles.messaging.send("zanzibar, I say", replyTo: nil, in: id)
            try await alice.circles.messaging.send("off to ＺＡＮＺＩＢＡＲ", replyTo: nil, in: id)
            try await bench.mail.eventually("both are there") {
                try await Set(bodies(page(id, of: bob))) == [.text("zanzibar, I say"), .muted(.word)]
            }
            let seen = try await page(id, of: bob)
            #expect(seen.lines.contains { if case .change = $0.body { true } else { false } })
            // Nothing of it is counted, and reading the circle ends it all the same.
            #expect(seen.summary.unread == 0 && seen.summary.unreadHidden > 0)
            try await bob.circles.messaging.markRead(id)
            #expect(try await page(id, of: bob).summary.unreadHidden == 0)
        }
    }

    @Test("nothing is told of where a muted member is, while their place stays on the map")
    func notices() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(metres: 2000, alice, to: bob, id)
            try await bob.circles.places.name("Home", centre: Places.home, radius: 150, in: id)
            bench.pass(60)
            try await bench.show(alice, to: bob, id)
            try await bench.mail.eventually("that she came is noticed") {
                try await bob.circles.places.notices(in: id).count == 1
            }
            try await mute([["p", alice.key.hex]], by: bob)
            #expect(try await bob.circles.places.notices(in: id).isEmpty)
            #expect(try await bob.sees(alice, id)?.place != nil)
        }
    }

    @Test("a muted person's request to join is not counted and has no name; their invitation is not there")
    func requests() async throws {
        let mail = bench.mail
        mail.layOut(.alice, .bob)
        let (alice, bob) = (mail.person(.alice), mail.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await mail.running(alice, bob) {
            try await mail.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            let id = try await bob.circles.membership.create("Family", about: "", relays: [relay("circle")])
            let invite = try await bob.circles.membership.invite(to: id)
            try await alice.circles.membership.ask(invite, name: "Mutilda")
            try await mail.eventually("she asks") {
                try await page(id, of: bob).requests.map(\.name) == ["Mutilda"]
            }
            #expect(try await bob.circles.reader.overview().circles.first?.requests == 1)
            let other = try await alice.circles.membership.create("Hers", about: "", relays: [relay("circle")])
            try await mail.eventually("bob can be added") {
                do {
                    try await alice.circles.membership.add([bob.key], to: other)
                    return true
                } catch is CircleError { return false }
            }
            try await mail.eventually("bob is asked") { try await !bob.circles.reader.overview().invitations.isEmpty }

            try await mute([["word", "hers"]], by: bob)
            let veiled = try await bob.circles.reader.overview().invitations
            #expect(veiled.map(\.muted) == [.word] && veiled.map(\.inviter.key) == [alice.key])
            try await mute([["p", alice.key.hex]], by: bob, at: 1)
            let overview = try await bob.circles.reader.overview()
            #expect(overview.circles.first { $0.id == id }?.requests == 0 && overview.invitations.isEmpty)
            let request = try #require(try await page(id, of: bob).requests.first)
            #expect(request.id == alice.key && request.person.isMuted && request.name == nil)
            // Who is let in all the same is in.
            try await bob.circles.membership.admit([alice.key], to: id)
            try await mail.eventually("alice is in") { try await alice.isIn(id) }
        }
    }
}
