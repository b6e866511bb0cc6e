import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import RelayServer
import SQLiteStorage
import WebSocketNIO

/// A signer that is woken for one request: a process from exec to its answer on a relay, and its memory.
///
/// The keyring is a program that gives the key at once, as one that is unlocked does; the relay is in this process.
let waking = Area(name: "waking") { setting in
    let folder = FileManager.default.temporaryDirectory.appending(path: "linnet-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try await WebSocketServer.bind(logger: Logger(label: "bench"))
    let address = try RelayURL("ws://127.0.0.1:\(server.port)")
    let relay = RelayServer(
        store: MemoryEventStore(now: current), policies: RelayPolicies(), information: RelayInformation(),
        addresses: [address], now: current)
    let sleeper = try await Sleeper(in: folder, seed: setting.seed, relay: address)
    let pool = RelayPool(transport: try WebSocketTransport(), wall: current, logger: Logger(label: "bench"))
    return try await withThrowingTaskGroup(of: [Measurement]?.self) { group in
        group.addTask {
            await relay.run()
            return nil
        }
        group.addTask {
            await server.run { connection in
                await relay.serve(
                    frames: connection.incoming, send: { try await connection.send($0) },
                    close: { connection.beginClosing() }, peer: connection.request.peer)
            }
            return nil
        }
        group.addTask {
            await pool.run()
            return nil
        }
        group.addTask { try await sleeper.measure(rounds: 21, through: pool, at: address) }
        defer { group.cancelAll() }
        while let ended = try await group.next() {
            if let ended { return ended }
        }
        return []
    }
}

private let current: @Sendable () -> Timestamp = { Timestamp(seconds: Int64(Date().timeIntervalSince1970)) }

private enum BenchFailure: Error {
    case noAnswer
    case failed(Int32)
}

/// Resident sizes of a process in MB.
private struct Sizes {
    /// What is its own: written by it, and gone with it.
    var own = 0.0
    /// With clean pages of files, which the system drops and shares as it likes.
    var all = 0.0
}

/// An account whose signer sleeps, and an app that is paired with it.
private struct Sleeper {
    let folder: URL
    let account: PublicKey
    let app: LocalSigner

    init(in folder: URL, seed: UInt64, relay: RelayURL) async throws {
        self.folder = folder
        var random = Draws(state: seed)
        let signer = LocalSigner(SecretKey.generate(using: &random))
        account = signer.publicKey
        app = LocalSigner(SecretKey.generate(using: &random))
        // Keeps one secret in a file, and says it when asked.
        let tool = folder.appending(path: "secret-tool")
        let script =
            "#!/bin/sh\ncase $1 in store) exec cat >\"\(folder.path)/kept\";; *) exec cat \"\(folder.path)/kept\";; esac\n"
        try Data(script.utf8).write(to: tool)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: tool.path)
        let keystore = KeyringKeystore(
            SecretServiceKeyring(tool: tool.path), directory: folder.appending(path: "keys").path, now: current)
        _ = try await keystore.add(signer, name: "", passphrase: "", handling: .unknown)
        let records = try SQLiteSignerRecords(path: folder.appending(path: "signer.sqlite").path)
        var client = SignerClient(app: .remote(app.publicKey), account: account, connected: current())
        client.trust = .full
        try await records.save(client)
        // A relay on this machine is reached because the person named it.
        var settings = SignerSettings()
        settings.relays = [relay]
        try await records.save(settings, of: account)
    }

    func measure(rounds: Int, through pool: RelayPool, at relay: RelayURL) async throws -> [Measurement] {
        let answers = await pool.subscribe([
            relay: [Filter(kinds: [RemoteSigning.kind], tags: ["p": [app.publicKey.hex]], since: current())]
        ])
        var times: [Double] = []
        var sizes: [Sizes] = []
        for round in 0..<rounds {
            let (time, size) = try await wake(round, answers, relay)
            times.append(time)
            sizes.append(size)
        }
        await answers.cancel()
        return [
            Measurement(
                name: "wake", value: times.sorted()[times.count / 2], unit: "ms",
                what: "exec to the answer on the relay, median of \(rounds)"),
            Measurement(
                name: "wake-memory", value: sizes.map(\.own).max() ?? .infinity, unit: "MB",
                what: "memory of its own at most, the largest of all"),
            Measurement(
                name: "wake-mapped", value: sizes.map(\.all).max() ?? .infinity, unit: "MB",
                what: "the same with clean pages of programs and libraries that the system mapped along"),
        ]
    }

    /// One push: milliseconds from before the process starts to its answer here, and its largest sizes.
    private func wake(
        _ round: Int, _ answers: any LiveSubscription, _ relay: RelayURL
    ) async throws -> (Double, Sizes) {
        let note = #"{"kind":1,"content":"woken \#(round)","tags":[],"created_at":\#(current().seconds)}"#
        let request = RemoteRequest(id: "wake-\(round)", .signEvent, [note])
        let event = try await app.sign(
            EventDraft(
                kind: RemoteSigning.kind, tags: [["p", account.hex]],
                content: try await app.encrypt(request.json, for: account, by: .nip44), createdAt: current()))
        let message =
            #"{"signer_pubkey":"\#(account.hex)","event_id":"\#(event.id.hex)","relay_url":"\#(relay.text)","event":"#
            + String(decoding: event.json, as: UTF8.self) + "}"
        let clock = ContinuousClock()
        let start = clock.now
        let process = try started(message)
        let watch = Task.detached { Self.largestSizes(of: process.processIdentifier) }
        for await update in answers.updates {
            guard case .events(let events, _) = update else { continue }
            for event in events {
                let text = try await app.decrypt(event.content, from: account, by: .nip44)
                guard let response = try? RemoteResponse(json: Array(text.utf8)), response.id == request.id else {
                    continue
                }
                guard response.error == nil else { throw BenchFailure.noAnswer }
                let time = (clock.now - start) / .milliseconds(1)
                let size = await watch.value
                process.waitUntilExit()
                guard process.terminationStatus == 0 else { throw BenchFailure.failed(process.terminationStatus) }
                return (time, size)
            }
        }
        throw BenchFailure.noAnswer
    }

    private func started(_ message: String) throws -> Process {
        let process = Process()
        let input = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "linnet-wake")
        process.arguments = ["--data", folder.path]
        process.environment = ["PATH": "\(folder.path):/usr/bin:/bin"]
        process.standardInput = input
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(message.utf8))
        try input.fileHandleForWriting.close()
        return process
    }

    /// What a process holds at most in MB, asked for until it has ended: memory of its own, and all that is mapped.
    private static func largestSizes(of process: Int32) -> Sizes {
        var sizes = Sizes()
        while let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let own = megabytes("RssAnon:", in: status), let all = megabytes("VmHWM:", in: status)
        {
            sizes = Sizes(own: max(sizes.own, own), all: max(sizes.all, all))
            usleep(500)
        }
        return sizes
    }

    private static func megabytes(_ name: String, in status: String) -> Double? {
        status.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 }
    }
}
