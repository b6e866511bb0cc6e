import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

/// A web face whose person has messages.
struct MailUnderTest: Sendable {
    let world = FakeWorld.plain(notes: 1)
    let messaging: FakeMessaging
    let under: FaceUnderTest

    var ada: Person { person(0) }
    var ben: Person { person(1) }
    var cleo: Person { person(2) }

    init(settings: Settings = Settings()) throws {
        let own = world.people[world.own.key] ?? Person(key: world.own.key)
        messaging = FakeMessaging(own: own, at: world.newest - .seconds(86_400))
        under = try FaceUnderTest(world, settings: settings, messages: messaging)
    }

    private func person(_ index: Int) -> Person {
        world.people[world.authors[index].key] ?? Person(key: world.authors[index].key)
    }
}

@Suite("message pages without scripts")
struct MessagesPagesTests {
    @Test("list conversations and open one, which is then read")
    func reading() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("The kettle is on", from: mail.ben, to: [mail.ada])
        await mail.messaging.arrive("Psst", from: mail.cleo, to: [mail.ada], in: .requests)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let list = try await browser.get("/messages", cookie: cookie)
            #expect(list.text.contains("The kettle is on") && !list.text.contains("Psst"))
            #expect(list.text.contains("<i data-count>1</i>"))
            let requests = try await browser.get("/messages/requests", cookie: cookie)
            #expect(requests.text.contains("Psst"))
            let open = try await browser.get("/messages/\(message.room.word)", cookie: cookie)
            #expect(open.text.contains("id=\"m-\(message.id.hex)\"") && open.text.contains("id=\"unread\""))
            let home = try await browser.get("/home", cookie: cookie)
            #expect(home.text.contains("data-unread hidden"))
        }
    }

    @Test(
        "draw custom emoji where settings load pictures, and none for a stranger who asks to write",
        arguments: [PersonalSettings.RemoteMedia.never, .follows, .always])
    func emoji(media: PersonalSettings.RemoteMedia) async throws {
        let mail = try MailUnderTest(settings: Settings(first: PersonalSettings(remoteMedia: media)))
        let linnet = try #require(CustomEmoji(shortcode: "linnet", url: "https://e.example/l.png"))
        let (words, drawn) = ("A :linnet: <b>", "A <img class=\"emoji\" loading=\"lazy\" src=\"")
        let message = await mail.messaging.arrive(words, from: mail.ben, to: [mail.ada], emoji: [linnet])
        let request = await mail.messaging.arrive(
            words, from: mail.cleo, to: [mail.ada], in: .requests, emoji: [linnet])
        let (ben, cleo) = (mail.ben.key, mail.cleo.key)
        await mail.messaging.change(message.id, in: message.room) {
            $0.reactions = [MessageReaction(content: ":linnet:", author: ben, emoji: linnet)]
        }
        await mail.messaging.change(request.id, in: request.room) {
            $0.reactions = [MessageReaction(content: ":linnet:", author: cleo, emoji: linnet)]
        }
        let start = "<span aria-hidden=\"true\">"
        let (reacted, named) = (start + "<img class=\"emoji\"", start + ":linnet:<")
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/\(message.room.word)", cookie: cookie).text
            #expect(page.contains(reacted) == (media != .never) && page.contains(named) == (media == .never))
            #expect(page.contains(drawn) == (media != .never))
            #expect(page.contains(">A :linnet: &lt;b&gt;</div>") == (media == .never))
            let asked = try await browser.get("/messages/\(request.room.word)", cookie: cookie).text
            #expect(asked.contains(">A :linnet: &lt;b&gt;</div>") && !asked.contains(drawn))
            #expect(asked.contains(named) && !asked.contains(reacted))
        }
    }

    @Test(
        "draw a picture that was only joined in by the rule for who brought it, and one of the account's own always",
        arguments: [PersonalSettings.RemoteMedia.never, .follows, .always])
    func joined(media: PersonalSettings.RemoteMedia) async throws {
        let mail = try MailUnderTest(settings: Settings(first: PersonalSettings(remoteMedia: media)))
        let own = try #require(CustomEmoji(shortcode: "own", url: "https://e.example/own.png"))
        let other = try #require(CustomEmoji(shortcode: "other", url: "https://e.example/other.png"))
        // Nobody whose pictures are loaded where only people one follows are shown.
        let stranger = Person(key: FakeAuthor(77).key)
        let message = await mail.messaging.arrive("When?", from: stranger, to: [mail.ada])
        let (ada, key) = (mail.ada.key, stranger.key)
        await mail.messaging.change(message.id, in: message.room) {
            $0.reactions = [
                MessageReaction(content: ":own:", author: ada, emoji: own),
                MessageReaction(content: ":other:", author: key, emoji: other),
                MessageReaction(content: ":other:", author: ada, emoji: other),
            ]
        }
        await mail.under.account.emoji.put(EmojiPalette(own: [own]))
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/\(message.room.word)", cookie: cookie).text
            #expect(page.contains("src=\"https://e.example/own.png\"") == (media != .never))
            #expect(page.contains("src=\"https://e.example/other.png\"") == (media == .always))
            #expect(page.contains("aria-label=\":other: by"))
        }
    }

    @Test("offer every emoji on a page of its own, and take a reaction back, without a script")
    func picker() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("When?", from: mail.ben, to: [mail.ada])
        let path = "/messages/\(message.room.word)"
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = "\(path)/\(message.id.hex)/react"
            #expect(try await browser.get(path, cookie: cookie).text.contains("href=\"\(page)\""))
            let picker = try await browser.get(page, cookie: cookie)
            #expect(picker.text.contains("action=\"\(page)\"") && picker.text.contains("<legend>Common</legend>"))
            #expect(picker.text.contains("Only the people in this conversation see it."))
            let done = try await browser.post(page, ["csrf": picker.csrf, "content": "🍝"], cookie: cookie)
            #expect(done.location == path)
            #expect(await mail.messaging.acts.contains("react 🍝 \(message.id.hex)"))
            let reacted = try await browser.get(path, cookie: cookie).text
            #expect(reacted.contains("formaction=\"\(path)/\(message.id.hex)/unreact\" class=\"reaction is-own\""))
            let back = try await browser.post(
                "\(path)/\(message.id.hex)/unreact", ["csrf": picker.csrf, "content": "🍝"], cookie: cookie)
            #expect(back.location == path)
            #expect(await mail.messaging.acts.contains("unreact 🍝 \(message.id.hex)"))
            #expect(try await !browser.get(path, cookie: cookie).text.contains("/unreact\""))
            #expect(try await browser.get("\(path)/x/react", cookie: cookie).status == .notFound)
            // What is too long to be shown is posted in full.
            _ = try await browser.post(page, ["csrf": picker.csrf, "content": "hello"], cookie: cookie)
            let long = try await browser.get(path, cookie: cookie).text
            #expect(long.contains("class=\"reaction is-own\" name=\"content\" value=\"hello\" aria-label=\"hel… by "))
        }
    }

    @Test("send, answer, react, delete and offer again, and lead back to the conversation")
    func acts() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("When?", from: mail.ben, to: [mail.ada])
        let path = "/messages/\(message.room.word)"
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get(path, cookie: cookie).csrf
            let sent = try await browser.post(
                path, ["csrf": csrf, "text": "At six.", "reply": message.id.hex, "lifetime": "day"], cookie: cookie)
            #expect(sent.location == path)
            #expect(await mail.messaging.outgoing.first?.replyTo == message.id)
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("At six.") && page.text.contains("on its way to Ben&#39;s relays"))
            #expect(page.text.contains("<option value=\"day\" selected>"))
            // A day after it was sent, on this message and on no other.
            let goes = try #require(
                await mail.messaging.conversation(message.room, before: nil, limit: 9).messages.last)
            let moment = try #require(goes.expiration)
            #expect(page.text.ranges(of: "disappears <time datetime=\"\(utc(moment))\"").count == 1)
            #expect(page.text.ranges(of: "talk-ends").count == 1)
            let id = message.id.hex
            for act in ["react", "resend", "delete", "delete-everywhere"] {
                let done = try await browser.post(
                    "\(path)/\(id)/\(act)", ["csrf": csrf, "content": "👍"], cookie: cookie)
                #expect(done.location == path)
            }
            #expect(
                await mail.messaging.acts == [
                    "send", "react 👍 \(id)", "resend \(id)", "delete \(id) here", "delete \(id) for everyone",
                ])
            let strange = try await browser.post("\(path)/\(id)/eat", ["csrf": csrf], cookie: cookie)
            #expect(strange.status == .notFound)
        }
    }

    @Test("show the text again when it could not be sent, and a script only the reason")
    func refused() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("When?", from: mail.ben, to: [mail.ada])
        let path = "/messages/\(message.room.word)"
        let secret = "nsec1" + String(repeating: "q", count: 58)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get(path, cookie: cookie).csrf
            let page = try await browser.post(path, ["csrf": csrf, "text": "my key \(secret)"], cookie: cookie)
            #expect(page.status == .unprocessableContent && page.text.contains("This contains a secret key"))
            #expect(page.text.contains(">my key nsec1"))
            let part = try await browser.post(
                path, ["csrf": csrf, "text": secret], cookie: cookie, ["X-Linnet-Fragment": "1"])
            #expect(part.status == .unprocessableContent && part.text.hasPrefix("This contains a secret key"))
            #expect(!part.text.contains(secret))
        }
        #expect(await mail.messaging.outgoing.isEmpty)
    }

    @Test("of a stranger are accepted or forgotten")
    func requests() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("Psst", from: mail.cleo, to: [mail.ada], in: .requests)
        let path = "/messages/\(message.room.word)"
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("not among the people you know"))
            let done = try await browser.post("\(path)/accept", ["csrf": page.csrf], cookie: cookie)
            #expect(done.location == path)
            let known = try await browser.get(path, cookie: cookie)
            #expect(!known.text.contains("not among the people you know"))
            let gone = try await browser.post("\(path)/forget", ["csrf": page.csrf], cookie: cookie)
            #expect(gone.location == "/messages/requests")
            let missing = try await browser.get(path, cookie: cookie)
            #expect(missing.status == .notFound)
        }
    }

    @Test("begin a conversation with people typed, picked and left out again")
    func beginning() async throws {
        let mail = try MailUnderTest()
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let (ben, cleo) = (mail.ben.key, mail.cleo.key)
            let page = try await browser.get("/messages/new?to=\(ben.hex)", cookie: cookie)
            #expect(page.text.contains("value=\"\(ben.hex)\""))
            let csrf = page.csrf
            let unsure = try await browser.post(
                "/messages/new", ["csrf": csrf, "people": ben.hex, "to": "cl", "text": "Hi", "do": "send"],
                cookie: cookie)
            #expect(
                unsure.status == .unprocessableContent && unsure.text.contains("name=\"add\" value=\"\(cleo.hex)\""))
            let added = try await browser.post(
                "/messages/new", ["csrf": csrf, "people": ben.hex, "to": "cl", "text": "Hi", "add": cleo.hex],
                cookie: cookie)
            #expect(added.text.contains("\(ben.hex)\n\(cleo.hex)") && added.text.contains(">Hi</textarea>"))
            let removed = try await browser.post(
                "/messages/new", ["csrf": csrf, "people": "\(ben.hex)\n\(cleo.hex)", "remove": ben.hex],
                cookie: cookie)
            #expect(removed.text.contains(">\(cleo.hex)</textarea>"))
            let sent = try await browser.post(
                "/messages/new",
                ["csrf": csrf, "people": "\(ben.hex)\n\(cleo.hex)", "text": "Hi", "subject": "Tea", "do": "send"],
                cookie: cookie)
            let room = ChatRoom([mail.ada.key, ben, cleo])
            #expect(sent.location == "/messages/\(room.word)")
            let completed = try await browser.get("/messages/people?word=be", cookie: cookie)
            #expect(completed.text.contains("data-key=\"\(ben.hex)\""))
        }
    }

    @Test("are searched without the words in an address")
    func search() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("The kettle is on", from: mail.ben, to: [mail.ada])
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/search?q=kettle", cookie: cookie)
            #expect(!page.text.contains("before="))
            let found = try await browser.post(
                "/messages/search", ["csrf": page.csrf, "q": "kettle"], cookie: cookie)
            let link = try #require(found.text.firstMatch(of: /href="(\/messages\/[^"#]+before=[^"#]+)#m-/)).output.1
            let there = try await browser.get(String(link), cookie: cookie)
            #expect(there.text.contains("id=\"m-\(message.id.hex)\"") && there.text.contains("Newest messages"))
        }
    }

    @Test("say what a relay said, to whom")
    func receipts() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("Hello", from: mail.ada, to: [mail.ben])
        let no = PublishAnswer.outcome(.rejected(Reason(.blocked, "<b>no</b>")))
        let relay = PublishReceipt(
            relay: try RelayURL("wss://nest.example"), purpose: .readOf(mail.ben.key), state: .givenUp(no, attempts: 1),
            lastAnswer: no)
        await mail.messaging.set(
            receipts: [RecipientReceipt(recipient: mail.ben, basis: .inbox, relays: [relay])], of: message.id)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let open = try await browser.get("/messages/\(message.room.word)", cookie: cookie)
            #expect(open.text.contains("refused by Ben&#39;s inbox relays"))
            let page = try await browser.get("/messages/\(message.room.word)/\(message.id.hex)", cookie: cookie)
            #expect(page.text.contains("wss://nest.example") && page.text.contains("blocked: &lt;b&gt;no"))
            #expect(page.text.contains("/resend\""))
        }
    }

    @Test(
        "show why nothing can be read, and the way out",
        arguments: [
            (MessagingState.Vault.locked, "Your messages are locked"), (.opening, "Opening your messages"),
            (.damaged, "cannot be opened with this key"),
        ])
    func gates(vault: MessagingState.Vault, words: String) async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("The kettle is on", from: mail.ben, to: [mail.ada])
        await mail.messaging.set(vault: vault)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            for path in [
                "/messages", "/messages/requests", "/messages/new", "/messages/search",
                "/messages/\(message.room.word)",
            ] {
                let page = try await browser.get(path, cookie: cookie)
                #expect(page.status == .ok && page.text.contains(words))
                #expect(!page.text.contains("kettle"))
            }
            let part = try await browser.get(
                "/messages/\(message.room.word)", cookie: cookie, ["X-Linnet-Fragment": "1"])
            #expect(part.status == .conflict && !part.text.contains("kettle"))
        }
    }

    @Test("are unlocked on the spot")
    func unlocks() async throws {
        let mail = try MailUnderTest()
        await mail.messaging.set(vault: .locked)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/requests", cookie: cookie)
            #expect(page.text.contains("action=\"/welcome/unlock\""))
            let done = try await browser.post(
                "/welcome/unlock",
                [
                    "csrf": page.csrf, "key": mail.ada.key.hex, "passphrase": FakeOpening.passphrase,
                    "back": "/messages/requests",
                ], cookie: cookie)
            #expect(done.location == "/messages/requests")
        }
    }

    @Test("do not exist for an account that only reads")
    func noKey() async throws {
        let under = try FaceUnderTest(.plain(notes: 1), canSign: false)
        try await under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages", cookie: cookie)
            #expect(page.text.contains("No key, no messages"))
            let home = try await browser.get("/home", cookie: cookie)
            #expect(!home.text.contains("href=\"/messages\""))
        }
    }

    @Test("ask for an inbox where there is none")
    func inbox() async throws {
        let mail = try MailUnderTest()
        await mail.messaging.set(inbox: [])
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages", cookie: cookie)
            #expect(page.text.contains("Others cannot write to you yet."))
            let done = try await browser.post(
                "/messages/inbox", ["csrf": page.csrf, "relays": "wss://a.example"], cookie: cookie)
            #expect(done.location == "/messages")
            let after = try await browser.get("/messages", cookie: cookie)
            #expect(!after.text.contains("Others cannot write to you yet."))
        }
    }
}
