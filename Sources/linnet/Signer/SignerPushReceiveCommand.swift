import ArgumentParser
import AsyncHTTPClient
import AsyncPrimitives
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NostrCore
import NostrNIPs
import NostrSigner
import ServiceLifecycle

/// `linnet signer push receive`: starts `linnet-wake` for each push that comes to this machine.
struct SignerPushReceiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receive", abstract: "Receive pushes on this machine, and wake its signer for each.",
        discussion: """
            Registered with --ntfy it listens to the distributor; with --at it listens on an address and a port here, to \
            which your own proxy with TLS leads. Each push starts linnet-wake, which answers one request and ends; the \
            key must open without a passphrase, from the system's keyring. It prints a line for each push.
            """)

    @Option(help: "With --at: where to listen, as host:port.") var listen = "127.0.0.1:4872"
    @Option(
        help: ArgumentHelp(
            "With --ntfy: listen to the distributor here, as where it runs on this machine behind a proxy with TLS.",
            valueName: "http://localhost:port"))
    var distributor: String?
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard let distributor else { return }
        guard let address = URL(string: distributor), let host = address.host(), address.query() == nil,
            address.scheme == "https" || (address.scheme == "http" && isLoopback(host))
        else { throw ValidationError("--distributor must be an https address, or an http address of this machine.") }
    }

    private func isLoopback(_ host: String) -> Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) }

    func run() async throws {
        let log = try logging.start()
        let directory = data.directory()
        let receiver = try PushReceiverFile(directory).read()
        let wakes = PushWakes(receiver: receiver, directory: directory, log: log)
        let service: any Service =
            switch receiver.kind {
            case .ntfy:
                BackgroundService("distributor") { [distributor] in
                    try await NtfyFeed(receiver.endpoint, at: distributor, log: log).run(wakes)
                }
            case .own: try listener(wakes, log)
            }
        let group = ServiceGroup(
            configuration: .program(services: [BackgroundService("wakes") { await wakes.run() }, service], log: log))
        if receiver.kind == .ntfy { Output.line("receiving from a distributor") }
        try await group.run()
    }

    private func listener(_ wakes: PushWakes, _ log: Logger) throws -> any Service {
        let parts = listen.split(separator: ":")
        guard let port = parts.last.flatMap({ Int($0) }), parts.count > 1, (0...65535).contains(port) else {
            throw ValidationError("--listen must be host:port.")
        }
        let host = parts.dropLast().joined(separator: ":")
        let router = Router()
        router.post("**") { request, _ in
            let body = try await request.body.collect(upTo: WebPushKey.longest)
            let status = wakes.receive(Array(buffer: body), at: request.uri.path)
            return Response(status: .init(code: status))
        }
        return Application(
            router: router,
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in
                Output.line("receiving http://\(host):\(channel.localAddress?.port ?? port)")
            }, logger: log)
    }
}

/// The file that says how this machine is woken.
struct PushReceiverFile: Sendable {
    private let path: String

    init(_ directory: DataDirectory) { path = directory.pushReceiver }

    func write(_ receiver: PushReceiver) throws {
        do { try DurableFile.write(Array(receiver.text.utf8), to: path, replacing: true) } catch {
            throw CommandFailure("Cannot write \(path).")
        }
    }

    /// - Throws: a ``CommandFailure`` where there is none.
    func read() throws -> PushReceiver {
        // A file that is not there and one that is damaged want the same.
        let bytes = (try? DurableFile.read(path, limit: 16_384)) ?? nil
        guard let bytes, let receiver = PushReceiver(text: String(decoding: bytes, as: UTF8.self)) else {
            throw CommandFailure("This machine is not registered: linnet signer push register begins it.")
        }
        return receiver
    }
}

/// Pushes that came, and the process that each is given.
struct PushWakes: Sendable {
    private let receiver: PushReceiver
    private let directory: DataDirectory
    private let log: Logger
    private let waiting: AsyncStream<[UInt8]>
    private let arrive: AsyncStream<[UInt8]>.Continuation
    /// How many signers are awake at a time.
    private static let most = 4

    init(receiver: PushReceiver, directory: DataDirectory, log: Logger) {
        (self.receiver, self.directory, self.log) = (receiver, directory, log)
        // Requests are worth a minute; of more the oldest go.
        (waiting, arrive) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    /// Takes an encrypted push.
    ///
    /// - Parameter path: where it was posted; `nil` where a distributor was listened to.
    /// - Returns: the status to answer with; a push that cannot be opened is taken all the same, since it would only come
    ///   again.
    func receive(_ body: [UInt8], at path: String?) -> Int {
        if let path, !receiver.isMeant(by: path) { return 404 }
        do {
            arrive.yield(try receiver.key.open(body))
        } catch {
            log.warning("a push could not be opened", metadata: ["why": "\(error)"])
        }
        return 201
    }

    /// Wakes the signer for each, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            let slots = AsyncSemaphore(permits: Self.most)
            for await message in waiting {
                group.addTask {
                    // Cancelled means that the program ends.
                    let status = try? await slots.withPermit { await WakeProcess.run(message, directory) } ?? -1
                    Output.line("{\"woken\":\(status == 0),\"status\":\(status ?? -1)}")
                }
            }
            group.cancelAll()
        }
    }
}

/// `linnet-wake`, given one message.
enum WakeProcess {
    /// How long one may take; the signer itself gives up before.
    private static let patience = Duration.seconds(40)

    /// Runs it to its end.
    ///
    /// - Returns: its exit status; `nil` when it did not start or end.
    static func run(_ message: [UInt8], _ directory: DataDirectory) async -> Int32? {
        let path = "\(directory.path)/wake-\(UUID().uuidString)"
        do {
            try DurableFile.write(message, to: path, replacing: false)
            // Gone from the folder at once; the open file stays.
            defer { try? FileManager.default.removeItem(atPath: path) }
            let file = try FileHandle(forReadingFrom: URL(filePath: path))
            defer { try? file.close() }
            let command = [SignerWake.program, "--data", directory.path]
            return try await SystemProgram.run(command, within: patience, input: file.fileDescriptor)
        } catch {
            return nil
        }
    }
}

/// Messages of a topic of ntfy, as a distributor of UnifiedPush gives them out.
///
/// Source: ntfy, "Subscribe via API": one JSON object a line; what is not text comes as Base64.
struct NtfyFeed: Sendable {
    private let address: String
    private let log: Logger
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - endpoint: where pushes are posted; the topic is its last word.
    ///   - distributor: where it is listened to; `nil` for the endpoint itself.
    init(
        _ endpoint: String, at distributor: String? = nil, log: Logger, clock: any Clock<Duration> = ContinuousClock()
    ) {
        let posted = endpoint.prefix { $0 != "?" }
        address =
            if let distributor, let topic = posted.split(separator: "/").last {
                (distributor.hasSuffix("/") ? String(distributor.dropLast()) : distributor) + "/\(topic)/json"
            } else { posted + "/json" }
        (self.log, self.clock) = (log, clock)
    }

    /// Listens until cancelled; what broke off begins again, after a second at first and a minute at most.
    func run(_ wakes: PushWakes) async throws {
        var since = "60s"
        var pause = Duration.seconds(1)
        while !Task.isCancelled {
            do {
                try await listen(since: since) { line in
                    pause = .seconds(1)
                    guard let message = Self.message(line) else { return }
                    since = message.id
                    _ = wakes.receive(message.body, at: nil)
                }
            } catch is CancellationError {
                return
            } catch {
                log.info("the distributor cannot be listened to now")
            }
            try await clock.sleep(for: pause)
            pause = min(pause * 2, .seconds(60))
        }
    }

    /// One line, if it holds a message.
    static func message(_ line: [UInt8]) -> (id: String, body: [UInt8])? {
        guard let json = try? JSONValue(line, depth: 4), json["event"]?.string == "message",
            let id = json["id"]?.string, id.utf8.allSatisfy({ $0 > 0x2F && $0 < 0x7B }),
            let text = json["message"]?.string
        else { return nil }
        guard json["encoding"]?.string == "base64" else { return (id, Array(text.utf8)) }
        return Base64.decode(text).map { (id, $0) }
    }

    private func listen(since: String, _ body: ([UInt8]) -> Void) async throws {
        let request = HTTPClientRequest(url: address + "?since=" + since)
        let answer = try await HTTPClient.shared.execute(request, deadline: .now() + .hours(24))
        guard answer.status == .ok else { throw CommandFailure("The distributor answered \(answer.status.code).") }
        var line: [UInt8] = []
        for try await part in answer.body {
            for byte in part.readableBytesView {
                if byte != 0x0A {
                    line.append(byte)
                } else {
                    body(line)
                    line = []
                }
                // Longer than any message in Base64 with what stands around it.
                guard line.count <= 65_536 else { throw CommandFailure("The distributor sends no lines.") }
            }
        }
    }
}
