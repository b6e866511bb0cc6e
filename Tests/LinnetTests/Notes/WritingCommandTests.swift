import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// The verbs that publish, over one relay.
@Suite("verbs that publish, over a real relay", .timeLimit(.minutes(10)))
struct WritingCommandTests {
    @Test("notes, pictures, polls, votes, reactions, emoji, statuses and articles go out and come back")
    func writing() async throws {
        try await withCommandWorld { world in
            try posts(world)
            try polls(world)
            try reactions(world)
            try emoji(world)
            try status(world)
            try articles(world)
            try readOnly(world)
        }
    }

    private func posts(_ world: CommandWorld) throws {
        let file = "https://media.example/weir.jpg"
        let note = try world.run("post", "note", "-", "--file", file, "--alt", "A weir", input: "Look at this\n")
        #expect(note.status == 0, "\(note.errors)")
        let line = try object(note.line)
        #expect(line["kind"] == .number("1") && line["content"]?.string == "Look at this\n\(file)")
        let imeta = line["tags"]?.elements.first { $0.elements.first?.string == "imeta" }?.elements.map(\.string) ?? []
        #expect(imeta.contains("url \(file)") && imeta.contains("alt A weir"), "\(imeta)")
        let picture = try world.run("post", "picture", "Dawn", "--title", "The weir", "--file", file)
        #expect(picture.status == 0, "\(picture.errors)")
        #expect(try object(picture.line)["kind"] == .number("20"))
        let empty = try world.run("post", "note")
        #expect(empty.status == 1 && empty.errors.contains("There is nothing to publish yet."), "\(empty.errors)")
    }

    private func polls(_ world: CommandWorld) throws {
        let asked = try world.run("poll", "create", "Which way?", "-o", "North", "-o", "South", "--hours", "2")
        #expect(asked.status == 0, "\(asked.errors)")
        #expect(try object(asked.line)["kind"] == .number("1068"))
        let one = try world.run("poll", "create", "Which way?", "-o", "North")
        #expect(one.status == 1 && one.output.isEmpty && !one.errors.isEmpty, "\(one.errors)")

        let poll = world.posts.poll.id.hex
        let voted = try world.run("poll", "vote", poll, "2")
        #expect(voted.status == 0, "\(voted.errors)")
        let tags = try object(voted.line)["tags"]?.elements.map { $0.elements.map(\.string) } ?? []
        #expect(tags.contains(["response", "b"]), "\(tags)")
        let results = try object(try world.run("poll", "results", poll).line)
        #expect(results["voters"] == .number("1"))
        #expect(results["options"]?.elements.map { $0["own"] } == [.bool(false), .bool(true)])
        let odd = try world.run("poll", "vote", poll, "Magpie")
        #expect(odd.status == 1 && odd.errors.contains("The poll has no answer 'Magpie'."), "\(odd.errors)")
        let none = try world.run("poll", "results", world.posts.note.id.hex)
        #expect(none.status == 1 && none.errors.contains("is not a poll"), "\(none.errors)")
    }

    private func reactions(_ world: CommandWorld) throws {
        let note = world.posts.note.id.hex
        let reacted = try world.run("react", note, "🐦")
        #expect(reacted.status == 0, "\(reacted.errors)")
        #expect(try object(reacted.line)["content"]?.string == "🐦")
        let listed = try world.lines(try world.run("react", note, "--list"))
        let own = listed.first { $0["content"]?.string == "🐦" }
        #expect(own?["count"] == .number("1") && own?["own"] == .bool(true), "\(listed)")
        let off = try world.run("react", note, "🐦", "--off")
        #expect(off.status == 0, "\(off.errors)")
        #expect(try object(off.line)["kind"] == .number("5"))
        let again = try world.run("react", note, "🐦", "--off")
        #expect(again.status == 1 && again.errors.contains("You have not reacted to this note with 🐦."))
    }

    private func emoji(_ world: CommandWorld) throws {
        let (note, code) = (world.posts.note.id.hex, try world.posts.code(world.posts.pack))
        let unknown = try world.run("react", note, ":kingfisher:")
        #expect(unknown.status == 1 && unknown.errors.contains("You have no emoji with this name"), "\(unknown.errors)")
        let found = try world.run("emoji", "list", "--found")
        #expect(try object(found.line)["naddr"]?.string == code, "\(found.errors)")
        let adopted = try world.run("emoji", "adopt", code)
        #expect(adopted.status == 0, "\(adopted.errors)")
        let listed = try object(try world.run("emoji", "list").line)
        #expect(listed["adopted"] == .bool(true) && listed["emoji"]?.elements == [.string("kingfisher")])
        #expect(try object(world.run("react", note, ":kingfisher:").line)["content"]?.string == ":kingfisher:")
        #expect(try world.run("emoji", "leave", code).status == 0)
        #expect(try world.run("emoji", "list").output.isEmpty)
        let missing = try world.run("emoji", "adopt", "30030:\(world.posts.author.hex):nothing")
        let nowhere = "None of the relays that were asked has this pack."
        #expect(missing.status == 1 && missing.errors.contains(nowhere), "\(missing.errors)")
    }

    private func status(_ world: CommandWorld) throws {
        let set = try world.run("status", "set", "At the weir", "--lasts", "hour", "--link", "https://weir.example")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try object(set.line)["kind"] == .number("30315"))
        let shown = try object(try world.run("status", "show").line)
        #expect(shown["text"]?.string == "At the weir" && shown["expires"] != nil)
        let odd = try world.run("status", "set", "At the weir", "--link", "the weir")
        #expect(odd.status == 1 && odd.output.isEmpty && !odd.errors.isEmpty, "\(odd.errors)")
        let cleared = try world.run("status", "clear")
        #expect(cleared.status == 0, "\(cleared.errors)")
        #expect(try object(cleared.line)["content"]?.string == "")
    }

    private func articles(_ world: CommandWorld) throws {
        let published = try world.run("article", "publish", "-", "--topic", "#birds", input: "# A bridge\n\nOver it.\n")
        #expect(published.status == 0, "\(published.errors)")
        #expect(try object(published.line)["kind"] == .number("30023"))
        let listed = try object(try world.run("article", "list").line)
        #expect(listed["title"]?.string == "A bridge" && listed["topics"]?.elements == [.string("birds")])
        let untitled = try world.run("article", "publish", "-", input: "No heading.\n")
        #expect(untitled.status == 1 && untitled.errors.contains("give the title with --title"), "\(untitled.errors)")
    }

    /// Somebody whose key is not here publishes nothing.
    private func readOnly(_ world: CommandWorld) throws {
        let author = world.posts.author.npub
        #expect(try world.run("account", "add", "--read-only", author).status == 0)
        for verb in [["post", "note", "Hello"], ["react", world.posts.note.id.hex], ["status", "set", "Here"]] {
            let refused = try world.reader.run(verb + ["--account", author])
            #expect(refused.status == 1 && refused.output.isEmpty, "\(verb)")
            #expect(refused.errors.contains("Only the public key of this account"), "\(verb): \(refused.errors)")
        }
    }
}
