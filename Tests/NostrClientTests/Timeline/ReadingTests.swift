import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// What an account reads from its store alone; nothing runs, no relay is asked.
struct ReadingTests {
    let bench = AccountBench()
    let alice = TestPerson.alice
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    func follow(_ people: TestPerson...) async {
        _ = await bench.store.save(
            [alice.event(kind: 3, tags: people.map { ["p", $0.publicKey.hex] })], from: nil)
    }

    @Test("home shows notes and reposts of the followed and oneself, newest first, without answers")
    func home() async throws {
        await follow(bob)
        let root = bob.event("root", at: seconds(1))
        let answer = bob.event(
            "answer", tags: [["e", root.id.hex, "", "root"]], at: seconds(2))
        let own = alice.event("mine", at: seconds(3))
        let stranger = carol.event("stranger", at: seconds(4))
        _ = await bench.store.save([root, answer, own, stranger], from: nil)
        #expect(try await bench.home().map(\.event) == [own, root])
    }

    @Test("pages join without a gap or a repetition, also within one second")
    func pages() async throws {
        await follow(bob)
        let notes = (0..<95).map { bob.event("note \($0)", at: seconds(Int64($0 / 10))) }
        _ = await bench.store.save(notes, from: nil)
        var cursor: TimelineCursor?
        var seen: [EventID] = []
        repeat {
            let page = try await bench.account.timeline.page(.home, before: cursor, limit: 20)
            seen += page.notes.map(\.id)
            cursor = page.notes.isEmpty ? nil : page.next
        } while cursor != nil
        #expect(seen.count == 95)
        #expect(Set(seen).count == 95)
        let expected = notes.sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }.map(\.id)
        #expect(seen == expected)
    }

    @Test("a note carries its author, its numbers, its mentions, its quote and what one did oneself")
    func surroundings() async throws {
        await follow(bob)
        let quoted = carol.event("original", at: seconds(1))
        let npub = carol.publicKey.npub
        let note = bob.event(
            "look nostr:\(npub)", tags: [["q", quoted.id.hex], ["p", carol.publicKey.hex]], at: seconds(2))
        let answers = (0..<3).map {
            carol.event("answer \($0)", tags: [["e", note.id.hex, "", "root"]], at: seconds(10 + Int64($0)))
        }
        let reaction = alice.event("🤙", kind: 7, tags: [["e", note.id.hex], ["p", bob.publicKey.hex]])
        let repost = alice.event(kind: 6, tags: [["e", note.id.hex], ["p", bob.publicKey.hex]], at: seconds(0))
        let profiles = [
            bob.event(#"{"name":"bob"}"#, kind: 0), carol.event(#"{"name":"carol"}"#, kind: 0),
        ]
        _ = await bench.store.save([quoted, note, reaction, repost] + answers + profiles, from: nil)
        let shown = try #require(try await bench.home().first { $0.id == note.id })
        #expect(shown.author.fields["name"] == "bob")
        #expect(shown.author.isFollowed)
        #expect((shown.replies, shown.reposts, shown.reactions) == (3, 1, 1))
        #expect(shown.mentioned[carol.publicKey]?.fields["name"] == "carol")
        #expect(shown.quoted[quoted.id]?.event == quoted)
        #expect(shown.ownReaction == "🤙")
        #expect(shown.isRepostedByMe)
        #expect(shown.delivery == nil)
    }

    @Test("what stands at an address that a note names is quoted in its newest version, unless its host is muted")
    func addresses() async throws {
        await follow(bob)
        let article = carol.event("# On birds", kind: 30_023, tags: [["d", "birds"]], at: seconds(1))
        let stream = carol.event(
            kind: 30_311, tags: [["d", "evening"], ["p", TestPerson.dave.publicKey.hex, "", "Host"]], at: seconds(1))
        let codes = try [article, stream].map { event in
            let address = try #require(event.address)
            return try NostrEntity.naddr(AddressPointer(address: address)).uri()
        }
        let elsewhere = EventAddress(kind: 30_023, author: carol.publicKey, identifier: "elsewhere")
        let note = bob.event(
            codes.joined(separator: " and "), tags: [["q", elsewhere.description]], at: seconds(2))
        _ = await bench.store.save([article, stream, note], from: nil)
        let shown = try #require(try await bench.home().first { $0.id == note.id })
        #expect(Set(shown.quoted.keys) == [article.id, stream.id])
        #expect(shown.quoted[stream.id]?.mentioned[TestPerson.dave.publicKey] != nil)
        let mutes = alice.event(kind: 10_000, tags: [["p", TestPerson.dave.publicKey.hex]], at: seconds(3))
        let other = AccountBench()
        _ = await other.store.save(
            [article, stream, note, mutes, alice.event(kind: 3, tags: [["p", bob.publicKey.hex]])], from: nil)
        let muted = try #require(try await other.home().first { $0.id == note.id })
        #expect(Set(muted.quoted.keys) == [article.id])
        #expect(muted.hiddenQuotes == [stream.id: .person])
    }

    @Test("a repost is unwrapped from its content only when the event inside is sound")
    func embedded() async throws {
        await follow(bob)
        let inner = carol.event("inside", at: seconds(1))
        var forged = inner.unverified
        forged.content = "forged"
        let good = bob.event(
            String(decoding: inner.unverified.json, as: UTF8.self), kind: 6, tags: [["e", inner.id.hex]], at: seconds(2)
        )
        let bad = bob.event(
            String(decoding: forged.json, as: UTF8.self), kind: 6, tags: [["e", inner.id.hex]], at: seconds(3))
        _ = await bench.store.save([good], from: nil)
        #expect(try await bench.home().first?.reposted.first?.event == inner)
        let other = AccountBench()
        _ = await other.store.save([bad, alice.event(kind: 3, tags: [["p", bob.publicKey.hex]])], from: nil)
        let shown = try #require(try await other.home().first)
        #expect(shown.event == bad)
        #expect(shown.reposted.isEmpty)
    }

    @Test("what its author deleted is shown nowhere, not even inside a repost; nor is what has expired")
    func deletedAndExpired() async throws {
        await follow(bob)
        let gone = bob.event("gone", at: seconds(1))
        let inner = carol.event("inside", at: seconds(2))
        let repost = bob.event(
            String(decoding: inner.unverified.json, as: UTF8.self), kind: 6, tags: [["e", inner.id.hex]], at: seconds(3)
        )
        let expired = bob.event("late", tags: [["expiration", String(seconds(-10))]], at: seconds(-20))
        _ = await bench.store.save(
            [
                gone, repost, expired, bob.event(kind: 5, tags: [["e", gone.id.hex]], at: seconds(5)),
                carol.event(kind: 5, tags: [["e", inner.id.hex]], at: seconds(5)),
            ], from: nil)
        let home = try await bench.home()
        #expect(home.map(\.event) == [repost])
        #expect(home.first?.reposted.isEmpty == true)
    }

    @Test("a thread shows what is above, and the answers as a tree, oldest first")
    func thread() async throws {
        let root = bob.event("root", at: seconds(1))
        func answer(_ text: String, to parent: Event, by person: TestPerson, at moment: Int64) -> Event {
            person.event(
                text, tags: ThreadReferences.replyTags(to: parent, relay: nil, author: person.publicKey), at: moment)
        }
        let first = answer("1", to: root, by: carol, at: seconds(2))
        let second = answer("2", to: root, by: bob, at: seconds(3))
        let below = answer("1.1", to: first, by: bob, at: seconds(4))
        let deep = answer("1.1.1", to: below, by: carol, at: seconds(5))
        _ = await bench.store.save([deep, below, second, first, root], from: nil)
        let whole = try await bench.account.timeline.thread(root.id, hints: [])
        #expect(whole.ancestors.isEmpty)
        #expect(whole.replies.map(\.note.event.content) == ["1", "1.1", "1.1.1", "2"])
        #expect(whole.replies.map(\.depth) == [0, 1, 2, 0])
        let part = try await bench.account.timeline.thread(below.id, hints: [])
        #expect(part.ancestors.map(\.event.content) == ["root", "1"])
        #expect(part.focus?.event == below)
        #expect(part.replies.map(\.note.event.content) == ["1.1.1"])
        #expect(part.isLoading)
    }

    @Test("a thread of many answers is read part by part to its end, each once, and begins anew after one that is gone")
    func longThread() async throws {
        let root = bob.event("root", at: seconds(1))
        let answers = (0..<450).map { index in
            carol.event(
                "\(index)", tags: ThreadReferences.replyTags(to: root, relay: nil, author: bob.publicKey),
                at: seconds(2 + Int64(index)))
        }
        _ = await bench.store.save([root] + answers, from: nil)
        var read: [String] = []
        var parts = 0
        var next: EventID?
        repeat {
            let part = try await bench.account.timeline.thread(root.id, hints: [], after: next)
            #expect(part.focus?.event == root)
            read += part.replies.map(\.note.event.content)
            next = part.next
            parts += 1
        } while next != nil && parts < 10
        #expect(read == (0..<450).map(String.init))
        #expect(parts == 3)
        let unknown = try await bench.account.timeline.thread(root.id, hints: [], after: bob.event("gone").id)
        #expect(unknown.replies.first?.note.event == answers[0])
    }

    @Test("an answer whose parent is lost still stands under the root")
    func lostParent() async throws {
        let root = bob.event("root", at: seconds(1))
        let lost = String(repeating: "ab", count: 32)
        let orphan = carol.event(
            "orphan", tags: [["e", root.id.hex, "", "root"], ["e", lost, "", "reply"]], at: seconds(2))
        _ = await bench.store.save([root, orphan], from: nil)
        let thread = try await bench.account.timeline.thread(root.id, hints: [])
        #expect(thread.replies.map(\.note.event) == [orphan])
    }

    @Test("answers that name each other in a circle end somewhere")
    func circle() async throws {
        // Ids cannot really form a circle; tags that name the event itself or a sibling can look like one.
        let root = bob.event("root", at: seconds(1))
        let a = carol.event(
            "a", tags: [["e", root.id.hex, "", "root"], ["e", root.id.hex, "", "reply"]], at: seconds(2))
        let b = carol.event(
            "b", tags: [["e", a.id.hex, "", "root"], ["e", root.id.hex, "", "reply"]], at: seconds(3))
        _ = await bench.store.save([root, a, b], from: nil)
        let thread = try await bench.account.timeline.thread(b.id, hints: [])
        #expect(thread.focus?.event == b)
        #expect(thread.ancestors.count <= 2)
    }

    @Test("people are found by name, word, NIP-05 and key, followed ones first")
    func people() async throws {
        await follow(carol)
        _ = await bench.store.save(
            [
                bob.event(#"{"name":"Marta"}"#, kind: 0),
                carol.event(#"{"name":"carla","display_name":"Anna Martin","nip05":"anna@example.com"}"#, kind: 0),
            ], from: nil)
        #expect(try await bench.account.people.matching("@mart", limit: 5).first?.key == carol.publicKey)
        #expect(try await bench.account.people.matching("anna@ex", limit: 5).map(\.key) == [carol.publicKey])
        #expect(try await bench.account.people.matching(bob.publicKey.hex, limit: 5).map(\.key) == [bob.publicKey])
        #expect(try await bench.account.people.matching("nobody", limit: 5).isEmpty)
    }

    @Test("a person shows relays, follows, and whether one follows them")
    func person() async throws {
        await follow(bob)
        _ = await bench.store.save(
            [
                bob.event(kind: 10_002, tags: [["r", "wss://w.example", "write"], ["r", "wss://r.example", "read"]]),
                bob.event(kind: 3, tags: [["p", alice.publicKey.hex], ["p", carol.publicKey.hex]]),
            ], from: nil)
        let person = try await bench.account.people.person(bob.publicKey)
        #expect(person.isFollowed)
        #expect(person.followingCount == 2)
        #expect(person.writeRelays == [relay("w")])
        #expect(person.readRelays == [relay("r")])
    }

    @Test("search reads the store at once")
    func search() async throws {
        _ = await bench.store.save([bob.event("a heron at dawn"), carol.event("nothing")], from: nil)
        let result = try await bench.account.timeline.search("heron", before: nil, limit: 10)
        #expect(result.notes.notes.map(\.event.content) == ["a heron at dawn"])
        #expect(result.notes.isLoadingOlder)
    }

    @Test("the defaults of the real network are relays")
    func defaults() {
        let standard = AccountConfiguration.standard
        #expect(standard.routing.indexers.count == 4)
        #expect(standard.routing.fallback.count == 3)
        #expect(standard.searchRelays.count == 2)
        #expect(!standard.routing.allowsPrivateRelays)
    }
}
