import Circles
import Foundation
import NostrClient
import NostrCore
import NostrRelay
import WebSocketNIO

/// Private circles between whole accounts, on loopback and on the disk: how soon a line is shown at the other end, how
/// soon all is there after unlocking and after some time away, and what sharing one's place sends in a day.
let circles = Area(name: "circles") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await locationFigures(seed: setting.seed) + chatFigures(in: folder, seed: setting.seed)
        + villageFigures(in: folder, seed: setting.seed)
}

// MARK: - A line, from one to the other

/// Two accounts in one circle, who say one line after the other.
private func chatFigures(in folder: URL, seed: UInt64) async throws -> [Measurement] {
    var random = Draws(state: seed)
    let (one, other) = (
        encodeHex(randomBytes(32, using: &random)), encodeHex(randomBytes(32, using: &random))
    )
    let relay = try await BenchRelay()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        defer { group.cancelAll() }
        let trips = try await bareTrips(400, through: relay.address, seed: seed)
        let at = relay.address
        return try await CircleAccount.run(secret: one, in: folder.appending(path: "alice"), at: at) { alice in
            try await CircleAccount.run(secret: other, in: folder.appending(path: "bob"), at: at) { bob in
                let id = try await meet(alice, bob, at: at)
                return try await within(.seconds(300)) {
                    figures(lines: try await shown(600, from: alice, to: bob, in: id), trips: trips)
                }
            }
        }
    }
}

private func figures(lines: [Double], trips: [Double]) -> [Measurement] {
    let what = "from being said to being on the other's page, \(lines.count) lines one after the other"
    return [
        Measurement(name: "relay-trip", value: middle(trips), unit: "ms", what: "an event from one client to another"),
        Measurement(name: "circle-line-p50", value: middle(lines), unit: "ms", what: what),
        Measurement(name: "circle-line-p99", value: percentile(99, lines), unit: "ms", what: what),
        Measurement(
            name: "circle-line-early", value: middle(Array(lines.prefix(100))), unit: "ms",
            what: "the first hundred, median"),
        Measurement(
            name: "circle-line-late", value: middle(Array(lines.suffix(100))), unit: "ms",
            what: "the last hundred, median"),
    ]
}

/// One founds a circle, the other asks to join and is let in.
private func meet(_ alice: CircleAccount, _ bob: CircleAccount, at relay: RelayURL) async throws -> CircleID {
    let id = try await alice.circles.membership.create("Family", about: "", relays: [relay])
    try await bob.circles.membership.ask(try await alice.circles.membership.invite(to: id), name: "Bob")
    try await alice.until("the request") { try await alice.circles.reader.overview().circles.first?.requests == 1 }
    try await alice.circles.membership.admit([bob.key], to: id)
    for person in [alice, bob] {
        try await person.until("both are in") {
            guard try await person.circles.reader.overview().circles.first?.people.count == 2 else { return false }
            let health = try await person.circles.reader.health(of: id)
            return health.isCaughtUp && health.pending == 0
        }
    }
    return id
}

/// Says so many lines; how many milliseconds passed until each was on the other's page.
///
/// The page is read whenever the account says that the circle changed, as a screen does.
private func shown(
    _ count: Int, from alice: CircleAccount, to bob: CircleAccount, in id: CircleID
) async throws -> [Double] {
    var changes = await bob.account.changes().makeAsyncIterator()
    var times: [Double] = []
    for number in 0..<count {
        let text = "line \(number): the kettle is on, and whoever comes home first feeds the cat"
        let start = ContinuousClock.now
        try await alice.circles.messaging.send(text, replyTo: nil, in: id)
        while let change = await changes.next() {
            guard case .circle(id) = change else { continue }
            let page = try await bob.circles.reader.page(of: id, before: nil, limit: 200)
            if page.lines.contains(where: { $0.body == .text(text) }) { break }
        }
        times.append((ContinuousClock.now - start) / .milliseconds(1))
    }
    guard times.count == count, !Task.isCancelled else { throw Late(description: "some lines never came") }
    return times
}

/// What the same relay and sockets cost without any circle: a client publishes an event, another one gets it.
private func bareTrips(_ count: Int, through relay: RelayURL, seed: UInt64) async throws -> [Double] {
    var random = Draws(state: seed)
    let key = SecretKey.generate(using: &random)
    let text = String(repeating: "x", count: 700)
    let events = (0..<count).map { number in
        Event(
            signing: EventDraft(kind: 1, content: "\(number) \(text)", createdAt: SignerBench.now), with: key,
            using: &random)
    }
    let (one, other) = (try SignerBench.pool(), try SignerBench.pool())
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await one.run() }
        group.addTask { await other.run() }
        defer { group.cancelAll() }
        let live = await other.subscribe([relay: [Filter(authors: [key.publicKey], kinds: [1])]])
        var updates = live.updates.makeAsyncIterator()
        while let update = await updates.next() {
            if case .live = update { break }
        }
        var times: [Double] = []
        for event in events {
            let start = ContinuousClock.now
            async let outcome = one.publish(event, to: relay, deadline: .seconds(10))
            while let update = await updates.next() {
                if case .events(let found, _) = update, found.contains(event) { break }
            }
            times.append((ContinuousClock.now - start) / .milliseconds(1))
            guard case .accepted = await outcome else { throw Late(description: "the relay takes an event") }
        }
        return times
    }
}

func middle(_ times: [Double]) -> Double { percentile(50, times) }

func percentile(_ part: Int, _ times: [Double]) -> Double { times.sorted()[times.count * part / 100] }

/// What a body gives; nothing may hang.
private func within<R: Sendable>(_ span: Duration, _ body: @escaping @Sendable () async throws -> R) async throws -> R {
    try await withThrowingTaskGroup(of: R.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: span)
            throw Late(description: "it took more than \(span)")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}
