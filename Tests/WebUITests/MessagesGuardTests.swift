import HTTPTypes
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing
import ViewModels

@testable import WebUI

@Suite("guards of message pages")
struct MessagesGuardTests {
    @Test("no browser keeps them, not even as a part of a page")
    func headers() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("Hello", from: mail.ben, to: [mail.ada])
        let word = message.room.word
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            for path in ["/messages", "/messages/new", "/messages/\(word)", "/messages/\(word)/\(message.id.hex)"] {
                for headers in [[:], ["X-Linnet-Fragment": "1"]] {
                    let page = try await browser.get(path, cookie: cookie, headers)
                    #expect(page.status == .ok && page.headers[.cacheControl] == "no-store")
                }
            }
        }
    }

    @Test("nothing is done for a form without the session's token, nor shown without a session")
    func tokens() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("Hello", from: mail.ben, to: [mail.ada])
        let path = "/messages/\(message.room.word)"
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            for target in [
                path, "\(path)/accept", "\(path)/forget", "\(path)/\(message.id.hex)/delete", "/messages/new",
                "/messages/search", "/messages/inbox",
            ] {
                let page = try await browser.post(target, ["text": "Hi", "csrf": "wrong"], cookie: cookie)
                #expect(page.status == .forbidden)
            }
            for target in ["/messages", path] {
                let page = try await browser.get(target)
                #expect(page.location == "/login")
            }
        }
        #expect(await mail.messaging.acts.isEmpty)
    }

    @Test(
        "strange addresses lead nowhere",
        arguments: ["/messages/0", "/messages/%2e%2e", "/messages/x?before=1-2&reply=zz", "/messages/0/0"])
    func strange(path: String) async throws {
        let mail = try MailUnderTest()
        try await mail.under.test { browser in
            let page = try await browser.get(path, cookie: try await browser.logIn())
            #expect(page.status == .notFound)
        }
    }

    @Test("hostile messages, names and subjects stay text", arguments: hostileTexts)
    func hostile(text: String) async throws {
        let mail = try MailUnderTest()
        let stranger = Person(key: FakeAuthor(9).key, fields: ["name": text, "picture": text, "nip05": text])
        let message = await mail.messaging.arrive(text, from: stranger, to: [mail.ada], subject: text)
        await mail.messaging.arrive(text, from: stranger, to: [mail.ada, mail.ben], subject: text)
        let reaction = MessageReaction(content: text, author: stranger.key)
        await mail.messaging.change(message.id, in: message.room) { message in
            message.reactions = [reaction]
            message.replyTo = message.id
            message.replyExcerpt = text
        }
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let csrf = try await browser.get("/messages", cookie: cookie).csrf
            let path = "/messages/\(message.room.word)"
            let query = encodePercent(text)
            var pages: [Page] = []
            for target in [
                "/messages", path, "\(path)?reply=\(message.id.hex)", "/messages/new?to=\(query)",
                "/messages/people?word=\(query)",
            ] {
                pages.append(try await browser.get(target, cookie: cookie))
            }
            pages.append(try await browser.post("/messages/search", ["csrf": csrf, "q": text], cookie: cookie))
            pages.append(
                try await browser.post(
                    "/messages/new", ["csrf": csrf, "to": text, "text": text, "subject": text, "do": "send"],
                    cookie: cookie))
            for page in pages {
                #expect(foreignMarkup(page).isEmpty)
                #expect(!page.text.contains("href=\"javascript"))
            }
        }
    }

    private func foreignMarkup(_ page: Page) -> [String] {
        let marks = [
            "<script>", "<img src=x", "<svg/", "<iframe", "<math", "<style", "<base", "<meta http", "<mglyph",
            "<a href=\"javascript", "onerror=alert(1)>", "<script\u{FFFD}",
        ]
        return marks.filter { page.text.contains($0) }
    }

    /// A message with a file, of ben's.
    private func fileMessage(_ mail: MailUnderTest, type: String = "image/png", in folder: MessageFolder = .known)
        async -> Message
    {
        let message = await mail.messaging.arrive("x", from: mail.ben, to: [mail.ada], in: folder)
        var file = EncryptedFile(
            url: "https://files.example/secret", type: type, key: [], nonce: [], hash: mail.ada.key.bytes)
        (file.size, file.dimensions) = (2_345_678, "640x480")
        let shown = file
        await mail.messaging.change(message.id, in: message.room) { $0.body = .file(shown) }
        return message
    }

    @Test("what its author says is in a picture is told to who cannot see it; where they do not, that it is one")
    func described() async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail)
        let own = await mail.messaging.arrive("y", from: mail.ada, to: [mail.ben])
        for (id, words) in [(own.id, ""), (message.id, "The weir <at> \"dawn\"")] {
            await mail.messaging.change(id, in: message.room) { changed in
                var file = EncryptedFile(
                    url: "https://files.example/secret", type: "image/png", key: [], nonce: [],
                    hash: mail.ada.key.bytes)
                file.description = words
                changed.body = .file(file)
            }
        }
        try await mail.under.test { browser in
            let page = try await browser.get("/messages/\(message.room.word)", cookie: try await browser.logIn())
            #expect(page.text.contains("alt=\"The weir &lt;at&gt; &quot;dawn&quot;\""))
            #expect(page.text.contains("alt=\"An encrypted picture\""))
        }
    }

    @Test("a file that is a picture is shown under its own type, and rests in no cache")
    func picture() async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail)
        let picture = OpenedFile(Array("GIF89a picture".utf8))
        await mail.messaging.set(opened: picture, of: message.id)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let answer = try await browser.get("/messages/\(message.room.word)/\(message.id.hex)/file", cookie: cookie)
            #expect(answer.status == .ok && answer.text == "GIF89a picture")
            #expect(answer.headers[.contentType] == "image/gif")
            #expect(answer.headers[.contentDisposition] == "inline; filename=\"file.gif\"")
            #expect(answer.headers[.cacheControl] == "no-store")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            #expect(answer.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        }
    }

    @Test(
        "anything else is only saved, whatever its author says it is",
        arguments: [
            "<html><script>alert(1)</script>", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>",
            "%PDF-1.7",
            "",
        ])
    func saved(content: String) async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail, type: "image/svg+xml")
        let file = OpenedFile(Array(content.utf8), name: "a\"\r\nX: y.html")
        await mail.messaging.set(opened: file, of: message.id)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let talk = try await browser.get("/messages/\(message.room.word)", cookie: cookie)
            #expect(!talk.text.contains("<img src=\"/messages"))
            #expect(talk.text.contains("Save this file") && talk.text.contains(" download>"))
            let answer = try await browser.get("/messages/\(message.room.word)/\(message.id.hex)/file", cookie: cookie)
            #expect(answer.headers[.contentType] == "application/octet-stream")
            #expect(answer.headers[.contentDisposition]?.hasPrefix("attachment; filename=\"a-") == true)
        }
    }

    @Test("a file that is another is named as that, and a locked account shows nothing of it")
    func another() async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/messages/\(message.room.word)/\(message.id.hex)/file"
            let answer = try await browser.get(path, cookie: cookie)
            #expect(answer.status != .ok && answer.text.contains("not the one that was sent"))
            await mail.messaging.set(
                opened: OpenedFile(Array("GIF89a secret".utf8)), of: message.id)
            await mail.messaging.set(vault: .locked)
            let locked = try await browser.get(path, cookie: cookie)
            #expect(locked.status != .ok && !locked.text.contains("GIF89a"))
        }
    }

    @Test("what a stranger sends is fetched only when it is asked for")
    func request() async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail, in: .requests)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/\(message.room.word)", cookie: cookie)
            #expect(!page.text.contains("<img src=\"/messages") && page.text.contains("Show this picture"))
            #expect(page.text.contains("2.3 MB") && page.text.contains("640 × 480"))
        }
    }

    @Test("a file is attached by a form without scripts, with words or without")
    func attaching() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("hello", from: mail.ben, to: [mail.ada])
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/messages/\(message.room.word)"
            let page = try await browser.get(path, cookie: cookie)
            #expect(page.text.contains("enctype=\"multipart/form-data\"") && page.text.contains("type=\"file\""))
            // More than any other form takes.
            let bytes = String(repeating: "x", count: FormGuard.largestForm + 1)
            for (words, file) in [("", bytes), ("look", "short"), ("words alone", "")] {
                let answer = try await browser.postParts(
                    path, ["csrf": page.csrf, "text": words], file: (file.isEmpty ? "" : "a.txt", file), cookie: cookie)
                #expect(answer.status == .seeOther, "\(words)")
            }
            let sent = await mail.messaging.sentFiles
            #expect(sent.map(\.bytes.count) == [bytes.utf8.count, 5] && sent.map(\.name) == ["a.txt", "a.txt"])
            #expect(await mail.messaging.outgoing.map(\.text) == ["", "look", "words alone"])
            let nothing = try await browser.postParts(
                path, ["csrf": page.csrf, "text": ""], file: ("", ""), cookie: cookie)
            #expect(nothing.status == .unprocessableContent)
            // Without scripts, too, words go with it for who cannot see it.
            #expect(page.text.contains("name=\"alt\"") && page.text.contains("capture=\"environment\""))
            _ = try await browser.postParts(
                path, ["csrf": page.csrf, "text": "", "alt": "The weir"], file: ("a.png", "x"), cookie: cookie)
            #expect(await mail.messaging.sentFiles.last?.description == "The weir")
            let strange = try await browser.postParts(
                path, ["csrf": "none", "text": "x"], file: ("a.txt", "y"), cookie: cookie)
            #expect(strange.status == .forbidden)
        }
    }

    @Test("a file goes with the first message of a conversation, and one that was chosen in vain is to be chosen again")
    func attachingToTheFirst() async throws {
        let mail = try MailUnderTest()
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let page = try await browser.get("/messages/new", cookie: cookie)
            #expect(page.text.contains("enctype=\"multipart/form-data\"") && page.text.contains("type=\"file\""))
            #expect(!page.text.contains(SealedFileWords.chooseAgain))
            let unsure = try await browser.postParts(
                "/messages/new", ["csrf": page.csrf, "to": "nobody at all", "text": "", "do": "send"],
                file: ("a.txt", "rye"), cookie: cookie)
            #expect(unsure.status == .unprocessableContent && unsure.text.contains(SealedFileWords.chooseAgain))
            let sent = try await browser.postParts(
                "/messages/new",
                ["csrf": page.csrf, "people": mail.ben.key.hex, "text": "", "alt": "A recipe", "do": "send"],
                file: ("a.txt", "rye"), cookie: cookie)
            #expect(sent.location == "/messages/\(ChatRoom([mail.ada.key, mail.ben.key]).word)")
            let files = await mail.messaging.sentFiles
            #expect(files.map(\.description) == ["A recipe"] && files.map(\.bytes) == [Array("rye".utf8)])
        }
    }

    @Test("each form with a file has a word of its own, which goes with the file")
    func once() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("hello", from: mail.ben, to: [mail.ada])
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            var words: [String] = []
            for path in ["/messages/\(message.room.word)", "/messages/new", "/messages/new"] {
                let page = try await browser.get(path, cookie: cookie)
                let found = page.text.firstMatch(of: /name="once" value="([0-9a-f]{32})"/)
                let word = String(try #require(found).1)
                words.append(word)
                let fields: KeyValuePairs = [
                    "csrf": page.csrf, "once": word, "people": mail.ben.key.hex, "text": "", "do": "send",
                ]
                let answer = try await browser.postParts(path, fields, file: ("a.txt", "rye"), cookie: cookie)
                #expect(answer.status == .seeOther)
            }
            #expect(Set(words).count == 3)
            #expect(await mail.messaging.sentFiles.map(\.once) == words)
            // What is no such word is left out.
            let page = try await browser.get("/messages/new", cookie: cookie)
            _ = try await browser.postParts(
                "/messages/new",
                ["csrf": page.csrf, "once": "../x", "people": mail.ben.key.hex, "text": "", "do": "send"],
                file: ("a.txt", "rye"), cookie: cookie)
            let last = try #require(await mail.messaging.sentFiles.last)
            #expect(last.once == nil)
        }
    }

    @Test("a file that waits for a media server is shown, tried and taken back")
    func unsent() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("hello", from: mail.ben, to: [mail.ada])
        var file = UnsentFile(id: "f1", name: "<weir>.png", type: "image/png", size: 5, text: "look")
        (file.standing, file.trouble) = (.failed, .noServer)
        await mail.messaging.set(unsent: [file], in: message.room)
        try await mail.under.test { browser in
            let cookie = try await browser.logIn()
            let path = "/messages/\(message.room.word)"
            let page = try await browser.get(path, cookie: cookie)
            // One line is told of; the buttons are not read out with it.
            #expect(page.text.contains("role=\"status\" data-unsent-count>1 file is not sent yet</p>"))
            #expect(page.text.contains("&lt;weir&gt;.png") && page.text.contains(SealedFileError.noServer.sentence))
            for act in ["retry", "remove"] {
                #expect(page.text.contains("formaction=\"\(path)/unsent/f1/\(act)\""))
                let answer = try await browser.post("\(path)/unsent/f1/\(act)", ["csrf": page.csrf], cookie: cookie)
                #expect(answer.location == path)
            }
            #expect(await mail.messaging.acts.suffix(2) == ["retry file f1", "remove file f1"])
            let after = try await browser.get(path, cookie: cookie)
            #expect(!after.text.contains("weir"))
            // Where the conversation went with its only file, whoever pressed twice is not shown a failure.
            let gone = "/messages/\(ChatRoom([mail.ada.key]).word)/unsent/f1"
            for act in ["retry", "remove"] {
                let answer = try await browser.post("\(gone)/\(act)", ["csrf": page.csrf], cookie: cookie)
                #expect(answer.location == "/messages")
            }
            let strange = try await browser.post("\(path)/unsent/f1/retry", ["csrf": "none"], cookie: cookie)
            #expect(strange.status == .forbidden)
        }
    }

    @Test("what a picture looks like from far away stands in the page alone: no address has it")
    func veil() async throws {
        let mail = try MailUnderTest()
        let message = await fileMessage(mail)
        var file = EncryptedFile(
            url: "https://files.example/secret", type: "image/png", key: [], nonce: [], hash: mail.ada.key.bytes)
        file.blurhash = "LEHV6nWB2yk8pyo0adR*.7kCMdnj"
        let shown = file
        await mail.messaging.change(message.id, in: message.room) { $0.body = .file(shown) }
        try await mail.under.test { browser in
            let page = try await browser.get("/messages/\(message.room.word)", cookie: try await browser.logIn())
            #expect(page.text.contains("<svg class=\"veil\"") && page.text.contains("<path fill=\"#"))
            #expect(!page.text.contains("LEHV6nWB") && !page.text.contains("/placeholder"))
        }
    }

    @Test("pictures and files of a message are never loaded by the page")
    func media() async throws {
        let mail = try MailUnderTest()
        let message = await mail.messaging.arrive("https://pictures.example/cat.png", from: mail.ben, to: [mail.ada])
        let file = EncryptedFile(
            url: "https://files.example/secret", type: "image/png", key: [], nonce: [], hash: mail.ada.key.bytes)
        let second = await mail.messaging.arrive("x", from: mail.ben, to: [mail.ada])
        await mail.messaging.change(second.id, in: second.room) { $0.body = .file(file) }
        try await mail.under.test { browser in
            let page = try await browser.get("/messages/\(message.room.word)", cookie: try await browser.logIn())
            #expect(!page.text.contains("src=\"https://pictures.example"))
            #expect(page.text.lowercased().contains("encrypted picture") && !page.text.contains("files.example"))
        }
    }
}

@Suite("days")
struct DayTests {
    @Test(
        "are told as people do",
        arguments: [
            (0, "Today"), (86_400, "Yesterday"), (2 * 86_400, "Thursday 19 November"), (-86_400, "Sunday 22 November"),
            (365 * 86_400, "21 November 2025"),
        ] as [(Int64, String)])
    func days(age: Int64, words: String) {
        let now = Timestamp(seconds: 1_795_240_165)  // Saturday 2026-11-21T05:49:25Z
        #expect(dayName(Timestamp(seconds: now.seconds - age), now: now) == words)
    }

    @Test("of any year are told", arguments: [Int64.min, Int64.max, -1, 253_402_300_800])
    func far(seconds: Int64) {
        _ = dayName(Timestamp(seconds: seconds), now: Timestamp(seconds: 0))
        #expect(clockTime(Timestamp(seconds: seconds)).count == 5)
    }
}
