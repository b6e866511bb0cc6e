import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let carol = TestPerson.carol

/// Encrypts as one of the test people, for somebody.
func sealed(
    _ text: String, by person: TestPerson = .alice, for other: TestPerson = .alice, _ cipher: ContentCipher = .nip44
) async throws -> String {
    try await LocalSigner(person.secretKey, random: SeededRandom(seed: 9)).encrypt(
        text, for: other.publicKey, by: cipher)
}

private func person(_ who: TestPerson) -> ListItem { .person(ProfilePointer(key: who.publicKey), petname: nil) }

/// Lists are read whole from the relays, changed, and written back whole, or not at all.
struct ListChangeTests {
    let bench = AccountBench()

    private func lists() throws -> any ListKeeping { try #require(bench.account.lists) }

    private func opened(_ event: Event) async throws -> String {
        try await LocalSigner(alice.secretKey).decrypt(event.content, from: alice.publicKey, by: .nip44)
    }

    @Test("a list encrypted to another key is refused and stays untouched")
    func foreignKey() async throws {
        let content = try await sealed(#"[["p","\#(bob.publicKey.hex)"]]"#, by: .bob, for: .bob)
        let newest = alice.event(content, kind: 10_000, tags: [["word", "tea"]], at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        let error = await #expect(throws: AccountError.self) {
            try await lists().change(.muteList, identifier: "", .add(.word("coffee"), isPrivate: false))
        }
        #expect(error?.code == .unreadable)
        #expect(bench.network.offers.isEmpty)
        let shown = try await lists().list(.muteList, identifier: "")
        #expect(shown.privatePart == .unreadable)
        #expect(shown.publicItems == [.word("tea")])
        #expect(await bench.store.query([Filter(kinds: [10_000])]) == [newest])
    }

    @Test("what decrypts to anything but a list of tags is refused", arguments: ["{}", "hello", "[1]", ""])
    func noList(text: String) async throws {
        // An empty text cannot be encrypted at all; a cipher's shape without one is as unreadable.
        let content = text.isEmpty ? String(repeating: "AAAA", count: 40) : try await sealed(text)
        bench.network.put([alice.event(content, kind: 10_000, at: seconds(-5))], on: relay("fallback"))
        let error = await #expect(throws: AccountError.self) {
            try await lists().change(.muteList, identifier: "", .add(.word("coffee"), isPrivate: true))
        }
        #expect(error?.code == .unreadable)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("entries of unknown meaning survive a change byte for byte, in both parts")
    func unknownEntries() async throws {
        let text = #"[["p", "\#(bob.publicKey.hex)"],["a","x"], ["emoji",1] ,["word","tea"]]"#
        let tags: [NostrCore.Tag] = [["alt", "x"], ["z", "1", ""], ["p", "broken"], ["word", "TEA"]]
        let newest = alice.event(try await sealed(text), kind: 10_000, tags: tags, at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        let event = try await lists().change(.muteList, identifier: "", .add(person(carol), isPrivate: true))
        #expect(event.tags == tags)
        #expect(
            try await opened(event)
                == #"[["p", "\#(bob.publicKey.hex)"],["a","x"],["emoji",1],["word","tea"],["p","\#(carol.publicKey.hex)"]]"#
        )
        let shown = try await lists().list(.muteList, identifier: "")
        #expect(shown.privateItems == [person(bob), person(carol)])
        #expect(shown.publicItems == [.word("tea")])
        #expect(shown.unknownEntries == 4)
    }

    @Test("a change of the public part leaves the encrypted one byte for byte")
    func contentStays() async throws {
        let content = try await sealed(#"[["word","tea"]]"#)
        bench.network.put([alice.event(content, kind: 10_000, at: seconds(-5))], on: relay("fallback"))
        let event = try await lists().change(.muteList, identifier: "", .add(.hashtag("Nostr"), isPrivate: false))
        #expect(event.content == content)
        #expect(event.tags == [["t", "nostr"]])
    }

    @Test("a private part by NIP-04 is read, and written anew by NIP-44")
    func legacy() async throws {
        let content = try await sealed(#"[["p","\#(bob.publicKey.hex)"]]"#, .nip04)
        #expect(content.contains("?iv="))
        bench.network.put([alice.event(content, kind: 10_000, at: seconds(-5))], on: relay("fallback"))
        let event = try await lists().change(.muteList, identifier: "", .add(.word("tea"), isPrivate: true))
        #expect(!event.content.contains("?iv="))
        #expect(try await opened(event) == #"[["p","\#(bob.publicKey.hex)"],["word","tea"]]"#)
    }

    @Test("the last private entry leaves an empty array on a mute list, and nothing on others")
    func emptied() async throws {
        for kind in [Kind.muteList, .bookmarks] {
            let note = ListItem.event(EventPointer(id: alice.event("x").id))
            _ = try await lists().change(kind, identifier: "", .add(note, isPrivate: true))
            bench.clock.advance(by: .seconds(1))
            let event = try await lists().change(kind, identifier: "", .remove(note))
            if kind == .muteList { #expect(try await opened(event) == "[]") } else { #expect(event.content == "") }
        }
    }

    @Test("a thing moves between the parts with everything its tag says")
    func moves() async throws {
        let tag: NostrCore.Tag = ["p", bob.publicKey.hex, "wss://hint.example", "Bobby"]
        let newest = alice.event(kind: 30_000, tags: [["d", "x"], tag], at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        let event = try await lists().change(.followSets, identifier: "x", .add(person(bob), isPrivate: true))
        #expect(event.tags == [["d", "x"]])
        #expect(PrivateItems(json: try await opened(event))?.tags == [tag])
        bench.clock.advance(by: .seconds(1))
        let back = try await lists().change(.followSets, identifier: "x", .add(person(bob), isPrivate: false))
        #expect(back.tags == newest.tags)
        #expect(back.content == "")
    }

    @Test("a change that takes out more than a handful is refused, in either part", arguments: [true, false])
    func largeLoss(isPrivate: Bool) async throws {
        let tags = (0..<9).map { NostrCore.Tag(["p", bob.publicKey.hex, "wss://r\($0).example"]) }
        var hidden = PrivateItems()
        hidden.append(tags)
        let newest = alice.event(
            isPrivate ? try await sealed(hidden.json) : "", kind: 10_000, tags: isPrivate ? [] : tags, at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        let error = await #expect(throws: AccountError.self) {
            try await lists().change(.muteList, identifier: "", .remove(person(bob)))
        }
        #expect(error?.code == .wouldDrop)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("nothing is written when the newest version cannot be had")
    func unreachable() async throws {
        _ = await bench.store.save([alice.event(kind: 10_003, tags: [["t", "x"]], at: seconds(-5))], from: nil)
        bench.network.set(relay("fallback"), .dead)
        let error = await #expect(throws: AccountError.self) {
            try await lists().change(.bookmarks, identifier: "", .add(.hashtag("y"), isPrivate: false))
        }
        #expect(error?.code == .newestUnknown)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("a fresh machine finds out where one writes before it takes a list for missing")
    func freshMachine() async throws {
        let newest = alice.event(kind: 10_000, tags: [["word", "tea"]], at: seconds(-5))
        bench.network.put([alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])], on: relay("index"))
        bench.network.put([newest], on: relay("mine"))
        let event = try await lists().change(.muteList, identifier: "", .add(.word("coffee"), isPrivate: false))
        #expect(event.tags == [["word", "tea"], ["word", "coffee"]])
        #expect(try await bench.account.publishing.receipts(for: event.id).map(\.relay) == [relay("mine")])
    }

    @Test("where one writes is not known while no indexer answers, so nothing is written")
    func noIndexer() async throws {
        let bench = AccountBench { $0.routing.fallback = [relay("fallback"), relay("second")] }
        bench.network.set(relay("index"), .dead)
        let error = await #expect(throws: AccountError.self) {
            try await bench.account.lists?.change(.muteList, identifier: "", .add(.word("x"), isPrivate: false))
        }
        #expect(error?.code == .newestUnknown)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("one who moved to relays that are silent now is not taken for one without a list")
    func movedAway() async throws {
        let old = alice.event(kind: 10_002, tags: [["r", "wss://old.example"]], at: seconds(-90))
        let new = alice.event(kind: 10_002, tags: [["r", "wss://new.example"]], at: seconds(-9))
        _ = await bench.store.save([old], from: nil)
        bench.network.put([new], on: relay("index"))
        bench.network.set(relay("new"), .dead)
        let error = await #expect(throws: AccountError.self) {
            try await lists().change(.muteList, identifier: "", .add(.word("x"), isPrivate: false))
        }
        #expect(error?.code == .newestUnknown)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("what is no list is not changed", arguments: [Kind(1), 0, 3, 30_023])
    func noListKind(kind: Kind) async throws {
        await #expect(throws: AccountError.self) {
            try await lists().change(kind, identifier: "", .add(.hashtag("y"), isPrivate: false))
        }
        #expect(bench.network.offers.isEmpty)
    }

    @Test("words in the content are not written over")
    func words() async throws {
        let newest = alice.event("My favourite relays.", kind: 10_012, tags: [["x", "1"]], at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        let event = try await lists().change(
            .relayFeeds, identifier: "", .add(.relay(relay("one")), isPrivate: false))
        #expect(event.content == newest.content)
        bench.clock.advance(by: .seconds(1))
        await #expect(throws: AccountError.self) {
            try await lists().change(.relayFeeds, identifier: "", .add(.relay(relay("two")), isPrivate: true))
        }
    }

    @Test("sets are named by their title, twice the same title makes two sets, and a set can go")
    func sets() async throws {
        let first = try await lists().makeSet(.followSets, title: "Old Friends!", summary: "from school")
        #expect(first.tags == [["d", "old-friends"], ["title", "Old Friends!"], ["description", "from school"]])
        let second = try await lists().makeSet(.followSets, title: "old friends", summary: "")
        #expect(second.tags == [["d", "old-friends-2"], ["title", "old friends"]])
        let nameless = try await lists().makeSet(.followSets, title: "友達", summary: "")
        #expect(nameless.tags.first == ["d", "set-\(AccountBench.start)"])
        bench.clock.advance(by: .seconds(1))
        let renamed = try await lists().change(
            .followSets, identifier: "old-friends-2", .rename(title: "New", summary: "now"))
        #expect(renamed.tags == [["d", "old-friends-2"], ["title", "New"], ["description", "now"]])
        let request = try await lists().deleteSet(.followSets, identifier: "old-friends")
        #expect(request.tags.contains(["a", "30000:\(alice.publicKey.hex):old-friends"]))
        let titles = try await lists().lists().map(\.title)
        #expect(titles == ["New", "友達"])
    }

    @Test("a status is set and cleared, application data is read back decrypted")
    func statusAndData() async throws {
        let status = try await lists().setStatus("Hiking", link: nil, expires: Timestamp(seconds: seconds(60)))
        #expect(status.kind == 30_315)
        #expect(status.tags == [["d", "general"], ["expiration", "\(seconds(60))"]])
        bench.clock.advance(by: .seconds(1))
        let cleared = try await lists().setStatus("", link: nil, expires: nil)
        #expect(cleared.createdAt > status.createdAt)
        #expect(cleared.content.isEmpty)
        let data = try await bench.account.setAppData("linnet/settings", #"{"theme":"dark"}"#)
        #expect(!data.content.contains("dark"))
        #expect(try await bench.account.appData("linnet/settings") == #"{"theme":"dark"}"#)
        #expect(try await bench.account.appData("linnet/other") == nil)
    }
}

/// A list on two devices, and one whose key is locked.
struct ListsOnDevicesTests {
    let bench = AccountBench()

    @Test("an edit is made to the newest version, whatever this device has")
    func oneAfterTheOther() async throws {
        let other = bench.anotherDevice()
        _ = try await other.account.lists?.change(.muteList, identifier: "", .add(.word("tea"), isPrivate: true))
        try await deliver(from: other.store)
        bench.clock.advance(by: .seconds(5))
        _ = try await bench.account.lists?.change(.muteList, identifier: "", .add(.word("coffee"), isPrivate: true))
        let list = try await bench.account.lists?.list(.muteList, identifier: "")
        #expect(list?.privateItems == [.word("tea"), .word("coffee")])
    }

    @Test("of two edits made at once, the one that was replaced is done again")
    func atOnce() async throws {
        let other = bench.anotherDevice()
        try await bench.running {
            // Both read the same version, and neither sees the other's.
            let mine = try await bench.account.lists?.change(
                .muteList, identifier: "", .add(.word("tea"), isPrivate: true))
            bench.network.set(relay("fallback"), .answers)
            bench.clock.advance(by: .seconds(1))
            let content = try await sealed(#"[["word","coffee"]]"#)
            let theirs = alice.event(content, kind: 10_000, at: (mine?.createdAt.seconds ?? 0) + 1)
            bench.network.arrive(theirs, on: relay("fallback"))
            try await bench.eventually("both words are on the list") {
                await Set(bench.account.services.lists.mutes().words) == ["tea", "coffee"]
            }
        }
        _ = other
    }

    @Test("the opposite wish of another device stands once, and nobody goes on forever")
    func opposite() async throws {
        try await bench.running {
            _ = try await bench.account.lists?.change(.muteList, identifier: "", .add(.word("tea"), isPrivate: false))
            bench.clock.advance(by: .seconds(1))
            for round in 1...3 {
                let newest = try #require(await bench.store.query([Filter(kinds: [10_000])]).first)
                let empty = alice.event("", kind: 10_000, at: newest.createdAt.seconds + 1)
                bench.network.arrive(empty, on: relay("fallback"))
                if round == 1 {
                    try await bench.eventually("the word is put back once") {
                        // Neither the version before the other device's nor its own.
                        let now = await bench.store.query([Filter(kinds: [10_000])]).first
                        return now?.tags.isEmpty == false && now?.id != newest.id
                    }
                } else {
                    try await bench.eventually("the word stays away") {
                        await bench.store.query([Filter(kinds: [10_000])]).first?.id == empty.id
                    }
                }
            }
        }
    }

    @Test("while the key is locked private parts stay closed and nothing is changed")
    func locked() async throws {
        let signer = LockableSigner(alice.publicKey)
        let account = bench.account(signer: signer)
        let content = try await sealed(#"[["p","\#(bob.publicKey.hex)"]]"#)
        let newest = alice.event(content, kind: 10_000, tags: [["word", "tea"]], at: seconds(-5))
        bench.network.put([newest], on: relay("fallback"))
        _ = await bench.store.save([newest], from: nil)
        let lists = try #require(account.lists)
        #expect(try await lists.list(.muteList, identifier: "").privatePart == .locked)
        #expect(await lists.mutes().people.isEmpty)
        #expect(await lists.mutes().words == ["tea"])
        await #expect(throws: SigningFailure.locked) {
            try await lists.change(.muteList, identifier: "", .add(.word("x"), isPrivate: false))
        }
        #expect(account.drafts == nil)
        try signer.unlock(with: LocalSigner(alice.secretKey))
        await account.keyDidUnlock()
        #expect(await lists.mutes().people == [bob.publicKey])
        #expect(try await lists.list(.muteList, identifier: "").privatePart == .open)
        signer.lock()
        await account.keyDidLock()
        #expect(await lists.mutes().people.isEmpty)
        #expect(try await lists.list(.muteList, identifier: "").privateItems.isEmpty)
    }

    private func deliver(from store: MemoryEventStore) async throws {
        bench.network.put(await store.query([Filter(kinds: [10_000])]), on: relay("fallback"))
    }
}
