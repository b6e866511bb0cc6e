import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// People with accounts of their own over the same scripted relays and the same clock.
struct MailBench {
    static let start: Int64 = 1_700_000_000

    let clock = ManualClock()
    let network: ScriptedNetwork

    init() {
        network = ScriptedNetwork(clock: clock)
    }

    var now: Timestamp { Timestamp(seconds: Self.start) + clock.now.offset }

    /// Everybody named has an inbox relay of their own, named after them; all lists are on the indexer.
    func layOut(_ people: TestPerson...) {
        for person in people {
            network.put([person.inboxList("\(person)")], on: relay("index"))
            network.put([person.event(kind: 10_002, tags: [["r", "wss://\(person).example"]])], on: relay("index"))
        }
    }

    func person(
        _ who: TestPerson, records: any RecordStore = MemoryRecordStore(),
        _ change: (inout AccountConfiguration) -> Void = { _ in }
    ) -> MailPerson {
        MailPerson(who, self, records: records, change)
    }

    /// A gift wrap as another program makes it.
    func wrap(
        _ draft: EventDraft, by author: TestPerson, for recipient: TestPerson, age: Duration = .zero, seed: UInt64 = 1
    ) throws -> Event {
        var random = SeededRandom(seed: seed)
        return try GiftWrap.make(
            Rumor(draft, author: author.publicKey), by: author.secretKey, for: recipient.publicKey, now: now - age,
            using: &random)
    }

    /// A text message as a draft.
    func text(
        _ text: String, by author: TestPerson, to others: TestPerson..., at offset: Int64 = 0,
        tags: [NostrCore.Tag] = []
    ) -> EventDraft {
        ChatMessage.draft(
            text, to: ChatRoom(others.map(\.publicKey) + [author.publicKey]), by: author.publicKey, tags: tags,
            createdAt: Timestamp(seconds: Self.start + offset))
    }

    /// Lets everybody's account work while a test looks on.
    func running(_ people: MailPerson..., body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for person in people { group.addTask { await person.account.run() } }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets other tasks work until something holds; fails when it still does not after three minutes.
    func eventually(
        _ what: Testing.Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(180))
        while ContinuousClock.now < end {
            if try await holds() { return }
            await Task.yield()
        }
        Issue.record(what, sourceLocation: sourceLocation)
    }
}

extension TestPerson {
    /// A list of inbox relays, by the first part of their names.
    func inboxList(_ relays: String..., at seconds: Int64 = MailBench.start) -> Event {
        event(kind: 10_050, tags: relays.map { ["relay", "wss://\($0).example"] }, at: seconds)
    }
}

/// One person's account with a lock.
struct MailPerson {
    let who: TestPerson
    let records: any RecordStore
    let store: MemoryEventStore
    let signer: LockableSigner
    let account: LiveAccount

    init(
        _ who: TestPerson, _ bench: MailBench, records: any RecordStore,
        _ change: (inout AccountConfiguration) -> Void
    ) {
        let clock = bench.clock
        let now: @Sendable () -> Timestamp = { Timestamp(seconds: MailBench.start) + clock.now.offset }
        self.who = who
        self.records = records
        store = MemoryEventStore(now: now)
        signer = LockableSigner(who.publicKey)
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]), searchRelays: [])
        configuration.coalescing = .zero
        change(&configuration)
        account = LiveAccount(
            publicKey: who.publicKey, signer: signer, store: store, records: records, network: bench.network,
            configuration: configuration, time: AccountTime(clock: clock, now: now),
            randomness: SeededRandom(seed: UInt64(who.rawValue)))
    }

    var key: PublicKey { who.publicKey }

    /// The messages, while the account is unlocked.
    var messages: DirectMessages {
        get throws {
            guard let opened = account.unlocked?.service(DirectMessages.self) else { throw MessagingError.locked }
            return opened
        }
    }

    func state() async -> MessagingState { await account.state() }

    func unlock() async throws {
        try signer.unlock(with: LocalSigner(who.secretKey))
        await account.keyDidUnlock()
    }

    func lock() async {
        signer.lock()
        await account.keyDidLock()
    }

    /// The texts of a conversation, oldest first.
    func texts(with others: TestPerson...) async throws -> [String] {
        let room = ChatRoom(others.map(\.publicKey) + [key])
        return try await messages.conversation(room, before: nil, limit: 500).messages.map { message in
            switch message.body {
            case .text(let text): text
            case .file(let file): "file \(file.url)"
            case .deleted: "deleted"
            }
        }
    }

    @discardableResult
    func write(_ text: String, to others: TestPerson...) async throws -> Message {
        try await messages.send(OutgoingMessage(room: ChatRoom(others.map(\.publicKey) + [key]), text: text))
    }
}

extension LiveAccount {
    /// How its messages stand; an account that only reads looks locked.
    func state() async -> MessagingState {
        await messagingState()
            ?? MessagingState(vault: .locked, inbox: [], caughtUp: [], rejected: 0, unread: 0, unreadRequests: 0)
    }
}
