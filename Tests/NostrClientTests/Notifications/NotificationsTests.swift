import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

/// What concerns an account, over a store.
@Suite(.timeLimit(.minutes(10)))
struct NotificationsTests {
    private let alice = TestPerson.alice
    private var p: NostrCore.Tag { ["p", alice.publicKey.hex] }

    private func page(
        _ account: LiveAccount, _ sorts: Set<AccountNotification.Sort>? = nil, before place: TimelineCursor? = nil,
        limit: Int = 100
    ) async throws -> NotificationPage {
        try await account.services.notifications.page(sorts, before: place, since: nil, limit: limit)
    }

    private func unread(_ account: LiveAccount) async throws -> Int {
        try await account.services.notifications.unread()
    }

    /// A thousand things of every sort, many in one second, among as many that do not concern the account.
    private func thousand() -> (events: [Event], ids: Set<EventID>) {
        let mine = (0..<20).map { alice.event("note \($0)", at: seconds(-9000 + Int64($0))) }
        var events = mine
        var ids: Set<EventID> = []
        for number in 0..<1000 {
            let note = mine[number % mine.count]
            let person: TestPerson = [.bob, .carol, .dave, .eve][number % 4]
            // Ten in each second.
            let moment = seconds(-8000 + Int64(number / 10))
            let event =
                switch number % 5 {
                case 0: person.event("+", kind: 7, tags: [["e", note.id.hex], p, ["n", "\(number)"]], at: moment)
                case 1: person.event("answer \(number)", tags: [["e", note.id.hex, "", "root"], p], at: moment)
                case 2: person.event("quote \(number)", tags: [["q", note.id.hex]], at: moment)
                case 3: person.event("mention \(number)", tags: [p], at: moment)
                default: person.event("", kind: 6, tags: [["e", note.id.hex], p, ["n", "\(number)"]], at: moment)
                }
            events.append(event)
            ids.insert(event.id)
            events.append(person.event("of no concern \(number)", at: moment))
        }
        return (events, ids)
    }

    @Test(
        "of a thousand, none is missed and none comes twice, page by page and over a restart", arguments: [7, 50, 100])
    func pages(size: Int) async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        let (events, ids) = thousand()
        _ = await bench.store.save(events, from: nil)
        var account = bench.account
        var place: TimelineCursor?
        var seen: [EventID] = []
        for number in 0..<1000 {
            let page = try await page(account, before: place, limit: size)
            seen += page.groups.flatMap(\.members).map(\.id)
            place = page.next
            if place == nil { break }
            guard number == 3 else { continue }
            account = bench.account(
                signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 9)), records: records)
        }
        #expect(seen.count == 1000 && Set(seen) == ids)
    }

    @Test("sorts can be asked for alone")
    func sorts() async throws {
        let bench = AccountBench()
        _ = await bench.store.save(thousand().events, from: nil)
        for sort in [AccountNotification.Sort.reaction, .reply, .quote, .mention, .repost] {
            let page = try await page(bench.account, [sort], limit: 300)
            #expect(page.groups.flatMap(\.members).count == 200 && page.groups.allSatisfy { $0.sort == sort })
            #expect(page.next == nil)
        }
    }

    @Test("what came before the account was at work here is no news; what comes then is, until it is read")
    func reading() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        _ = await bench.store.save([TestPerson.bob.event("hello", tags: [p], at: seconds(-60))], from: nil)
        #expect(try await unread(bench.account) == 0)
        bench.clock.advance(by: .seconds(100))
        try await bench.running {
            try await bench.eventually("it listens") { bench.network.questions.isEmpty == false }
            _ = await bench.store.save([TestPerson.bob.event("again", tags: [p], at: seconds(50))], from: nil)
            try await bench.eventually("it is counted") { try await unread(bench.account) == 1 }
            let shown = try await page(bench.account)
            #expect(shown.groups.map { shown.unread.contains($0.id) } == [true, false])
            try await bench.account.services.notifications.markRead(through: shown.readThrough)
            #expect(try await unread(bench.account) == 0)
            // It was written before that moment and came after it.
            _ = await bench.store.save([TestPerson.carol.event("late", tags: [p], at: seconds(70))], from: nil)
            try await bench.eventually("the late one is counted") { try await unread(bench.account) == 1 }
            try await bench.eventually("and written down") {
                let kept = await records.value("marks", in: "notifications")
                return kept.map {
                    String(decoding: $0, as: UTF8.self).contains(
                        TestPerson.carol.event("late", tags: [p], at: seconds(70)).id.hex)
                } ?? false
            }
        }
        let again = bench.account(
            signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 9)), records: records)
        #expect(try await unread(again) == 1)
        try await again.services.notifications.markRead(through: nil)
        #expect(try await unread(again) == 0)
    }

    @Test("what is not to be shown is neither listed nor counted")
    func choosing() async throws {
        let bench = AccountBench()
        #expect(try await unread(bench.account) == 0)
        bench.clock.advance(by: .seconds(100))
        let note = alice.event("my note", at: seconds(10))
        let like = TestPerson.bob.event("+", kind: 7, tags: [["e", note.id.hex], p], at: seconds(50))
        _ = await bench.store.save([note, like, TestPerson.bob.event("hello", tags: [p], at: seconds(51))], from: nil)
        let notifications = bench.account.services.notifications
        try await notifications.show(Set(NotificationFilter.allCases).subtracting([.reactions]))
        #expect(try await unread(bench.account) == 1)
        #expect(try await page(bench.account).groups.map(\.sort) == [.mention])
        try await notifications.show(Set(NotificationFilter.allCases))
        #expect(try await unread(bench.account) == 2)
        let summary = try await notifications.summary(since: Timestamp(seconds: seconds(0)))
        #expect(summary.counts == [.mention: 1, .reaction: 1] && !summary.isPartial)
    }

    @Test("what was chosen is kept over a restart: what is shown, of what browsers are told, and when it is quiet")
    func kept() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        let notifications = bench.account.services.notifications
        #expect(try await notifications.shown() == Set(NotificationFilter.allCases))
        let shown: Set<NotificationFilter> = [.replies, .zaps, .circles]
        let quiet = QuietHours(from: "22:30", until: "07:00")
        let waking = NotificationWaking(filters: [.replies, .messages], quiet: quiet)
        try await notifications.show(shown)
        try await notifications.setWaking(waking)
        let again = bench.account(
            signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 9)), records: records)
        #expect(try await again.services.notifications.shown() == shown)
        #expect(try await again.services.notifications.waking() == waking)
    }

    @Test("a summary counts what happened from a moment on, nothing of who is muted, and says when it is not all")
    func summary() async throws {
        let bench = AccountBench()
        let note = alice.event("my note", at: seconds(-20))
        let events = [
            note, alice.event(kind: 10_000, tags: [["p", TestPerson.carol.publicKey.hex]], at: seconds(-20)),
            TestPerson.bob.event("before", tags: [p], at: seconds(-10)),
            TestPerson.bob.event("hello", tags: [p], at: seconds(10)),
            TestPerson.carol.event("hello", tags: [p], at: seconds(11)),
            TestPerson.dave.event("+", kind: 7, tags: [["e", note.id.hex], p], at: seconds(12)),
            TestPerson.eve.event("+", kind: 7, tags: [["e", note.id.hex], p], at: seconds(13)),
        ]
        _ = await bench.store.save(events, from: nil)
        let summary = try await bench.account.services.notifications.summary(since: Timestamp(seconds: seconds(0)))
        #expect(summary.counts == [.mention: 1, .reaction: 2] && !summary.isPartial)
        let busy = AccountBench()
        _ = await busy.store.save(thousand().events, from: nil)
        let day = try await busy.account.services.notifications.summary(since: Timestamp(seconds: seconds(-9000)))
        #expect(day.isPartial && day.counts.count == 5)
    }

    @Test("an event dated far ahead does not stand on top before its time")
    func ahead() async throws {
        let bench = AccountBench()
        _ = await bench.store.save(
            [TestPerson.bob.event("from the future", tags: [p], at: seconds(100_000))], from: nil)
        #expect(try await page(bench.account).groups.isEmpty)
    }

    @Test("votes in a poll and quotes that name nobody are asked of the account's own relays")
    func following() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let poll = alice.event(
            "tea?", kind: 1068, tags: [["option", "a", "yes"], ["option", "b", "no"]], at: seconds(-60))
        _ = await bench.store.save([poll], from: nil)
        try await bench.running {
            try await bench.eventually("they are asked for") {
                bench.network.standing[relay("mine")]?.contains {
                    $0.kinds == [1018] && $0.tags["e"] == [poll.id.hex]
                } ?? false
            }
            let vote = TestPerson.bob.event(
                "", kind: 1018, tags: [["e", poll.id.hex], ["response", "a"]], at: seconds(-10))
            bench.network.arrive(vote, on: relay("mine"))
            try await bench.eventually("the vote is there") {
                try await page(bench.account).groups.map(\.sort) == [.vote]
            }
        }
    }

    @Test("a mention that only the fifth of the account's relays has is found")
    func everyReadRelay() async throws {
        let bench = AccountBench()
        let tags =
            (1...5).map { NostrCore.Tag(["r", "wss://r\($0).example", "read"]) } + [["r", "wss://mine.example"]]
        bench.network.put([alice.event(kind: 10_002, tags: tags)], on: relay("index"))
        func asked(_ name: String) -> Filter? {
            bench.network.standing[relay(name)]?.first { $0.tags["p"] == [alice.publicKey.hex] && $0.limit == 300 }
        }
        try await bench.running {
            try await bench.eventually("it is asked for") { asked("r5") != nil }
            let mention = TestPerson.bob.event("hello", tags: [p], at: seconds(-10))
            bench.network.arrive(mention, on: relay("r5"))
            try await bench.eventually("it is there") {
                try await page(bench.account).groups.map(\.sort) == [.mention]
            }
        }
    }

    @Test("a repost of an article by its address alone is found with and without the account's name")
    func addressReposts() async throws {
        let bench = AccountBench()
        let article = alice.event("on tea", kind: 30_023, tags: [["d", "tea"]], at: seconds(-60))
        let place: NostrCore.Tag = ["a", "30023:\(alice.publicKey.hex):tea"]
        let other: NostrCore.Tag = ["a", "30023:\(TestPerson.dave.publicKey.hex):tea"]
        _ = await bench.store.save(
            [
                article, TestPerson.bob.event(kind: 16, tags: [place, ["k", "30023"]], at: seconds(-50)),
                TestPerson.carol.event(kind: 16, tags: [place, p], at: seconds(-40)),
                TestPerson.dave.event(kind: 16, tags: [place, ["e", article.id.hex], p], at: seconds(-30)),
                TestPerson.eve.event(kind: 16, tags: [other, p], at: seconds(-20)),
            ], from: nil)
        let page = try await page(bench.account)
        #expect(page.groups.map(\.sort) == [.repost] && page.groups.first?.target == article.id)
        #expect(page.groups.first?.people == [TestPerson.dave, .carol, .bob].map(\.publicKey))
        #expect(page.targets[article.id] == article)
    }

    @Test("reposts by address alone are asked of the account's own relays, and counted as unread as they come")
    func followingAddresses() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        let place = "30023:\(alice.publicKey.hex):tea"
        #expect(try await unread(bench.account) == 0)
        bench.clock.advance(by: .seconds(100))
        try await bench.running {
            // It is written while the account is at work.
            _ = await bench.store.save(
                [alice.event("on tea", kind: 30_023, tags: [["d", "tea"]], at: seconds(50))], from: nil)
            try await bench.eventually("they are asked for") {
                bench.network.standing[relay("mine")]?.contains { $0.kinds == [16] && $0.tags["a"] == [place] }
                    ?? false
            }
            let repost = TestPerson.bob.event(kind: 16, tags: [["a", place]], at: seconds(60))
            bench.network.arrive(repost, on: relay("mine"))
            try await bench.eventually("it is counted") { try await unread(bench.account) == 1 }
        }
    }

    @Test("who begins to follow is told once, over changes of their list and a restart; a list from before is no news")
    func followers() async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        let (bob, carol, dave, eve) = (TestPerson.bob, TestPerson.carol, TestPerson.dave, TestPerson.eve)
        let first = bob.event(kind: 3, tags: [p], at: seconds(50))
        func save(_ person: TestPerson, _ tags: [NostrCore.Tag], at moment: Int64) async {
            _ = await bench.store.save([person.event(kind: 3, tags: tags, at: seconds(moment))], from: nil)
        }
        func told(_ account: LiveAccount) async throws -> [[AccountNotification]] {
            try await page(account, [.follow]).groups.map(\.members)
        }
        await save(eve, [p], at: -60)
        #expect(try await unread(bench.account) == 0)
        try await bench.running {
            try await bench.eventually("eve is known") {
                await records.value(eve.publicKey.hex, in: "followers") != nil
            }
            bench.clock.advance(by: .seconds(100))
            _ = await bench.store.save([first], from: nil)
            try await bench.eventually("bob is told") { try await unread(bench.account) == 1 }
            try await bench.account.services.notifications.markRead(through: nil)
            await save(bob, [p, ["p", dave.publicKey.hex]], at: 60)
            await save(eve, [p, ["p", dave.publicKey.hex]], at: 80)
            // Dated before the moment of reading, and here after it.
            await save(carol, [p], at: 70)
            try await bench.eventually("carol is told") { try await told(bench.account).first?.count == 2 }
            let groups = try await told(bench.account)
            #expect(groups.map { $0.map(\.person) } == [[carol.publicKey, bob.publicKey]])
            #expect(groups.first?.map(\.moment.seconds) == [seconds(70), seconds(50)])
            #expect(groups.first?.last?.id == first.id)
            #expect(try await unread(bench.account) == 1)
            try await bench.eventually("the late one is written down") {
                let id = carol.event(kind: 3, tags: [p], at: seconds(70)).id.hex
                let kept = await records.value("marks", in: "notifications") ?? []
                return String(decoding: kept, as: UTF8.self).contains(id)
            }
        }
        let again = bench.account(
            signer: LocalSigner(alice.secretKey, random: SeededRandom(seed: 9)), records: records)
        #expect(try await told(again).map(\.count) == [2])
        #expect(try await unread(again) == 1)
        // Whoever follows the account no longer is not said to.
        await save(carol, [], at: 90)
        #expect(try await told(again).map(\.count) == [1])
    }

    @Test("lists of follows are asked for from the moment the account is at work here")
    func asking() async throws {
        let bench = AccountBench()
        bench.layOutPeople()
        try await bench.running {
            try await bench.eventually("they are asked for, and nothing older") {
                bench.network.standing[relay("mine")]?.contains {
                    $0.kinds == [3] && $0.tags["p"] == [alice.publicKey.hex]
                        && $0.since == Timestamp(seconds: seconds(0))
                } ?? false
            }
            bench.clock.advance(by: .seconds(100))
            bench.network.arrive(TestPerson.dave.event(kind: 3, tags: [p], at: seconds(40)), on: relay("mine"))
            try await bench.eventually("dave is told") {
                try await page(bench.account).groups.map(\.sort) == [.follow]
            }
        }
    }

    @Test("followers and other things stand in one order, page by page", arguments: [1, 3, 10])
    func mixed(size: Int) async throws {
        let records = MemoryRecordStore()
        let bench = AccountBench(records: records)
        #expect(try await unread(bench.account) == 0)
        try await bench.running {
            try await bench.eventually("it is noticed") { await records.value("began", in: "followers") != nil }
            bench.clock.advance(by: .seconds(500))
            var events: [Event] = []
            for (number, person) in [TestPerson.bob, .carol, .dave, .eve].enumerated() {
                events.append(person.event(kind: 3, tags: [p], at: seconds(100 + Int64(number) * 20)))
                events.append(person.event("hello", tags: [p], at: seconds(110 + Int64(number) * 20)))
            }
            _ = await bench.store.save(events, from: nil)
            try await bench.eventually("all are told") { try await unread(bench.account) == 8 }
            var (seen, place): ([AccountNotification], TimelineCursor?) = ([], nil)
            for _ in 0..<20 {
                let page = try await page(bench.account, before: place, limit: size)
                seen += page.groups.flatMap(\.members)
                place = page.next
                if place == nil { break }
            }
            #expect(Set(seen.map(\.id)) == Set(events.map(\.id)) && seen.count == 8)
            // Within a page groups stand together.
            if size == 1 { #expect(seen.map(\.moment) == seen.map(\.moment).sorted(by: >)) }
        }
    }

    @Test("an account without a key has them, too")
    func readOnly() async throws {
        let bench = AccountBench(canSign: false)
        _ = await bench.store.save([TestPerson.bob.event("hello", tags: [p], at: seconds(-60))], from: nil)
        let reader = try #require(bench.account.notifications)
        #expect(try await reader.page(nil, before: nil, since: nil, limit: 10).groups.count == 1)
    }
}
