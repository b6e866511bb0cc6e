import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

/// What an account writes: tags, lists, deletions; and when it refuses to.
struct WritingTests {
    let bench = AccountBench()
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    @Test("a note carries its mentions, topics and warning; the text is kept")
    func note() async throws {
        let text = "hello nostr:\(bob.publicKey.npub) about #Birds and #birds"
        let event = try await bench.account.publishing.publish(
            Composition(text: "  \(text)\n", contentWarning: "feathers"))
        #expect(event.kind == 1)
        #expect(event.content == text)
        #expect(event.tags == [["p", bob.publicKey.hex], ["t", "birds"], ["content-warning", "feathers"]])
        #expect(await bench.store.query([Filter(ids: [event.id])]) == [event])
    }

    @Test("a note tells what wrote it where that is asked for, and else does not")
    func client() async throws {
        var composition = Composition(text: "told")
        composition.client = "Linnet"
        #expect(try await bench.account.publishing.publish(composition).tags == [["client", "Linnet"]])
        #expect(try await bench.account.publishing.publish(Composition(text: "not told")).tags.isEmpty)
    }

    @Test("an answer names root and parent, and tells everybody of the thread but oneself")
    func answer() async throws {
        let root = bob.event("root")
        let first = carol.event(
            "first", tags: ThreadReferences.replyTags(to: root, relay: nil, author: carol.publicKey))
        let parent = bob.event(
            "second",
            tags: ThreadReferences.replyTags(to: first, relay: nil, author: bob.publicKey) + [
                ["p", alice.publicKey.hex]
            ])
        _ = await bench.store.save([root, first, parent], from: relay("seen"))
        let event = try await bench.account.publishing.publish(Composition(text: "third", replyTo: parent.id))
        #expect(
            event.tags == [
                ["e", root.id.hex, "", "root", bob.publicKey.hex],
                ["e", parent.id.hex, "wss://seen.example", "reply", bob.publicKey.hex],
                ["p", bob.publicKey.hex], ["p", carol.publicKey.hex],
            ])
    }

    @Test("an answer to an article is a comment, not a note")
    func comment() async throws {
        let article = bob.event("text", kind: 30_023, tags: [["d", "slug"]])
        _ = await bench.store.save([article], from: nil)
        let event = try await bench.account.publishing.publish(Composition(text: "fine", replyTo: article.id))
        #expect(event.kind == 1111)
        #expect(event.tags.firstValue("A") == "30023:\(bob.publicKey.hex):slug")
        #expect(event.tags.firstValue("K") == "30023")
        #expect(event.tags.firstValue("p") == bob.publicKey.hex)
    }

    @Test("a quote is cited in the text and in a tag, and its author is told")
    func quote() async throws {
        let quoted = bob.event("original")
        _ = await bench.store.save([quoted], from: relay("seen"))
        let event = try await bench.account.publishing.publish(Composition(text: "so true", quote: quoted.id))
        #expect(event.content.hasPrefix("so true\nnostr:nevent1"))
        #expect(event.tags.named("q") == [["q", quoted.id.hex, "wss://seen.example", bob.publicKey.hex]])
        #expect(event.tags.named("p") == [["p", bob.publicKey.hex]])
        let shown = try await bench.account.timeline.page(
            .author(alice.publicKey, replies: true), before: nil, limit: 5)
        #expect(shown.notes.first?.quoted[quoted.id]?.event == quoted)
    }

    @Test("emoji come from one's own list and the sets it names")
    func emoji() async throws {
        _ = await bench.store.save(
            [
                alice.event(
                    kind: 10_030,
                    tags: [
                        ["emoji", "wave", "https://e.example/wave.png"], ["a", "30030:\(bob.publicKey.hex):birds"],
                    ]),
                bob.event(kind: 30_030, tags: [["d", "birds"], ["emoji", "linnet", "https://e.example/l.png"]]),
            ], from: nil)
        let event = try await bench.account.publishing.publish(Composition(text: "hi :wave: :linnet: :unknown:"))
        #expect(event.tags.named("emoji").map(\.value) == ["wave", "linnet"])
        let reaction = try await bench.account.publishing.react(to: event.id, with: ":linnet:")
        #expect(
            reaction.tags.named("emoji") == [
                ["emoji", "linnet", "https://e.example/l.png", "30030:\(bob.publicKey.hex):birds"]
            ])
        await #expect(throws: AccountError(.unknownEmoji)) {
            try await bench.account.publishing.react(to: event.id, with: ":unknown:")
        }
    }

    @Test("a repost embeds the note, names where it is, and refuses a protected one")
    func repost() async throws {
        let note = bob.event("note")
        let protected = bob.event("members", tags: [["-"]])
        _ = await bench.store.save([note, protected], from: relay("seen"))
        let event = try await bench.account.publishing.repost(note.id)
        #expect(event.kind == 6)
        #expect(event.tags.first == ["e", note.id.hex, "wss://seen.example", bob.publicKey.hex])
        #expect(Repost(event)?.embedded == note.unverified)
        await #expect(throws: AccountError(.protected)) {
            try await bench.account.publishing.repost(protected.id)
        }
    }

    @Test("a like is taken back by deleting one's own reactions to that note, and nobody else's")
    func unreact() async throws {
        let (note, other) = (bob.event("note"), bob.event("other"))
        let theirs = bob.event("+", kind: 7, tags: [["e", note.id.hex], ["p", bob.publicKey.hex]])
        _ = await bench.store.save([note, other, theirs], from: nil)
        let publishing = bench.account.publishing
        let like = try await publishing.react(to: note.id, with: "+")
        let kept = try await publishing.react(to: other.id, with: "+")
        let taken = try await publishing.unreact(to: note.id)
        #expect(taken.kind == 5)
        #expect(taken.tags.named("e").map(\.value) == [like.id.hex] && taken.tags.named("k").map(\.value) == ["7"])
        let left = await bench.store.query([Filter(kinds: [7])])
        #expect(Set(left.map(\.id)) == [theirs.id, kept.id])
        await #expect(throws: AccountError(.unknownEvent)) { try await publishing.unreact(to: note.id) }
    }

    @Test("a repost is taken back, however often it was made, and can be made again")
    func unrepost() async throws {
        let note = bob.event("note")
        _ = await bench.store.save([note], from: relay("seen"))
        let publishing = bench.account.publishing
        let first = try await publishing.repost(note.id)
        let taken = try await publishing.unrepost(note.id)
        #expect(taken.tags.named("e").map(\.value) == [first.id.hex])
        await #expect(throws: AccountError(.unknownEvent)) { try await publishing.unrepost(note.id) }
    }

    @Test("a report names the note, its author and why (NIP-56)")
    func report() async throws {
        let note = bob.event("note")
        _ = await bench.store.save([note], from: nil)
        let event = try await bench.account.publishing.report(note.id, for: .spam, text: "the same each hour")
        let report = try #require(Report(event))
        #expect(report.event == note.id && report.person == bob.publicKey && report.reason == .spam)
        #expect(event.content == "the same each hour")
    }

    @Test("only one's own notes can be deleted; the request goes wherever they were offered or seen")
    func delete() async throws {
        let theirs = bob.event("theirs")
        _ = await bench.store.save([theirs], from: nil)
        let note = try await bench.account.publishing.publish(Composition(text: "oops nostr:\(bob.publicKey.npub)"))
        _ = await bench.store.save([note], from: relay("far"))
        await #expect(throws: AccountError.self) { try await bench.account.publishing.delete([theirs.id]) }
        await #expect(throws: AccountError.self) { try await bench.account.publishing.delete([note.id, theirs.id]) }
        let request = try await bench.account.publishing.delete([note.id])
        #expect(request.kind == 5)
        #expect(request.tags == [["e", note.id.hex], ["k", "1"]])
        let goals = try await bench.account.publishing.receipts(for: request.id).map(\.relay)
        #expect(Set(goals) == [relay("fallback"), relay("far")])
        #expect(await bench.store.query([Filter(ids: [note.id])]).isEmpty)
    }

    @Test("without a key nothing is written, and nothing is asked")
    func readOnly() async throws {
        let bench = AccountBench(canSign: false)
        #expect(!bench.account.canSign)
        await #expect(throws: AccountError.self) { try await bench.account.publishing.publish(Composition(text: "x")) }
        await #expect(throws: AccountError.self) { try await bench.account.follows.set(bob.publicKey, true) }
        await #expect(throws: AccountError.self) { try await bench.account.profile.update(["name": "x"]) }
        #expect(bench.network.questions.isEmpty)
    }

    @Test("nothing is published from empty text", arguments: ["", " \n "])
    func empty(text: String) async {
        await #expect(throws: AccountError.self) { try await bench.account.publishing.publish(Composition(text: text)) }
    }
}

/// Kind 3, kind 0 and the other lists are read whole, changed, and written back whole.
struct ListSafetyTests {
    let bench = AccountBench()
    let alice = TestPerson.alice
    let bob = TestPerson.bob

    func list(_ count: Int, extra: [NostrCore.Tag] = [], content: String = "", at moment: Int64 = seconds(-100))
        -> Event
    {
        alice.event(content, kind: 3, tags: (0..<count).map { ["p", person($0).hex] } + extra, at: moment)
    }

    @Test("following adds one entry at the end of the newest list and keeps all that is not understood")
    func follow() async throws {
        let extra: [NostrCore.Tag] = [
            ["p", carolHex, "wss://hint.example", "Caro"], ["x", "unknown"], ["p", "broken"],
        ]
        let newest = list(300, extra: extra, content: #"{"wss://old.example":{"read":true}}"#)
        bench.network.put([newest], on: relay("fallback"))
        bench.network.put([list(2, at: seconds(-500))], on: relay("index"))
        _ = await bench.store.save([list(1, at: seconds(-900))], from: nil)
        let event = try await bench.account.follows.set(bob.publicKey, true)
        #expect(event.tags == newest.tags + [["p", bob.publicKey.hex]])
        #expect(event.content == newest.content)
        #expect(event.createdAt > newest.createdAt)
    }

    @Test("unfollowing takes out one person and nothing else")
    func unfollow() async throws {
        let newest = list(10)
        bench.network.put([newest], on: relay("fallback"))
        let event = try await bench.account.follows.set(person(4), false)
        #expect(event.tags == newest.tags.filter { $0.value != person(4).hex })
    }

    @Test("a list from the future is still replaced by a later one")
    func future() async throws {
        let newest = list(3, at: seconds(5000))
        bench.network.put([newest], on: relay("fallback"))
        let event = try await bench.account.follows.set(bob.publicKey, true)
        #expect(event.createdAt == newest.createdAt + .seconds(1))
    }

    @Test(
        "stops and says so when the newest list cannot be read",
        arguments: [
            ScriptedNetwork.Behaviour.dead, .refuses(Reason(.authRequired, "members only")),
        ])
    func unreachable(behaviour: ScriptedNetwork.Behaviour) async throws {
        _ = await bench.store.save([list(300)], from: nil)
        bench.network.set(relay("fallback"), behaviour)
        let error = await #expect(throws: AccountError.self) {
            try await bench.account.follows.set(bob.publicKey, true)
        }
        #expect(error == AccountError(.newestUnknown, of: 3, count: 1, total: 2, missing: [relay("fallback")]))
        #expect(await bench.store.query([Filter(kinds: [3])]).count == 1)
        #expect(bench.network.offers.isEmpty)
    }

    @Test(
        "nothing waits past its deadline for a silent or a broken network",
        arguments: [
            ScriptedNetwork.Behaviour.silent, .stuck,
        ])
    func deadline(behaviour: ScriptedNetwork.Behaviour) async throws {
        bench.network.set(relay("fallback"), behaviour)
        let clock = bench.clock
        async let result = bench.account.follows.set(bob.publicKey, true)
        await clock.waitForSleepers(behaviour == .silent ? 2 : 1)
        clock.advance(by: bench.configuration.deadlines.discovery + .seconds(1))
        do {
            _ = try await result
            Issue.record("a list was written without its newest version")
        } catch {
            #expect((error as? AccountError)?.code == .newestUnknown)
        }
    }

    @Test("stops when a change would take out more than a handful of entries")
    func largeLoss() async throws {
        let tags = (0..<9).map { NostrCore.Tag(["p", person(7).hex, "wss://r\($0).example"]) }
        bench.network.put([alice.event(kind: 3, tags: tags, at: seconds(-5))], on: relay("fallback"))
        let error = await #expect(throws: AccountError.self) {
            try await bench.account.follows.set(person(7), false)
        }
        #expect(error?.code == .wouldDrop)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("changes made at the same time all survive")
    func together() async throws {
        bench.network.put([list(3)], on: relay("fallback"))
        async let first = bench.account.follows.set(person(50), true)
        async let second = bench.account.follows.set(person(51), true)
        async let third = bench.account.follows.set(person(1), false)
        _ = try await (first, second, third)
        let newest = try #require(await bench.store.query([Filter(kinds: [3])]).first)
        #expect(Set(newest.tags.compactMap(\.value)) == Set([0, 2, 50, 51].map { person($0).hex }))
    }

    @Test("following somebody twice writes nothing")
    func twice() async throws {
        let newest = list(3)
        bench.network.put([newest], on: relay("fallback"))
        let event = try await bench.account.follows.set(person(1), true)
        #expect(event == newest)
        #expect(try await bench.account.publishing.receipts(for: event.id).isEmpty)
    }

    @Test("a profile keeps the fields and tags this program does not know")
    func profile() async throws {
        let old = alice.event(
            #"{"name":"al","pronouns":"they","nested":{"a":[1,2]},"about":"x"}"#, kind: 0,
            tags: [["i", "github:al", "p"]],
            at: seconds(-5))
        bench.network.put([old], on: relay("fallback"))
        let event = try await bench.account.profile.update(["name": "Alice", "about": ""])
        #expect(event.content == #"{"name":"Alice","pronouns":"they","nested":{"a":[1,2]}}"#)
        #expect(event.tags == old.tags)
    }

    @Test("a profile that cannot be read is not replaced")
    func unreadableProfile() async throws {
        bench.network.put([alice.event("not json", kind: 0, at: seconds(-5))], on: relay("fallback"))
        let error = await #expect(throws: AccountError.self) {
            try await bench.account.profile.update(["name": "Alice"])
        }
        #expect(error?.code == .unreadable)
    }

    @Test("a relay list changes one relay and keeps the others as they were written")
    func relays() async throws {
        let old = alice.event(
            kind: 10_002, tags: [["r", "wss://One.example/"], ["r", "wss://two.example", "read"], ["x", "y"]],
            at: seconds(-5))
        bench.network.put([old], on: relay("fallback"))
        let event = try await bench.account.ownRelays.set([relay("two"): .both, relay("three"): .write])
        #expect(
            event.tags == [
                ["r", "wss://One.example/"], ["r", "wss://two.example"], ["x", "y"],
                ["r", "wss://three.example", "write"],
            ])
    }

    @Test("a new account says once where it writes and reads, there and to the indexers, and only if it never did")
    func firstRelays() async throws {
        let list = try #require(try await bench.account.ownRelays.begin())
        #expect(list.tags == [["r", "wss://fallback.example"]])
        let routes = try await bench.account.publishing.receipts(for: list.id).map(\.relay)
        #expect(Set(routes) == [relay("fallback"), relay("index")])
        #expect(try await bench.account.ownRelays.begin() == nil)
        #expect(try await bench.account.ownRelays.current().isPublished)
    }

    @Test("a list that another device wrote is found, and not replaced by a first one")
    func firstRelaysElsewhere() async throws {
        bench.network.put(
            [alice.event(kind: 10_002, tags: [["r", "wss://mine.example", "write"]], at: seconds(-5))],
            on: relay("index"))
        #expect(try await bench.account.ownRelays.begin() == nil)
        let current = try await bench.account.ownRelays.current()
        #expect(current.isPublished)
        #expect(current.entries.map(\.relay) == [relay("mine")])
        #expect(current.entries.map(\.usage) == [.write])
    }

    @Test("a first relay named by hand joins those that were used without a list")
    func firstRelayByHand() async throws {
        #expect(try await !bench.account.ownRelays.current().isPublished)
        let event = try await bench.account.ownRelays.set([relay("two"): .read])
        #expect(event.tags == [["r", "wss://fallback.example"], ["r", "wss://two.example", "read"]])
    }

    @Test("who moves tells it at the old relays, at the new ones and to the indexers")
    func moving() async throws {
        bench.network.put(
            [alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]], at: seconds(-5))], on: relay("index"))
        let event = try await bench.account.ownRelays.set([relay("mine"): [], relay("new"): .both])
        let routes = try await bench.account.publishing.receipts(for: event.id).map(\.relay)
        #expect(Set(routes).isSuperset(of: [relay("new"), relay("mine"), relay("index")]))
    }

    @Test("a blocked relay is on the list, and is not written to any more")
    func blocked() async throws {
        let event = try await bench.account.setBlocked(relay("fallback"), true)
        #expect(event.kind == 10_006)
        #expect(event.tags == [["relay", "wss://fallback.example"]])
        let note = try await bench.account.publishing.publish(Composition(text: "hi"))
        #expect(try await bench.account.publishing.receipts(for: note.id).isEmpty)
    }

    private var carolHex: String { TestPerson.carol.publicKey.hex }
}
