import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import SQLiteStorage

/// A page of home for somebody who follows few or very many, over five times `--events`, so a million, by 20 000 people;
/// then the same while other events are being checked and kept.
let follows = Area(name: "follows") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try SQLiteEventStore(
        path: folder.appending(path: "events.sqlite").path, now: { Timestamp(seconds: 1_800_000_000) })
    var random = Draws(state: setting.seed)
    let people = 20_000
    let corpus = StoreCorpus(events: setting.events * 5, seed: setting.seed)
    let authors = try await corpus.save(by: people, in: store)
    let spare = corpus.unchecked(20_000, using: &random)
    var figures: [Measurement] = []
    for count in [100, 1000, 3000, 10_000] {
        let home = try await ReadHome(
            of: Set(authors.shuffled(using: &random).prefix(count)), store: store, in: folder, using: &random)
        let what = "a page of home, \(count) follows"
        figures += percentiles("home-of-\(count)", what, try await home.times(rounds: 300))
        figures += percentiles(
            "gathering-home-of-\(count)", what + ", while events come in",
            try await gathering(spare, into: store) { try await home.times(rounds: 300) })
    }
    return figures
}

/// Checks and keeps events as relays would bring them, again and again, until something is done.
private func gathering(
    _ events: [UnverifiedEvent], into store: SQLiteEventStore, _ body: @escaping @Sendable () async throws -> [Duration]
) async throws -> [Duration] {
    try await withThrowingTaskGroup(of: [Duration]?.self) { group in
        group.addTask(priority: .utility) {
            while !Task.isCancelled {
                for start in stride(from: 0, to: events.count, by: 256) where !Task.isCancelled {
                    let checked = await verify(Array(events[start..<min(start + 256, events.count)]))
                    _ = try await store.save(checked.compactMap { try? $0.get() }, from: nil)
                }
            }
            return nil
        }
        group.addTask { try await body() }
        while let times = try await group.next() {
            guard let times else { continue }
            group.cancelAll()
            return times
        }
        return []
    }
}

/// An account that reads home.
private struct ReadHome: Sendable {
    private let account: LiveAccount

    init(
        of follows: Set<PublicKey>, store: SQLiteEventStore, in folder: URL, using random: inout Draws
    ) async throws {
        let key = SecretKey.generate(using: &random)
        let list = EventDraft(
            kind: 3, tags: follows.map { Tag(["p", $0.hex]) }, createdAt: Timestamp(seconds: 1_700_000_000))
        _ = try await store.save([Event(signing: list, with: key, using: &random)], from: nil)
        let relay = try RelayURL("wss://home.example")
        let configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [], fallback: [relay]), searchRelays: [])
        let publicKey = key.publicKey
        account = LiveAccount(
            publicKey: publicKey, signer: LocalSigner(try SecretKey(hex: key.exportHex())), store: store,
            records: try SQLiteRecordStore(path: folder.appending(path: "\(publicKey.hex).sqlite").path),
            network: NoRelays(), configuration: configuration,
            time: Time(clock: ContinuousClock(), now: { Timestamp(seconds: 1_731_536_000) }),
            log: Logger(label: "bench"))
        _ = try await account.people.person(publicKey)
    }

    /// How long each page takes: half of them the newest, half further and further down.
    func times(rounds: Int) async throws -> [Duration] {
        var times: [Duration] = []
        var place: TimelineCursor?
        for round in 0..<rounds {
            let cursor = round % 2 == 0 ? nil : place
            let clock = ContinuousClock()
            let start = clock.now
            let page = try await account.timeline.page(.home, before: cursor, limit: 30)
            _ = try await account.people.person(account.publicKey)
            times.append(clock.now - start)
            guard page.notes.count == 30 else { throw NotEnough() }
            place = page.next
        }
        return times
    }

    private struct NotEnough: Error {}
}
