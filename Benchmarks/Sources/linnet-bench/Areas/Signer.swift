import Foundation
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import SQLiteStorage
import Synchronization

/// The signer on loopback, with its records on the disk: how long an app waits at a steady pace, how many requests a
/// second it bears, how it compares with nostr-sdk's client on the same relay, and whether any is lost or done twice
/// while relays come and go.
let signer = Area(name: "signer") { setting in
    try await steady() + sequential() + soak(10_000)
}

// MARK: - An app that only asks

/// An app that made its requests beforehand, and notes when each was sent and answered.
private final class Asker: Sendable {
    private let key: LocalSigner
    private let account: PublicKey
    private let pool: RelayPool
    private let relay: RelayURL
    private struct Times {
        var sent: [String: ContinuousClock.Instant] = [:]
        var waits: [String: Duration] = [:]
    }

    private let times = Mutex(Times())

    init(key: LocalSigner, account: PublicKey, pool: RelayPool, relay: RelayURL) {
        self.key = key
        self.account = account
        self.pool = pool
        self.relay = relay
    }

    /// A request to sign a note, encrypted and signed.
    func request(_ id: String) async throws -> Event {
        let draft = #"{"kind":1,"created_at":1700000000,"tags":[],"content":"note \#(id)"}"#
        return try await sealed(RemoteRequest(id: id, .signEvent, [draft]))
    }

    func sealed(_ request: RemoteRequest) async throws -> Event {
        let content = try await key.encrypt(request.json, for: account, by: .nip44)
        return try await key.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", account.hex]], content: content, createdAt: SignerBench.now))
    }

    /// Sends a request; returns when the relay has it.
    func send(_ id: String, _ event: Event) async {
        times.withLock { $0.sent[id] = ContinuousClock.now }
        _ = await pool.publish(event, to: relay, deadline: .seconds(20))
    }

    /// Notes answers until cancelled.
    func listen(_ ready: AsyncStream<Void>.Continuation) async {
        let filter = Filter(kinds: [RemoteSigning.kind], tags: ["p": [key.publicKey.hex]], since: SignerBench.now)
        let subscription = await pool.subscribe([relay: [filter]])
        for await update in subscription.updates {
            switch update {
            case .live: ready.finish()
            case .events(let events, _):
                let moment = ContinuousClock.now
                for event in events {
                    // An answer that cannot be read is one that did not come.
                    guard let text = try? await key.decrypt(event.content, from: account, by: .nip44),
                        let response = try? RemoteResponse(json: Array(text.utf8))
                    else { continue }
                    times.withLock { times in
                        guard response.error == nil, let sent = times.sent[response.id] else { return }
                        if times.waits[response.id] == nil { times.waits[response.id] = sent.duration(to: moment) }
                    }
                }
            case .interrupted: break
            }
        }
    }

    /// Waits until so many are answered, 60 seconds at most; how long each took, shortest first.
    func waits(_ count: Int, prefix: String) async throws -> [Duration] {
        for _ in 0..<3000 {
            let waits = times.withLock { $0.waits.filter { $0.key.hasPrefix(prefix) }.map(\.value) }
            if waits.count >= count { return waits.sorted() }
            try await Task.sleep(for: .milliseconds(20))
        }
        return times.withLock { $0.waits.filter { $0.key.hasPrefix(prefix) }.map(\.value) }.sorted()
    }
}

/// A hundred requests a second for ten seconds, then ten thousand as fast as they go.
private func steady() async throws -> [Measurement] {
    let relay = try await BenchRelay()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        defer { group.cancelAll() }
        return try await SignerBench.run(on: [relay.address]) { bench in
            let pool = try SignerBench.pool()
            let asker = Asker(
                key: LocalSigner.generate(), account: bench.service.account, pool: pool, relay: relay.address)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                let (listening, ready) = AsyncStream.makeStream(of: Void.self)
                group.addTask { await pool.run() }
                group.addTask { await asker.listen(ready) }
                defer { group.cancelAll() }
                for await _ in listening {}
                let secret = try await bench.service.invitation().uri.secret ?? ""
                let connect = RemoteRequest(id: "connect", .connect, [bench.service.account.hex, secret])
                await asker.send("connect", try await asker.sealed(connect))
                _ = try await asker.waits(1, prefix: "connect")
                try await bench.trustAll()
                return try await pace(asker) + rush(asker)
            }
        }
    }
}

private func pace(_ asker: Asker) async throws -> [Measurement] {
    var requests: [Event] = []
    for number in 0..<1000 { requests.append(try await asker.request("pace \(number)")) }
    try await withThrowingTaskGroup(of: Void.self) { group in
        let start = ContinuousClock.now
        for (number, request) in requests.enumerated() {
            try await ContinuousClock().sleep(until: start + .milliseconds(10 * number))
            group.addTask { await asker.send("pace \(number)", request) }
        }
        try await group.waitForAll()
    }
    let waits = try await asker.waits(requests.count, prefix: "pace")
    guard waits.count == requests.count else { throw Unanswered(missing: requests.count - waits.count) }
    let what = "from request to reply, 100 requests a second on loopback"
    return [
        Measurement(name: "signer-p50", value: waits[waits.count / 2] / .milliseconds(1), unit: "ms", what: what),
        Measurement(
            name: "signer-p99", value: waits[waits.count * 99 / 100] / .milliseconds(1), unit: "ms", what: what),
    ]
}

private func rush(_ asker: Asker) async throws -> [Measurement] {
    var requests: [Event] = []
    for number in 0..<10_000 { requests.append(try await asker.request("rush \(number)")) }
    let rate = try await Measurement.once(
        "signer-rate", unit: "requests/s", what: "signed, kept and answered, relay and app in the same process",
        count: requests.count
    ) {
        await withTaskGroup(of: Void.self) { group in
            for (number, request) in requests.enumerated() {
                if number >= 256 { await group.next() }
                group.addTask { await asker.send("rush \(number)", request) }
            }
            await group.waitForAll()
        }
        let answered = try await asker.waits(requests.count, prefix: "rush").count
        guard answered == requests.count else { throw Unanswered(missing: requests.count - answered) }
    }
    return [rate]
}

private struct Unanswered: Error {
    let missing: Int
}

// MARK: - Against nostr-sdk

/// One signature after the other, by Linnet's client and by nostr-sdk's, with the same signer on the same relay.
private func sequential() async throws -> [Measurement] {
    let relay = try await BenchRelay()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await relay.run() }
        defer { group.cancelAll() }
        return try await SignerBench.run(on: [relay.address]) { bench in
            let ours = try await bench.withClient { app in
                _ = await SignerBench.sign(20, atOnce: 1, by: app)
                return await Measurement.once(
                    "signer-one-by-one", unit: "requests/s", what: "Linnet's client, one signature after the other",
                    count: 300
                ) { _ = await SignerBench.sign(300, atOnce: 1, by: app) }
            }
            return try await [ours] + sdkFigures(bench)
        }
    }
}

/// The same by nostr-sdk from Python, where `scripts/peers.sh` has put it.
private func sdkFigures(_ bench: SignerBench) async throws -> [Measurement] {
    var root = URL(filePath: #filePath)
    for _ in 0..<5 { root.deleteLastPathComponent() }
    let python = root.appending(path: ".venv-peers/bin/python")
    guard FileManager.default.isExecutableFile(atPath: python.path) else { return [] }
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = python
    process.arguments = [root.appending(path: "Tests/Interop/Peers/sdk_app.py").path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let token = try await bench.service.invitation().uri.text
    let orders: [[Any]] = [["token", token], ["pings", 20], ["pings", 300]]
    for (number, order) in orders.enumerated() {
        try input.fileHandleForWriting.write(
            contentsOf: JSONSerialization.data(withJSONObject: order) + Data("\n".utf8))
        if number == 0 {
            // Paired by now or within moments; what it asks before that is trusted a little later.
            for _ in 0..<200 {
                if try await bench.service.clients().count >= 2 { break }
                try await Task.sleep(for: .milliseconds(50))
            }
            try await bench.trustAll()
        }
    }
    try input.fileHandleForWriting.close()
    // Reading blocks, so it has a thread of its own: the signer works in this process.
    let answers = await withCheckedContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(returning: output.fileHandleForReading.readDataToEndOfFile())
            process.waitUntilExit()
        }
    }
    guard let last = answers.split(separator: UInt8(ascii: "\n")).last,
        let times = try JSONSerialization.jsonObject(with: last) as? [String], times.count == 300
    else { return [] }
    let sum = times.compactMap(Double.init).reduce(0, +)
    return [
        Measurement(
            name: "sdk-one-by-one", value: 300 / sum, unit: "requests/s",
            what: "nostr-sdk's client, the same signer and relay")
    ]
}

// MARK: - Soak

/// Many requests over two relays that die every few seconds.
private func soak(_ count: Int) async throws -> [Measurement] {
    let first = try await BenchRelay(), second = try await BenchRelay()
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await BenchRelay.flap(first, up: .seconds(4), down: .milliseconds(700)) }
        group.addTask { try await BenchRelay.flap(second, up: .seconds(5), down: .milliseconds(900)) }
        defer { group.cancelAll() }
        return try await SignerBench.run(on: [first.address, second.address]) { bench in
            var patience = RemotePatience()
            patience.resend = .seconds(1)
            patience.slowestResend = .seconds(4)
            let clock = ContinuousClock()
            let began = clock.now
            let signed = try await bench.withClient(patience) { app in
                var signed = 0
                // In parts with a rest, so that it lasts through many deaths.
                for _ in 0..<50 {
                    signed += await SignerBench.sign(count / 50, atOnce: 50, by: app)
                    try await clock.sleep(for: .milliseconds(500))
                }
                return signed
            }
            let seconds = began.duration(to: clock.now) / .seconds(1)
            let log = try await bench.records.activity(of: bench.service.account, ActivityQuery(limit: 10 * count))
            let done = log.count { $0.method == RemoteMethod.signEvent.rawValue && $0.outcome == .done }
            let what = "of \(count) requests over two relays that died every few seconds, for \(Int(seconds)) s"
            return [
                Measurement(name: "signer-soak-lost", value: Double(count - signed), unit: "requests", what: what),
                Measurement(
                    name: "signer-soak-twice", value: Double(max(0, done - count)), unit: "requests", what: what),
            ]
        }
    }
}
