import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("pages of live streams")
struct StreamPagesTests {
    private let world = FakeWorld.plain(notes: 1)

    private func stream(
        _ tags: [NostrCore.Tag] = [], title: String = "Morning <b>tide</b>", status: String = "live"
    ) throws -> LiveStream {
        let own: [NostrCore.Tag] = [
            ["d", "tide"], ["title", title], ["status", status], ["streaming", "https://films.example/live.m3u8"],
        ]
        let event = world.authors[1].event("", kind: 30_311, tags: own + tags, at: world.newest)
        let activity = try #require(LiveActivity(event))
        func person(_ key: PublicKey) -> Person { world.people[key] ?? Person(key: key) }
        return LiveStream(
            activity: activity, event: event.id, status: activity.status(now: world.newest),
            host: person(activity.host), isHostConfirmed: activity.isHostConfirmed, author: person(event.pubkey),
            chatters: 2)
    }

    private func room() throws -> (room: LiveRoom, path: String, lines: [Event]) {
        let stream = try stream()
        let lines = ["<script>1</script>", "good morning"].enumerated().map { number, text in
            world.authors[number].event(text, kind: 1311, at: world.newest)
        }
        var room = LiveRoom(address: stream.id)
        room.stream = stream
        room.lines = lines.map { event in
            LiveLine(
                id: event.id, createdAt: event.createdAt,
                author: world.people[event.pubkey] ?? Person(key: event.pubkey), body: .words(event))
        }
        room.participants = [
            LiveRoom.Participant(person: Person(key: world.authors[2].key), role: "Speaker", hasAgreed: false)
        ]
        return (room, "/streams/" + StreamWord.word(of: stream.id), lines)
    }

    @Test("the list shows what is live, by name and with who hosts it")
    func list() async throws {
        let face = try FaceUnderTest(world)
        let list = LiveStreamList([try stream()], now: world.newest, isLooking: false)
        face.account.liveStreams.show(list)
        try await face.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/streams", cookie: cookie)
            #expect(page.status == .ok && page.text.contains("Morning &lt;b&gt;tide&lt;/b&gt;"))
            #expect(page.text.contains("Live now") && page.text.contains("2 in the chat"))
        }
    }

    @Test("a stream's page plays it and shows its chat; its name leads there")
    func shown() async throws {
        let face = try FaceUnderTest(world)
        let (room, path, _) = try room()
        face.account.liveStreams.show(room)
        try await face.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.status == .ok)
            #expect(page.text.contains("src=\"https://films.example/live.m3u8\""))
            #expect(page.text.contains("preload=\"none\"") && page.text.contains("data-film data-list>"))
            // Shown by a script where a browser plays no such list; without scripts the hint below says it.
            #expect(page.text.contains("data-film-unplayable hidden>This browser cannot play the stream"))
            #expect(page.text.contains("Not every browser plays this kind."))
            #expect(page.text.contains("then its server, and those its list names, see your address."))
            #expect(page.text.contains("&lt;script&gt;1&lt;/script&gt;") && page.text.contains("Speaker (invited)"))
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("media-src 'self' https: blob:; connect-src 'self' https:;"))
            let list = try await browser.get("/streams", cookie: cookie).headers[.contentSecurityPolicy] ?? ""
            #expect(list.contains("connect-src 'self';") && !list.contains("blob:"))
            let part = try await browser.get(path, cookie: cookie, ["X-Linnet-Fragment": "1"])
            #expect(part.text.contains("good morning") && !part.text.contains("<video"))
            let opened = try await browser.get("/search?q=nostr:\(path.dropFirst(9))", cookie: cookie)
            #expect(opened.location == path)
            #expect(try await browser.get("/streams/naddr1x", cookie: cookie).status == .notFound)
        }
    }

    @Test(
        "of a stream that has ended its recording is played, of one that is planned nothing",
        arguments: [("ended", true), ("ended", false), ("planned", false)])
    func recording(status: String, fetches: Bool) async throws {
        let film = "https://films.example/tide.mp4"
        let stream = try stream([["recording", film], ["total_participants", "90"]], status: status)
        var room = LiveRoom(address: stream.id)
        room.stream = stream
        let first = PersonalSettings(remoteMedia: .always, fetchesPictures: fetches)
        let face = try FaceUnderTest(world, settings: Settings(first: first))
        face.account.liveStreams.show(room)
        try await face.test { browser in
            let path = "/streams/" + StreamWord.word(of: stream.id)
            let page = try await browser.get(path, cookie: try await browser.logIn())
            #expect(!page.text.contains("src=\"https://films.example/live.m3u8"))
            let source = fetches ? "/recording?url=\(encodePercent(film))" : film
            let isPlayed = page.text.contains("src=\"\(source)\"") && page.text.contains("Recording of Morning")
            #expect(isPlayed == (status == "ended"))
            let seen = fetches ? "its server sees this Linnet, and not you." : "its server sees your address."
            #expect(page.text.contains("until you press play; then \(seen)") == (status == "ended"))
            #expect(page.text.contains("90 watched, according to the stream") == (status == "ended"))
            // A file is no list of pieces, which a script would have to fetch.
            let policy = page.headers[.contentSecurityPolicy] ?? ""
            #expect(policy.contains("connect-src 'self';") && !policy.contains("blob:"))
        }
    }

    @Test("what people reacted with is drawn, and its picture where settings load it")
    func reactions() async throws {
        let face = try FaceUnderTest(world)
        let (plain, path, lines) = try room()
        var room = plain
        let emoji = try #require(CustomEmoji(shortcode: "linnet", url: "https://e.example/l.png"))
        let friend = Person(key: world.authors[0].key, isFollowed: true)
        let stranger = Person(key: world.authors[2].key)
        func group(_ meaning: Reaction.Meaning, _ content: String, by person: Person) -> ReactionGroup {
            ReactionGroup(meaning: meaning, content: content, count: 1, people: [person], isOwn: false)
        }
        room.lines = [
            LiveLine(
                id: lines[0].id, createdAt: lines[0].createdAt, author: stranger, body: .words(lines[0]),
                reactions: [
                    group(.customEmoji(emoji), ":linnet:", by: friend), group(.like, "+", by: stranger),
                ]),
            LiveLine(
                id: lines[1].id, createdAt: lines[1].createdAt, author: friend, body: .words(lines[1]),
                reactions: [group(.customEmoji(emoji), ":linnet:", by: stranger)]),
        ]
        face.account.liveStreams.show(room)
        try await face.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(path, cookie: cookie)
            let pictures = page.text.ranges(of: "src=\"https://e.example/l.png\"")
            #expect(pictures.count == 1 && page.text.contains("❤️") && page.text.contains(":linnet: 1"))
        }
    }

    @Test("a line is written, answered, liked and deleted by forms; a secret key is not sent")
    func written() async throws {
        let face = try FaceUnderTest(world)
        let (room, path, lines) = try room()
        face.account.liveStreams.show(room)
        try await face.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(path + "?reply=\(lines[1].id.hex)", cookie: cookie)
            #expect(page.text.contains("name=\"reply\" value=\"\(lines[1].id.hex)\""))
            let sent = try await browser.post(
                path, ["csrf": page.csrf, "text": "hello", "reply": lines[1].id.hex], cookie: cookie)
            #expect(sent.status == .seeOther && sent.location == path)
            _ = try await browser.post("\(path)/\(lines[1].id.hex)/like", ["csrf": page.csrf], cookie: cookie)
            _ = try await browser.post("\(path)/\(lines[0].id.hex)/delete", ["csrf": page.csrf], cookie: cookie)
            let acts = face.account.liveStreams.acts
            #expect(
                acts == [
                    "say hello to \(lines[1].id.hex.prefix(4))", "react + \(lines[1].id.hex.prefix(4))",
                    "delete \(lines[0].id.hex.prefix(4))",
                ])
            let secret = "nsec1" + String(repeating: "q", count: 58)
            let kept = try await browser.post(path, ["csrf": page.csrf, "text": secret], cookie: cookie)
            #expect(kept.status == .badRequest && face.account.liveStreams.acts.count == 3)
            let without = try await browser.post(path, ["text": "x"], cookie: cookie)
            #expect(without.status != .seeOther && face.account.liveStreams.acts.count == 3)
            #expect(try await browser.post("\(path)/x/like", ["csrf": page.csrf], cookie: cookie).status == .notFound)
        }
    }

    @Test(
        "a page that offers a film allows its place, whatever settings load",
        arguments: [
            ("https://a.example/x.m3u8", "'self' https:"), ("http://127.0.0.1:9/x", "'self' http://127.0.0.1:9"),
            ("http://a.example; script-src *", "'self' http://a.example"), (nil, "'self'"),
        ] as [(String?, String)])
    func policy(film: String?, allowed: String) {
        let policy = contentPolicy(.never, pictureHosts: [], film: film)
        #expect(policy.contains("media-src \(allowed); connect-src 'self';"))
        #expect(policy.contains("img-src 'self';") && policy.contains("script-src 'self';"))
    }

    @Test(
        "where a film comes in pieces, scripts of its page may fetch them from its place, and from no other",
        arguments: [
            ("https://a.example/x.m3u8", "https:"), ("http://127.0.0.1:9/x.m3u8", "http://127.0.0.1:9"),
            ("http://a.example; script-src *", "http://a.example"),
        ])
    func pieces(film: String, place: String) {
        let policy = contentPolicy(.never, pictureHosts: [], film: film, playsPieces: true)
        #expect(policy.contains("media-src 'self' \(place) blob:; connect-src 'self' \(place); font-src"))
        #expect(policy.contains("img-src 'self';") && policy.contains("script-src 'self';"))
    }

    @Test("nothing is shown of somebody who is muted")
    func muted() async throws {
        let face = try FaceUnderTest(world)
        let (room, path, _) = try room()
        var hidden = LiveRoom(address: room.address)
        hidden.isMuted = true
        face.account.liveStreams.show(hidden)
        try await face.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("You have muted") && !page.text.contains("<video"))
        }
    }
}
