import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Messages between accounts: out, in, answered, taken back.
@Suite(.timeLimit(.minutes(10)))
struct SendingTests {
    let bench = MailBench()

    @Test("a message arrives as a request, is answered, and both have the same conversation")
    func exchange() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("alice knows her own list") { !(await alice.state().inbox.isEmpty) }
            let sent = try await alice.write("hello bob", to: .bob)
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["hello bob"] }
            let requests = try await bob.messages.conversations(in: .requests)
            #expect(requests.map(\.unread) == [1])
            #expect(await bob.state().unreadRequests == 1)
            #expect(try await bob.messages.conversations(in: .known).isEmpty)

            try await bob.write("hello alice", to: .alice)
            try await bench.eventually("alice has the answer") {
                try await alice.texts(with: .bob) == ["hello bob", "hello alice"]
            }
            #expect(try await bob.messages.conversations(in: .requests).isEmpty)
            #expect(try await bob.messages.conversations(in: .known).first?.unread == 0)
            #expect(try await alice.messages.conversations(in: .known).first?.unread == 1)
            try await alice.messages.markRead(ChatRoom([alice.key, bob.key]))
            #expect(try await alice.messages.conversations(in: .known).first?.unread == 0)

            try await bench.eventually("it is delivered") {
                let receipts = try await alice.messages.receipts(of: sent.id)
                return receipts.count == 2
                    && receipts.allSatisfy { receipt in
                        !receipt.relays.isEmpty
                            && receipt.relays.allSatisfy { if case .accepted = $0.state { true } else { false } }
                    }
            }
            let receipts = try await alice.messages.receipts(of: sent.id)
            #expect(receipts.map(\.recipient.key) == [bob.key, alice.key])
            #expect(receipts.map(\.basis) == [.inbox, .inbox])
            #expect(receipts.first?.relays.map(\.relay) == [relay("bob")])
            let page = try await alice.messages.conversation(ChatRoom([alice.key, bob.key]), before: nil, limit: 10)
            #expect(page.messages.first?.delivery == Note.Acceptance(accepted: 1, asked: 1))
            #expect(page.unreachable.isEmpty)
        }
        // A relay learns neither who wrote nor what nor when.
        for offer in bench.network.offers where offer.event.kind == GiftWrap.kind {
            #expect(![alice.key, bob.key].contains(offer.event.pubkey))
            #expect(offer.event.tags.map(\.name) == ["p", "nonce"])
        }
        #expect(await alice.store.query([Filter(kinds: [14, 1059])]).isEmpty)
    }

    @Test("a message brings along the emoji of the account that its text names, and reactions do")
    func emoji() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        for person in [alice, bob] { try await person.unlock() }
        let pack = TestPerson.carol.event(
            kind: 30_030, tags: [["d", "birds"], ["emoji", "linnet", "https://e.example/linnet.png"]])
        let list = TestPerson.alice.event(
            kind: 10_030,
            tags: [
                ["emoji", "gorse", "https://e.example/gorse.png"], ["a", "30030:\(TestPerson.carol.publicKey):birds"],
            ])
        _ = await alice.store.save([pack, list], from: nil)
        try await bench.running(alice, bob) {
            try await bench.eventually("alice knows her own list") { !(await alice.state().inbox.isEmpty) }
            let sent = try await alice.write("A :linnet: on the :fence:", to: .bob)
            #expect(sent.emoji.map(\.shortcode) == ["linnet"])
            try await bench.eventually("bob has it") {
                let page = try await bob.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.map { $0.emoji.map(\.url) } == [["https://e.example/linnet.png"]]
            }
            try await alice.messages.react(to: sent.id, in: sent.room, with: ":linnet:")
            try await bench.eventually("the reaction came") {
                let page = try await bob.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.first?.reactions.map(\.content) == [":linnet:"]
            }
        }
    }

    @Test("whoever joins a reaction sends the picture that was pressed, and none that stands nowhere")
    func pressedPicture() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        for person in [alice, bob] { try await person.unlock() }
        let (hers, his) = ("https://e.example/hers.png", "https://e.example/his.png")
        for (person, url) in [(alice, hers), (bob, his)] {
            let list = person.who.event(kind: 10_030, tags: [["emoji", "linnet", url]])
            _ = await person.store.save([list], from: nil)
        }
        try await bench.running(alice, bob) {
            try await bench.eventually("alice knows her own list") { !(await alice.state().inbox.isEmpty) }
            let sent = try await alice.write("A bird", to: .bob)
            func pictures() async throws -> [String?] {
                let page = try await bob.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.first?.reactions.map { $0.emoji?.url } ?? []
            }
            try await alice.messages.react(to: sent.id, in: sent.room, with: ":linnet:")
            try await bench.eventually("the reaction came") { try await pictures() == [hers] }
            try await bob.messages.react(to: sent.id, in: sent.room, with: ":linnet:", showing: hers)
            try await bench.eventually("hers is joined") { try await pictures() == [hers, hers] }
            let other = "https://e.example/other.png"
            try await bob.messages.react(to: sent.id, in: sent.room, with: ":linnet:", showing: other)
            try await bench.eventually("his own is sent") { try await Set(pictures()) == [hers, his] }
        }
    }

    @Test("in a group everybody gets the same rumor, and reactions and answers find their message")
    func group() async throws {
        bench.layOut(.alice, .bob, .carol, .dave, .eve)
        let (alice, bob, carol) = (bench.person(.alice), bench.person(.bob), bench.person(.carol))
        for person in [alice, bob, carol] { try await person.unlock() }
        try await bench.running(alice, bob, carol) {
            var message = OutgoingMessage(
                room: ChatRoom(TestPerson.allCases.map(\.publicKey)), text: "who comes?")
            message.subject = "dinner"
            let sent = try await alice.messages.send(message)
            for person in [bob, carol] {
                try await bench.eventually("it came") {
                    try await person.texts(with: .alice, .bob, .carol, .dave, .eve) == ["who comes?"]
                }
                let page = try await person.messages.conversation(sent.room, before: nil, limit: 10)
                #expect(page.messages.map(\.id) == [sent.id])
                #expect(page.summary.subject == "dinner")
            }
            try await bob.messages.react(to: sent.id, in: sent.room, with: "🍝")
            var answer = OutgoingMessage(room: sent.room, text: "me")
            answer.replyTo = sent.id
            try await bench.eventually("the reaction came") {
                let page = try await carol.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.first?.reactions == [MessageReaction(content: "🍝", author: bob.key)]
            }
            _ = try await carol.messages.send(answer)
            try await bench.eventually("the answer came") {
                let page = try await alice.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.last?.replyTo == sent.id && page.messages.last?.replyExcerpt == "who comes?"
            }
            try await bob.messages.takeBackReactions(["🍝"], from: sent.id, in: sent.room)
            try await bench.eventually("it is taken back") {
                let page = try await carol.messages.conversation(sent.room, before: nil, limit: 10)
                return page.messages.first?.reactions == []
            }
            await #expect(throws: MessagingError.unknownMessage) {
                try await bob.messages.takeBackReactions(["🍝"], from: sent.id, in: sent.room)
            }
            // Ten wraps for two messages, five for the reaction and for taking it back; each to one person.
            let recipients = bench.network.offers.filter { $0.event.kind == GiftWrap.kind }
                .compactMap { $0.event.tags.first?.publicKey(at: 1) }
            #expect(Set(recipients) == Set(TestPerson.allCases.map(\.publicKey)))
        }
    }

    @Test("a message to somebody without an inbox list goes where they read, and says so; to nobody known it waits")
    func fallback() async throws {
        bench.layOut(.alice)
        bench.network.put(
            [TestPerson.bob.event(kind: 10_002, tags: [["r", "wss://bobreads.example"]])], on: relay("index"))
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await bench.running(alice) {
            let first = try await alice.write("to bob", to: .bob)
            try await bench.eventually("it went where bob reads") {
                let receipt = try await alice.messages.receipts(of: first.id).first
                return receipt?.basis == .relayList && receipt?.relays.map(\.relay) == [relay("bobreads")]
            }
            let second = try await alice.write("to carol", to: .carol)
            try await bench.eventually("carol was looked for") {
                bench.network.questions.contains { question in
                    question.filters.contains { $0.authors?.contains(TestPerson.carol.publicKey) == true }
                }
            }
            let receipt = try await alice.messages.receipts(of: second.id).first
            #expect(receipt?.basis == .unknown && receipt?.relays.isEmpty == true)
            let page = try await alice.messages.conversation(second.room, before: nil, limit: 10)
            #expect(page.unreachable == [TestPerson.carol.publicKey])
            #expect(page.messages.first?.delivery == Note.Acceptance(accepted: 0, asked: 1))

            // Carol publishes a list; the next look finds it.
            bench.network.put([TestPerson.carol.inboxList("carol")], on: relay("index"))
            try await bench.eventually("it went to carol") {
                bench.clock.advance(by: .seconds(60))
                return bench.network.offers.contains { $0.relay == relay("carol") }
            }
        }
    }

    @Test("while nobody can say whether there is an inbox list, a message waits rather than go where all read")
    func waitsForTheList() async throws {
        let alice = bench.person(.alice)
        let lists = TestPerson.bob.event(kind: 10_002, tags: [["r", "wss://bobreads.example"]])
        _ = await alice.store.save([lists], from: nil)
        for name in ["index", "bobreads", "fallback"] { bench.network.set(relay(name), .dead) }
        try await alice.unlock()
        try await bench.running(alice) {
            let sent = try await alice.write("quietly", to: .bob)
            try await bench.eventually("bob was looked for") {
                bench.network.questions.contains { question in
                    question.filters.contains { $0.kinds == [10_050] && $0.authors == [TestPerson.bob.publicKey] }
                }
            }
            #expect(try await alice.messages.receipts(of: sent.id).first?.relays.isEmpty == true)
            bench.network.put([TestPerson.bob.inboxList("bob")], on: relay("index"))
            bench.network.set(relay("index"), .answers)
            try await bench.eventually("it goes to the inbox") {
                bench.clock.advance(by: .seconds(30))
                return try await alice.messages.receipts(of: sent.id).first?.basis == .inbox
            }
            #expect(!bench.network.offers.contains { $0.relay == relay("bobreads") })
        }
    }

    @Test("what was written offline is sent after a restart, and a relay that refused is offered it again on request")
    func offline() async throws {
        bench.layOut(.alice, .bob)
        let alice = bench.person(.alice)
        try await alice.unlock()
        bench.network.set(relay("bob"), .readOnly(Reason(.blocked, "not now")))
        bench.network.set(relay("alice"), .dead)
        bench.network.set(relay("index"), .dead)
        let sent = try await alice.write("written in the train", to: .bob)
        #expect(bench.network.offers.isEmpty)

        bench.network.set(relay("index"), .answers)
        let again = bench.person(.alice, records: alice.records)
        try await again.unlock()
        #expect(try await again.texts(with: .bob) == ["written in the train"])
        try await bench.running(again) {
            try await bench.eventually("bob's relay refused") {
                try await again.messages.receipts(of: sent.id).first?.relays.first?.state
                    == .givenUp(.outcome(.rejected(Reason(.blocked, "not now"))), attempts: 1)
            }
            bench.network.set(relay("bob"), .answers)
            try await again.messages.resend(sent.id)
            try await bench.eventually("bob's relay has it") {
                guard case .accepted = try await again.messages.receipts(of: sent.id).first?.relays.first?.state else {
                    return false
                }
                return true
            }
        }
        let offered = Set(bench.network.offers.filter { $0.relay == relay("bob") }.map(\.event.id))
        #expect(offered.count == 1)
    }

    @Test("a relay that comes back is not offered again what only the person can answer")
    func undecided() throws {
        let now = Timestamp(seconds: MailBench.start)
        var delivery = Delivery(event: TestPerson.dave.event("sealed", kind: GiftWrap.kind), queuedAt: now)
        delivery.add([Destination(relay: relay("bob"), purpose: .readOf(TestPerson.bob.publicKey))], now: now)
        var wraps = OutgoingWraps(patience: PublishPatience())
        wraps.insert(
            OutgoingWrap(
                delivery: delivery, rumor: nil, room: nil, recipient: TestPerson.bob.publicKey, basis: .inbox))
        let offer = try #require(wraps.takeDue(now: now).first)
        let wants = PublishOutcome.rejected(Reason(.authRequired, "who are you"))
        _ = wraps.record(wants, of: offer, now: now, jitter: 0.5, standing: .undecided)
        wraps.relayIsBack(relay("bob"), now: now, standing: .undecided)
        #expect(wraps.takeDue(now: now).isEmpty)
        wraps.relayIsBack(relay("bob"), now: now, standing: .allowed)
        #expect(wraps.takeDue(now: now).count == 1)
    }

    @Test("taking a message back removes it here, asks the others to, and asks one's relays to delete the wraps")
    func delete() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let kept = try await alice.write("stays", to: .bob)
            let sent = try await alice.write("a slip", to: .bob)
            try await bench.eventually("bob has both") { try await bob.texts(with: .alice) == ["stays", "a slip"] }
            await #expect(throws: MessagingError.notOwn) {
                try await bob.messages.delete(kept.id, in: kept.room, forEveryone: true)
            }
            try await alice.messages.delete(sent.id, in: sent.room, forEveryone: true)
            #expect(try await alice.texts(with: .bob) == ["stays"])
            try await bench.eventually("bob sees that it was taken back") {
                try await bob.texts(with: .alice) == ["stays", "deleted"]
            }
            try await bench.eventually("the relay was asked to delete the wrap") {
                bench.network.offers.contains { offer in
                    offer.event.kind == 5 && offer.event.pubkey == alice.key && offer.relay == relay("alice")
                }
            }
            try await bob.messages.delete(kept.id, in: kept.room, forEveryone: false)
            #expect(try await bob.texts(with: .alice) == ["deleted"])
            // A deletion says nothing on relays that are not one's inbox.
            #expect(bench.network.offers.filter { $0.event.kind == 5 }.allSatisfy { $0.relay != relay("index") })
        }
        let again = bench.person(.bob, records: bob.records)
        try await again.unlock()
        #expect(try await again.texts(with: .alice) == ["deleted"])
    }

    @Test(
        "refuses what must not or cannot be sent",
        arguments: [
            ("   \n", MessagingError.Code.empty), (String(repeating: "long", count: 12_000), .tooLong),
            ("my key is \(TestPerson.bob.secretKey.exportNsec()), keep it", .holdsSecretKey),
            ("nostr:\(TestPerson.bob.secretKey.exportNsec().uppercased())", .holdsSecretKey),
        ])
    func refuses(text: String, code: MessagingError.Code) async throws {
        let alice = bench.person(.alice)
        try await alice.unlock()
        do {
            try await alice.write(text, to: .bob)
            Issue.record("sent")
        } catch let error as MessagingError {
            #expect(error.code == code)
        }
        #expect(try await alice.messages.conversations(in: .known).isEmpty)
    }

    @Test("words that only look like a key are sent; too many people are not")
    func limits() async throws {
        let alice = bench.person(.alice)
        try await alice.unlock()
        try await alice.write("nsec1 is how a secret begins, nsec1qqqq is none", to: .bob)
        let many = (0..<60).map { number in TestPerson.bob.publicKey.shifted(by: UInt8(number)) }
        await #expect(throws: MessagingError.self) {
            _ = try await alice.messages.send(OutgoingMessage(room: ChatRoom(many + [alice.key]), text: "all"))
        }
    }

    @Test("messages of one second keep their order, and a note to oneself has one recipient")
    func order() async throws {
        bench.layOut(.alice)
        let alice = bench.person(.alice)
        try await alice.unlock()
        let words = (1...9).map { "note \($0)" }
        for word in words { try await alice.write(word) }
        #expect(try await alice.texts() == words)
        let page = try await alice.messages.conversation(ChatRoom([alice.key]), before: nil, limit: 4)
        #expect(page.messages.count == 4 && page.older != nil && page.folder == .known)
        let older = try await alice.messages.conversation(ChatRoom([alice.key]), before: page.older, limit: 20)
        #expect(older.messages.count == 5 && older.older == nil)
        #expect(try await alice.messages.receipts(of: page.messages[0].id).map(\.recipient.key) == [alice.key])
    }

    @Test("wraps carry the work that strict inbox relays ask for, unless the account says otherwise")
    func work() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let room = ChatRoom([alice.key, bob.key])
            _ = try await alice.messages.send(OutgoingMessage(room: room, text: "worked for"))
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["worked for"] }
            let wraps = bench.network.offers.map(\.event).filter { $0.kind == GiftWrap.kind }
            #expect(!wraps.isEmpty)
            for wrap in wraps { #expect(ProofOfWork(wrap).meets(12, commitmentRequired: true)) }
            try await alice.account.mining.setPolicy(WorkPolicy(wraps: 0))
            let before = Set(wraps.map(\.id))
            _ = try await alice.messages.send(OutgoingMessage(room: room, text: "for free"))
            try await bench.eventually("bob has both") { try await bob.texts(with: .alice).count == 2 }
            let later = bench.network.offers.map(\.event)
                .filter { $0.kind == GiftWrap.kind && !before.contains($0.id) }
            #expect(!later.isEmpty && later.allSatisfy { $0.tags.named("nonce").isEmpty })
        }
    }

    @Test("an inbox relay that asks for more work gets it, and one that asks for minutes of it does not")
    func requiredWork() async throws {
        bench.layOut(.alice, .bob, .carol)
        let (alice, bob, carol) = (bench.person(.alice), bench.person(.bob), bench.person(.carol))
        for person in [alice, bob, carol] { try await person.unlock() }
        try await alice.account.mining.setPolicy(WorkPolicy(wraps: 0))
        bench.network.require(work: 14, at: relay("bob"))
        bench.network.require(work: 40, at: relay("carol"))
        try await bench.running(alice, bob, carol) {
            let room = ChatRoom([alice.key, bob.key, carol.key])
            // Where people receive is known by the second message at the latest.
            for text in ["one", "two"] {
                _ = try await alice.messages.send(OutgoingMessage(room: room, text: text))
                try await bench.eventually("bob has it") { try await bob.texts(with: .alice, .carol).last == text }
            }
            let wraps = bench.network.offers.filter { $0.event.kind == GiftWrap.kind }
            // The first, made before that was known, may be offered after the second.
            let toBob = wraps.filter { $0.relay == relay("bob") }.map { ProofOfWork($0.event) }
            #expect(toBob.contains { $0.meets(14, commitmentRequired: true) })
            #expect(wraps.filter { $0.relay == relay("carol") }.allSatisfy { $0.event.tags.named("nonce").isEmpty })
        }
    }

    @Test("a disappearing message says so on the wrap, and is gone here and there when its time has come")
    func disappears() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            var message = OutgoingMessage(room: ChatRoom([alice.key, bob.key]), text: "for an hour")
            message.lifetime = .seconds(3600)
            _ = try await alice.messages.send(message)
            try await bench.eventually("bob has it") { try await bob.texts(with: .alice) == ["for an hour"] }
            let moments = bench.network.offers.filter { $0.event.kind == GiftWrap.kind }.map(\.event.tags.expiration)
            #expect(!moments.isEmpty)
            for moment in moments { #expect(try #require(moment) >= bench.now + .seconds(3600)) }
        }
        bench.clock.advance(by: .seconds(4000))
        #expect(try await bob.texts(with: .alice).isEmpty)
        await bob.lock()
        try await bob.unlock()
        #expect(try await bob.messages.conversations(in: .requests).isEmpty)
        #expect(try await bob.messages.search("hour", limit: 5).isEmpty)
    }
}

extension PublicKey {
    /// Another key of the same length; whether it is on the curve matters to nobody here.
    fileprivate func shifted(by number: UInt8) -> PublicKey {
        var bytes = self.bytes.array
        bytes[31] &+= number
        do { return PublicKey(try Bytes32(bytes.span)) } catch { preconditionFailure("32 bytes: \(error)") }
    }
}
