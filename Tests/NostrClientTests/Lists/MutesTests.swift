import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let carol = TestPerson.carol
private let dave = TestPerson.dave

/// What a mute hides, as a value.
struct MutesTests {
    @Test(
        "words are found whole, whatever their case, marks and neighbours",
        arguments: [
            ("cafe", "Un CAFÉ, s'il vous plaît", true), ("café", "cafe", true), ("ass", "first class", false),
            ("good morning", "Good   morning!", true), ("good morning", "good, morning", true),
            ("good morning", "morning is good", false), ("東京", "今日は東京タワー", true), ("東京", "京東", false),
            ("🚀", "to the moon 🚀🚀", true), ("#gm", "gm all", true), ("", "anything", false), ("!", "wow!", true),
            ("spam.example", "see https://spam.example/x", true),
        ])
    func words(word: String, text: String, isHidden: Bool) {
        var mutes = Mutes()
        mutes.words = [word]
        #expect(mutes.hides(bob.event(text)) == isHidden)
    }

    @Test("hides people, also inside reposts, with or without the note in them")
    func people() {
        var mutes = Mutes()
        mutes.people = [carol.publicKey]
        let note = carol.event("hello")
        let json = String(decoding: note.json, as: UTF8.self)
        #expect(mutes.hides(note))
        #expect(mutes.hides(bob.event(json, kind: 6, tags: [["e", note.id.hex]])))
        #expect(mutes.hides(bob.event("", kind: 6, tags: [["e", note.id.hex], ["p", carol.publicKey.hex]])))
        #expect(mutes.hides(bob.event("", kind: 6, tags: [["e", note.id.hex, "", carol.publicKey.hex]])))
        #expect(!mutes.hides(bob.event("", kind: 6, tags: [["e", note.id.hex]])))
        #expect(!mutes.hides(bob.event("about", tags: [["p", carol.publicKey.hex]])))
        #expect(mutes.hides(carol.event("+", kind: 7, tags: [["e", note.id.hex]])))
    }

    @Test("hides topics by tag or in the text, threads by any event of them, words inside reposts")
    func others() {
        let root = bob.event("root")
        let mutes = Mutes(
            [.hashtag("Cats"), .event(EventPointer(id: root.id)), .word("TEA")], owner: alice.publicKey)
        #expect(mutes.hides(bob.event("x", tags: [["t", "CATS"]])))
        #expect(mutes.hides(bob.event("I love #cats, really")))
        #expect(!mutes.hides(bob.event("I love cats")))
        #expect(mutes.hides(root))
        #expect(mutes.hides(carol.event("reply", tags: [["e", root.id.hex, "", "root"]])))
        #expect(mutes.hides(carol.event("comment", kind: 1111, tags: [["E", root.id.hex]])))
        #expect(mutes.hides(carol.event("", kind: 6, tags: [["e", root.id.hex]])))
        let tea = bob.event("more tea")
        #expect(
            mutes.hides(carol.event(String(decoding: tea.json, as: UTF8.self), kind: 6, tags: [["e", tea.id.hex]])))
        #expect(!mutes.hides(alice.event("my own tea")))
        #expect(mutes.hides(bob.event("x", kind: 30_023, tags: [["title", "On tea"]])))
        let message = EventDraft(kind: 14, content: "tea?", createdAt: Timestamp(seconds: 1))
        #expect(mutes.hides(Rumor(message, author: bob.publicKey)))
        #expect(!mutes.hides(Rumor(message, author: alice.publicKey)))
    }

    @Test("topics are found where a word begins with the sign")
    func signs() {
        let mutes = Mutes([.hashtag("cats")], owner: alice.publicKey)
        for text in ["#cats", "\n#Cats!", "a\u{3000}#CATS", "#dogs # ## #cats"] {
            #expect(mutes.hides(bob.event(text)), "\(text)")
        }
        for text in ["a#cats", "##cats", "#️⃣cats", "#catsup", "(#cats)"] {
            #expect(!mutes.hides(bob.event(text)), "\(text)")
        }
    }

    @Test("what no page shows of a note hides nothing")
    func beyond() {
        let mutes = Mutes([.word("tea")], owner: alice.publicKey)
        let shown = String(repeating: "a ", count: Note.longestText / 2)
        #expect(!mutes.hides(bob.event(shown + "tea")))
        #expect(mutes.hides(bob.event("tea " + shown)))
    }

    @Test("nothing is hidden by nothing, and nobody can mute themselves")
    func empty() {
        #expect(!Mutes().hides(bob.event("x")))
        let own = Mutes([.person(ProfilePointer(key: alice.publicKey), petname: nil)], owner: alice.publicKey)
        #expect(own.isEmpty)
    }

    @Test("never traps on noise")
    func noise() {
        let mutes = Mutes([.word("a b"), .hashtag("x"), .word("é"), .word("🚀")])
        Noise.run(Array("a #x b é 東京 🚀 #".utf8), rounds: 5000) { bytes in
            _ = mutes.hides(text: String(decoding: bytes, as: UTF8.self))
            _ = mutes.hides(bob.event(String(decoding: bytes.prefix(64), as: UTF8.self)))
        }
    }
}

/// Mutes act on every page at once.
struct MutedPagesTests {
    let bench = AccountBench()

    /// Alice follows Bob and Dave, and mutes Carol, a word and a conversation, all in private.
    private func layOut(thread: EventID? = nil) async throws {
        var items = PrivateItems()
        items.append([["p", carol.publicKey.hex], ["word", "tea"]])
        if let thread { items.append([["e", thread.hex]]) }
        _ = await bench.store.save(
            [
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex], ["p", dave.publicKey.hex]], at: seconds(-9)),
                alice.event(try await sealed(items.json), kind: 10_000, at: seconds(-9)),
                carol.event(#"{"name":"carol"}"#, kind: 0, at: seconds(-9)),
            ], from: nil)
    }

    @Test("home shows no muted word, thread or person, also where only the store knows whose note is reposted")
    func home() async throws {
        let hidden = carol.event("from carol", at: seconds(-5))
        let root = dave.event("root", at: seconds(-5))
        try await layOut(thread: root.id)
        let shown = bob.event("shown", at: seconds(1))
        let bare = bob.event("", kind: 6, tags: [["e", hidden.id.hex]], at: seconds(2))
        let named = bob.event("", kind: 6, tags: [["e", hidden.id.hex], ["p", carol.publicKey.hex]], at: seconds(3))
        let word = dave.event("Tea!", at: seconds(4))
        _ = await bench.store.save([hidden, root, shown, bare, named, word], from: nil)
        #expect(try await bench.home().map(\.event) == [shown])
    }

    @Test("a quoted note of somebody muted is not shown, and not asked for")
    func quotes() async throws {
        try await layOut()
        let hidden = carol.event("from carol", at: seconds(-5))
        let quoting = bob.event("look", tags: [["q", hidden.id.hex]], at: seconds(1))
        let unknown = bob.event(
            "there", tags: [["q", carol.event("lost").id.hex, "", carol.publicKey.hex]], at: seconds(2))
        _ = await bench.store.save([hidden, quoting, unknown], from: nil)
        let notes = try await bench.home()
        #expect(notes.map(\.event) == [unknown, quoting])
        #expect(notes.allSatisfy { $0.quoted.isEmpty && $0.hiddenQuotes.count == 1 })
    }

    @Test("conversations leave muted answers out, counts leave out who is muted, a muted thread can be opened")
    func threads() async throws {
        let root = bob.event("root", at: seconds(-5))
        try await layOut(thread: root.id)
        let good = dave.event("good", tags: [["e", root.id.hex, "", "root"]], at: seconds(1))
        let muted = carol.event("bad", tags: [["e", root.id.hex, "", "root"]], at: seconds(2))
        let like = carol.event("+", kind: 7, tags: [["e", root.id.hex]], at: seconds(3))
        _ = await bench.store.save([root, good, muted, like], from: nil)
        let thread = try await bench.account.timeline.thread(root.id, hints: [])
        #expect(thread.focus?.event == root)
        #expect(thread.replies.map(\.note.event) == [good])
        #expect(thread.focus?.replies == 1)
        #expect(thread.focus?.reactions == 0)
    }

    @Test("search and completion leave out who is muted; their own page says that they are")
    func search() async throws {
        try await layOut()
        _ = await bench.store.save(
            [
                carol.event("a garden", at: seconds(1)), bob.event("garden tea", at: seconds(2)),
                dave.event("my garden", at: seconds(3)),
            ], from: nil)
        let found = try await bench.account.timeline.search("garden", before: nil, limit: 20)
        #expect(found.notes.notes.map(\.event.content) == ["my garden"])
        #expect(try await bench.account.people.matching("car", limit: 5).isEmpty)
        let person = try await bench.account.people.person(carol.publicKey)
        #expect(person.isMuted)
        #expect(person.fields.isEmpty)
        let asked = try await bench.account.people.person(carol.publicKey, evenMuted: true)
        #expect(asked.isMuted && asked.fields["name"] == "carol")
        #expect(
            try await bench.account.timeline.page(.author(carol.publicKey, replies: true), before: nil, limit: 5).notes
                .isEmpty)
    }

    @Test("what is muted does not come in live, and a change of mutes is told")
    func live() async throws {
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("follows are known") {
                try await bench.account.people.person(bob.publicKey).isFollowed
            }
            var changes = await bench.account.changes().makeAsyncIterator()
            _ = try await bench.account.lists?.change(
                .muteList, identifier: "",
                .add(.person(ProfilePointer(key: carol.publicKey), petname: nil), isPrivate: true))
            while let change = await changes.next(), change != .mutes {}
            let hidden = carol.event("hidden", at: seconds(10))
            let shown = bob.event("shown", at: seconds(11))
            _ = await bench.store.save([hidden, shown], from: nil)
            while let change = await changes.next() {
                if case .homeNote(let id, _, _, _) = change {
                    #expect(id == shown.id)
                    break
                }
            }
        }
    }
}
