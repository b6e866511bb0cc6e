import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

private let ben = FakeAuthor(2).key
private let someID = FakeAuthor(2).event("x", at: Timestamp(seconds: 1)).id

@Suite("what is written to be put on a list")
struct ListReadingTests {
    @Test(
        "is read as what it looks like",
        arguments: [
            (Kind.muteList, ben.npub, ListItem.person(ProfilePointer(key: ben), petname: nil)),
            (.muteList, " nostr:\(ben.npub)\n", .person(ProfilePointer(key: ben), petname: nil)),
            (.muteList, ben.hex, .person(ProfilePointer(key: ben), petname: nil)),
            (.bookmarks, someID.hex, .event(EventPointer(id: someID))),
            (.bookmarks, someID.note, .event(EventPointer(id: someID))),
            (.muteList, "Buy Now", .word("buy now")), (.muteList, "#Sports", .hashtag("sports")),
            (.interests, "Birds", .hashtag("birds")), (.bookmarks, "#tea", .hashtag("tea")),
            (.bookmarks, "https://a.example/x", .url("https://a.example/x")),
            (.fileServers, "https://files.example", .server("https://files.example")),
        ])
    func reads(kind: Kind, text: String, item: ListItem) {
        #expect(WrittenEntry(text, for: .of(kind)) == .item(item))
    }

    @Test(
        "is a relay with or without wss://", arguments: ["wss://nest.example", "nest.example", "WSS://nest.example/"])
    func relays(text: String) throws {
        let relay = try RelayURL("wss://nest.example")
        #expect(WrittenEntry(text, for: .of(.searchRelays)) == .item(.relay(relay)))
    }

    @Test("is an emoji by name and picture")
    func emoji() throws {
        let emoji = try #require(CustomEmoji(shortcode: "linnet", url: "https://a.example/l.png"))
        #expect(WrittenEntry(":linnet: https://a.example/l.png", for: .of(.emojiList)) == .item(.emoji(emoji)))
    }

    @Test("is what its writer says where it could be several things")
    func said() {
        #expect(WrittenEntry("birds", for: .of(.muteList), as: .hashtag) == .item(.hashtag("birds")))
        #expect(WrittenEntry("#birds", for: .of(.muteList), as: .word) == .item(.word("#birds")))
        #expect(WrittenEntry("Ben", for: .of(.muteList), as: .person) == .name("Ben"))
        #expect(WrittenEntry("@Ben", for: .of(.muteList)) == .name("Ben"))
    }

    @Test(
        "is refused with a sentence when the list cannot hold it",
        arguments: [
            (Kind.muteList, "", "Write what to add."), (.muteList, "  \n ", "Write what to add."),
            (.muteList, "nsec1" + String(repeating: "q", count: 58), "secret key"),
            (.searchRelays, ben.npub, "takes relays, no people"), (.pinnedNotes, "wss://a.example", "no relays"),
            (.followSets, "two\nlines", "too long"), (.muteList, String(repeating: "x", count: 1001), "too long"),
            (.emojiList, ":linnet:", "the https:// address"), (.interests, "two words", "one word"),
            (.fileServers, "https://", "https://"), (.pinnedNotes, "something", "cannot read"),
        ])
    func refuses(kind: Kind, text: String, words: String) {
        guard case .wrong(let sentence) = WrittenEntry(text, for: .of(kind)) else {
            Issue.record("\(text) was taken")
            return
        }
        #expect(sentence.contains(words), "\(sentence)")
    }

    @Test("goes through a form and back unchanged")
    func words() throws {
        let items: [ListItem] = [
            .word("a\tb\\c\r\nd"), .hashtag("birds"), .person(ProfilePointer(key: ben), petname: "Uncle\nBen"),
            .relay(try RelayURL("wss://nest.example")), .group("g", relay: nil, name: "The\ttab"),
        ]
        for item in items { #expect(ListItem(formWord: item.formWord) == item) }
        for word in ["", "\t", "\\", "x\ty", "p\tnothing"] { #expect(ListItem(formWord: word) == nil) }
    }

    @Test("every list says what it is, and what it takes can be written")
    func sorts() {
        #expect(Set(ListSort.all.map(\.kind)).count == ListSort.all.count)
        for sort in ListSort.all { #expect(!sort.title.isEmpty && sort.lead.hasSuffix(".")) }
        #expect(PublicList.kinds.isSubset(of: Set(ListSort.all.map(\.kind))))
    }
}

@Suite("one list under the pen")
struct ListEditorTests {
    private let account = FakeAccount(.plain(notes: 2))

    private func editor(_ kind: Kind, _ identifier: String = "", from start: Int = 0) async throws -> ListEditor {
        let address = EventAddress(kind: kind, author: account.publicKey, identifier: identifier)
        return try await .load(address, from: start, of: account)
    }

    @Test("adds privately unless told otherwise, and says how to take it back")
    func adds() async throws {
        var state = try await editor(.muteList)
        await state.perform(.add(.init(text: ben.npub)), of: account)
        let item = ListItem.person(ProfilePointer(key: ben), petname: nil)
        #expect(state.undo == .remove(item))
        #expect(await account.personal?.list(.muteList, identifier: "").privateItems == [item])
        let again = try await editor(.muteList)
        #expect(again.privateEntries.map(\.text) == ["Ben"] && again.privateCount == 1)
    }

    @Test("puts nothing private where others must see it")
    func open() async throws {
        var state = try await editor(.directMessageRelays)
        await state.perform(.add(.init(text: "nest.example", isPrivate: true)), of: account)
        #expect(await account.personal?.list(.directMessageRelays, identifier: "").publicItems.count == 1)
    }

    @Test("finds a person by name, and asks when there are several")
    func people() async throws {
        var state = try await editor(.followSets, "friends")
        await state.perform(.add(.init(text: "@Ben")), of: account)
        #expect(await account.personal?.list(.followSets, identifier: "friends").privateItems.count == 1)
        let several = [PersonItem(Person(key: ben)), PersonItem(Person(key: FakeAuthor(3).key))]
        let trouble = #expect(throws: Trouble.self) { try state.choose(among: several) }
        #expect(state.candidates.count == 2 && trouble?.sentence.contains("Choose one") == true)
        await state.perform(.add(.init(text: "@Zoe")), of: account)
        #expect(state.problem?.contains("Nobody called") == true)
    }

    @Test("moves and takes off, and each way back leads to where it was")
    func moves() async throws {
        var list = PersonalList(
            address: account.personal?.address(.muteList) ?? .init(kind: 0, author: ben, identifier: ""))
        list.publicItems = [.word("loud")]
        await account.personal?.put(list)
        var moved = try await editor(.muteList)
        await moved.perform(.move(.word("loud"), toPrivate: true), of: account)
        #expect(moved.undo == .put(.word("loud"), isPrivate: false))
        var removed = try await editor(.muteList)
        await removed.perform(.remove(.word("loud")), of: account)
        #expect(removed.undo == .put(.word("loud"), isPrivate: true))
    }

    @Test("says why a change was refused, and shows the list all the same")
    func refused() async throws {
        await account.personal?.refuse(with: AccountError(.wouldDrop, of: .muteList, count: 300))
        var state = try await editor(.muteList)
        await state.perform(.add(.init(text: "loud")), of: account)
        #expect(
            state.problem?.hasPrefix("This would take 300 entries out of your mute list at once") == true
                && state.done == nil)
        #expect(state.written.text == "loud")
    }

    @Test("leaves a list alone whose private part cannot be read")
    func unreadable() async throws {
        var list = PersonalList(
            address: account.personal?.address(.muteList) ?? .init(kind: 0, author: ben, identifier: ""))
        list.privatePart = .unreadable
        list.unknownEntries = 3
        await account.personal?.put(list)
        let state = try await editor(.muteList)
        #expect(!state.canChange && state.isUnreadable && state.unknownCount == 3)
    }

    @Test("shows a long list in pages")
    func pages() async throws {
        var list = PersonalList(
            address: account.personal?.address(.muteList) ?? .init(kind: 0, author: ben, identifier: ""))
        list.publicItems = (0..<250).map { .word("word \($0)") }
        await account.personal?.put(list)
        let first = try await editor(.muteList)
        #expect(first.publicEntries.count == 100 && first.next == 100)
        let last = try await editor(.muteList, from: 200)
        #expect(last.publicEntries.count == 50 && last.next == nil)
    }

    @Test("only sets are named and deleted")
    func sets() async throws {
        var refused = try await editor(.muteList)
        await refused.perform(.delete, of: account)
        #expect(refused.problem != nil && !refused.isDeleted)
        var gone = try await editor(.followSets, "friends")
        await gone.perform(.delete, of: account)
        #expect(gone.isDeleted)
    }
}

@Suite("all lists")
struct ListsPageTests {
    @Test("stand under headings, those one needs first even while empty")
    func sections() {
        let own = FakeAuthor(1).key
        var friends = PersonalList(address: EventAddress(kind: .followSets, author: own, identifier: "f"))
        friends.title = "Friends"
        friends.publicItems = [.person(ProfilePointer(key: ben), petname: nil)]
        var mute = PersonalList(address: EventAddress(kind: .muteList, author: own, identifier: ""))
        mute.privatePart = .locked
        let strange = PersonalList(address: EventAddress(kind: 39_999, author: own, identifier: "x"))
        let state = ListsPage([friends, mute, strange])
        #expect(state.sections.first?.rows.first?.title == "Mute list")
        #expect(state.sections.first?.rows.first?.privateCount == nil)
        #expect(state.sections.first { $0.category == .people }?.rows.map(\.title) == ["Friends"])
        #expect(state.sections.last?.category == .other)
    }

    @Test("a new set needs a name and a kind that is a set")
    func make() async throws {
        let account = FakeAccount(.plain(notes: 0))
        await #expect(throws: Trouble.self) {
            try await ListsPage.makeSet(.followSets, title: " \n", summary: "", of: account)
        }
        await #expect(throws: Trouble.self) {
            try await ListsPage.makeSet(.muteList, title: "Mine", summary: "", of: account)
        }
        #expect(await account.personal?.acts.isEmpty == true)
        let made = try await ListsPage.makeSet(.followSets, title: " Old  friends", summary: "", of: account)
        #expect(made?.identifier == "old friends")
    }
}
