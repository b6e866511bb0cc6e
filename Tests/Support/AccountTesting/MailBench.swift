internal import AsyncPrimitives
public import NostrClient
package import NostrCore
internal import NostrNIPs
internal import NostrRelay
package import NostrSigner
package import NostrStore
public import NostrTesting
internal import Synchronization
package import Testing

extension ScriptedNetwork: RelayNetwork {}

/// People with accounts of their own over the same scripted relays and the same clock.
package final class MailBench: Sendable {
    package static let start: Int64 = 1_700_000_000

    package let clock = ManualClock()
    package let network: ScriptedNetwork
    /// The media server of everybody, and of the world.
    package let blobs = ScriptedBlobs()
    /// The services of targets above that an account of this bench has.
    let services: @Sendable (TestPerson) -> [UnlockedServiceFactory]
    private let people = Mutex<[MailPerson]>([])

    package init(services: @escaping @Sendable (TestPerson) -> [UnlockedServiceFactory] = { _ in [] }) {
        network = ScriptedNetwork(clock: clock)
        self.services = services
    }

    package var now: Timestamp { Timestamp(seconds: Self.start) + clock.now.offset }

    /// Everybody named has an inbox relay of their own, named after them; all lists are on the indexer.
    package func layOut(_ people: TestPerson...) {
        for person in people {
            network.put([person.inboxList("\(person)")], on: relay("index"))
            network.put([person.event(kind: 10_002, tags: [["r", "wss://\(person).example"]])], on: relay("index"))
        }
    }

    /// One person.
    ///
    /// - Parameter media: where files are kept; `nil` for nowhere.
    package func person(
        _ who: TestPerson, records: any RecordStore = MemoryRecordStore(), media: MediaAccess? = nil,
        _ change: (inout AccountConfiguration) -> Void = { _ in }
    ) -> MailPerson {
        let person = MailPerson(who, self, records: records, media: media, change)
        people.withLock { $0.append(person) }
        return person
    }

    /// A gift wrap as another program makes it.
    package func wrap(
        _ draft: EventDraft, by author: TestPerson, for recipient: TestPerson, age: Duration = .zero, seed: UInt64 = 1
    ) throws -> Event {
        var random = SeededRandom(seed: seed)
        return try GiftWrap.make(
            Rumor(draft, author: author.publicKey), by: author.secretKey, for: recipient.publicKey, now: now - age,
            using: &random)
    }

    /// A text message as a draft.
    package func text(
        _ text: String, by author: TestPerson, to others: TestPerson..., at offset: Int64 = 0,
        tags: [NostrCore.Tag] = []
    ) -> EventDraft {
        ChatMessage.draft(
            text, to: ChatRoom(others.map(\.publicKey) + [author.publicKey]), by: author.publicKey, tags: tags,
            createdAt: Timestamp(seconds: Self.start + offset))
    }

    /// Lets everybody's account work while a test looks on.
    package func running(_ people: MailPerson..., body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup { group in
            for person in people { group.addTask { await person.account.run() } }
            try await body()
            group.cancelAll()
        }
    }

    /// Waits until something holds; fails when it still does not after six minutes.
    ///
    /// Looks again at every change of anybody's account and store, and now and then for what is not announced, as an
    /// event that reached a scripted relay.
    package func eventually(
        _ what: Testing.Comment, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(360))
        let bell = Doorbell()
        try await withThrowingTaskGroup { group in
            for person in people.withLock({ $0 }) {
                let (changes, stored) = (await person.account.changes(), await person.store.changes())
                group.addTask { for await _ in changes { bell.ring() } }
                group.addTask { for await _ in stored { bell.ring() } }
            }
            defer { group.cancelAll() }
            while ContinuousClock.now < end {
                if try await holds() { return }
                await bell.wait(atMost: .milliseconds(5), on: ContinuousClock())
            }
            Issue.record(what, sourceLocation: sourceLocation)
        }
    }
}

extension TestPerson {
    /// A list of inbox relays, by the first part of their names.
    package func inboxList(_ relays: String..., at seconds: Int64 = MailBench.start) -> Event {
        event(kind: 10_050, tags: relays.map { ["relay", "wss://\($0).example"] }, at: seconds)
    }
}

/// One person's account with a lock.
package struct MailPerson: Sendable {
    package let who: TestPerson
    package let records: any RecordStore
    package let store: MemoryEventStore
    package let signer: LockableSigner
    package let account: LiveAccount

    init(
        _ who: TestPerson, _ bench: MailBench, records: any RecordStore, media: MediaAccess?,
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
            media: media, blobs: bench.blobs, uploads: bench.blobs, configuration: configuration,
            time: Time(clock: clock, now: now),
            randomness: SeededRandom(seed: UInt64(who.rawValue)),
            unlocked: bench.services(who))
    }

    package var key: PublicKey { who.publicKey }

    /// The messages, while the account is unlocked.
    package var messages: DirectMessages {
        get throws {
            guard let opened = account.unlocked?.service(DirectMessages.self) else { throw MessagingError(.locked) }
            return opened
        }
    }

    package func state() async -> MessagingState { await account.state() }

    package func unlock() async throws {
        try signer.unlock(with: LocalSigner(who.secretKey))
        await account.keyDidUnlock()
    }

    package func lock() async {
        signer.lock()
        await account.keyDidLock()
    }

    /// The texts of a conversation, oldest first.
    package func texts(with others: TestPerson...) async throws -> [String] {
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
    package func write(_ text: String, to others: TestPerson...) async throws -> Message {
        try await messages.send(OutgoingMessage(room: ChatRoom(others.map(\.publicKey) + [key]), text: text))
    }
}

extension LiveAccount {
    /// How its messages stand; an account that only reads looks locked.
    package func state() async -> MessagingState {
        await messagingState()
            ?? MessagingState(vault: .locked, inbox: [], caughtUp: [], rejected: 0, unread: 0, unreadRequests: 0)
    }
}

/// A relay of the tests.
package func relay(_ name: String, bare: Bool = false) -> RelayURL {
    // Names of the tests make valid addresses.
    do { return try RelayURL(bare ? "wss://\(name)" : "wss://\(name).example") } catch {
        preconditionFailure("\(error)")
    }
}
