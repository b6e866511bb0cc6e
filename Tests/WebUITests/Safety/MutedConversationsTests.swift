import AccountTesting
import AsyncPrimitives
import Circles
import Hummingbird
import HummingbirdTesting
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

/// No page of circles and messages shows who or what is muted, and neither do notifications and lists beside them.
@Suite("muted people in circles and messages", .timeLimit(.minutes(10)))
struct MutedConversationsTests {
    private let bench = MailBench { _ in [AccountCircles.factory()] }
    private let circleRelay = AccountTesting.relay("circle")

    /// What Alice has with Carol before she mutes her.
    private struct Rooms {
        let alice: MailPerson, bob: MailPerson, carol: MailPerson
        /// A circle of Alice's with Bob and Carol in it, and one that Carol asks to join.
        let family: CircleID, walks: CircleID
        /// Carol's line, which Bob answered.
        let line: EventID
    }

    private func circles(_ person: MailPerson) throws -> AccountCircles { try #require(person.account.circles) }

    private func running(_ body: (Rooms) async throws -> Void) async throws {
        bench.layOut(.alice, .bob, .carol)
        let (alice, bob, carol) = (bench.person(.alice), bench.person(.bob), bench.person(.carol))
        for person in [alice, bob, carol] { try await person.unlock() }
        try await bench.running(alice, bob, carol) {
            for person in [alice, bob, carol] {
                try await bench.eventually("lists are known") { await !person.account.state().inbox.isEmpty }
            }
            let (family, line) = try await talkInCircle(alice, bob, carol)
            let walks = try await circles(alice).membership.create("Walks", about: "", relays: [circleRelay])
            try await ask(carol, into: walks, of: alice, called: "Mutilda")
            try await invite(alice, by: carol, to: "carolwords circle")
            try await invite(alice, by: bob, to: "zanzibar circle", as: 2)
            try await writeMessages(alice, bob, carol)
            _ = await alice.store.save(MutedWorld(seed: 1).events, from: nil)
            try await bench.eventually("carol is muted") {
                let people = alice.account.people
                let isFollowed = try await people.person(bob.key, evenMuted: false).isFollowed
                return try await people.person(carol.key, evenMuted: false).isMuted && isFollowed
            }
            try await body(Rooms(alice: alice, bob: bob, carol: carol, family: family, walks: walks, line: line))
        }
    }

    private func ask(
        _ newcomer: MailPerson, into id: CircleID, of founder: MailPerson, called name: String
    ) async throws {
        try await circles(newcomer).membership.ask(try await circles(founder).membership.invite(to: id), name: name)
        try await bench.eventually("\(newcomer.who) asks") {
            let page = try await circles(founder).reader.page(of: id, before: nil, limit: 1)
            return page.requests.contains { $0.id == newcomer.key }
        }
    }

    private func talkInCircle(
        _ alice: MailPerson, _ bob: MailPerson, _ carol: MailPerson
    ) async throws -> (CircleID, EventID) {
        let id = try await circles(alice).membership.create("Family", about: "", relays: [circleRelay])
        for newcomer in [bob, carol] {
            try await ask(newcomer, into: id, of: alice, called: "\(newcomer.who)")
            try await circles(alice).membership.admit([newcomer.key], to: id)
            try await bench.eventually("\(newcomer.who) is in") {
                try await circles(newcomer).reader.overview().circles.contains { $0.id == id && $0.standing == .member }
            }
        }
        try await circles(carol).messaging.setNickname("Mutilda", in: id)
        let line = try await circles(carol).messaging.send("carolwords one", replyTo: nil, in: id)
        try await bench.eventually("bob reads it") {
            try await circles(bob).reader.page(of: id, before: nil, limit: 9).lines.contains { $0.id == line }
        }
        try await circles(bob).messaging.send("a fair answer", replyTo: line, in: id)
        try await circles(bob).messaging.send("zanzibar, they say", replyTo: nil, in: id)
        try await bench.eventually("alice has all of it") {
            let page = try await circles(alice).reader.page(of: id, before: nil, limit: 20)
            return page.lines.count { if case .text = $0.body { true } else { false } } == 3
                && page.members.contains { $0.nickname == "Mutilda" }
        }
        return (id, line)
    }

    /// A circle of somebody's that wants Alice in it, after which she sees so many invitations.
    private func invite(_ alice: MailPerson, by founder: MailPerson, to name: String, as count: Int = 1) async throws {
        let id = try await circles(founder).membership.create(name, about: "", relays: [circleRelay])
        try await bench.eventually("alice can be added") {
            do {
                try await circles(founder).membership.add([alice.key], to: id)
                return true
            } catch is CircleError { return false }
        }
        try await bench.eventually("alice is asked") {
            try await circles(alice).reader.overview().invitations.count == count
        }
    }

    private func writeMessages(_ alice: MailPerson, _ bob: MailPerson, _ carol: MailPerson) async throws {
        try await carol.write("carolwords to you", to: .alice)
        let room = ChatRoom([alice.key, bob.key, carol.key])
        var first = OutgoingMessage(room: room, text: "carolwords to both")
        first.subject = "carolabout"
        let told = try await carol.messages.send(first)
        try await bench.eventually("bob reads it") {
            try await bob.texts(with: .alice, .carol) == ["carolwords to both"]
        }
        var answer = OutgoingMessage(room: room, text: "a fair reply")
        answer.replyTo = told.id
        _ = try await bob.messages.send(answer)
        try await bob.write("a fair word", to: .alice)
        try await bob.write("back from zanzibar", to: .alice)
        try await bench.eventually("alice has all of it") {
            guard try await alice.texts(with: .carol).count == 1 else { return false }
            let (both, bobs) = (try await alice.texts(with: .bob, .carol), try await alice.texts(with: .bob))
            return both.count == 2 && bobs.count == 2
        }
    }

    private func face(of person: MailPerson) throws -> WebFace {
        let settings = SettingsInMemory(Settings(first: PersonalSettings(remoteMedia: .always)))
        let bench = bench
        return try WebFace(
            opening: FakeOpening(person.account, lives: true), settings: settings, personal: settings,
            time: Time(clock: bench.clock, now: { bench.now }),
            logger: Logger(label: "muted conversations") { _ in SwiftLogNoOpLogHandler() })
    }

    private static func doors(_ rooms: Rooms) -> [String] {
        [
            "/circles", "/circles/alerts", "/circles/\(rooms.family.hex)", "/circles/\(rooms.family.hex)/map",
            "/circles/\(rooms.family.hex)/people", "/circles/\(rooms.walks.hex)/people",
            "/circles/\(rooms.walks.hex)/invitations", "/messages", "/messages/requests", "/messages/new",
            "/messages/search?q=carolwo", "/messages/search?q=mutil", "/messages/search?q=fair",
            "/messages/search?q=zanz", "/messages/people?word=mut", "/notifications",
        ]
    }

    @Test("hold nothing of theirs on any page that a link leads to")
    func fuzz() async throws {
        try await running { rooms in
            let face = try face(of: rooms.alice)
            try await Application(responder: face.responder).test(.router) { client in
                let browser = Browser(client: client, face: face)
                let cookie = try await browser.logIn()
                var seen: [String: String] = [:]
                var waiting = Self.doors(rooms)
                while let path = waiting.first, seen.count < 200 {
                    waiting.removeFirst()
                    guard seen[path] == nil else { continue }
                    let page = try await browser.get(path, cookie: cookie)
                    seen[path] = page.text
                    for mark in MutedWorld.marks {
                        #expect(!page.text.lowercased().contains(mark.lowercased()), "\(mark) stands on \(path)")
                    }
                    waiting += MutedPagesTests.links(on: page).filter {
                        $0.hasPrefix("/circles") || $0.hasPrefix("/messages")
                    }
                }
                // What the others say is there, so that the pages were read at all.
                let chat = try #require(seen["/circles/\(rooms.family.hex)"])
                #expect(chat.contains("You muted who wrote this.") && chat.contains("This contains a word you muted."))
                #expect(chat.contains("a fair answer"))
                #expect(seen.values.contains { $0.contains("a fair reply") && $0.contains("talk-log") })
                #expect(seen.values.contains { $0.contains("a fair word") && $0.contains("talk-log") })
            }
        }
    }

    @Test("are not told of where they name the account in a circle or invite it; whoever else does is")
    func naming() async throws {
        try await running { rooms in
            let own = "nostr:\(rooms.alice.key.npub)"
            let texts = [(rooms.carol, "carolwords to \(own)"), (rooms.bob, "look there, \(own)")]
            for (person, text) in texts {
                try await circles(person).messaging.send(text, replyTo: nil, in: rooms.family)
            }
            try await bench.eventually("alice has both") {
                let page = try await circles(rooms.alice).reader.page(of: rooms.family, before: nil, limit: 20)
                return page.lines.count { if case .change = $0.body { false } else { true } } == 5
            }
            let alerts = await CircleAlert.load(of: rooms.alice.account).filter { $0.matter == .mention }
            #expect(alerts.count == 1 && alerts.first?.word == rooms.family.hex)
            #expect(alerts.first?.sentence.hasSuffix("mentioned you in Family") == true)
            try await invite(rooms.alice, by: rooms.bob, to: "Fair circle", as: 2)
            let invitations = await CircleAlert.load(of: rooms.alice.account).filter { $0.matter == .invitation }
            #expect(invitations.count == 1, "neither hers nor the one whose name is muted")
            #expect(invitations.first?.sentence.hasSuffix("invites you to Fair circle") == true)
            try await circles(rooms.alice).messaging.markRead(rooms.family)
            #expect(await CircleAlert.load(of: rooms.alice.account).allSatisfy { $0.matter != .mention })
        }
    }

    @Test("stand behind a mark and folded, and are shown to whoever asks, without a script")
    func stubs() async throws {
        try await running { rooms in
            let face = try face(of: rooms.alice)
            try await Application(responder: face.responder).test(.router) { client in
                let browser = Browser(client: client, face: face)
                let cookie = try await browser.logIn()
                let circle = "/circles/\(rooms.family.hex)"
                let chat = try await browser.get(circle, cookie: cookie).text
                let shown = "\(circle)/\(rooms.line.hex)/shown"
                #expect(chat.contains("href=\"\(shown)\""))
                let line = try await browser.get(shown, cookie: cookie)
                #expect(line.status == .ok && line.text.contains("carolwords one"))
                #expect(line.text.contains("Hide again") && !line.text.contains("Mutilda"))
                let nothing = String(repeating: "0", count: 64)
                #expect(try await browser.get("\(circle)/\(nothing)/shown", cookie: cookie).status == .notFound)
                #expect(try await browser.get("\(circle)/people", cookie: cookie).text.contains(">Muted</span>"))

                let list = try await browser.get("/circles", cookie: cookie).text
                #expect(list.contains("invited you to a circle whose name contains a word you muted."))
                let asked = try #require(
                    try await circles(rooms.alice).reader.overview().invitations.first { $0.muted == .word })
                let invitation = "/circles/invitations/\(asked.id.hex)"
                #expect(list.contains("href=\"\(invitation)/shown\"") && !list.contains("\(invitation)/accept"))
                let unveiled = try await browser.get("\(invitation)/shown", cookie: cookie)
                #expect(unveiled.status == .ok && unveiled.text.contains("zanzibar circle"))
                #expect(unveiled.text.contains("Hide again") && unveiled.text.contains("\(invitation)/accept"))
                let none = String(repeating: "0", count: 64)
                #expect(
                    try await browser.get("/circles/invitations/\(none)/shown", cookie: cookie).status == .notFound)

                let walks = "/circles/\(rooms.walks.hex)/invitations"
                let asking = try await browser.get(walks, cookie: cookie).text
                #expect(asking.contains("<details><summary>1 request from somebody you muted</summary>"))
                #expect(!asking.contains("asking to join</span>"))
                let box = "name=\"person_\(TestPerson.carol.publicKey.hex)\" value=\"1\""
                #expect(asking.contains("\(box)>") && !asking.contains("\(box) checked>"))
            }
        }
    }
}
