import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("choosing a feed")
struct FeedChoiceTests {
    @Test(
        "a choice and its word are the same",
        arguments: [
            "following", "trending", "tag:birds", "relay:wss://far.example/inbox", "list:30000:birders", "list:10003:",
            "list:30015:a:b c/ü", "list:10012:", "list-of:30000:\(FakeAuthor(2).key.hex):a:b c",
        ])
    func words(word: String) {
        #expect(FeedChoice(word: word)?.word == word)
    }

    @Test(
        "what is no word of a choice is none",
        arguments: [
            "", ":", "following:x", "home", "tag:", "tag:two words", "relay:", "relay:http://x.example",
            "list-of:", "list-of:30000:x:y", "list-of:10000:\(FakeAuthor(2).key.hex):",
            "list:", "list:x", "list:1:x", "list:10000:", "list:99999:", "list:-1:", "\u{0}",
        ])
    func noise(word: String) {
        #expect(FeedChoice(word: word) == nil)
    }

    @Test(
        "what a person writes is a topic or a relay",
        arguments: [
            ("#Birds", "tag:birds"), ("  #birds ", "tag:birds"), ("far.example", "relay:wss://far.example"),
            ("wss://far.example", "relay:wss://far.example"), ("birds", nil), ("#", nil), ("#a b", nil), ("", nil),
            ("https://far.example", nil),
        ] as [(String, String?)])
    func written(text: String, word: String?) {
        #expect(FeedChoice(written: text)?.word == word)
    }

    @Test("settings keep the choice, and read those of an earlier version")
    func kept() throws {
        var settings = PersonalSettings()
        settings.feed = .list(.followSets, identifier: "birders")
        settings.trendingServer = TrendingServer(address: "wss://feeds.example", isUsed: true)
        let read = try JSONDecoder().decode(PersonalSettings.self, from: try JSONEncoder().encode(settings))
        #expect(read == settings)
        let old = try JSONDecoder().decode(PersonalSettings.self, from: Data(#"{"feed":"of a later version"}"#.utf8))
        #expect(old.feed == .following && old.trendingServer.relay == nil)
        #expect(try JSONDecoder().decode(PersonalSettings.self, from: Data("{}".utf8)) == PersonalSettings())
    }

    @Test("a server of trending notes is asked only once it is wanted, and its address may be emptied")
    func server() throws {
        #expect(TrendingServer().relay == nil)
        #expect(try TrendingServer(form: " wss://feeds.example ", isUsed: true).relay != nil)
        #expect(try !TrendingServer(form: "", isUsed: true).isUsed)
        #expect(throws: Trouble.self) { try TrendingServer(form: "feeds", isUsed: true) }
    }

    @Test("lists stand by what they are made of; the open one is marked")
    func chooser() {
        let key = FakeWorld.plain(notes: 0).own.key
        func heading(_ kind: Kind, _ identifier: String, _ title: String) -> ListHeading {
            ListHeading(address: EventAddress(kind: kind, author: key, identifier: identifier), title: title)
        }
        let chooser = FeedChooser(
            at: .list(.interestSets, identifier: "out"), called: nil,
            [
                heading(.interestSets, "out", "Outdoors"), heading(.followSets, "birders", ""),
                heading(.bookmarks, "", ""), heading(.relaySets, "r", "Harbour"), heading(.muteList, "", ""),
            ])
        #expect(chooser.current == "Outdoors")
        #expect(chooser.groups.map(\.title) == [nil, "People", "Topics", "Notes", "Relays"])
        #expect(
            chooser.groups.flatMap(\.entries).map(\.title)
                == ["Following", "Trending", "birders", "Outdoors", "Bookmarks", "Harbour"])
        #expect(chooser.groups.flatMap(\.entries).filter(\.isCurrent).map(\.title) == ["Outdoors"])
    }

    @Test("a list's feed reads both its parts, each thing once; an empty one says what is missing")
    func loading() async throws {
        let world = FakeWorld.plain(notes: 3)
        let account = FakeAccount(world)
        let lists = try #require(account.personal)
        let (ben, cleo) = (world.notes[0].event.pubkey, world.notes[1].event.pubkey)
        var list = PersonalList(address: lists.address(.followSets, "birders"))
        list.title = "Birders"
        list.publicItems = [.person(ProfilePointer(key: ben), petname: nil)]
        list.privateItems = [
            .person(ProfilePointer(key: cleo), petname: nil), .person(ProfilePointer(key: ben), petname: nil),
        ]
        await lists.put(list)
        let feed = try await Feed.load(.list(.followSets, identifier: "birders"), of: account)
        #expect(feed.source == .people([ben, cleo]) && feed.title == "Birders")
        await #expect(throws: Trouble.self) {
            try await Feed.load(.list(.interestSets, identifier: "none"), of: account)
        }
        #expect(await FeedChooser.isThere(.list(.followSets, identifier: "birders"), of: account))
        #expect(await !FeedChooser.isThere(.list(.followSets, identifier: "gone"), of: account))
    }
}

@Suite("cards of reposts")
struct RepostCardTests {
    @Test(
        "of a note and its reposts the newest of a page stands; what comes later does not push it away",
        arguments: [
            (["repost1", "note"], [] as [String], ["repost1"]),
            (["repost2", "repost1", "note"], [], ["repost2"]),
            (["note"], ["repost1"], ["note"]),
            (["repost1"], ["repost2"], ["repost1"]),
            (["unknown", "note"], [], ["note"]),
        ])
    func cards(page: [String], later: [String], shown: [String]) {
        let world = FakeWorld.plain(notes: 1)
        let note = world.notes[0]
        func named(_ name: String) -> Note {
            if name == "note" { return note }
            // By when it came, newer ones first.
            let ago: Int64 = name == "repost2" ? -20 : -10
            var repost = world.note(name, by: name == "repost2" ? 2 : 1, kind: 6, tags: [["e", note.id.hex]], ago: ago)
            if name != "unknown" { repost.reposted = [note] }
            return repost
        }
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.opened(below: nil))
        _ = state.apply(.older(TimelinePage(notes: page.map(named), next: nil, isLoadingOlder: false)))
        let newer = (later + page).map(named)
        _ = state.apply(.newer(TimelinePage(notes: newer, next: nil, isLoadingOlder: false)))
        #expect(state.notes.map(\.cursor) == shown.map { named($0).event }.map(\.cursor))
        #expect(Set(state.notes.map(\.id)) == [note.id])
    }
}
