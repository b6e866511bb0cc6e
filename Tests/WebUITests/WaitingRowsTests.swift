import AccountTesting
import AsyncPrimitives
import Circles
import Hummingbird
import HummingbirdTesting
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

/// What waits elsewhere stands above what happened: in the signer, in circles, in conversations.
@Suite("what waits, on the page of notifications", .timeLimit(.minutes(10)))
struct WaitingRowsTests {
    private let bench = MailBench { _ in [AccountCircles.factory()] }
    private let circleRelay = AccountTesting.relay("circle")

    private struct Rooms {
        let alice: MailPerson
        /// A circle that Bob asks to join, and one that he is in.
        let family: CircleID, walks: CircleID
        let signer: ScriptedSigningService
    }

    private func circles(_ person: MailPerson) throws -> AccountCircles { try #require(person.account.circles) }

    private func found(_ name: String, by alice: MailPerson, askedBy bob: MailPerson) async throws -> CircleID {
        let id = try await circles(alice).membership.create(name, about: "", relays: [circleRelay])
        try await circles(bob).membership.ask(try await circles(alice).membership.invite(to: id), name: "Robert")
        try await bench.eventually("bob asks") {
            let page = try await circles(alice).reader.page(of: id, before: nil, limit: 1)
            return page.requests.contains { $0.id == bob.key }
        }
        return id
    }

    private func running(_ body: (Rooms) async throws -> Void) async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            for person in [alice, bob] {
                try await bench.eventually("lists are known") { await !person.account.state().inbox.isEmpty }
            }
            let known = [
                bob.who.event(#"{"name":"Ben"}"#, kind: 0),
                alice.who.event(kind: 3, tags: [["p", bob.key.hex]], at: bench.now.seconds),
            ]
            _ = await alice.store.save(known, from: nil)
            try await bench.eventually("bob is known") {
                let person = try await alice.account.people.person(bob.key, evenMuted: false)
                return person.isFollowed && person.fields["name"] == "Ben"
            }
            let walks = try await found("Walks", by: alice, askedBy: bob)
            try await circles(alice).membership.admit([bob.key], to: walks)
            try await bench.eventually("bob is in") {
                try await circles(bob).reader.overview().circles.contains { $0.id == walks && $0.standing == .member }
            }
            let family = try await found("Family", by: alice, askedBy: bob)
            try await circles(bob).messaging.send("a secret line", replyTo: nil, in: walks)
            try await bob.write("a secret message", to: .alice)
            try await bench.eventually("alice has both") {
                let isSaid = try await circles(alice).reader.overview().circles.contains { $0.unread > 0 }
                let texts = try await alice.texts(with: .bob)
                return isSaid && texts.count == 1
            }
            let signer = ScriptedSigningService(of: alice.key)
            let app = SignerClient.scripted(50, claiming: "Heron", of: alice.key)
            for number in 1...2 as ClosedRange<UInt8> {
                await signer.arrive(
                    .scripted(
                        number, from: app, .decrypt(from: bob.key, .nip44), method: .nip44Decrypt, at: bench.now))
            }
            try await body(Rooms(alice: alice, family: family, walks: walks, signer: signer))
        }
    }

    private func withBrowser(
        _ rooms: Rooms, _ body: @Sendable @escaping (Browser, _ cookie: String) async throws -> Void
    ) async throws {
        let settings = SettingsInMemory(Settings())
        let bench = bench
        let face = try WebFace(
            opening: FakeOpening(rooms.alice.account, lives: true), settings: settings, personal: settings,
            signers: ScriptedSigners(rooms.signer), time: Time(clock: bench.clock, now: { bench.now }),
            logger: Logger(label: "waiting rows") { _ in SwiftLogNoOpLogHandler() })
        try await Application(responder: face.responder).test(.router) { client in
            let browser = Browser(client: client, face: face)
            try await body(browser, try await browser.logIn())
        }
    }

    @Test("each names who or what waits, says nothing of what was written, and leads there")
    func rows() async throws {
        try await running { rooms in
            let word = ChatRoom([rooms.alice.key, TestPerson.bob.publicKey]).word
            try await withBrowser(rooms) { browser, cookie in
                let page = try await browser.get("/notifications", cookie: cookie).text
                let rows = page.split(separator: "<a class=\"wait-row\" ").dropFirst()
                for (path, sentence) in [
                    ("/signer", "2 requests wait in the signer"),
                    ("/circles/\(rooms.family.hex)/people", "Ben asks to join Family"),
                    ("/circles/\(rooms.walks.hex)", "1 unread message: Walks"),
                    ("/messages/\(word)", "1 unread message: Ben"),
                ] {
                    let row = rows.first { $0.contains(sentence) }
                    #expect(row?.hasPrefix("href=\"\(path)\"") == true, "\(sentence)")
                    #expect(try await browser.get(path, cookie: cookie).status == .ok, "\(path)")
                }
                #expect(rows.count == 4)
                #expect(!page.contains("a secret") && !page.contains("Robert"))
                // What waits is told once, on the page that begins with it.
                let alone = try await browser.get("/notifications?only=replies", cookie: cookie).text
                #expect(!alone.contains("wait-row"))
            }
        }
    }

    @Test("stand there as far as they were chosen, and not of who is muted")
    func chosen() async throws {
        try await running { rooms in
            try await withBrowser(rooms) { browser, cookie in
                let words = [
                    "requests": ["2 requests wait in the signer"], "messages": ["1 unread message: Ben"],
                    "circles": ["asks to join Family", "1 unread message: Walks"],
                ]
                for chosen in words.keys {
                    let before = try await browser.get("/notifications", cookie: cookie)
                    let fields: KeyValuePairs = ["csrf": before.csrf, "show-\(chosen)": "1"]
                    _ = try await browser.post("/notifications/shown", fields, cookie: cookie)
                    let page = try await browser.get("/notifications", cookie: cookie).text
                    for (filter, sentences) in words {
                        for sentence in sentences {
                            #expect(page.contains(sentence) == (filter == chosen), "\(sentence) with \(chosen)")
                        }
                    }
                }
            }
            let alice = rooms.alice
            try await alice.account.notifications?.show(Set(NotificationFilter.allCases))
            let list = alice.who.event(
                kind: 10_000, tags: [["p", TestPerson.bob.publicKey.hex]], at: bench.now.seconds)
            _ = await alice.store.save([list], from: nil)
            try await bench.eventually("bob is muted") {
                try await alice.account.people.person(TestPerson.bob.publicKey, evenMuted: false).isMuted
            }
            try await withBrowser(rooms) { browser, cookie in
                let page = try await browser.get("/notifications", cookie: cookie).text
                #expect(page.contains("2 requests wait in the signer"))
                #expect(!page.contains("asks to join") && !page.contains("unread message"))
            }
        }
    }
}
