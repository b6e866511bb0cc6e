import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("polls on pages")
struct PollPagesTests {
    /// A world with one poll of Ben's on top.
    private static func world(
        _ further: [NostrCore.Tag] = [], votes: [(author: UInt8, option: String)] = []
    ) throws -> (world: FakeWorld, id: EventID) {
        var world = FakeWorld.plain(notes: 3)
        var note = world.note(
            "Tea or coffee?", kind: 1068,
            tags: [["option", "t", "Tea <b>"], ["option", "c", "Coffee"]] + further, ago: 0)
        let poll = try #require(Poll(note.event))
        let responses = votes.map { vote in
            PollResponse(
                id: note.id, author: FakeAuthor(vote.author).key, createdAt: note.event.createdAt, poll: poll.id,
                options: [vote.option])
        }
        note.poll = .votes(
            PollStanding(poll: poll, everyone: PollTally(of: poll, responses, now: world.newest)))
        world.keep(note)
        return (world, note.id)
    }

    @Test("an open poll has a field for each answer, and hides how it stands until one has voted")
    func card() async throws {
        let (world, id) = try Self.world(votes: [(4, "t"), (5, "t"), (6, "c")])
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("type=\"radio\" name=\"poll-\(id.hex)\" value=\"t\""))
            #expect(home.contains("Tea &lt;b&gt;") && !home.contains("67%"))
            #expect(home.contains("<button hidden formmethod=\"dialog\"></button>"))
            let own = try await browser.get("/polls/\(id.hex)", cookie: cookie).text
            #expect(own.contains("67%") && own.contains("3 people voted") && own.contains(", 2 votes"))
            let followed = try await browser.get("/polls/\(id.hex)?of=followed", cookie: cookie).text
            #expect(!followed.contains("67%") && followed.contains("No vote counts here yet"))
        }
    }

    @Test("a poll's page counts the votes of a set of people, and those with work in them")
    func curated() async throws {
        let (world, id) = try Self.world(votes: [(4, "t"), (5, "t"), (6, "c")])
        let under = try FaceUnderTest(world)
        let lists = try #require(under.account.personal)
        var set = PersonalList(address: lists.address(.followSets, "birders"))
        set.title = "Birders & <b>"
        set.publicItems = [.person(ProfilePointer(key: FakeAuthor(6).key), petname: nil)]
        await lists.put(set)
        var empty = PersonalList(address: lists.address(.followSets, "empty"))
        empty.privatePart = .locked
        await lists.put(empty)
        guard case .votes(let standing) = await under.account.notes.first(where: { $0.id == id })?.poll else {
            Issue.record("no poll")
            return
        }
        func tally(_ option: String) -> PollTally {
            let vote = PollResponse(
                id: id, author: FakeAuthor(6).key, createdAt: world.newest, poll: id, options: [option])
            return PollTally(of: standing.poll, [vote], now: world.newest)
        }
        await under.account.count(tally("c"), by: .people([FakeAuthor(6).key]))
        await under.account.count(tally("t"), by: .work(bits: 16))
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let all = try await browser.get("/polls/\(id.hex)", cookie: cookie).text
            #expect(all.contains("Birders &amp; &lt;b&gt;") && all.contains("of=list%3Abirders"))
            #expect(all.contains("Work of 16 bits") && all.contains("aria-label=\"Whose votes count\""))
            let birders = try await browser.get("/polls/\(id.hex)?of=list%3Abirders", cookie: cookie).text
            #expect(birders.contains("100%") && birders.contains("1 vote counts here") && !birders.contains("67%"))
            let worked = try await browser.get("/polls/\(id.hex)?of=work%3A16", cookie: cookie).text
            #expect(worked.contains("1 vote counts here") && worked.contains("about 65,536 attempts"))
            let other = try await browser.get("/polls/\(id.hex)?of=work%3A9", cookie: cookie).text
            #expect(other.contains("No vote counts here yet") && other.contains("Work of 9 bits"))
            let locked = try await browser.get("/polls/\(id.hex)?of=list%3Aempty", cookie: cookie).text
            #expect(
                locked.contains("private part of this list is locked") && locked.contains("No vote counts here yet"))
            let gone = try await browser.get("/polls/\(id.hex)?of=list%3Agone", cookie: cookie).text
            #expect(gone.contains("Nobody is on this list"))
            let nonsense = try await browser.get("/polls/\(id.hex)?of=work%3Amuch", cookie: cookie)
            #expect(nonsense.status == .ok && nonsense.text.contains("3 people voted"))
        }
    }

    @Test("a vote is cast without scripts and with them, and can be changed")
    func voting() async throws {
        let (world, id) = try Self.world()
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/home", cookie: cookie).csrf
            let name = "poll-\(id.hex)"
            let voted = try await browser.post(
                "/polls/\(id.hex)/vote", ["csrf": csrf, "back": "/home", name: "c", "poll-00": "t"], cookie: cookie)
            #expect(voted.status == .seeOther && voted.location == "/home")
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(home.contains("100%") && home.contains("Change your vote") && home.contains("Your choice"))
            let changed = try await browser.post(
                "/polls/\(id.hex)/vote", ["csrf": csrf, name: "t"], cookie: cookie, ["X-Linnet-Fragment": "1"])
            #expect(changed.status == .ok && changed.text.hasPrefix("<div class=\"poll\""))
            let none = try await browser.post("/polls/\(id.hex)/vote", ["csrf": csrf], cookie: cookie)
            #expect(none.status == .unprocessableContent && none.text.contains("Choose one of the answers"))
        }
    }

    @Test("several answers are fields of their own; an ended poll has none and shows how it stands")
    func kinds() async throws {
        let (several, id) = try Self.world([["polltype", "multiplechoice"]])
        let under = try FaceUnderTest(several)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("type=\"checkbox\" name=\"poll-\(id.hex)-1\" value=\"c\""))
            let fields: KeyValuePairs = [
                "csrf": home.csrf, "poll-\(id.hex)-0": "t", "poll-\(id.hex)-1": "c",
            ]
            _ = try await browser.post("/polls/\(id.hex)/vote", fields, cookie: cookie)
            guard case .votes(let standing) = await under.account.notes.first?.poll else {
                Issue.record("no poll")
                return
            }
            #expect(Set(standing.own) == ["t", "c"])
        }
        let (ended, old) = try Self.world([["endsAt", "1600000000"]])
        let other = try FaceUnderTest(ended)
        try await other.test { browser in
            let cookie = try await browser.logIn()
            let home = try await browser.get("/home", cookie: cookie).text
            #expect(!home.contains("name=\"poll-\(old.hex)\"") && home.contains("ended") && home.contains("0%"))
        }
    }

    @Test("settings show results at once to who wants that")
    func settings() async throws {
        let (world, _) = try Self.world(votes: [(4, "t")])
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/settings", cookie: cookie).csrf
            _ = try await browser.post("/settings", ["csrf": csrf, "media": "never", "polls": "shown"], cookie: cookie)
            #expect(await under.personal.hidesPollResults == false)
            #expect(try await browser.get("/home", cookie: cookie).text.contains("100%"))
        }
    }

    @Test("a poll is asked on a page of its own, which says what is missing")
    func asking() async throws {
        let under = try FaceUnderTest()
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let form = try await browser.get("/compose/poll", cookie: cookie)
            #expect(form.text.contains("Answer 4") && !form.text.contains("Answer 5"))
            let more = try await browser.post(
                "/compose/poll", ["csrf": form.csrf, "rows": "4", "do": "more", "question": "Tea?"], cookie: cookie)
            #expect(more.text.contains("Answer 6") && more.text.contains("Tea?"))
            let empty = try await browser.post(
                "/compose/poll", ["csrf": form.csrf, "rows": "4", "question": " ", "option-0": "a"], cookie: cookie)
            #expect(empty.status == .unprocessableContent && empty.text.contains("what you want to ask"))
            let one = try await browser.post(
                "/compose/poll", ["csrf": form.csrf, "rows": "4", "question": "Tea?", "option-0": "a"], cookie: cookie)
            #expect(one.text.contains("needs two to ten answers"))
            let asked = try await browser.post(
                "/compose/poll",
                ["csrf": form.csrf, "rows": "4", "question": "Tea?", "option-0": "Yes", "option-2": "No"],
                cookie: cookie)
            #expect(asked.status == .seeOther && asked.location?.hasPrefix("/note/") == true)
            #expect(await under.account.published.last?.text == "Tea?\nYes\nNo")
        }
    }

    @Test("a poll by payments shows sats and who has won")
    func zaps() async throws {
        var world = FakeWorld.plain(notes: 1)
        var note = world.note(
            "Which bread?", kind: 6969,
            tags: [["poll_option", "0", "Rye"], ["poll_option", "1", "Spelt"], ["consensus_threshold", "50"]], ago: 0)
        let poll = try #require(ZapPoll(note.event))
        let vote = ZapVote(
            sender: FakeAuthor(7).key, option: 0, millisatoshis: 2_100_000, paidAt: note.event.createdAt)
        note.poll = .zaps(ZapPollStanding(poll: poll, tally: ZapPollTally(of: poll, [vote])))
        world.keep(note)
        let under = try FaceUnderTest(world)
        try await under.test { browser in
            let home = try await browser.get("/home", cookie: try await browser.logIn()).text
            #expect(home.contains("2,100 sats") && home.contains("“Rye” has it") && home.contains("1 person paid"))
        }
    }
}
