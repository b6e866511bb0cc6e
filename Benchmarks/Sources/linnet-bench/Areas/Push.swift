import AsyncPrimitives
import Crypto
import Foundation
import NostrCore
import NostrStore
import SQLiteStorage

/// The push proxy itself with 100 000 registrations: a relay that sends 2 000 requests a second in, a push service
/// with Apple's protocol out; both stand in this process.
let push = Area(name: "push") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var random = Draws(state: setting.seed)
    let signers = try (0..<100_000).map { _ in PublicKey(try Bytes32(randomBytes(32, using: &random).span)) }
    let registering = try await register(signers, at: folder.appending(path: "push.sqlite").path)

    let count = 40_000
    let certificate = try BenchCertificate(in: folder)
    let service = try await BenchPushService(certificate: certificate)
    let relay = try await FeedingRelay(events: requests(count, to: signers, &random), perSecond: 2_000)
    let program = try BenchPushProxy(folder: folder, relay: relay.url, service: service.origin)
    async let serving: Void = relay.run()
    await relay.finished()
    await service.wait(for: count, atMost: .seconds(20))
    let resident = program.peakMemory()
    program.stop()
    relay.stop()
    await serving
    let arrivals = service.arrivals
    try await service.close()

    let sent = relay.sent
    let times = arrivals.compactMap { id, moment in sent[id].map { $0.duration(to: moment) } }.sorted()
    let span = sent.values.min().flatMap { first in arrivals.values.max().map { first.duration(to: $0) } }
    return [
        registering,
        Measurement(
            name: "push-delivered", value: service.messages == count ? Double(times.count) / Double(count) : 0,
            unit: "of 1", what: "requests that woke their device, each once"),
        Measurement(
            name: "push-rate", value: Double(times.count) / ((span ?? .seconds(1)) / .seconds(1)), unit: "pushes/s",
            what: "relay to push service at 2 000 requests/s, 100 000 registrations"),
        percentile("push-p50", times, 50), percentile("push-p99", times, 99),
        Measurement(name: "push-resident", value: resident, unit: "MB", what: "the proxy's memory at its highest"),
    ]
}

private func percentile(_ name: String, _ times: [Duration], _ part: Int) -> Measurement {
    let time = times.isEmpty ? .seconds(3600) : times[times.count * part / 100]
    return Measurement(
        name: name, value: time / .milliseconds(1), unit: "ms", what: "from the relay's socket to the push service")
}

/// Registers one device for each signer, many at once as they would come.
private func register(_ signers: [PublicKey], at path: String) async throws -> Measurement {
    let registry = try SQLitePushRegistry(path: path)
    let seen = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    let measured = try await Measurement.once(
        "push-register", unit: "devices/s", what: "durable registrations, 200 at a time", count: signers.count
    ) {
        for start in stride(from: 0, to: signers.count, by: 200) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in start..<min(start + 200, signers.count) {
                    let device = PushDevice(
                        signer: signers[number], address: .apns(token: signers[number].hex), lastSeen: seen)
                    group.addTask { try await registry.register(device, quota: PushQuota()) }
                }
                try await group.waitForAll()
            }
        }
    }
    try registry.close()
    return measured
}

/// Requests of twenty apps, each to another signer.
private func requests(_ count: Int, to signers: [PublicKey], _ random: inout Draws) -> [Event] {
    let now = Timestamp(seconds: Int64(Date().timeIntervalSince1970))
    let content = String(repeating: "x", count: 400)
    var events: [Event] = []
    events.reserveCapacity(count)
    for app in 0..<20 {
        let key = SecretKey.generate(using: &random)
        for number in stride(from: app, to: count, by: 20) {
            let draft = EventDraft(
                kind: 24_133, tags: [["p", signers[number].hex]], content: content, createdAt: now)
            events.append(Event(signing: draft, with: key, using: &random))
        }
    }
    return events
}

/// The program as it was built beside this one, while it runs.
private final class BenchPushProxy {
    private let process = Process()

    init(folder: URL, relay: String, service: String) throws {
        let key = folder.appending(path: "apns.p8")
        try Data(P256.Signing.PrivateKey().pemRepresentation.utf8).write(to: key)
        process.executableURL = Bundle.main.bundleURL.appending(path: "linnet")
        process.arguments = [
            "push-proxy", "--port", "0", "--data", folder.path, "--url", "https://push.example", "--relay", relay,
            "--allow-private", "--trusted-roots", folder.appending(path: "cert.pem").path, "--apns-key-file", key.path,
            "--apns-key-id", "K", "--apns-team-id", "T", "--apns-topic", "bench", "--apns-url", service,
        ]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
    }

    /// The most memory it has held, in megabytes.
    func peakMemory() -> Double {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(separator: " ").compactMap { Double($0) }.first
        return (kilobytes ?? .infinity) / 1024
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
