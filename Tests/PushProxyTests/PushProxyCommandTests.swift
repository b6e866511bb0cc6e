import AsyncHTTPClient
import AsyncPrimitives
import Crypto
import Foundation
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Synchronization
import Testing

@testable import PushProxy

@Suite("linnet push-proxy", .serialized, .timeLimit(.minutes(10)))
struct PushProxyCommandTests {
    static let url = "https://push.example.com"

    @Test("killed under load and started again, it has every registration it acknowledged, and wakes")
    func survives() async throws {
        let folder = NSTemporaryDirectory() + "push-" + UUID().uuidString.prefix(8)
        // What stays behind lies in the system's folder for such things.
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let certificate = try TestCertificate()
        let key = P256.Signing.PrivateKey()
        try await PushServiceStandIn.with(certificate) { service in
            try await withRelay { relay in
                let arguments = try setUp(folder, certificate, key, service.origin, relay)
                let first = try await RunningProxy.start(arguments)
                let registered = Registered()
                let people = (0..<400).map { Registrant(seed: $0) }
                await withTaskGroup(of: Void.self) { group in
                    for share in 0..<4 {
                        group.addTask {
                            for person in people where person.number % 4 == share {
                                guard await person.register(at: first.url) else { return }
                                let count = registered.add(person.key)
                                if count == 100 { first.kill() }
                            }
                        }
                    }
                }
                await first.ended()
                let acknowledged = registered.all
                #expect(acknowledged.count >= 100 && acknowledged.count < 400)
                let second = try await RunningProxy.start(arguments)
                let health = try JSONValue(try await fetch(second.url + "/health"))
                let kept = Int(health["unique_pubkeys"]?.integer ?? 0)
                // One that was kept and not yet acknowledged for each task, at most.
                #expect((acknowledged.count...acknowledged.count + 4).contains(kept))
                try await wakeAll(acknowledged.sorted(), relay, service, second)
                second.terminate()
                #expect(await second.ended() == 0)
            }
        }
    }

    /// Wakes everybody who was told that they are registered.
    private func wakeAll(
        _ signers: [PublicKey], _ relay: RelayURL, _ service: PushServiceStandIn, _ proxy: RunningProxy
    ) async throws {
        while try JSONValue(try await fetch(proxy.url + "/health"))["relays_live"]?.integer != 1 {
            try await ContinuousClock().sleep(for: .milliseconds(50))
        }
        try await withPool { pool in
            for signer in signers {
                let event = TestPerson.carol.event(
                    "request", kind: 24_133, tags: [["p", signer.hex]], at: wallClock().seconds)
                _ = await pool.publish(event, to: relay, deadline: .seconds(60))
            }
        }
        func woken() throws -> Set<String> {
            Set(try service.messages.compactMap { try JSONValue($0.body)["signer_pubkey"]?.string })
        }
        var count = signers.count
        await service.wait(for: count)
        while try woken().count < signers.count {
            count += 1
            await service.wait(for: count)
        }
        #expect(try woken() == Set(signers.map(\.hex)))
        // What was answered too late for the proxy came once more, and nothing else did.
        let metrics = String(decoding: try await fetch(proxy.url + "/metrics"), as: UTF8.self)
        let retried = metrics.split(separator: "\n").first { $0.contains(#"{what="retried"}"#) }
        let times = retried?.split(separator: " ").last.flatMap { Int($0) } ?? 0
        #expect(service.messages.count <= signers.count + times)
    }

    @Test("a password of the database on the command line is refused, and no key is printed")
    func secrets() async throws {
        for address in ["postgres://u:topsecret@db/x", "postgres://db/x?password=topsecret"] {
            let process = try RunningProxy(["--url", Self.url, "--database", address])
            #expect(await process.ended() == 1)
            #expect(await process.errors().contains("LINNET_PUSH_DATABASE"))
            #expect(!(await process.errors().contains("topsecret")))
        }
        let process = try RunningProxy(["--data", NSTemporaryDirectory() + "none-" + UUID().uuidString])
        #expect(await process.ended() == 1)
        #expect(await process.errors().contains("--url"))
    }

    private func setUp(
        _ folder: String, _ certificate: TestCertificate, _ key: P256.Signing.PrivateKey, _ apns: String,
        _ relay: RelayURL
    ) throws -> [String] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(certificate.chain).write(to: URL(fileURLWithPath: folder + "/roots.pem"))
        try Data(key.pemRepresentation.utf8).write(to: URL(fileURLWithPath: folder + "/apns.p8"))
        return [
            "--port", "0", "--data", folder, "--url", Self.url, "--relay", relay.text, "--allow-private",
            "--trusted-roots", folder + "/roots.pem", "--apns-key-file", folder + "/apns.p8", "--apns-key-id", "K",
            "--apns-team-id", "T", "--apns-topic", "dev.nostr.Clave", "--apns-url", apns, "--behind-proxy",
        ]
    }

    private func fetch(_ url: String) async throws -> [UInt8] {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
        return Array(try await response.body.collect(upTo: 65_536).readableBytesView)
    }
}

/// Somebody with a key who registers one device.
struct Registrant: Sendable {
    let number: Int
    let key: PublicKey
    private let body: [UInt8]

    init(seed number: Int) {
        self.number = number
        var random = Self.random(number)
        key = SecretKey.generate(using: &random).publicKey
        let token = String(repeating: "0", count: 60) + String(number + 4096, radix: 16)
        body = Array(#"{"token":"\#(token)"}"#.utf8)
    }

    private static func random(_ number: Int) -> SeededRandom { SeededRandom(seed: UInt64(number) + 1000) }

    /// Signed just before it is sent, as an old one does not count.
    private var authorization: String {
        var random = Self.random(number)
        let secret = SecretKey.generate(using: &random)
        let draft = HTTPAuth.draft(
            url: PushProxyCommandTests.url + "/register", method: "POST", body: body, createdAt: wallClock())
        return HTTPAuth.header(Event(signing: draft, with: secret, using: &random))
    }

    /// Whether the proxy has acknowledged the registration.
    func register(at url: String) async -> Bool {
        var request = HTTPClientRequest(url: url + "/register")
        request.method = .POST
        request.headers = HTTPHeaders([
            ("X-Clave-Auth", authorization), ("X-Forwarded-For", "203.0.\(number / 250).\(number % 250)"),
        ])
        request.body = .bytes(body)
        // No answer is no acknowledgement, whatever the reason.
        let response = try? await HTTPClient.shared.execute(request, timeout: .seconds(60))
        return response?.status == .ok
    }
}

/// The built program while it runs; blocking reads have threads of their own.
final class RunningProxy: Sendable {
    private let process: Process
    private let complaints = Complaints()
    private let firstLine: AsyncStream<String>
    private let end: AsyncStream<Int32>
    private let address = Mutex("")

    /// Where it listens.
    var url: String { address.withLock { $0 } }

    struct NotStarted: Error {
        let errors: String
    }

    /// Starts it and waits for the line that says where it listens.
    static func start(_ arguments: [String], in folder: String? = nil) async throws -> RunningProxy {
        let proxy = try RunningProxy(arguments, in: folder)
        for await line in proxy.firstLine {
            guard line.hasPrefix("push-proxy ") else { break }
            proxy.address.withLock { $0 = String(line.dropFirst("push-proxy ".count)) }
            return proxy
        }
        throw NotStarted(errors: await proxy.errors())
    }

    init(_ arguments: [String], in folder: String? = nil) throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        (firstLine, end) = (lines, ends)
        process = Process()
        process.executableURL = Bundle.main.bundleURL.appendingPathComponent("linnet")
        process.arguments = ["push-proxy"] + arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "", "HOME": "/nonexistent"]
        process.standardInput = FileHandle.nullDevice
        if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.terminationHandler = { process in
            ended.yield(process.terminationStatus)
            ended.finish()
        }
        try process.run()
        Thread.detachNewThread {
            var text: [UInt8] = []
            while case let bytes = output.fileHandleForReading.availableData, !bytes.isEmpty {
                text += bytes
                guard let index = text.firstIndex(of: 10) else { continue }
                line.yield(String(decoding: text[..<index], as: UTF8.self))
                text = []
            }
            line.finish()
        }
        Thread.detachNewThread { [complaints] in
            while case let bytes = errors.fileHandleForReading.availableData, !bytes.isEmpty {
                complaints.said.withLock { $0 += bytes }
            }
            complaints.isWhole.set(true)
        }
    }

    func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
    func terminate() { process.terminate() }

    /// What it said on standard error, once it has ended.
    func errors() async -> String {
        for await isWhole in complaints.isWhole.values() where isWhole { break }
        return String(decoding: complaints.said.withLock { $0 }, as: UTF8.self)
    }

    /// Waits for its end.
    @discardableResult func ended() async -> Int32 {
        for await status in end { return status }
        return -1
    }

    deinit {
        if process.isRunning { process.terminate() }
    }
}

/// What a program says on standard error, and whether that was all.
private final class Complaints: Sendable {
    let said = Mutex<[UInt8]>([])
    let isWhole = CurrentValue(false)
}

/// Whose registration was acknowledged.
private final class Registered: Sendable {
    private let keys = Mutex<Set<PublicKey>>([])

    var all: Set<PublicKey> { keys.withLock { $0 } }

    /// Notes one; how many there are now.
    func add(_ key: PublicKey) -> Int {
        keys.withLock { keys in
            keys.insert(key)
            return keys.count
        }
    }
}
