import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of lists")
struct ListPagesTests {
    private static let ben = FakeAuthor(2).key

    @Test("all lists, a new set, and a person on it")
    func sets() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/lists", cookie: cookie)
            #expect(page.text.contains("Mute list") && page.text.contains("Bookmarks"))
            let made = try await browser.post(
                "/lists", ["csrf": page.csrf, "kind": "30000", "title": "Friends"], cookie: cookie)
            #expect(made.location == "/lists/30000?d=friends")
            let added = try await browser.post(
                "/lists/30000/add",
                ["csrf": page.csrf, "d": "friends", "text": Self.ben.npub, "part": "private"], cookie: cookie)
            #expect(added.location == "/lists/30000?d=friends")
            let list = try await browser.get("/lists/30000?d=friends", cookie: cookie)
            #expect(list.text.contains("Ben is on the list.") && list.text.contains("Undo"))
            #expect(list.text.contains("Show Ben to everybody"))
            let again = try await browser.get("/lists/30000?d=friends", cookie: cookie)
            #expect(!again.text.contains("is on the list."))
        }
    }

    @Test("an entry moves, goes, and comes back where it was")
    func moves() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/lists/10000", cookie: cookie).csrf
            let word = ListItem.word("loud").formWord
            let post = { (act: String, part: String) in
                try await browser.post(
                    "/lists/10000/\(act)", ["csrf": csrf, "item": word, "text": "loud", "part": part], cookie: cookie)
            }
            let lists = try #require(under.account.personal)
            _ = try await post("add", "public")
            #expect(await lists.list(.muteList, identifier: "").publicItems == [.word("loud")])
            _ = try await post("put", "private")
            #expect(await lists.list(.muteList, identifier: "").privateItems == [.word("loud")])
            _ = try await post("remove", "")
            let page = try await browser.get("/lists/10000", cookie: cookie)
            #expect(page.text.contains("name=\"part\" value=\"private\"") && page.text.contains("/lists/10000/put"))
            _ = try await post("put", "private")
            #expect(await lists.list(.muteList, identifier: "").privateItems == [.word("loud")])
        }
    }

    @Test("a refusal is shown with its sentence, and what was typed stays")
    func refused() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        await under.account.personal?.refuse(with: AccountError(.newestUnknown, of: .muteList, count: 1, total: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/lists/10000", cookie: cookie).csrf
            let page = try await browser.post("/lists/10000/add", ["csrf": csrf, "text": "loud <b>"], cookie: cookie)
            #expect(page.status == .unprocessableContent)
            #expect(page.text.contains("Only 1 of 3 relays answered") && page.text.contains("value=\"loud &lt;b&gt;\""))
        }
    }

    @Test("closed and damaged parts and unknown entries are told")
    func states() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        let lists = try #require(under.account.personal)
        var list = PersonalList(address: lists.address(.muteList))
        list.unknownEntries = 3
        list.privatePart = .locked
        await lists.put(list)
        try await under.test { [list] browser in
            let cookie = try await browser.logIn()
            let closed = try await browser.get("/lists/10000", cookie: cookie)
            #expect(closed.text.contains("3 entries Linnet does not know; they stay as they are."))
            #expect(closed.text.contains("Locked until you unlock your key."))
            var damaged = list
            damaged.privatePart = .unreadable
            await lists.put(damaged)
            let page = try await browser.get("/lists/10000", cookie: cookie)
            #expect(page.text.contains("Linnet changes nothing here") && !page.text.contains("/lists/10000/add"))
        }
    }

    @Test("notes are muted, kept and pinned from their menu, and the same menu undoes it")
    func marks() async throws {
        let under = try FaceUnderTest(.plain(notes: 3))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let lists = try #require(under.account.personal)
            let note = try #require(await under.account.notes.first { $0.event.pubkey == Self.ben })
            let id = note.id.hex
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("/note/\(id)/menu"))
            let menu = try await browser.get("/note/\(id)/menu?back=%2Fhome", cookie: cookie)
            #expect(menu.text.contains("Mute Ben") && menu.text.contains("Bookmark privately"))
            #expect(!menu.text.contains("Pin to your profile"))
            for mark in ["mute-person", "mute-conversation", "bookmark"] {
                let page = try await browser.post(
                    "/note/\(id)/mark/\(mark)", ["csrf": home.csrf, "back": "/home"], cookie: cookie)
                #expect(page.location == "/home")
            }
            #expect(await lists.list(.muteList, identifier: "").privateItems.count == 2)
            #expect(await lists.list(.bookmarks, identifier: "").publicItems.isEmpty)
            let after = try await browser.get("/note/\(id)/menu", cookie: cookie)
            #expect(after.text.contains("Unmute Ben") && after.text.contains("Remove the bookmark"))
            _ = try await browser.post(
                "/note/\(id)/mark/mute-person", ["csrf": home.csrf, "off": "1"], cookie: cookie)
            #expect(await lists.mutes().people.isEmpty)
            let part = try await browser.post(
                "/note/\(id)/mark/bookmark", ["csrf": home.csrf, "off": "1"], cookie: cookie, ["X-Linnet-Fragment": "1"]
            )
            #expect(part.status == .ok && part.text == "No longer kept.")
            let pin = try await browser.post("/note/\(id)/mark/pin", ["csrf": home.csrf], cookie: cookie)
            #expect(pin.text.contains("Only your own notes"))
        }
    }

    @Test("people are muted and put into sets from their page")
    func people() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let lists = try #require(under.account.personal)
            let path = "/people/\(Self.ben.hex)"
            let csrf = try await browser.get(path, cookie: cookie).csrf
            _ = try await browser.post("/lists", ["csrf": csrf, "kind": "30000", "title": "Friends"], cookie: cookie)
            _ = try await browser.post(path + "/mute/on", ["csrf": csrf], cookie: cookie)
            _ = try await browser.post(path + "/set/on", ["csrf": csrf, "d": "friends"], cookie: cookie)
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains(">Muted<") && page.text.contains("Unmute"))
            #expect(page.text.contains("In “Friends”: take out"))
            #expect(await lists.mutes().people == [Self.ben])
            _ = try await browser.post(path + "/mute/off", ["csrf": csrf], cookie: cookie)
            #expect(await lists.mutes().people.isEmpty)
            let own = try await browser.get("/people/\(under.account.publicKey.hex)", cookie: cookie)
            #expect(own.text.contains("Set a status") && !own.text.contains("details class=\"menu\""))
            _ = try await browser.post(
                "/status", ["csrf": csrf, "status": "Walking", "lasts": "hour"], cookie: cookie)
            #expect(await lists.acts.last == "status Walking - \(under.clock.now.seconds + 3600)")
        }
    }

    @Test("drafts are kept, shown, taken up and deleted")
    func drafts() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/compose", cookie: cookie).csrf
            let kept = try await browser.post(
                "/compose", ["csrf": csrf, "text": "Half <b> a thought", "do": "draft"], cookie: cookie)
            #expect(kept.location == "/drafts?kept=1")
            let page = try await browser.get("/drafts", cookie: cookie)
            #expect(page.text.contains("Half &lt;b&gt; a thought") && page.text.contains("/compose?draft=draft-1"))
            let compose = try await browser.get("/compose?draft=draft-1", cookie: cookie)
            #expect(compose.text.contains("Half &lt;b&gt; a thought</textarea>"))
            #expect(compose.text.contains("name=\"kept\" value=\"draft-1\""))
            _ = try await browser.post("/drafts/delete", ["csrf": csrf, "id": "draft-1"], cookie: cookie)
            let gone = try await browser.get("/compose?draft=draft-1", cookie: cookie)
            #expect(gone.status == .notFound)
        }
    }

    @Test("the page asks once where drafts go, offers relays, and then says truthfully where they are")
    func draftRelays() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        let lists = try #require(under.account.personal)
        let asking = try RelayURL("wss://asking.example")
        await lists.use(DraftRelays(kept: [], offered: [asking], isDeclined: false, searched: []))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let asked = try await browser.get("/drafts", cookie: cookie)
            #expect(
                asked.text.contains("On your other devices too?")
                    && asked.text.contains("value=\"wss://asking.example\""))
            #expect(asked.text.contains("on this Linnet only") && !asked.text.contains("your other devices find them"))
            let none = try await browser.post(
                "/drafts/relays", ["csrf": asked.csrf, "do": "relays"], cookie: cookie)
            #expect(none.status == .unprocessableContent && none.text.contains("Tick at least one relay"))
            _ = try await browser.post("/drafts/relays", ["csrf": asked.csrf, "do": "here"], cookie: cookie)
            let here = try await browser.get("/drafts", cookie: cookie)
            #expect(!here.text.contains("too?") && here.text.contains("Your other devices do not have them."))
            _ = try await browser.post(
                "/drafts/relays", ["csrf": asked.csrf, "do": "relays", "relay-0": "wss://asking.example"],
                cookie: cookie)
            let there = try await browser.get("/drafts", cookie: cookie)
            #expect(there.text.contains("kept here and on asking.example"))
            #expect(await lists.acts.suffix(2) == ["keep drafts here", "keep drafts on wss://asking.example"])
        }
    }

    @Test("which relays are searched for drafts can be changed, and emptied")
    func draftSearch() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        let lists = try #require(under.account.personal)
        await lists.use(
            DraftRelays(kept: [], offered: [], isDeclined: false, searched: [try RelayURL("wss://popular.example")]))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/drafts", cookie: cookie)
            #expect(page.text.contains("wss://popular.example</textarea>"))
            #expect(page.text.contains("Linnet offers none"))
            let wrong = try await browser.post(
                "/drafts/search", ["csrf": page.csrf, "relays": "wss://a.example\nnonsense"], cookie: cookie)
            #expect(wrong.status == .unprocessableContent && wrong.text.contains("“nonsense” is not a relay"))
            #expect(wrong.text.contains("wss://a.example\nnonsense</textarea>"))
            let many = (0..<13).map { "wss://r\($0).example" }.joined(separator: "\n")
            let tooMany = try await browser.post("/drafts/search", ["csrf": page.csrf, "relays": many], cookie: cookie)
            #expect(tooMany.text.contains("At most 12 relays"))
            let emptied = try await browser.post(
                "/drafts/search", ["csrf": page.csrf, "relays": " \n"], cookie: cookie)
            #expect(emptied.location == "/drafts")
            #expect(await lists.draftRelays.searched == [])
        }
    }

    @Test("a draft of another app shows its kind and files, opens with its picture, and has earlier states")
    func foreignDrafts() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        let lists = try #require(under.account.personal)
        let imeta: NostrCore.Tag = ["imeta", "url https://x.example/a.jpg", "m image/jpeg"]
        var heron = NoteDraft(
            id: "h", composition: Composition(text: "a heron", attachments: [imeta]),
            media: ["https://x.example/a.jpg"],
            changedAt: Timestamp(seconds: 1), expires: nil, isEditable: true)
        heron.hasCheckpoints = true
        await lists.put(heron)
        await lists.put(
            NoteDraft(
                id: "p", kind: 1068, composition: Composition(text: "tea?"), changedAt: Timestamp(seconds: 2),
                expires: nil,
                isEditable: false))
        let state = NoteDraft(
            id: "e1", composition: Composition(text: "a bird"), changedAt: Timestamp(seconds: 0), expires: nil,
            isEditable: true)
        await lists.put([state], before: "h")
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/drafts", cookie: cookie)
            #expect(page.text.contains("1 file · ") && page.text.contains("A poll · "))
            #expect(page.text.contains("/drafts/earlier?id=h") && !page.text.contains("/drafts/earlier?id=p"))
            let earlier = try await browser.get("/drafts/earlier?id=h", cookie: cookie)
            #expect(earlier.text.contains("a bird") && earlier.text.contains("/compose?draft=h&amp;earlier=e1"))
            let taken = try await browser.get("/compose?draft=h&earlier=e1", cookie: cookie)
            #expect(taken.text.contains("a bird</textarea>") && taken.text.contains("name=\"kept\" value=\"h\""))
            #expect(try await browser.get("/compose?draft=h&earlier=zz", cookie: cookie).status == .notFound)
            let compose = try await browser.get("/compose?draft=h", cookie: cookie)
            #expect(compose.text.contains("https://x.example/a.jpg</span>"))
            let attached = #"["imeta","url https://x.example/a.jpg","m image/jpeg"]"#
            _ = try await browser.post(
                "/compose",
                ["csrf": compose.csrf, "text": "a heron!", "kept": "h", "attached-0": attached, "do": "draft"],
                cookie: cookie)
            #expect(try await lists.drafts().first?.composition == Composition(text: "a heron!", attachments: [imeta]))
            // What no page made is left out.
            _ = try await browser.post(
                "/compose",
                ["csrf": compose.csrf, "text": "a heron?", "kept": "h", "attached-0": #"["p","x"]"#, "do": "draft"],
                cookie: cookie)
            #expect(try await lists.drafts().first?.composition == Composition(text: "a heron?"))
        }
    }

    @Test("the list of relays for drafts is offered, and takes entries privately only")
    func privateRelays() async throws {
        let under = try FaceUnderTest(.plain(notes: 2))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            #expect(try await browser.get("/lists", cookie: cookie).text.contains("/lists/10013"))
            let page = try await browser.get("/lists/10013", cookie: cookie)
            #expect(!page.text.contains("Everybody can see") && !page.text.contains("Add for all to see"))
            _ = try await browser.post(
                "/lists/10013/add", ["csrf": page.csrf, "text": "wss://asking.example", "part": "public"],
                cookie: cookie)
            let list = await under.account.personal?.list(.privateRelays, identifier: "")
            #expect(list?.privateItems.count == 1 && list?.publicItems.isEmpty == true)
        }
    }

    @Test("an earlier version is shown in words and restored after a second look")
    func history() async throws {
        let under = try FaceUnderTest(.plain(notes: 0))
        let author = FakeAuthor(1)
        let people = (2...20).map { ListItem.person(ProfilePointer(key: FakeAuthor($0).key), petname: nil) }
        let older = author.event("", kind: 3, tags: people.map(\.tag), at: Timestamp(seconds: 1_699_000_000))
        let newer = author.event("", kind: 3, at: Timestamp(seconds: 1_699_900_000))
        var change = VersionChange()
        change.dropped = people
        let address = EventAddress(kind: 3, author: author.key, identifier: "")
        await under.account.past?.put(
            [
                EventVersion(event: newer, isCurrent: true, change: change, privatePart: .none),
                EventVersion(event: older, isCurrent: false, change: nil, privatePart: .none),
            ], of: address)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let all = try await browser.get("/history", cookie: cookie)
            #expect(all.text.contains("href=\"/history/3\"") && all.text.contains("2 versions"))
            let page = try await browser.get("/history/3", cookie: cookie)
            #expect(page.text.contains("19 follows removed") && page.text.contains("has-lost"))
            #expect(page.text.contains("Restore this version"))
            let done = try await browser.post(
                "/history/3/restore", ["csrf": page.csrf, "id": older.id.hex], cookie: cookie)
            #expect(done.location == "/history/3")
            #expect(await under.account.past?.restored == [older.id])
        }
    }

    @Test("hostile names, words and drafts stay text", arguments: hostileTexts)
    func hostile(text: String) async throws {
        let under = try FaceUnderTest(.plain(notes: 1))
        let lists = try #require(under.account.personal)
        var list = PersonalList(address: lists.address(.followSets, text))
        list.title = text
        list.summary = text
        list.publicItems = [.word(text), .hashtag(text), .group(text, relay: nil, name: text)]
        list.privateItems = [.person(ProfilePointer(key: Self.ben), petname: text)]
        await lists.put(list)
        await lists.put(
            NoteDraft(
                id: text, composition: Composition(text: text), changedAt: Timestamp(seconds: 1), expires: nil,
                isEditable: true))
        await under.opening.add(FakeAccount(.of(FakeAuthor(9), named: text)), name: text)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let query = encodePercent(text)
            for path in [
                "/lists", "/lists/30000?d=\(query)", "/drafts", "/history/30000?d=\(query)", "/compose?draft=\(query)",
                "/people/\(Self.ben.hex)",
            ] {
                let page = try await browser.get(path, cookie: cookie)
                for mark in [
                    "<script>", "<img src=x", "<svg/", "<iframe", "<math", "<style", "<base", "onerror=alert(1)>",
                ] {
                    #expect(!page.text.contains(mark), "\(path)")
                }
            }
        }
    }
}
