import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import ScreenTesting
import Testing

@testable import ViewModels

/// Three people and messages in memory.
struct MessageWorld {
    let world = FakeWorld()
    let messaging: FakeMessaging
    let account: FakeAccount
    var ada: Person { person(0) }
    var ben: Person { person(1) }
    var cleo: Person { person(2) }

    init() {
        let own = world.people[world.own.key] ?? Person(key: world.own.key)
        messaging = FakeMessaging(own: own, at: Timestamp(seconds: 1_700_000_000))
        account = FakeAccount(world, messages: messaging)
    }

    private func person(_ index: Int) -> Person {
        world.people[world.authors[index].key] ?? Person(key: world.authors[index].key)
    }
}

@Suite("conversations")
struct ConversationsViewTests {
    @Test("are named after people, and a group after its subject")
    func titles() async throws {
        let here = MessageWorld()
        await here.messaging.arrive("Hello  there\nAda", from: here.ben, to: [here.ada])
        await here.messaging.arrive("All of you", from: here.cleo, to: [here.ada, here.ben], subject: "Picnic")
        await here.messaging.arrive("Milk", from: here.ada, to: [here.ada])
        let state = await ConversationsView.load(of: here.account)
        #expect(state.conversations.map(\.title) == ["Notes to yourself", "Picnic", "Ben"])
        #expect(state.conversations.map(\.excerpt) == ["Milk", "All of you", "Hello there Ada"])
        #expect(state.conversations.map(\.excerptAuthor) == [nil, "Cleo", nil])
        #expect(state.conversations.map(\.unread) == [0, 1, 1])
        #expect(state.unread.known == 2 && state.unread.requests == 0)
    }

    @Test("of strangers lie apart")
    func requests() async throws {
        let here = MessageWorld()
        await here.messaging.arrive("Psst", from: here.cleo, to: [here.ada], in: .requests)
        let known = await ConversationsView.load(of: here.account)
        #expect(known.conversations.isEmpty && known.unread.requests == 1)
        let requests = await ConversationsView.load(requests: true, of: here.account)
        #expect(requests.conversations.map(\.title) == ["Cleo"])
    }

    @Test(
        "say why there is nothing to read",
        arguments: [
            (MessagingState.Vault.locked, MessageAccess.locked), (.opening, .opening),
            (.damaged, .damaged(MessagingWords.damagedVault)),
        ])
    func access(vault: MessagingState.Vault, access: MessageAccess) async {
        let here = MessageWorld()
        await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        await here.messaging.set(vault: vault)
        let state = await ConversationsView.load(of: here.account)
        #expect(state.access == access && state.conversations.isEmpty && state.trouble == nil)
    }

    @Test("do not exist without a key")
    func noKey() async {
        let account = FakeAccount(FakeWorld(), canSign: false)
        let state = await ConversationsView.load(of: account)
        #expect(state.access == .noKey)
    }

    @Test("offer relays to be written to where none are named")
    func inbox() async throws {
        let here = MessageWorld()
        await here.messaging.set(inbox: [])
        let state = await ConversationsView.load(of: here.account)
        #expect(state.lacksInbox)
        try await MessageActions(of: here.account).setInbox(" wss://a.example \nwss://b.example")
        #expect(await here.messaging.acts == ["inbox wss://a.example wss://b.example"])
        await #expect(throws: Trouble.self) { try await MessageActions(of: here.account).setInbox("https://a.example") }
        await #expect(throws: Trouble.self) { try await MessageActions(of: here.account).setInbox("  ") }
    }

    @Test(
        "of many are named in one breath",
        arguments: [
            ([], ""), (["Ana"], "Ana"), (["Ana", "Ben"], "Ana and Ben"), (["Ana", "Ben", "Cleo"], "Ana, Ben and Cleo"),
            (["Ana", "Ben", "Cleo", "Dan"], "Ana, Ben and 2 others"),
        ])
    func names(names: [String], row: String) {
        #expect(ConversationWords.inARow(names) == row)
    }
}

@Suite("a conversation")
struct ConversationStateTests {
    private func open(
        _ here: MessageWorld, _ people: [Person], before place: MessageCursor? = nil, isSeen: Bool = true
    ) async -> ConversationState {
        let word = ChatRoom(people.map(\.key) + [here.ada.key]).word
        return await ScreenModel<ConversationState>(conversation: word, of: here.account)
            .send(.chat(.opened(before: place, isSeen: isSeen, draft: MessageDraft())))
    }

    @Test("groups messages by day and by who wrote them")
    func groups() async {
        let here = MessageWorld()
        let midnight = Timestamp(seconds: 1_700_006_400)
        for (text, author, after) in [
            ("a", here.ben, -120), ("b", here.ben, -60), ("c", here.ada, -30), ("d", here.ada, 30),
            ("e", here.ada, 900),
        ] {
            await here.messaging.arrive(text, from: author, to: [here.ada, here.ben], at: midnight + .seconds(after))
        }
        let state = await open(here, [here.ben])
        #expect(state.log.days.map(\.messages.count) == [3, 2])
        #expect(state.log.days.last?.start == midnight)
        #expect(state.log.messages.map(\.startsGroup) == [true, false, true, true, true])
        #expect(state.log.messages.map(\.isOwn) == [false, false, true, true, true])
    }

    @Test("marks what is new, then counts it as read; a page nobody looks at does not")
    func unread() async {
        let here = MessageWorld()
        await here.messaging.arrive("Old", from: here.ada, to: [here.ben])
        let first = await here.messaging.arrive("New", from: here.ben, to: [here.ada])
        await here.messaging.arrive("Newer", from: here.ben, to: [here.ada])
        let unseen = await open(here, [here.ben], isSeen: false)
        #expect(unseen.log.firstUnread == first.id)
        #expect(await MessageActions(of: here.account).unread().known == 1)
        let seen = await open(here, [here.ben])
        #expect(seen.log.firstUnread == first.id)
        #expect(await MessageActions(of: here.account).unread().known == 0)
        #expect(await open(here, [here.ben]).log.firstUnread == nil)
    }

    @Test("goes on above where a page begins")
    func older() async throws {
        let here = MessageWorld()
        for index in 0..<60 { await here.messaging.arrive("\(index)", from: here.ben, to: [here.ada]) }
        let newest = await open(here, [here.ben])
        #expect(newest.log.messages.count == MessageLog.pageSize && newest.log.isAtNewest)
        let place = try #require(MessageCursor(mark: newest.log.older?.mark ?? ""))
        let rest = await open(here, [here.ben], before: place)
        #expect(
            rest.log.messages.map(\.excerpt) == (0..<10).map(String.init) && rest.log.older == nil
                && !rest.log.isAtNewest)
    }

    @Test("says when there is none, and when it cannot be read")
    func missing() async {
        let here = MessageWorld()
        #expect(await open(here, [here.ben]).isMissing)
        await here.messaging.set(vault: .locked)
        let locked = await open(here, [here.ben])
        #expect(locked.access == .locked && !locked.isMissing)
    }

    @Test("names those who cannot be written to, and lies among the requests until accepted")
    func request() async throws {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Psst", from: here.cleo, to: [here.ada], in: .requests)
        await here.messaging.set(unreachable: [here.cleo.key], in: message.room)
        let state = await open(here, [here.cleo])
        #expect(state.folder == .requests && state.unreachable.map(\.name) == ["Cleo"])
        try await MessageActions(of: here.account).accept(message.room.word)
        #expect(await open(here, [here.cleo]).folder == .known)
        try await MessageActions(of: here.account).forget(message.room.word)
        #expect(await open(here, [here.cleo]).isMissing)
        await #expect(throws: Trouble.self) { try await MessageActions(of: here.account).accept(message.room.word) }
    }

    @Test("sends an answer that lasts as long as the ones before")
    func sends() async throws {
        let here = MessageWorld()
        let asked = await here.messaging.arrive("When?", from: here.ben, to: [here.ada])
        let model = ScreenModel<ConversationState>(conversation: asked.room.word, of: here.account)
        await model.send(.chat(.opened(before: nil, isSeen: true, draft: MessageDraft())))
        var draft = MessageDraft(text: " At six, @Ben.\n", mentions: ["Ben": here.ben.key], replyTo: asked.id)
        draft.lifetime = .day
        let state = await model.send(.chat(.send(draft)))
        #expect(state.pen.sent != nil && state.pen.problem == nil)
        let sent = try #require(await here.messaging.outgoing.first)
        #expect(sent.text == "At six, nostr:\(here.ben.key.npub)." && sent.replyTo == asked.id)
        #expect(sent.lifetime == .seconds(86_400))
        #expect(await open(here, [here.ben]).usualLifetime == .day)
    }

    @Test(
        "sends nothing while something is wrong with it",
        arguments: [
            ("", "nothing to send"), (" \n", "nothing to send"),
            (String(repeating: "a", count: MessageDraft.longest + 1), "too long"),
            ("nsec1" + String(repeating: "q", count: 58), "secret key"),
        ])
    func refuses(text: String, why: String) async throws {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        let model = ScreenModel<ConversationState>(conversation: message.room.word, of: here.account)
        await model.send(.chat(.opened(before: nil, isSeen: true, draft: MessageDraft())))
        let state = await model.send(.chat(.send(MessageDraft(text: text))))
        #expect(try #require(state.pen.problem).contains(why))
        #expect(state.pen.draft.text == text && state.pen.sent == nil)
        #expect(await here.messaging.outgoing.isEmpty)
    }

    @Test("keeps the text of what could not be sent, and says why")
    func fails() async {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        await here.messaging.refuse(with: MessagingError(.tooManyPeople, limit: 50))
        let model = ScreenModel<ConversationState>(conversation: message.room.word, of: here.account)
        await model.send(.chat(.opened(before: nil, isSeen: true, draft: MessageDraft())))
        let state = await model.send(.chat(.send(MessageDraft(text: "Kept"))))
        #expect(state.pen.problem == MessagingError(.tooManyPeople, limit: 50).sentence)
        #expect(state.pen.draft.text == "Kept" && state.phase == .ready)
    }

    @Test("counts equal reactions once per person")
    func reactions() async throws {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        let given = [
            ("+", here.ben.key), ("❤️", here.ada.key), ("+", here.ben.key), ("-", here.ben.key),
            ("\u{202e}", here.ben.key),
            ("looooong", here.ben.key),
        ].map { MessageReaction(content: $0.0, author: $0.1) }
        await here.messaging.change(message.id, in: message.room) { $0.reactions = given }
        let state = await open(here, [here.ben])
        let item = try #require(state.log.messages.first)
        #expect(item.reactions.map(\.shown) == ["❤️", "👎", "loo…"])
        #expect(item.reactions.map(\.content) == ["❤️", "👎", "looooong"])
        #expect(item.reactions.map(\.count) == [2, 1, 1])
        #expect(item.reactions.first?.names == "Ben and you" && item.reactions.first?.isOwn == true)
    }

    @Test("counts custom emoji of one name by their pictures")
    func customEmoji() async throws {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        let made = ["one", "other"].compactMap { CustomEmoji(shortcode: "linnet", url: "https://e.example/\($0).png") }
        let given =
            made.map { MessageReaction(content: ":linnet:", author: here.ben.key, emoji: $0) }
            + [MessageReaction(content: ":linnet:", author: here.ada.key)]
        await here.messaging.change(message.id, in: message.room) { $0.reactions = given }
        let item = try #require(await open(here, [here.ben]).log.messages.first)
        #expect(item.reactions.map(\.shown) == [":linnet:", ":linnet:", ":linnet:"])
        #expect(
            item.reactions.map(\.picture) == [
                .picture(code: "linnet", address: "https://e.example/one.png"),
                .picture(code: "linnet", address: "https://e.example/other.png"), nil,
            ])
        #expect(item.reactions.first?.people.map(\.key) == [here.ben.key] && item.reactions.last?.isOwn == true)
        #expect(
            item.reactions.map(\.content) == [
                ":linnet: https://e.example/one.png", ":linnet: https://e.example/other.png", ":linnet:",
            ])
    }

    @Test("a reaction is taken back as it was written, and joined with the picture that was pressed")
    func pressing() async throws {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        let linnet = CustomEmoji(shortcode: "linnet", url: "https://e.example/one.png")
        let given = [
            MessageReaction(content: "help", author: here.ben.key),
            MessageReaction(content: "hello", author: here.ada.key),
            MessageReaction(content: ":linnet:", author: here.ben.key, emoji: linnet),
        ]
        await here.messaging.change(message.id, in: message.room) { $0.reactions = given }
        let items = try #require(await open(here, [here.ben]).log.messages.first).reactions
        #expect(items.map(\.shown) == ["hel…", ":linnet:"])
        let (text, picture) = (try #require(items.first).content, try #require(items.last).content)
        let (actions, word, hex) = (MessageActions(of: here.account), message.room.word, message.id.hex)
        try await actions.takeBack(text, from: message.id, in: word)
        #expect(await here.messaging.acts.last == "unreact hello \(hex)")
        let left = try #require(await open(here, [here.ben]).log.messages.first).reactions
        #expect(left.map(\.content).first == "help" && left.allSatisfy { !$0.isOwn })
        try await actions.react(to: message.id, in: word, with: picture)
        #expect(await here.messaging.acts.contains("react :linnet: https://e.example/one.png \(hex)"))
        let joined = try #require(await open(here, [here.ben]).log.messages.first).reactions.last
        #expect(joined?.count == 2 && joined?.isOwn == true)
        try await actions.takeBack(picture, from: message.id, in: word)
        #expect(await here.messaging.acts.contains("unreact :linnet: \(hex)"))
    }

    @Test("shows what a message answers, a file by what it is, and nothing of a deleted one")
    func bodies() async throws {
        let here = MessageWorld()
        let first = await here.messaging.arrive("When?", from: here.ben, to: [here.ada])
        let second = await here.messaging.arrive("Six", from: here.ada, to: [here.ben])
        var file = EncryptedFile(
            url: "https://files.example/x", type: "image/png", key: [], nonce: [],
            hash: here.ada.key.bytes)
        file.size = 2_340_000
        file.dimensions = "640x480"
        let shown = file
        await here.messaging.change(second.id, in: second.room) { message in
            message.replyTo = first.id
            message.replyExcerpt = "When?"
            message.body = .file(shown)
        }
        await here.messaging.change(first.id, in: first.room) { $0.body = .deleted }
        let state = await open(here, [here.ben])
        let answer = try #require(state.log.messages.last)
        #expect(answer.reply == MessageItem.Reply(id: first.id, author: "Ben", excerpt: "When?"))
        guard case .file(let item) = answer.body else { return #expect(Bool(false), "a file") }
        #expect([item.sort, item.size, item.dimensions] == ["Picture", "2.3 MB", "640 × 480"])
        #expect(state.log.messages.first?.body == .deleted)
    }

    @Test(
        "remembers places as words, and takes no other word for one",
        arguments: ["", "-", "12-", "x-\(String(repeating: "0", count: 64))", "9223372036854775808-00"])
    func marks(word: String) {
        #expect(MessageCursor(mark: word) == nil)
    }
}

@Suite("a first message")
struct NewConversationTests {
    typealias Filled = NewConversationView.Filled

    @Test("goes to people by name, key and address")
    func people() async throws {
        var world = FakeWorld()
        world.people[world.authors[2].key]?.fields["nip05"] = "cleo@nest.example"
        let messaging = FakeMessaging(own: Person(key: world.own.key), at: Timestamp(seconds: 1))
        let account = FakeAccount(world, messages: messaging)
        let stranger = FakeAuthor(9).key
        let filled = Filled(
            people: [], to: "ben, nostr:\(stranger.npub)", draft: MessageDraft(text: "Hello", subject: "Picnic"))
        let state = await NewConversationView.send(filled, of: account)
        let sent = try #require(await messaging.outgoing.first)
        #expect(sent.room == ChatRoom([world.own.key, world.authors[1].key, stranger]) && sent.subject == "Picnic")
        #expect(state.leadsTo == sent.room.word)
    }

    @Test("asks who is meant by a name nobody or several have")
    func ambiguous() async throws {
        let here = MessageWorld()
        let nobody = await NewConversationView.send(
            Filled(to: "Zoe", draft: MessageDraft(text: "Hello")), of: here.account)
        #expect(try #require(nobody.problem).contains("nobody called “Zoe”"))
        let several = await NewConversationView.look(Filled(people: [here.cleo.key], to: "be"), of: here.account)
        #expect(several.candidates.map(\.name) == ["Ben"] && several.people.map(\.name) == ["Cleo"])
        #expect(await here.messaging.outgoing.isEmpty)
    }

    @Test(
        "is not sent while something is missing or wrong",
        arguments: [
            ("", "Hello", "who"), ("ben", "", "nothing to send"),
            ("ben", "nsec1" + String(repeating: "q", count: 58), "secret key"),
        ])
    func refuses(to: String, text: String, why: String) async throws {
        let here = MessageWorld()
        let state = await NewConversationView.send(Filled(to: to, draft: MessageDraft(text: text)), of: here.account)
        #expect(try #require(state.problem).contains(why))
        #expect(await here.messaging.outgoing.isEmpty && state.draft.text == text)
    }

    @Test("to somebody one writes with already leads to that conversation")
    func known() async {
        let here = MessageWorld()
        let message = await here.messaging.arrive("Hello", from: here.ben, to: [here.ada])
        let state = await NewConversationView.open(Filled(people: [here.ben.key]), of: here.account)
        #expect(state.leadsTo == message.room.word)
        let fresh = await NewConversationView.open(Filled(people: [here.cleo.key]), of: here.account)
        #expect(fresh.leadsTo == nil && fresh.people.map(\.name) == ["Cleo"])
    }
}

@Suite("a search through messages")
struct MessageSearchTests {
    @Test("finds what was said, and nothing while locked")
    func finds() async {
        let here = MessageWorld()
        await here.messaging.arrive("The kettle is on", from: here.ben, to: [here.ada])
        await here.messaging.arrive("Tea?", from: here.ben, to: [here.ada])
        let state = await MessageSearchView.load(" Kettle ", of: here.account)
        #expect(state.hits.map(\.message.excerpt) == ["The kettle is on"])
        #expect(state.hits.first?.conversation.title == "Ben")
        await here.messaging.set(vault: .locked)
        let locked = await MessageSearchView.load("kettle", of: here.account)
        #expect(locked.hits.isEmpty && locked.access == .locked)
    }
}

@Suite("text that holds a secret key")
struct SecretGuardTests {
    @Test(
        "is known however it is written",
        arguments: [
            ("NSEC", true), ("nostr:NSEC", true), ("my key:NSEC.", true), ("xNSEC", true),
            ("nsec1", false), ("npub1" + String(repeating: "q", count: 58), false), ("an nsec1 is secret", false),
            ("nsec1" + String(repeating: "b", count: 58), false),
        ])
    func known(text: String, isSecret: Bool) {
        let key = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"
        for written in [
            key, key.uppercased(), key.prefix(30) + " " + key.dropFirst(30),
            key.prefix(30) + "\u{200b}\n" + key.dropFirst(30),
        ] {
            #expect(holdsSecretKey(text.replacing("NSEC", with: written)) == isSecret)
        }
    }

    @Test("never traps on noise")
    func noise() {
        for text in ["", "nsec1", "nsec1nsec1nsec1", "\u{0}nsec1\u{10FFFF}", String(repeating: "nsec1", count: 500)] {
            _ = holdsSecretKey(text)
        }
    }
}

@Suite("live messages")
struct LiveMessagesTests {
    @Test("tell an open page which conversations changed, each once and not too many")
    func digest() {
        let own = FakeAuthor(1).key
        var state = LiveState()
        let room = ChatRoom([own, FakeAuthor(2).key])
        state.apply(.conversation(room))
        state.apply(.conversation(room))
        let digest = state.takeDigest()
        #expect(digest?.conversations == [room.word] && digest?.messagingChanged == true)
        #expect(state.takeDigest() == nil)
        state.apply(.messaging)
        #expect(state.takeDigest()?.messagingChanged == true)
        for seed in 2..<UInt8(LiveDigest.limit + 4) {
            state.apply(.conversation(ChatRoom([own, FakeAuthor(seed).key])))
        }
        let full = state.takeDigest()
        #expect(full?.conversations.count == LiveDigest.limit && full?.missed == true)
    }
}
