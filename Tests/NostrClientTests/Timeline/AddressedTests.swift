import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What names an article, a film or a stream by its address alone.
struct AddressedTests {
    let bench = AccountBench()
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol
    let dave = TestPerson.dave

    private var article: Event { bob.event("on rain", kind: 30_023, tags: [["d", "rain"]], at: seconds(-60)) }
    private var address: String { "30023:\(bob.publicKey.hex):rain" }

    private func shown() async throws -> Note? {
        try await bench.account.timeline.thread(article.id, hints: []).focus
    }

    @Test("what names an address alone counts, what names the version too counts once, another address not")
    func counts() async throws {
        let both: [NostrCore.Tag] = [["e", article.id.hex], ["a", address]]
        let older: [NostrCore.Tag] = [["e", String(repeating: "a", count: 64)], ["a", address], ["k", "30023"]]
        _ = await bench.store.save(
            [
                article, carol.event("+", kind: 7, tags: [["a", address]]), dave.event("+", kind: 7, tags: both),
                carol.event("🔥", kind: 7, tags: older),
                carol.event(kind: 16, tags: [["a", address], ["k", "30023"]]),
                carol.event("well", kind: 1111, tags: [["A", address], ["a", address], ["k", "30023"]]),
                dave.event("so it is", tags: [["a", address, "", "root"]]),
                // Mentioned, said in its chat, and about another one.
                dave.event("read this", tags: [["a", address, "", "mention"]]),
                dave.event(
                    "💜", kind: 7, tags: [["e", String(repeating: "b", count: 64)], ["a", address], ["k", "1311"]]),
                dave.event("+", kind: 7, tags: [["a", address + "y"]]),
            ], from: nil)
        let note = try #require(try await shown())
        #expect((note.reactions, note.reposts, note.replies) == (3, 1, 2))
        #expect(note.ownReaction == nil && !note.isRepostedByMe)
    }

    @Test("people who are muted count for nothing, and an answer of theirs further down takes nothing from the root")
    func muted() async throws {
        let comment = carol.event("well", kind: 1111, tags: [["E", article.id.hex], ["e", article.id.hex]])
        _ = await bench.store.save(
            [
                article, comment, dave.event("+", kind: 7, tags: [["a", address]]),
                dave.event("no", kind: 1111, tags: [["E", article.id.hex], ["e", comment.id.hex]]),
                alice.event(kind: 10_000, tags: [["p", dave.publicKey.hex]]),
            ], from: nil)
        let thread = try await bench.account.timeline.thread(article.id, hints: [])
        #expect(thread.focus?.reactions == 0)
        #expect(thread.focus?.replies == 1)
    }

    @Test("the account's own marks by address are its own, are told by meaning, and are taken back")
    func own() async throws {
        let marks = [
            alice.event("🔥", kind: 7, tags: [["a", address]]),
            alice.event(kind: 16, tags: [["a", address], ["k", "30023"]]),
        ]
        _ = await bench.store.save([article, carol.event("🔥", kind: 7, tags: [["a", address]])] + marks, from: nil)
        let note = try #require(try await shown())
        #expect(note.ownReaction == "🔥" && note.isRepostedByMe)
        let reactions = try #require(bench.account.reactions)
        let groups = try await reactions.reactions(to: article.id)
        #expect(groups.map(\.content) == ["🔥"] && groups.first?.count == 2 && groups.first?.isOwn == true)
        let taken = try await bench.account.publishing.unreact(to: article.id)
        #expect(taken.tags.named("e").map(\.value) == [marks[0].id.hex])
        let undone = try await bench.account.publishing.unrepost(article.id)
        #expect(undone.tags.named("e").map(\.value) == [marks[1].id.hex])
    }

    @Test("a reaction to a line of a chat is not taken back with one to what the chat is about")
    func chat() async throws {
        let line = bob.event("hello", kind: 1311, tags: [["a", address]], at: seconds(-50))
        let marks = [
            alice.event("🔥", kind: 7, tags: [["a", address]], at: seconds(-40)),
            // It does not say of which kind that is.
            alice.event("💜", kind: 7, tags: [["e", line.id.hex], ["a", address]], at: seconds(-30)),
        ]
        _ = await bench.store.save([article, line] + marks, from: nil)
        let taken = try await bench.account.publishing.unreact(to: article.id)
        #expect(taken.tags.named("e").map(\.value) == [marks[0].id.hex])
    }

    @Test("a reaction without a kind counts for the line of a chat that it names, not for what the chat is about")
    func withoutKind() async throws {
        // By the author of what the chat is about: only the line itself says that it is one.
        let line = bob.event("hello", kind: 1311, tags: [["a", address]], at: seconds(-50))
        let lost = String(repeating: "c", count: 64)
        _ = await bench.store.save(
            [
                article, line, carol.event("💜", kind: 7, tags: [["e", line.id.hex], ["a", address]]),
                alice.event("💜", kind: 7, tags: [["e", line.id.hex], ["a", address]]),
                // A line that is not here, of somebody else; then what may be an older version of the article.
                carol.event("🔥", kind: 7, tags: [["e", lost], ["p", dave.publicKey.hex], ["a", address]]),
                dave.event("+", kind: 7, tags: [["e", lost], ["p", bob.publicKey.hex], ["a", address]]),
            ], from: nil)
        let note = try #require(try await shown())
        #expect(note.reactions == 1 && note.ownReaction == nil)
        let reactions = try #require(bench.account.reactions)
        let about = try await reactions.reactions(to: article.id)
        #expect(about.map(\.content) == ["+"])
        let said = try await reactions.reactions(to: line.id)
        #expect(said.map(\.content) == ["💜"] && said.first?.count == 2)
    }

    @Test("answers that name the address alone stand below it, and lead up to it")
    func conversation() async throws {
        let comment = carol.event(
            "well", kind: 1111, tags: [["A", address], ["K", "30023"], ["a", address], ["k", "30023"]],
            at: seconds(-50))
        let answer = dave.event(
            "indeed", kind: 1111, tags: [["A", address], ["K", "30023"], ["e", comment.id.hex], ["k", "1111"]],
            at: seconds(-40))
        let note = dave.event("so it is", tags: [["a", address, "", "root"]], at: seconds(-30))
        _ = await bench.store.save([article, comment, answer, note], from: nil)
        let thread = try await bench.account.timeline.thread(article.id, hints: [])
        #expect(thread.replies.map(\.note.event) == [comment, answer, note])
        #expect(thread.replies.map(\.depth) == [0, 1, 0])
        let below = try await bench.account.timeline.thread(comment.id, hints: [])
        #expect(below.ancestors.map(\.event) == [article])
    }

    @Test("a repost by address alone shows the version in force, and nothing of whom the account mutes")
    func reposted() async throws {
        let older = bob.event("on snow", kind: 30_023, tags: [["d", "rain"]], at: seconds(-90))
        let repost = carol.event(kind: 16, tags: [["a", address], ["k", "30023"]], at: seconds(-20))
        let other = carol.event(kind: 16, tags: [["a", "30023:\(dave.publicKey.hex):x"]], at: seconds(-10))
        let muted = dave.event("no", kind: 30_023, tags: [["d", "x"]], at: seconds(-50))
        _ = await bench.store.save(
            [
                older, article, repost, other, muted, alice.event(kind: 3, tags: [["p", carol.publicKey.hex]]),
                alice.event(kind: 10_000, tags: [["p", dave.publicKey.hex]]),
            ], from: nil)
        let home = try await bench.home()
        #expect(home.map(\.event) == [repost] && home.first?.reposted.map(\.event) == [article])
        #expect(home.first?.reposted.first?.reposts == 1)
    }

    @Test("what a repost names by its address is asked for where its author writes, and then shown")
    func repostFetched() async throws {
        bench.layOutPeople()
        let named: [NostrCore.Tag] = [["a", address, "wss://bob.example"], ["k", "30023"]]
        let repost = carol.event(kind: 16, tags: named, at: seconds(-20))
        _ = await bench.store.save(
            [
                repost, alice.event(kind: 3, tags: [["p", carol.publicKey.hex]]),
                bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]]),
            ], from: nil)
        bench.network.put([article], on: relay("bob"))
        try await bench.running {
            try await bench.eventually("the article is there") {
                try await bench.home().first { $0.event == repost }?.reposted.map(\.event) == [article]
            }
        }
    }

    @Test("relays are asked by address for what can be replaced, and for nothing else")
    func asked() async throws {
        bench.layOutPeople()
        let note = bob.event("a note", at: seconds(-50))
        let long = bob.event(
            "x", kind: 30_023, tags: [["d", String(repeating: "x", count: 2_000)]], at: seconds(-40))
        let lists = [
            alice.event(kind: 3, tags: [["p", bob.publicKey.hex]]),
            alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]]),
            bob.event(kind: 10_002, tags: [["r", "wss://bob.example"]]),
        ]
        _ = await bench.store.save([article, note, long] + lists, from: nil)
        bench.network.put([carol.event("+", kind: 7, tags: [["a", address]], at: seconds(-30))], on: relay("bob"))
        try await bench.running {
            for event in [note, long] { _ = try await bench.account.timeline.thread(event.id, hints: []) }
            try await bench.eventually("the reaction counts") { try await shown()?.reactions == 1 }
        }
        let places = bench.network.questions.flatMap(\.filters).compactMap { $0.tags["a"] }
        #expect(!places.isEmpty && places.allSatisfy { $0 == [address] })
    }

    @Test("what is stored about an address in view touches the version that is shown")
    func touched() throws {
        let view = AddressesInView()
        let like = carol.event("+", kind: 7, tags: [["a", address]])
        #expect(view.touched(by: like).isEmpty)
        view.show([try #require(article.address): article.id])
        #expect(view.touched(by: like) == [article.id])
        #expect(view.touched(by: carol.event("x", kind: 9, tags: [["a", address]])).isEmpty)
    }
}
