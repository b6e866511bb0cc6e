import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// The verbs that read, over one relay with something of each kind on it.
@Suite("verbs that read, over a real relay", .timeLimit(.minutes(10)))
struct ReadingCommandTests {
    @Test("feeds, articles, streams and statuses are printed as lines of JSON; what is not there is said")
    func reading() async throws {
        try await withCommandWorld { world in
            try feeds(world)
            try articles(world)
            try streams(world)
            try search(world)
            try statusOfOthers(world)
            try heard(world)
            try trending(world)
            try trends(world)
            try reports(world)
            try forgetting(world)
            try muted(world)
        }
    }

    private func feeds(_ world: CommandWorld) throws {
        let note = world.posts.note
        for feed in ["following", "list:30000:birders", "relay:\(world.reader.relay)"] {
            let printed = try world.run("notes", "--feed", feed)
            #expect(printed.status == 0, "\(feed): \(printed.errors)")
            let ids = try world.lines(printed).map { $0["id"]?.string }
            #expect(ids.contains(note.id.hex), "\(feed)")
        }
        let one = try world.run("notes", "-l", "1")
        #expect(try one.status == 0 && world.lines(one).count == 1, "\(one.errors)")
        let all = try world.lines(try world.run("notes", "--feeds")).map { $0["feed"]?.string }
        #expect(all.contains("following") && all.contains("list:30000:birders"), "\(all)")
        let nothing = try world.run("notes", "--feed", "tag:nothingisthere")
        #expect(nothing.status == 1 && nothing.output.isEmpty && nothing.errors.contains("nothing to read in"))
    }

    private func articles(_ world: CommandWorld) throws {
        let code = try world.posts.code(world.posts.article)
        let shown = try world.run("article", "show", code)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(try object(shown.line)["id"]?.string == world.posts.article.id.hex)
        #expect(try world.run("article", "show", "nostr:" + code, "--markdown").line == "Water **falls**.")
        let listed = try world.run("article", "list", world.posts.author.npub)
        #expect(try object(listed.line)["title"]?.string == "The weir", "\(listed.errors)")
        #expect(try object(listed.line)["naddr"]?.string == code)
        let own = try world.run("article", "list")
        #expect(own.status == 0 && own.output.isEmpty, "\(own.errors)")
        let address = EventAddress("30023:\(world.posts.author.hex):nothing")
        let unknown = try NostrEntity.naddr(AddressPointer(address: try #require(address))).encoded()
        let missing = try world.run("article", "show", unknown)
        #expect(missing.status == 1 && missing.errors.contains("None of the relays that were asked has this article."))
    }

    private func streams(_ world: CommandWorld) throws {
        let code = try world.posts.code(world.posts.stream)
        let listed = try world.run("streams", "list", "--status", "live")
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(try world.lines(listed).map { $0["title"]?.string } == ["Dawn at the weir"])
        #expect(try world.run("streams", "list", "--status", "planned", "--wait", "0").output.isEmpty)
        let shown = try object(try world.run("streams", "show", code).line)
        #expect(shown["status"]?.string == "live" && shown["host"]?.string == world.posts.author.hex)
        let chat = try world.run("streams", "chat", code)
        #expect(try object(chat.line)["content"]?.string == "Listen to that", "\(chat.errors)")
        let said = try world.run("streams", "say", code, "Good morning", "--reply", world.posts.line.id.hex)
        #expect(said.status == 0, "\(said.errors)")
        #expect(try object(said.line)["kind"] == .number("1311"))
        let lines = try world.lines(try world.run("streams", "chat", code))
        #expect(lines.map { $0["content"]?.string } == ["Listen to that", "Good morning"])
        #expect(lines.last?["reply_to"]?.string == world.posts.line.id.hex)
        let address = try #require(EventAddress("30311:\(world.posts.author.hex):dusk"))
        let unknown = try NostrEntity.naddr(AddressPointer(address: address)).encoded()
        let missing = try world.run("streams", "show", unknown)
        #expect(missing.status == 1 && missing.errors.contains("No relay asked has this stream."), "\(missing.errors)")
    }

    private func search(_ world: CommandWorld) throws {
        for place in [["--here"], ["--relay", world.reader.relay]] {
            let found = try world.reader.run(["search", "kingfishers", "--kind", "notes"] + place)
            #expect(found.status == 0, "\(place): \(found.errors)")
            #expect(try world.lines(found).map { $0["id"]?.string } == [world.posts.note.id.hex], "\(place)")
        }
        let nothing = try world.run("search", "nobodywrotethis", "--here")
        #expect(nothing.status == 1 && nothing.output.isEmpty, "\(nothing.errors)")
    }

    private func statusOfOthers(_ world: CommandWorld) throws {
        let shown = try world.run("status", "show", world.posts.author.npub)
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(try object(shown.line)["text"]?.string == "Counting birds")
        #expect(try object(shown.line)["type"]?.string == "general")
    }

    private func heard(_ world: CommandWorld) throws {
        let heard = try world.run("relays", "heard")
        #expect(heard.status == 0, "\(heard.errors)")
        let lines = try world.lines(heard)
        #expect(!lines.isEmpty)
        for line in lines {
            #expect(line["relay"]?.string == world.reader.relay && line["standing"]?.string == "complete", "\(line)")
        }
    }

    /// What is counted is what came, so the reader is given the reaction first.
    private func trending(_ world: CommandWorld) throws {
        let events = [world.posts.note, world.posts.reaction].map { String(decoding: $0.json, as: UTF8.self) + "\n" }
        #expect(try world.run("import", "-", input: events.joined()).status == 0)
        let counted = try world.run("trending", "--within", "7d")
        #expect(counted.status == 0, "\(counted.errors)")
        #expect(try object(counted.line)["id"]?.string == world.posts.note.id.hex)
        let none = try world.run("trending", "--by", "reposts")
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("nothing to read"), "\(none.errors)")
    }

    /// A topic that two people wrote about, and whom two people reacted to.
    private func trends(_ world: CommandWorld) throws {
        let (now, author) = (Timestamp.current.seconds, world.posts.author)
        let events = [
            TestPerson.carol.event("Herons, too", tags: [["t", "birds"]], at: now - 200),
            TestPerson.dave.event(
                "+", kind: 7, tags: [["e", world.posts.note.id.hex], ["p", author.hex], ["k", "1"]], at: now - 100),
        ]
        let text = events.map { String(decoding: $0.json, as: UTF8.self) + "\n" }.joined()
        #expect(try world.run("import", "-", input: text).status == 0)
        let topics = try world.run("trending", "--what", "topics")
        #expect(topics.status == 0, "\(topics.errors)")
        let topic = try object(topics.line)
        #expect(topic["topic"]?.string == "birds" && topic["people"] == .number("2"))
        let people = try world.run("trending", "--what", "people")
        #expect(people.status == 0, "\(people.errors)")
        #expect(try object(people.line)["pubkey"]?.string == author.hex)
    }

    private func reports(_ world: CommandWorld) throws {
        let carol = TestPerson.carol.publicKey
        let sent = try world.run("report", "person", carol.npub, "--reason", "spam")
        #expect(sent.status == 0, "\(sent.errors)")
        let listed = try world.run("report", "list", carol.npub)
        #expect(listed.status == 0, "\(listed.errors)")
        let group = try object(listed.line)
        #expect(group["reason"]?.string == "spam" && group["own"] == .bool(true))
        let nonsense = try world.run("report", "person", carol.npub, "--reason", "dull")
        #expect(nonsense.status == 1 && nonsense.errors.contains("'dull' is not a reason"), "\(nonsense.errors)")
    }

    private func forgetting(_ world: CommandWorld) throws {
        let carol = TestPerson.carol.publicKey.npub
        let spared = try world.run("forget", carol)
        #expect(spared.status == 1 && spared.errors.contains("You do not mute"), "\(spared.errors)")
        let muted = try world.run("list", "add", "mutes", carol)
        #expect(muted.status == 0, "\(muted.errors)")
        let gone = try world.run("forget", carol)
        #expect(gone.status == 0, "\(gone.errors)")
        // Her reaction and her note.
        #expect(try object(gone.line)["deleted"] == .number("2"))
        let followed = try world.run("list", "add", "mutes", world.posts.author.npub)
        #expect(followed.status == 0, "\(followed.errors)")
        #expect(try object(try world.run("forget", world.posts.author.npub).line)["deleted"] == .number("0"))
    }

    /// The author is muted by now: no verb that was not asked for them prints what they say.
    private func muted(_ world: CommandWorld) throws {
        let chat = try world.posts.code(world.posts.stream)
        let verbs = [
            ["notes"], ["notes", "--feed", "tag:birds"], ["notes", "--feed", "relay:\(world.reader.relay)"],
            ["search", "kingfishers", "--here"], ["search", "kingfishers", "--relay", world.reader.relay],
            ["streams", "list"], ["streams", "chat", chat], ["trending", "--within", "7d"],
            ["trending", "--what", "people"], ["trending", "--what", "topics"], ["notifications", "--wait", "1"],
        ]
        for verb in verbs {
            let printed = try world.reader.run(verb)
            for words in ["Kingfishers by the weir", "Which bird?", "Listen to that", "Dawn at the weir"] {
                #expect(!printed.output.contains(words), "\(words) is printed by \(verb.joined(separator: " "))")
            }
        }
        let people = try world.run("trending", "--what", "people")
        #expect(!people.output.contains(world.posts.author.hex))
    }
}
