import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Wraps coming in: locked and unlocked, old and new, honest and not.
@Suite(.timeLimit(.minutes(10)))
struct ReceivingTests {
    let bench = MailBench()

    @Test("what comes while the account is locked is kept closed, and is read after the unlock and a restart")
    func locked() async throws {
        bench.layOut(.alice, .bob)
        let bob = bench.person(.bob)
        let wrap = try bench.wrap(bench.text("psst", by: .alice, to: .bob), by: .alice, for: .bob)
        try await bench.running(bob) {
            try await bench.eventually("bob listens") { bench.network.standing[relay("bob")] != nil }
            bench.network.arrive(wrap, on: relay("bob"))
            try await bench.eventually("it is kept") {
                try await bob.records.records(in: Inbox.waitingTable).count == 1
            }
            #expect(await bob.state().vault == .locked)
            await #expect(throws: MessagingError.locked) { try await bob.texts(with: .alice) }
        }
        let again = bench.person(.bob, records: bob.records)
        try await again.unlock()
        #expect(await again.state().vault == .open)
        #expect(try await again.texts(with: .alice) == ["psst"])
        #expect(try await again.records.records(in: Inbox.waitingTable).isEmpty)
        await again.lock()
        await #expect(throws: MessagingError.locked) { try await again.texts(with: .alice) }
        try await again.unlock()
        #expect(try await again.texts(with: .alice) == ["psst"])
        #expect(
            try await again.messages.search("PSS", limit: 5).map(\.message.author.key) == [TestPerson.alice.publicKey])
    }

    @Test("nothing readable is on the disk: neither text nor people nor ids")
    func atRest() async throws {
        bench.layOut(.alice, .bob)
        let bob = bench.person(.bob)
        try await bob.unlock()
        let draft = bench.text("the planted secret", by: .alice, to: .bob, tags: [["subject", "planted subject"]])
        let wrap = try bench.wrap(draft, by: .alice, for: .bob)
        _ = try await bob.account.services.inbox.receive([wrap])
        try await bob.write("planted answer", to: .alice)
        #expect(try await bob.texts(with: .alice).count == 2)
        let rumor = Rumor(draft, author: TestPerson.alice.publicKey)
        let planted = ["planted", TestPerson.alice.publicKey.hex, rumor.id.hex, wrap.id.hex, rumor.json]
        for table in [
            MessageStore.messages, MessageStore.rooms, MessageStore.index, MessageAnnotations.table, MessageStore.seen,
            OutgoingWrapRecord.waiting, OutgoingWrapRecord.settled,
            Inbox.waitingTable, Vault.table, "publish", "inbox", "account",
        ] {
            for record in try await bob.records.records(in: table) {
                let text = record.key + String(decoding: record.value, as: UTF8.self)
                for word in planted { #expect(!text.contains(word), "in \(table)") }
            }
        }
    }

    @Test("forged, misaddressed and replayed wraps change nothing, and are counted")
    func adversaries() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        let draft = bench.text("hello", by: .alice, to: .bob)
        let honest = try bench.wrap(draft, by: .alice, for: .bob, seed: 1)
        let replay = try bench.wrap(draft, by: .alice, for: .bob, seed: 2)
        _ = try await bob.account.services.inbox.receive([honest])
        _ = try await bob.account.services.inbox.receive([honest, replay, replay])
        #expect(try await bob.texts(with: .alice) == ["hello"])
        #expect(try await bob.messages.conversationCount() == 1)
        #expect(await bob.state().rejected == 0)

        var random = SeededRandom(seed: 9)
        let wrong = try bench.wrap(draft, by: .alice, for: .carol, seed: 3)
        let misaddressed = TestPerson.eve.event(
            wrong.content, kind: GiftWrap.kind, tags: [["p", TestPerson.bob.publicKey.hex]])
        // Eve seals what claims to be Alice's.
        let impersonated = try ConversationKey(between: TestPerson.eve.secretKey, and: TestPerson.bob.publicKey)
            .encrypt(Rumor(draft, author: TestPerson.alice.publicKey).json, using: &random)
        let seal = Seal.draft(impersonated, now: bench.now, using: &random)
        let impostor = try GiftWrap.wrap(
            Event(signing: seal, with: TestPerson.eve.secretKey, using: &random), for: TestPerson.bob.publicKey,
            now: bench.now, using: &random)
        let huge = TestPerson.eve.event(
            String(repeating: "A", count: 1 << 20), kind: GiftWrap.kind,
            tags: [["p", TestPerson.bob.publicKey.hex]])
        let crowd = ChatRoom((0..<300).map { _ in LocalSigner.generate().publicKey } + [TestPerson.bob.publicKey])
        let crowded = try bench.wrap(
            ChatMessage.draft("all of you", to: crowd, by: TestPerson.eve.publicKey, createdAt: bench.now), by: .eve,
            for: .bob, seed: 4)
        _ = try await bob.account.services.inbox.receive([misaddressed, impostor, huge, crowded])
        #expect(await bob.state().rejected == 4)
        #expect(try await bob.texts(with: .alice) == ["hello"])
        #expect(try await bob.messages.conversations(in: .requests).count == 1)
        // What was rejected is known and not tried again.
        _ = try await bob.account.services.inbox.receive([misaddressed, impostor, huge, crowded])
        #expect(await bob.state().rejected == 4)
        // A wrap for somebody else is none of ours.
        _ = try await bob.account.services.inbox.receive([wrong])
        #expect(await bob.state().rejected == 4)
    }

    @Test("a date in the far future neither holds the newest place nor hides what comes after")
    func future() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        let far = bench.text("from the future", by: .alice, to: .bob, at: 1_000_000_000)
        _ = try await bob.account.services.inbox.receive([
            try bench.wrap(far, by: .alice, for: .bob, age: .seconds(-900_000_000))
        ])
        bench.clock.advance(by: .seconds(60))
        let next = bench.text("from now", by: .alice, to: .bob, at: 60)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(next, by: .alice, for: .bob, seed: 2)])
        #expect(try await bob.texts(with: .alice) == ["from the future", "from now"])
        try await bob.messages.markRead(ChatRoom([TestPerson.alice.publicKey, bob.key]))
        bench.clock.advance(by: .seconds(60))
        let last = bench.text("last", by: .alice, to: .bob, at: 120)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(last, by: .alice, for: .bob, seed: 3)])
        #expect(try await bob.messages.conversations(in: .requests).first?.unread == 1)
    }

    @Test("ten thousand junk wraps stall nothing: the honest one among them is read")
    func junk() async throws {
        bench.layOut(.bob)
        let bob = bench.person(.bob)
        try await bob.unlock()
        let tags: [NostrCore.Tag] = [["p", TestPerson.bob.publicKey.hex]]
        // Signed well, and nothing inside; signatures are the pool's business.
        let key = TestPerson.eve.secretKey
        var random = SeededRandom(seed: 5)
        let junk = (0..<10_000).map { number in
            Event(
                trustingStored: UnverifiedEvent(
                    id: EventID(randomID(&random)), pubkey: key.publicKey,
                    createdAt: bench.now - .seconds(number), kind: GiftWrap.kind, tags: tags,
                    content: "junk \(number)", signature: TestPerson.eve.event().signature))
        }
        let honest = try bench.wrap(
            bench.text("here I am", by: .alice, to: .bob), by: .alice, for: .bob, age: .seconds(5000))
        bench.network.put(junk + [honest], on: relay("bob"))
        try await bench.running(bob) {
            try await bench.eventually("the honest one is read") { try await bob.texts(with: .alice) == ["here I am"] }
            try await bench.eventually("all was downloaded") {
                await bob.state().caughtUp.contains(relay("bob"))
            }
            #expect(await bob.state().rejected == 10_000)
        }
    }

    @Test("however many come beside each other while the account is locked, no more than the bound are kept closed")
    func boundOfWaiting() async throws {
        let bob = bench.person(.bob)
        let tags: [NostrCore.Tag] = [["p", TestPerson.bob.publicKey.hex]]
        let signature = TestPerson.eve.event().signature
        var random = SeededRandom(seed: 6)
        let pages = (0..<10).map { _ in
            (0..<3000).map { _ in
                Event(
                    trustingStored: UnverifiedEvent(
                        id: EventID(randomID(&random)), pubkey: TestPerson.eve.publicKey, createdAt: bench.now,
                        kind: GiftWrap.kind, tags: tags, content: "junk", signature: signature))
            }
        }
        let inbox = bob.account.services.inbox
        let refused = await withTaskGroup(of: Bool.self) { group in
            for page in pages {
                group.addTask {
                    do { _ = try await inbox.receive(page) } catch {
                        return error as? MessagingError == MessagingError(.tooManyWaiting, limit: Inbox.mostWaiting)
                    }
                    return false
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(refused == 4)
        #expect(try await bob.records.records(in: Inbox.waitingTable).count == 18_000)
    }

    @Test("the first time everything is downloaded; after that only a window, in which a wrap dated back is found")
    func resume() async throws {
        bench.layOut(.bob)
        let old = try (0..<1200).map { number in
            try bench.wrap(
                bench.text("old \(number)", by: .alice, to: .bob, at: Int64(-40 * 86_400 + number)), by: .alice,
                for: .bob, age: .seconds(40 * 86_400 - Int64(number)), seed: UInt64(number))
        }
        bench.network.put(old, on: relay("bob"))
        let bob = bench.person(.bob)
        try await bob.unlock()
        try await bench.running(bob) {
            try await bench.eventually("all is here") { await bob.state().caughtUp.contains(relay("bob")) }
        }
        #expect(try await bob.messages.conversations(in: .requests).first?.unread == 999)
        let questions = bench.network.questions.count { $0.relay == relay("bob") && $0.filters[0].limit == 500 }
        #expect(questions >= 3)

        // Two days later something lies there that is dated before the last visit.
        bench.clock.advance(by: .seconds(6 * 3600))
        let late = try bench.wrap(
            bench.text("late", by: .alice, to: .bob, at: 3600), by: .alice, for: .bob,
            age: .seconds(2 * 86_400 - 60), seed: 5000)
        bench.network.put([late], on: relay("bob"))
        let before = bench.network.questions.count
        let again = bench.person(.bob, records: bob.records)
        try await again.unlock()
        try await bench.running(again) {
            try await bench.eventually("it is caught up") {
                await again.state().caughtUp.contains(relay("bob"))
            }
        }
        let page = try await again.messages.conversation(
            ChatRoom([TestPerson.alice.publicKey, again.key]), before: nil, limit: 1)
        #expect(page.messages.map(\.body) == [.text("late")])
        let asked = bench.network.questions.dropFirst(before)
            .filter { $0.relay == relay("bob") && $0.filters[0].tags["p"] != nil && $0.filters[0].limit == 500 }
        #expect(asked.count == 1)
        let since = try #require(asked.first?.filters[0].since)
        #expect(since <= Timestamp(seconds: MailBench.start) - .seconds(2 * 86_400))
        #expect(since >= Timestamp(seconds: MailBench.start) - .seconds(3 * 86_400))
    }

    @Test("a relay that breaks off is asked again for what it did not send")
    func breaksOff() async throws {
        bench.layOut(.bob)
        let wrap = try bench.wrap(
            bench.text("behind a dead relay", by: .alice, to: .bob), by: .alice, for: .bob, age: .seconds(86_400))
        bench.network.put([wrap], on: relay("bob"))
        bench.network.set(relay("bob"), .dead)
        let bob = bench.person(.bob)
        try await bob.unlock()
        try await bench.running(bob) {
            try await bench.eventually("bob listens") { bench.network.standing[relay("bob")] != nil }
            // Others may have answered before it was known where Bob listens.
            #expect(await !bob.state().caughtUp.contains(relay("bob")))
            bench.network.comeBack(relay("bob"))
            try await bench.eventually("it is read") { try await bob.texts(with: .alice) == ["behind a dead relay"] }
        }
    }

    @Test("a reaction and a deletion that come before their message meet it when it comes")
    func outOfOrder() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        let draft = bench.text("taken back", by: .alice, to: .bob)
        let rumor = Rumor(draft, author: TestPerson.alice.publicKey)
        let message = try #require(ChatMessage(rumor))
        let reaction = ChatReaction.draft("+", to: message, by: TestPerson.alice.publicKey, createdAt: bench.now)
        let deletion = ChatDeletion.draft(
            deleting: [rumor], in: message.room, by: TestPerson.alice.publicKey, createdAt: bench.now)
        // Somebody else's deletion deletes nothing.
        let foreign = ChatDeletion.draft(
            deleting: [rumor], in: message.room, by: TestPerson.bob.publicKey, createdAt: bench.now)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(reaction, by: .alice, for: .bob, seed: 1)])
        #expect(try await bob.messages.conversations(in: .requests).isEmpty)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(foreign, by: .bob, for: .bob, seed: 2)])
        _ = try await bob.account.services.inbox.receive([try bench.wrap(draft, by: .alice, for: .bob, seed: 3)])
        #expect(try await bob.texts(with: .alice) == ["taken back"])
        _ = try await bob.account.services.inbox.receive([try bench.wrap(deletion, by: .alice, for: .bob, seed: 4)])
        #expect(try await bob.texts(with: .alice) == ["deleted"])
        // The text is gone from the disk as well.
        let again = bench.person(.bob, records: bob.records)
        try await again.unlock()
        #expect(try await again.texts(with: .alice) == ["deleted"])
        #expect(try await again.messages.search("taken", limit: 5).isEmpty)
        _ = try await again.account.services.inbox.receive([try bench.wrap(draft, by: .alice, for: .bob, seed: 5)])
        #expect(try await again.texts(with: .alice) == ["deleted"])
    }

    @Test("a forgotten conversation stays forgotten when its wraps come again, and comes back with a new message")
    func forget() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        let room = ChatRoom([TestPerson.alice.publicKey, bob.key])
        let draft = bench.text("old", by: .alice, to: .bob)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(draft, by: .alice, for: .bob, seed: 1)])
        try await bob.messages.accept(room)
        #expect(try await bob.messages.conversations(in: .known).count == 1)
        try await bob.messages.forget(room)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(draft, by: .alice, for: .bob, seed: 2)])
        #expect(try await bob.messages.conversations(in: .known).isEmpty)
        #expect(try await bob.messages.conversations(in: .requests).isEmpty)
        let next = bench.text("new", by: .alice, to: .bob, at: 9)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(next, by: .alice, for: .bob, seed: 3)])
        #expect(try await bob.messages.conversations(in: .requests).count == 1)
        #expect(try await bob.texts(with: .alice) == ["new"])
    }

    @Test("a vault that does not open is damaged: nothing is read, nothing is replaced")
    func damaged() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        _ = try await bob.account.services.inbox.receive([
            try bench.wrap(bench.text("kept", by: .alice, to: .bob), by: .alice, for: .bob)
        ])
        let kept = try #require(try await bob.records.value(Vault.root, in: Vault.table))
        try await bob.records.put(Array("damaged".utf8), for: Vault.root, in: Vault.table)
        let again = bench.person(.bob, records: bob.records)
        try await again.unlock()
        guard case .damaged = await again.state().vault else {
            Issue.record("not damaged")
            return
        }
        await #expect(throws: MessagingError.self) { try await again.texts(with: .alice) }
        // New wraps wait; with the key mended all is there.
        _ = try await again.account.services.inbox.receive([
            try bench.wrap(bench.text("more", by: .alice, to: .bob, at: 5), by: .alice, for: .bob, seed: 7)
        ])
        try await bob.records.put(kept, for: Vault.root, in: Vault.table)
        await again.lock()
        try await again.unlock()
        #expect(try await again.texts(with: .alice) == ["kept", "more"])
    }

    @Test("rumors of other kinds are kept and make no conversation")
    func others() async throws {
        let bob = bench.person(.bob)
        try await bob.unlock()
        let other = EventDraft(kind: 2222, tags: [["p", bob.key.hex]], content: "something", createdAt: bench.now)
        _ = try await bob.account.services.inbox.receive([try bench.wrap(other, by: .alice, for: .bob)])
        #expect(try await bob.messages.conversations(in: .requests).isEmpty)
        #expect(try await bob.records.records(in: MessageStore.others).count == 1)
    }

    @Test("people one follows are known, strangers are requests, whoever they name")
    func folders() async throws {
        let bob = bench.person(.bob)
        let follows = TestPerson.bob.event(kind: 3, tags: [["p", TestPerson.alice.publicKey.hex]])
        _ = await bob.store.save([follows], from: nil)
        try await bob.unlock()
        _ = try await bob.account.services.inbox.receive([
            try bench.wrap(bench.text("friend", by: .alice, to: .bob), by: .alice, for: .bob, seed: 1),
            try bench.wrap(bench.text("stranger", by: .eve, to: .bob), by: .eve, for: .bob, seed: 2),
            // A stranger who names a friend is a stranger.
            try bench.wrap(bench.text("group", by: .eve, to: .bob, .alice), by: .eve, for: .bob, seed: 3),
        ])
        #expect(try await bob.messages.conversations(in: .known).count == 1)
        #expect(try await bob.messages.conversations(in: .requests).count == 2)
        let word = ChatRoom([TestPerson.eve.publicKey, bob.key]).word
        #expect(try await bob.messages.room(word) == ChatRoom([TestPerson.eve.publicKey, bob.key]))
        #expect(try await bob.messages.room("nothing") == nil)
    }

    private func randomID(_ random: inout SeededRandom) -> Bytes32 {
        let bytes = randomBytes(32, using: &random)
        do { return try Bytes32(bytes.span) } catch { preconditionFailure("32 bytes: \(error)") }
    }
}
