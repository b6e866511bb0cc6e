import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// Folding rumors into conversations: a value, so every order can be tried.
struct MailboxStateTests {
    private let alice = TestPerson.alice.publicKey
    private let bob = TestPerson.bob.publicKey
    private let carol = TestPerson.carol.publicKey
    private var room: ChatRoom { ChatRoom([alice, bob, carol]) }

    @Test("whatever order rumors come in, the conversation and its summary are the same")
    func order() throws {
        let records = scene()
        let whole = OpenConversation(room, records)
        var random = SeededRandom(seed: 7)
        for _ in 0..<60 {
            let shuffled = records.shuffled(using: &random)
            var folded = OpenConversation(room)
            var summary = RoomSummary(room)
            for record in shuffled {
                folded.take(record)
                for item in OpenConversation(room, [record]).items { summary.take(item, account: alice) }
            }
            #expect(folded.items == whole.items)
            #expect(folded.reactions.mapValues { Set($0) } == whole.reactions.mapValues { Set($0) })
            let complete = RoomSummary(whole, keeping: nil, account: alice)
            #expect(summary.newest?.place == complete.newest?.place)
            #expect(summary.subject == complete.subject)
            #expect(summary.readUpTo == complete.readUpTo)
            #expect(summary.writers == complete.writers)
        }
        #expect(whole.items.count { $0.message == nil } == 1)
        #expect(whole.reactions.values.map(\.count).reduce(0, +) == 2)
    }

    @Test("a conversation is walked page by page, each message once")
    func pages() {
        let conversation = OpenConversation(room, scene())
        for limit in 1...13 {
            var seen: [EventID] = []
            var cursor: MessageCursor?
            var pages = 0
            repeat {
                let (items, hasMore) = conversation.stretch(before: cursor, limit: limit) { _ in true }
                seen = items.map(\.id) + seen
                cursor = hasMore ? items.first?.place : nil
                pages += 1
            } while cursor != nil && pages < 50
            #expect(seen == conversation.items.map(\.id))
        }
        #expect(conversation.stretch(before: nil, limit: 50) { $0.author == bob }.items.allSatisfy { $0.author == bob })
    }

    @Test("one's own message reads what came before it, and reading goes forward only")
    func unread() {
        var summary = RoomSummary(room)
        for item in OpenConversation(room, (0..<5).map { record("n\($0)", by: bob, at: Int64($0 * 10)) }).items {
            summary.take(item, account: alice)
        }
        #expect(summary.unread.count == 5)
        for item in OpenConversation(room, [record("mine", by: alice, at: 25)]).items {
            summary.take(item, account: alice)
        }
        #expect(summary.unread.map(\.place.createdAt) == [moment(30), moment(40)])
        summary.read(upTo: MessageCursor(createdAt: moment(1), id: EventID(Bytes32())))
        #expect(summary.unread.count == 2)
        let many = (0..<1500).map { record("m\($0)", by: bob, at: Int64(100 + $0)) }
        for item in OpenConversation(room, many).items { summary.take(item, account: alice) }
        #expect(summary.unread.count == RoomSummary.mostUnread)
    }

    @Test("known is where somebody one follows wrote, where one wrote, or what one accepted; the muted are hidden")
    func folders() {
        var view = MailboxView(account: alice, followed: [carol], now: moment(0))
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
    func records() throws {
        let conversation = OpenConversation(room, scene())
        var summary = RoomSummary(conversation, keeping: nil, account: alice)
        summary.isAccepted = true
        summary.hasDeletions = true
        #expect(try RoomSummaryRecord.decode(try RoomSummaryRecord.encode(summary)) == summary)
        for var record in scene() {
            record.wraps = [EventID(Bytes32())]
            record.expiration = moment(77)
            #expect(MailRecord(record.bytes) == record)
            record.retract()
            #expect(MailRecord(record.bytes) == record)
            record.content = .removed
            #expect(MailRecord(record.bytes) == record)
        }
        var random = SeededRandom(seed: 2)
        for length in 0..<300 {
            let noise = randomBytes(length, using: &random)
            _ = MailRecord(noise)
            _ = MailRecord([1, UInt8(length % 4)] + noise)
            _ = SeenMark(noise)
            _ = try? RoomSummaryRecord.decode(noise)
            _ = try? ParcelRecord.decode(noise)
        }
    }

    @Test("only so many messages are kept decrypted; the conversation in use stays")
    func cache() {
        var cache = ConversationCache(capacity: 20)
        let rooms = [ChatRoom([alice, bob]), ChatRoom([alice, carol]), ChatRoom([bob, carol])]
        for room in rooms {
            cache.keep(OpenConversation(room, (0..<9).map { record("\($0)", by: bob, at: Int64($0)) }))
        }
        #expect(!cache.contains(rooms[0]) && cache.contains(rooms[1]) && cache.contains(rooms[2]))
        _ = cache.take(rooms[1])
        cache.keep(OpenConversation(rooms[0], (0..<90).map { record("\($0)", by: bob, at: Int64($0)) }))
        #expect(cache.contains(rooms[0]) && !cache.contains(rooms[1]))
    }

    private func moment(_ offset: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + offset) }

    private func record(_ text: String, by author: PublicKey, at offset: Int64, subject: String? = nil) -> MailRecord {
        let draft = ChatMessage.draft(text, to: room, by: author, subject: subject, createdAt: moment(offset))
        return MailRecord(
            Rumor(draft, author: author), arrivedAt: moment(offset + 5), wraps: [], expiration: nil)
    }

    /// Eight messages, one taken back, two reactions and one reaction taken back.
    private func scene() -> [MailRecord] {
        let writers = [alice, bob, carol]
        var records: [MailRecord] = []
        for number in 0..<8 {
            let subject: String? = number % 4 == 0 ? "subject \(number)" : nil
            records.append(
                record("message \(number)", by: writers[number % 3], at: Int64(number / 2), subject: subject))
        }
        let rumors: [Rumor] = records.compactMap { $0.rumor }
        let targets = rumors.compactMap(ChatMessage.init)
        func add(_ draft: EventDraft, by author: PublicKey) -> Rumor {
            let rumor = Rumor(draft, author: author)
            records.append(MailRecord(rumor, arrivedAt: moment(90), wraps: [], expiration: nil))
            return rumor
        }
        for author in [alice, bob] {
            _ = add(ChatReaction.draft("+", to: targets[2], by: author, createdAt: moment(50)), by: author)
        }
        let withdrawn = add(ChatReaction.draft("-", to: targets[3], by: carol, createdAt: moment(51)), by: carol)
        _ = add(ChatDeletion.draft(deleting: [withdrawn], in: room, by: carol, createdAt: moment(60)), by: carol)
        // Carol takes her own back; Bob's request about Alice's message means nothing.
        _ = add(ChatDeletion.draft(deleting: [rumors[5]], in: room, by: carol, createdAt: moment(61)), by: carol)
        _ = add(ChatDeletion.draft(deleting: [rumors[0]], in: room, by: bob, createdAt: moment(62)), by: bob)
        return records
    }
}
