import AsyncPrimitives
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage

/// Private messages in a real records file: downloaded once, then read after a restart.
///
/// Ten conversations of 10 000; the figures are those of a program that has just been unlocked.
let messages = Area(name: "messages") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "account.sqlite").path
    var random = Draws(state: setting.seed)
    let owner = MessageOwner(try ownerKey(using: &random), path: path)
    let (wraps, rooms) = try letters(to: owner.key.publicKey, conversations: 10, each: 10_000, using: &random)

    var figures = [
        try await Measurement.once(
            "messages-download", unit: "messages/s", what: "a relay's wraps to durable messages", count: wraps.count
        ) { try await owner.download(wraps) }
    ]
    var opening: [Duration] = []
    var unlocking: [Duration] = []
    var search: [Duration] = []
    let clock = ContinuousClock()
    for room in rooms.prefix(5) {
        let account = try owner.account(over: NoRelays())
        unlocking.append(await clock.measure { await account.keyDidUnlock() })
        opening.append(
            try await clock.measure {
                let page = try await account.openedMessages().conversation(room, before: nil, limit: 50)
                guard page.messages.count == 50 else { throw BenchFailure.incomplete }
            })
        search.append(
            try await clock.measure {
                guard try await account.openedMessages().search("heron 7777", limit: 50).count == rooms.count else {
                    throw BenchFailure.incomplete
                }
            })
    }
    figures += [
        Measurement(
            name: "messages-unlock", value: middle(unlocking), unit: "ms", what: "the vault of 100 000 messages"),
        Measurement(name: "messages-open", value: middle(opening), unit: "ms", what: "10 000 messages, disk to page"),
        Measurement(name: "messages-search", value: middle(search), unit: "ms", what: "rare words in 100 000 messages"),
    ]
    return figures
}

/// One conversation of 100 000 messages: how soon its newest page is there after the program has started, and
/// how soon older ones follow.
let longConversation = Area(name: "long-conversation") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = Draws(state: setting.seed)
    let owner = MessageOwner(try ownerKey(using: &random), path: folder.appending(path: "account.sqlite").path)
    let (wraps, rooms) = try letters(to: owner.key.publicKey, conversations: 1, each: 100_000, using: &random)
    guard let room = rooms.first else { throw BenchFailure.incomplete }
    var figures = [
        try await Measurement.once(
            "long-download", unit: "messages/s", what: "a relay's wraps into one conversation", count: wraps.count
        ) { try await owner.download(wraps) }
    ]
    var opening: [Duration] = []
    var paging: [Duration] = []
    let clock = ContinuousClock()
    for _ in 0..<5 {
        let account = try owner.account(over: NoRelays())
        await account.keyDidUnlock()
        opening.append(
            try await clock.measure {
                let page = try await account.openedMessages().conversation(room, before: nil, limit: 50)
                guard page.messages.count == 50, page.older != nil else { throw BenchFailure.incomplete }
            })
        var cursor = try await account.openedMessages().conversation(room, before: nil, limit: 50).older
        paging.append(
            try await clock.measure {
                for _ in 0..<10 {
                    let page = try await account.openedMessages().conversation(room, before: cursor, limit: 50)
                    guard page.messages.count == 50 else { throw BenchFailure.incomplete }
                    cursor = page.older
                }
            } / 10)
    }
    figures += [
        Measurement(
            name: "long-open", value: middle(opening), unit: "ms",
            what: "100 000 messages in one conversation, disk to page"),
        Measurement(name: "long-older", value: middle(paging), unit: "ms", what: "each older page of it"),
    ]
    return figures
}

private func middle(_ times: [Duration]) -> Double { times.sorted()[times.count / 2] / .milliseconds(1) }

private enum BenchFailure: Error {
    case incomplete
}

extension LiveAccount {
    fileprivate func openedMessages() throws -> any Messaging {
        guard let messages else { throw BenchFailure.incomplete }
        return messages
    }
}

private func ownerKey(using random: inout Draws) throws -> SecretKeyBox {
    SecretKeyBox(SecretKey.generate(using: &random))
}

/// A key that may be shared.
private final class SecretKeyBox: Sendable {
    let key: SecretKey
    var publicKey: PublicKey { key.publicKey }

    init(_ key: consuming SecretKey) {
        self.key = key
    }
}

/// Somebody with a records file.
private struct MessageOwner {
    let key: SecretKeyBox
    let path: String

    init(_ key: SecretKeyBox, path: String) {
        self.key = key
        self.path = path
    }

    func account(over network: any RelayNetwork) throws -> LiveAccount {
        let relay = try RelayURL("wss://inbox.example")
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [], fallback: [relay]), searchRelays: [])
        configuration.tendsInbox = false
        return LiveAccount(
            publicKey: key.publicKey, signer: LocalSigner(try SecretKey(hex: key.key.exportHex())),
            store: MemoryEventStore(now: { Timestamp(seconds: 1_800_000_000) }),
            records: try SQLiteRecordStore(path: path), network: network, configuration: configuration,
            time: Time(clock: ContinuousClock(), now: { Timestamp(seconds: 1_800_000_000) }),
            log: Logger(label: "bench"))
    }

    func download(_ wraps: [Event]) async throws {
        let account = try account(over: OneRelay(wraps))
        await withTaskGroup { group in
            group.addTask { await account.run() }
            let changes = await account.changes()
            group.addTask {
                for await _ in changes where !(await account.messagingState()?.caughtUp.isEmpty ?? true) { return }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

private func letters(
    to owner: PublicKey, conversations: Int, each: Int, using random: inout Draws
) throws -> (wraps: [Event], rooms: [ChatRoom]) {
    var wraps: [Event] = []
    var rooms: [ChatRoom] = []
    for _ in 0..<conversations {
        let writer = SecretKey.generate(using: &random)
        let room = ChatRoom([owner, writer.publicKey])
        rooms.append(room)
        for number in 0..<each {
            let moment = Timestamp(seconds: 1_700_000_000 + Int64(number) * 60)
            let text = "the grey heron \(number) stands in the shallow water and waits for what the evening brings"
            let rumor = Rumor(
                ChatMessage.draft(text, to: room, by: writer.publicKey, createdAt: moment), author: writer.publicKey)
            wraps.append(try GiftWrap.make(rumor, by: writer, for: owner, now: moment, using: &random))
        }
    }
    return (wraps.sorted { $0.createdAt > $1.createdAt }, rooms)
}

// MARK: - Relays that are none

/// One relay in memory.
private struct OneRelay: RelayNetwork {
    let events: [Event]

    /// Takes events, newest first.
    init(_ events: [Event]) {
        self.events = events
    }

    func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: FetchUpdate.self)
        for (relay, filters) in requests {
            for filter in filters where filter.kinds?.contains(GiftWrap.kind) == true {
                var start = 0
                if let until = filter.until {
                    var end = events.count
                    while start < end {
                        let middle = (start + end) / 2
                        if events[middle].createdAt > until { start = middle + 1 } else { end = middle }
                    }
                }
                let page = events[start...].prefix(filter.limit ?? .max).filter { event in
                    filter.since.map { event.createdAt >= $0 } ?? true
                }
                continuation.yield(.events(Array(page), from: relay))
            }
            continuation.yield(.ended(relay, .complete))
        }
        continuation.finish()
        return stream
    }

    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        for relay in requests.keys { continuation.yield(.live(relay)) }
        return Standing(updates: stream, continuation: continuation)
    }

    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome { .timedOut }
    func statistics() async -> [RelayURL: RelayStatistics] { [:] }
    func block(_ relays: Set<RelayURL>) async {}
}

/// No relay at all.
struct NoRelays: RelayNetwork {
    func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate> {
        AsyncStream { $0.finish() }
    }

    func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        return Standing(updates: stream, continuation: continuation)
    }

    func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome { .timedOut }
    func statistics() async -> [RelayURL: RelayStatistics] { [:] }
    func block(_ relays: Set<RelayURL>) async {}
}

struct Standing: LiveSubscription {
    let updates: AsyncStream<LiveUpdate>
    let continuation: AsyncStream<LiveUpdate>.Continuation

    func change(to requests: [RelayURL: [Filter]]) async {}
    func cancel() async { continuation.finish() }
}
