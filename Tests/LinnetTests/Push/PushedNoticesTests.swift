import AccountTesting
import AsyncPrimitives
import Circles
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import ScreenTesting
import Synchronization
import Testing
import ViewModels

@testable import linnet

/// From what arrives, through what a person chose, to what the push proxy is asked for.
@Suite("what browsers are told while no page is open", .timeLimit(.minutes(10)))
struct PushedNoticesTests {
    /// The minute of the day, as a test sets it.
    private final class WallClock: Sendable {
        private let minute = Mutex(12 * 60)
        private let count = Mutex(0)
        var now: Int {
            count.withLock { $0 += 1 }
            return minute.withLock { $0 }
        }
        /// How often it was looked at: once for each look at what there is, where there are quiet hours.
        var looks: Int { count.withLock { $0 } }
        func set(_ hour: Int, _ rest: Int = 0) { minute.withLock { $0 = hour * 60 + rest } }
    }

    /// What was signed for the proxy.
    private final class SignedEvents: Sendable {
        private let events = Mutex<[Event]>([])
        var all: [Event] { events.withLock { $0 } }
        func add(_ event: Event) { events.withLock { $0.append(event) } }
    }

    private let bench = MailBench { _ in [AccountCircles.factory()] }
    private let proxy = ScriptedProxy()
    private let wall = WallClock()
    private let accounts = SomeAccounts()
    private let signed = SignedEvents()
    private let circleRelay = AccountTesting.relay("circle")

    /// Accounts that begin to work and end as a test wants.
    private final class SomeAccounts: ChangingAccounts {
        private let open = Mutex<[PublicKey: any Account]>([:])
        private let comings = Broadcast<Void>()

        func openAccounts() -> [PublicKey: any Account] { open.withLock { $0 } }
        func accountsComeAndGo() -> AsyncStream<Void> { comings.listen(startingWith: ()) }

        func begin(_ account: any Account) {
            open.withLock { $0[account.publicKey] = account }
            comings.send(())
        }
    }

    private func circles(_ person: MailPerson) throws -> AccountCircles { try #require(person.account.circles) }

    /// Alice, whose browser is woken, and Bob, who is in a circle of hers.
    private func running(
        isWoken: Bool = true,
        _ body: (_ alice: MailPerson, _ bob: MailPerson, CircleID, CircleNotices) async throws -> Void
    ) async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        let directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
        try directory.prepare()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        let (bench, proxy, wall, signed) = (bench, proxy, wall, signed)
        let time = Time(clock: bench.clock, now: { bench.now })
        let registrar = try PushRegistrar(
            directory, signers: OneSigner(),
            post: { request, event in
                signed.add(event)
                return await proxy.post(request)
            }, time: time, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let notices = CircleNotices(
            accounts: accounts, registrar: registrar, time: time, minuteOfDay: { wall.now })
        if isWoken { try await wake(alice, by: registrar) }
        try await bench.running(alice, bob) {
            for person in [alice, bob] {
                try await bench.eventually("lists are known") { await !person.account.state().inbox.isEmpty }
            }
            // What strangers write waits among the requests, and nobody is told of it.
            let follows = alice.who.event(kind: 3, tags: [["p", bob.key.hex]], at: bench.now.seconds)
            _ = await alice.store.save([follows], from: nil)
            try await bench.eventually("bob is followed") {
                try await alice.account.people.person(bob.key, evenMuted: false).isFollowed
            }
            let id = try await circles(alice).membership.create("Family", about: "", relays: [circleRelay])
            try await ask(bob, into: id, of: alice)
            try await circles(alice).membership.admit([bob.key], to: id)
            try await bench.eventually("bob is in") {
                try await circles(bob).reader.overview().circles.contains { $0.id == id && $0.standing == .member }
            }
            try await body(alice, bob, id, notices)
        }
    }

    /// Adds a browser.
    private func wake(_ person: MailPerson, by registrar: PushRegistrar) async throws {
        let browser = PushProxyLedger.Device.webPush(endpoint: "https://push.example/x", key: "k", secret: "s")
        try await registrar.add(browser, of: person.key, at: "https://push.example")
    }

    private func ask(_ newcomer: MailPerson, into id: CircleID, of founder: MailPerson) async throws {
        try await circles(newcomer).membership.ask(try await circles(founder).membership.invite(to: id), name: "secret")
        try await bench.eventually("\(newcomer.who) asks") {
            let page = try await circles(founder).reader.page(of: id, before: nil, limit: 1)
            return page.requests.contains { $0.id == newcomer.key }
        }
    }

    private func unread(in id: CircleID, of person: MailPerson) async throws -> Int {
        try await circles(person).reader.overview().circles.first { $0.id == id }?.unread ?? 0
    }

    /// How often the proxy was asked to tell something.
    private var told: Int { get async { await proxy.paths.count { $0 == "/notify" } } }

    /// Something arrives; what becomes of it where its sort is chosen, and where all others are.
    private func expect(
        _ filter: NotificationFilter, of alice: MailPerson, _ notices: CircleNotices,
        arrives: () async throws -> Void
    ) async throws {
        let reader = try #require(alice.account.notifications)
        var (chosen, others) = (SeenAlerts(), SeenAlerts())
        let rest = Set(NotificationWaking.choices).subtracting([filter])
        func look(_ filters: Set<NotificationFilter>, _ seen: inout SeenAlerts) async throws -> Bool {
            try await reader.setWaking(NotificationWaking(filters: filters))
            return await notices.look(at: alice.account, &seen)
        }
        #expect(try await !look([filter], &chosen), "what was there is no news")
        #expect(try await !look(rest, &others))
        let before = await told
        try await arrives()
        #expect(try await !look(rest, &others), "\(filter) was not chosen")
        #expect(await told == before)
        #expect(try await look([filter], &chosen), "\(filter) was chosen")
        #expect(try await !look([filter], &chosen), "it is told once")
        #expect(await told == before + 1)
    }

    @Test("each sort is told where it was chosen and nowhere else, in a request that says nothing")
    func sorts() async throws {
        try await running { alice, bob, id, notices in
            let mine = alice.who.event("my note", at: bench.now.seconds)
            _ = await alice.store.save([mine], from: nil)
            let about: [NostrCore.Tag] = [["e", mine.id.hex, "", "root"], ["p", alice.key.hex]]
            let events: [(NotificationFilter, Event)] = [
                (.replies, bob.who.event("secret reply", tags: about, at: bench.now.seconds + 5)),
                (.mentions, bob.who.event("secret word", tags: [["p", alice.key.hex]], at: bench.now.seconds + 6)),
                (.reactions, bob.who.event("+", kind: 7, tags: about, at: bench.now.seconds + 7)),
                (.reposts, bob.who.event("", kind: 6, tags: about, at: bench.now.seconds + 8)),
            ]
            for (filter, event) in events {
                try await expect(filter, of: alice, notices) {
                    _ = await alice.store.save([event], from: nil)
                    try await bench.eventually("it counts as \(filter)") {
                        let reader = alice.account.notifications
                        let page = try await reader?.page(filter.sorts, before: nil, since: nil, limit: 20)
                        return page?.unread.contains(event.id) == true
                    }
                }
            }
            try await expect(.messages, of: alice, notices) {
                try await bob.write("secret message", to: .alice)
                try await bench.eventually("it came") { try await alice.texts(with: .bob) == ["secret message"] }
            }
            try await expect(.circles, of: alice, notices) {
                try await circles(bob).messaging.send("secret line", replyTo: nil, in: id)
                try await bench.eventually("it came") { try await unread(in: id, of: alice) > 0 }
            }
            let walks = try await circles(alice).membership.create("Walks", about: "", relays: [circleRelay])
            try await expect(.circles, of: alice, notices) { try await ask(bob, into: walks, of: alice) }
        }
        let bodies = await zip(proxy.paths, proxy.bodies).filter { $0.0 == "/notify" }.map(\.1)
        #expect(bodies.count == 7 && bodies.allSatisfy { $0 == "{}" })
        // What proves whose request it is says no more.
        for event in signed.all {
            #expect(event.content.isEmpty && Set(event.tags.map(\.name)) == ["u", "method", "payload", "nonce"])
        }
    }

    @Test("in quiet hours nothing is told, and what waits is told once when they are over")
    func quiet() async throws {
        try await running { alice, bob, id, notices in
            let reader = try #require(alice.account.notifications)
            try await reader.setWaking(
                NotificationWaking(filters: [.mentions, .circles], quiet: QuietHours(from: "22:00", until: "07:00")))
            var seen = SeenAlerts()
            #expect(await !notices.look(at: alice.account, &seen))
            let first = bob.who.event("a word", tags: [["p", alice.key.hex]], at: bench.now.seconds + 5)
            wall.set(22)
            _ = await alice.store.save([first], from: nil)
            #expect(await !notices.look(at: alice.account, &seen) && seen.owesNotice)
            wall.set(6, 59)
            #expect(await !notices.look(at: alice.account, &seen))
            #expect(await told == 0)
            wall.set(7)
            #expect(await notices.look(at: alice.account, &seen))
            #expect(await !notices.look(at: alice.account, &seen))
            #expect(await told == 1)

            // Who read it at night is not told in the morning.
            wall.set(23)
            try await circles(bob).messaging.send("still up?", replyTo: nil, in: id)
            try await bench.eventually("it came") { try await unread(in: id, of: alice) > 0 }
            #expect(await !notices.look(at: alice.account, &seen) && seen.owesNotice)
            try await circles(alice).messaging.markRead(id)
            wall.set(8)
            #expect(await !notices.look(at: alice.account, &seen))
            #expect(await told == 1)
        }
    }

    @Test("nothing is told of who is muted: no line, no request to join, no message, no mention")
    func muted() async throws {
        try await running { alice, bob, id, notices in
            let reader = try #require(alice.account.notifications)
            try await reader.setWaking(NotificationWaking(filters: Set(NotificationWaking.choices)))
            let list = alice.who.event(kind: 10_000, tags: [["p", bob.key.hex]], at: bench.now.seconds)
            _ = await alice.store.save([list], from: nil)
            try await bench.eventually("bob is muted") {
                try await alice.account.people.person(bob.key, evenMuted: false).isMuted
            }
            var seen = SeenAlerts()
            #expect(await !notices.look(at: alice.account, &seen))
            let walks = try await circles(alice).membership.create("Walks", about: "", relays: [circleRelay])
            try await ask(bob, into: walks, of: alice)
            try await circles(bob).messaging.send("a line", replyTo: nil, in: id)
            try await bob.write("a message", to: .alice)
            let word = bob.who.event("a word", tags: [["p", alice.key.hex]], at: bench.now.seconds + 5)
            _ = await alice.store.save([word], from: nil)
            try await bench.eventually("all of it came") {
                let chat = try await circles(alice).reader.page(of: id, before: nil, limit: 9).lines
                let hasLine = chat.contains { $0.body == .muted(.person) }
                let room = ChatRoom([alice.key, bob.key])
                let hasMessage = try await alice.messages.room(room.word) == room
                return hasLine && hasMessage
            }
            #expect(await !notices.look(at: alice.account, &seen))
            #expect(await told == 0)
            // It was all there to be told.
            let nobody = alice.who.event(kind: 10_000, at: bench.now.seconds + 1)
            _ = await alice.store.save([nobody], from: nil)
            try await bench.eventually("bob is muted no longer") {
                try await !alice.account.people.person(bob.key, evenMuted: false).isMuted
            }
            #expect(await notices.look(at: alice.account, &seen))
            #expect(await told == 1)
        }
    }

    @Test("what comes right after an account got its key and a browser was added is told")
    func rightAfter() async throws {
        try await running(isWoken: false) { alice, bob, id, notices in
            let reader = try #require(alice.account.notifications)
            try await reader.setWaking(
                NotificationWaking(filters: [.circles], quiet: QuietHours(from: "22:00", until: "07:00")))
            try await withThrowingTaskGroup { group in
                group.addTask { await notices.run() }
                // One without its key, in whose place comes the same with it.
                accounts.begin(bench.person(.alice).account)
                try await circles(bob).messaging.send("before", replyTo: nil, in: id)
                try await bench.eventually("it came") { try await unread(in: id, of: alice) == 1 }
                accounts.begin(alice.account)
                try await wake(alice, by: notices.registrar)
                // No time passes before it is known what was there.
                try await bench.eventually("it was looked at what there is") { wall.looks > 0 }
                try await circles(bob).messaging.send("after", replyTo: nil, in: id)
                try await bench.eventually("it is told") {
                    bench.clock.advance(by: .seconds(1))
                    return await told == 1
                }
                group.cancelAll()
            }
        }
    }

    @Test("only the sorts that were chosen are news", arguments: NotificationFilter.allCases)
    func everySort(chosen: NotificationFilter) async {
        let author = FakeAuthor(9)
        let all = AccountNotification.Sort.allCases.enumerated().map { number, sort in
            AccountNotification(
                author.event("\(number)", at: Timestamp(seconds: 2000 + Int64(number))), sort, about: nil)
        }
        let reader = FakeNotifications()
        reader.put(all)
        let found = await CircleNotices.unread(in: reader, NotificationWaking(filters: [chosen]))
        #expect(found == Set(all.filter { chosen.sorts.contains($0.sort) }.map(\.id.hex)))
        reader.put([])
        #expect(await CircleNotices.unread(in: reader, NotificationWaking(filters: [chosen]))?.isEmpty == true)
    }
}
