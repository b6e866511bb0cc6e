import Crypto
import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Filing rumors into conversations, and reading them back a page at a time.
struct MessageStoreTests {
    private let alice = TestPerson.alice.publicKey
    private let bob = TestPerson.bob.publicKey
    private let carol = TestPerson.carol.publicKey
    private var room: ChatRoom { ChatRoom([alice, bob, carol]) }
    private let key = SealingKey(root: SymmetricKey(data: [UInt8](repeating: 7, count: 32)))

    @Test("whatever order rumors come in, the conversation and its summary are the same")
    func order() async throws {
        let rumors = scene()
        let whole = try await store(of: rumors)
        let page = try await whole.page(of: room, before: nil, limit: 500, for: everything)
        let summary = try #require(await whole.conversations[room])
        var random = SeededRandom(seed: 7)
        for _ in 0..<30 {
            let shuffled = rumors.shuffled(using: &random)
            let other = try await store(of: shuffled, atOnce: Int.random(in: 1...5, using: &random))
            let items = try await other.page(of: room, before: nil, limit: 500, for: everything).items
            #expect(items.map(\.id) == page.items.map(\.id))
            #expect(items.map(\.message?.rumor) == page.items.map(\.message?.rumor))
            #expect(items.map { Set($0.reactions) } == page.items.map { Set($0.reactions) })
            let found = try #require(await other.conversations[room])
            #expect(found.newest?.place == summary.newest?.place)
            #expect(found.subject == summary.subject)
            #expect(found.readUpTo == summary.readUpTo)
            #expect(found.writers == summary.writers)
            #expect(found.unread == summary.unread)
        }
        #expect(page.items.count { $0.message == nil } == 1)
        #expect(page.items.map(\.reactions.count).reduce(0, +) == 2)
    }

    @Test("a wrap that two have opened at once is filed and counted once, believed or not")
    func openedTwice() async throws {
        let store = try await store(of: [])
        let rumor = text("once", by: bob, at: 5)
        let wraps = [rumor.id, TestPerson.eve.event().id].map { id in
            Event(
                trustingStored: UnverifiedEvent(
                    id: id, pubkey: bob, createdAt: rumor.createdAt, kind: GiftWrap.kind, tags: [], content: "",
                    signature: TestPerson.eve.event().signature))
        }
        let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor)
        let opened: [Result<UnwrappedGift, GiftRejection>] = [.success(gift), .failure(.notForUs)]
        var outcomes: [MessageStore.Outcome] = []
        for _ in 0..<2 { outcomes.append(try await store.file(wraps, opened, now: rumor.createdAt)) }
        #expect(outcomes.map(\.rejected) == [1, 0])
        #expect(outcomes[0].rooms.count == 1 && outcomes[1].rooms.isEmpty)
        #expect(await store.seen.count == 2)
    }

    @Test("a conversation is walked page by page, each message once")
    func pages() async throws {
        let messages = try await store(of: scene())
        let all = try await messages.page(of: room, before: nil, limit: 500, for: everything).items
        for limit in 1...13 {
            var seen: [EventID] = []
            var cursor: MessageCursor?
            var pages = 0
            repeat {
                let (items, hasMore) = try await messages.page(of: room, before: cursor, limit: limit, for: everything)
                seen = items.map(\.id) + seen
                cursor = hasMore ? items.first?.cursor : nil
                pages += 1
            } while cursor != nil && pages < 50
            #expect(seen == all.map(\.id))
        }
        var muting = everything
        muting.mutes.people = [carol]
        let rest = try await messages.page(of: room, before: nil, limit: 50, for: muting).items
        #expect(!rest.isEmpty && rest.allSatisfy { $0.author != carol })
    }

    @Test("messages of before there was an index are found again, and so are those of an index that is damaged")
    func madeAnew() async throws {
        let records: any RecordStore = MemoryRecordStore()
        let rumors = scene() + (0..<400).map { text("later \($0)", by: bob, at: Int64(1000 + $0 / 3)) }
        let before = try await store(of: rumors, in: records)
        let page = try await before.page(of: room, before: nil, limit: 500, for: everything)
        let noise: @Sendable (Record, String) -> RecordChange = { .put(table: $1, key: $0.key, value: [1, 2, 3]) }
        for damage in 0..<3 {
            let index = try await records.records(in: MessageStore.index)
            switch damage {
            case 0:
                let tables = [MessageStore.index, MessageAnnotations.table]
                try await records.apply(tables.map { .removeAll(table: $0, prefix: "") })
            case 1: try await records.apply(index.map { noise($0, MessageStore.index) })
            default:
                let block = try #require(index.max { $0.value.count < $1.value.count })
                try await records.apply([noise(block, MessageStore.index)])
            }
            let again = try await store(of: [], in: records)
            let found = try await again.page(of: room, before: nil, limit: 500, for: everything)
            #expect(found.items.map(\.id) == page.items.map(\.id))
            #expect(found.items.map { Set($0.reactions) } == page.items.map { Set($0.reactions) })
            // What comes after stands where it belongs.
            let next = text("again \(damage)", by: alice, at: Int64(5000 + damage))
            try await file([next], into: again)
            #expect(try await again.page(of: room, before: nil, limit: 1, for: everything).items.first?.id == next.id)
            _ = try await again.remove(next.id, in: room)
        }
    }

    @Test("opening a page reads no more of a long conversation than of a short one")
    func bounded() async throws {
        var counts: [Int] = []
        for length in [300, 3000] {
            let records = CountingRecords()
            let rumors = (0..<length).map { text("message \($0)", by: bob, at: Int64($0)) }
            _ = try await store(of: rumors, in: records, atOnce: 256)
            let again = try await store(of: [], in: records)
            await records.reset()
            let page = try await again.page(of: room, before: nil, limit: 50, for: everything)
            #expect(page.items.count == 50 && page.hasMore)
            counts.append(await records.count)
            let older = try await again.page(of: room, before: page.items.first?.cursor, limit: 50, for: everything)
            #expect(older.items.last?.message?.rumor.content == "message \(length - 51)")
        }
        #expect(counts[0] == counts[1] && counts[1] < 200)
    }

    @Test("what was removed and what has disappeared leaves the summary as if it had never been")
    func removal() async throws {
        let subject = ChatMessage.draft("with a subject", to: room, by: bob, subject: "lunch", createdAt: moment(50))
        let fleeting = ChatMessage.draft(
            "soon gone", to: room, by: carol, expiration: moment(100), createdAt: moment(60))
        let first = text("first", by: bob, at: 1)
        let messages = try await store(of: [
            first, Rumor(subject, author: bob), Rumor(fleeting, author: carol),
        ])
        #expect(await messages.conversations[room]?.unread.count == 3)
        #expect(try await messages.dropExpired(now: moment(99)).isEmpty)
        #expect(try await messages.dropExpired(now: moment(100)) == [room])
        #expect(await messages.conversations[room]?.writers == [bob])
        #expect(await messages.conversations[room]?.expires == nil)
        #expect(await messages.conversations[room]?.subject?.text == "lunch")
        _ = try await messages.remove(Rumor(subject, author: bob).id, in: room)
        #expect(await messages.conversations[room]?.subject == nil)
        #expect(await messages.conversations[room]?.newest?.place.id == first.id)
        #expect(await messages.conversations[room]?.unread.map(\.place.id) == [first.id])
        await #expect(throws: MessagingError.unknownMessage) {
            try await messages.remove(Rumor(subject, author: bob).id, in: room)
        }
    }

    @Test("a reaction by a custom emoji keeps where its picture lies, and outlives the disk")
    func customEmoji() async throws {
        let records: any RecordStore = MemoryRecordStore()
        let message = text("hello", by: alice, at: 1)
        let target = try #require(ChatMessage(message))
        let linnet = try #require(CustomEmoji(shortcode: "linnet", url: "https://e.example/l.png"))
        let far = try #require(
            CustomEmoji(shortcode: "linnet", url: "https://e.example/" + String(repeating: "l", count: 1100)))
        var rumors = [message]
        for (author, emoji) in [(bob, linnet), (carol, far)] {
            let draft = ChatReaction.draft(":linnet:", to: target, by: author, emoji: emoji, createdAt: moment(2))
            rumors.append(Rumor(draft, author: author))
        }
        _ = try await store(of: rumors, in: records)
        let again = try await store(of: [], in: records)
        let page = try await again.page(of: room, before: nil, limit: 5, for: everything)
        let shown = try #require(page.items.first?.reactions)
        let expected: Set<MessageReaction> = [
            MessageReaction(content: ":linnet:", author: bob, emoji: linnet),
            MessageReaction(content: ":linnet:", author: carol),
        ]
        #expect(Set(shown) == expected)
    }

    @Test("one of two equal reactions that is taken back leaves the other, whatever comes first")
    func equalReactions() async throws {
        let message = text("hello", by: alice, at: 1)
        let target = try #require(ChatMessage(message))
        let (one, other) = (
            Rumor(ChatReaction.draft("+", to: target, by: bob, createdAt: moment(2)), author: bob),
            Rumor(ChatReaction.draft("+", to: target, by: bob, createdAt: moment(3)), author: bob)
        )
        let undo = Rumor(ChatDeletion.draft(deleting: [one], in: room, by: bob, createdAt: moment(4)), author: bob)
        for rumors in [[message, one, other, undo], [undo, one, message, other], [other, undo, one, message]] {
            let page = try await store(of: rumors, atOnce: 1).page(of: room, before: nil, limit: 5, for: everything)
            #expect(page.items.first?.reactions == [MessageReaction(content: "+", author: bob)])
        }
    }

    @Test("one's own message reads what came before it, and reading goes forward only")
    func unread() throws {
        var summary = RoomSummary(room)
        for number in 0..<5 { summary.add(try item("n\(number)", by: bob, at: Int64(number * 10)), account: alice) }
        #expect(summary.unread.count == 5)
        summary.add(try item("mine", by: alice, at: 25), account: alice)
        #expect(summary.unread.map(\.place.createdAt) == [moment(30), moment(40)])
        summary.read(upTo: MessageCursor(createdAt: moment(1), id: EventID(Bytes32())))
        #expect(summary.unread.count == 2)
        for number in 0..<1500 {
            summary.add(try item("m\(number)", by: bob, at: Int64(100 + number)), account: alice)
        }
        #expect(summary.unread.count == RoomSummary.mostUnread)
    }

    @Test("what says a muted word or is in a muted thread is not unread, and each message is read once for that")
    func mutedWords() async throws {
        let records = CountingRecords()
        var rumors: [Rumor] = []
        for number in 0..<6 {
            let author = number < 4 ? bob : carol
            let words = number.isMultiple(of: 2) ? "tea" : "plain"
            rumors.append(text("\(words) \(number)", by: author, at: Int64(number)))
        }
        let store = try await store(of: rumors, in: records)
        let summary = try #require(await store.conversations[room])
        var view = everything
        await records.reset()
        view.silenced = try await store.silenced(in: [summary], for: view)
        #expect(view.unread(of: summary) == 6)
        #expect(await records.count == 0)
        view.mutes.words = ["tea"]
        for _ in 0..<3 {
            view.silenced = try await store.silenced(in: [summary], for: view)
            #expect(view.unread(of: summary) == 3)
        }
        view.mutes.people = [carol]
        view.silenced = try await store.silenced(in: [summary], for: view)
        #expect(view.unread(of: summary) == 2)
        #expect(await records.count == 6)

        try await file([text("more tea", by: bob, at: 20)], into: store)
        let later = try #require(await store.conversations[room])
        await records.reset()
        view.silenced = try await store.silenced(in: [later], for: view)
        #expect(later.unread.count == 7 && view.unread(of: later) == 2)
        #expect(await records.count == 1)

        view.mutes = Mutes()
        view.mutes.threads = [rumors[1].id]
        view.silenced = try await store.silenced(in: [later], for: view)
        #expect(view.silenced == [rumors[1].id] && view.unread(of: later) == 6)
    }

    @Test("known is where somebody one follows wrote, where one wrote, or what one accepted; the muted are hidden")
    func folders() {
        var view = MessageVisibility(account: alice, followed: [carol], now: moment(0))
        var summary = RoomSummary(room)
        summary.writers = [bob]
        #expect(view.folder(of: summary) == .requests)
        summary.isAccepted = true
        #expect(view.folder(of: summary) == .known)
        summary.isAccepted = false
        summary.writers = [bob, carol]
        #expect(view.folder(of: summary) == .known)
        summary.writers = [bob, alice]
        #expect(view.folder(of: summary) == .known)
        #expect(view.folder(of: RoomSummary(ChatRoom([alice]))) == .known)
        view.mutes.people = [bob]
        #expect(!view.hides(summary))
        summary.writers = [bob]
        #expect(view.hides(summary))
        var pair = RoomSummary(ChatRoom([alice, bob]))
        pair.writers = [alice, bob]
        #expect(view.hides(pair))
    }

    @Test("summaries and records survive the disk, and noise never traps")
    func records() async throws {
        var summary = try #require(await store(of: scene()).conversations[room])
        summary.isAccepted = true
        summary.hasDeletions = true
        summary.unread = (1...3).map { number in
            RoomSummary.Unread(
                place: MessageCursor(createdAt: moment(number), id: EventID(Bytes32())),
                author: number == 2 ? carol : bob)
        }
        #expect(try RoomSummaryRecord.decode(try RoomSummaryRecord.encode(summary)) == summary)
        // As earlier versions wrote what is unread.
        let first = try #require(summary.unread.first)
        var older = RoomSummaryRecord(summary)
        older.unread = [RoomSummaryRecord.Position(first.place, author: first.author)]
        older.unreadPacked = nil
        #expect(try RoomSummaryRecord.decode([UInt8](JSONEncoder().encode(older))).unread == [first])
        older.unreadPacked = Data([1, 2, 3])
        #expect(throws: (any Error).self) { try RoomSummaryRecord.decode([UInt8](JSONEncoder().encode(older))) }
        for rumor in scene() {
            var record = RumorRecord(
                rumor, arrivedAt: moment(90), wraps: [EventID(Bytes32())], expiration: moment(77))
            #expect(RumorRecord(record.bytes) == record)
            if let entry = MessageEntry(record) { #expect(MessageEntry(entry.indexed) == entry) }
            record.retract()
            #expect(RumorRecord(record.bytes) == record)
            if let entry = MessageEntry(record) { #expect(MessageEntry(entry.indexed) == entry) }
            record.content = .removed
            #expect(RumorRecord(record.bytes) == record)
        }
        var random = SeededRandom(seed: 2)
        for length in 0..<300 {
            let noise = randomBytes(length, using: &random)
            _ = RumorRecord(noise)
            _ = RumorRecord([1, UInt8(length % 4)] + noise)
            _ = SeenMark(noise)
            _ = MessageEntry(SealedIndex.Entry(key: noise, value: noise))
            _ = MessageAnnotations.decode(noise)
            _ = try? RoomSummaryRecord.decode(noise)
            _ = try? OutgoingWrapRecord.decode(noise)
        }
    }

    // MARK: - What they are tried with

    private var everything: MessageVisibility { MessageVisibility(account: alice, now: moment(0)) }

    private func moment(_ offset: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + offset) }

    private func store(
        of rumors: [Rumor], in records: any RecordStore = MemoryRecordStore(), atOnce count: Int = 100
    ) async throws -> MessageStore {
        let store = try await MessageStore(account: alice, records: SealedRecords(records, key))
        for start in stride(from: 0, to: rumors.count, by: count) {
            try await file(Array(rumors[start..<min(start + count, rumors.count)]), into: store)
        }
        return store
    }

    /// Files rumors as if each had come in a wrap of its own.
    private func file(_ rumors: [Rumor], into store: MessageStore) async throws {
        let wraps = rumors.map { rumor in
            Event(
                trustingStored: UnverifiedEvent(
                    id: rumor.id, pubkey: rumor.pubkey, createdAt: rumor.createdAt, kind: GiftWrap.kind, tags: [],
                    content: "", signature: TestPerson.eve.event().signature))
        }
        let opened = rumors.map { rumor in
            Result<UnwrappedGift, GiftRejection>.success(
                UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: rumor.createdAt, rumor: rumor))
        }
        let newest = rumors.map(\.createdAt).max() ?? moment(0)
        _ = try await store.file(wraps, opened, now: newest)
    }

    private func text(_ text: String, by author: PublicKey, at offset: Int64, subject: String? = nil) -> Rumor {
        Rumor(
            ChatMessage.draft(text, to: room, by: author, subject: subject, createdAt: moment(offset)), author: author)
    }

    private func item(_ text: String, by author: PublicKey, at offset: Int64) throws -> StoredMessage {
        try #require(
            StoredMessage(
                RumorRecord(
                    self.text(text, by: author, at: offset), arrivedAt: moment(offset + 5), wraps: [], expiration: nil))
        )
    }

    /// Eight messages, one taken back, two reactions and one reaction taken back.
    private func scene() -> [Rumor] {
        let writers = [alice, bob, carol]
        var rumors: [Rumor] = []
        for number in 0..<8 {
            let subject: String? = number % 4 == 0 ? "subject \(number)" : nil
            rumors.append(
                text("message \(number)", by: writers[number % 3], at: Int64(number / 2), subject: subject))
        }
        let targets = rumors.compactMap(ChatMessage.init)
        func add(_ draft: EventDraft, by author: PublicKey) -> Rumor {
            rumors.append(Rumor(draft, author: author))
            return Rumor(draft, author: author)
        }
        for author in [alice, bob] {
            _ = add(ChatReaction.draft("+", to: targets[2], by: author, createdAt: moment(50)), by: author)
        }
        let withdrawn = add(ChatReaction.draft("-", to: targets[3], by: carol, createdAt: moment(51)), by: carol)
        _ = add(ChatDeletion.draft(deleting: [withdrawn], in: room, by: carol, createdAt: moment(60)), by: carol)
        // Carol takes her own back; Bob's request about Alice's message means nothing.
        _ = add(ChatDeletion.draft(deleting: [rumors[5]], in: room, by: carol, createdAt: moment(61)), by: carol)
        _ = add(ChatDeletion.draft(deleting: [rumors[0]], in: room, by: bob, createdAt: moment(62)), by: bob)
        return rumors
    }
}

/// Counts the records that are read.
private actor CountingRecords: RecordStore {
    private let inner = MemoryRecordStore()
    private(set) var count = 0

    func reset() { count = 0 }

    func value(_ key: String, in table: String) async throws -> [UInt8]? {
        count += 1
        return await inner.value(key, in: table)
    }

    func records(in table: String, prefix: String) async throws -> [Record] {
        let found = await inner.records(in: table, prefix: prefix)
        count += found.count
        return found
    }

    func apply(_ changes: [RecordChange]) async throws { await inner.apply(changes) }
}
