import Foundation
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Testing
import WebSocketNIO

@testable import linnet

@Suite("Accounts with a signer elsewhere, over two real relays", .timeLimit(.minutes(10)))
struct SignerElsewhereTests {
    private static let passphrase = "correct horse"

    /// Two relays and a bunker at work; the relays end when the test lets go of them.
    private final class World {
        let directory = DataDirectory(path: NSTemporaryDirectory() + "linnet-\(UUID().uuidString)")
        var programs: [RunningProgram] = []
        var relays: [RelayURL] = []

        init() throws {
            try directory.prepare()
            for number in 0..<2 {
                let program = try RunningProgram([
                    "relay", "--port", "0", "--data", "\(directory.path)/relay-\(number)",
                ])
                programs.append(program)
                relays.append(try RelayURL(String(program.line().dropFirst("relay ".count))))
            }
        }

        deinit {
            programs = []
            // What is left in the temporary directory does no harm.
            try? FileManager.default.removeItem(atPath: directory.path)
        }

        /// Runs the program on a thread of its own: the bunker is at work on the shared ones.
        func run(_ arguments: [String], input: String = "") async throws -> Program.Result {
            let environment = [
                "LINNET_DATA": directory.path, "LINNET_PASSWORD": SignerElsewhereTests.passphrase,
                "LINNET_INDEXERS": relays.map(\.text).joined(separator: " "),
            ]
            return try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread {
                    continuation.resume(
                        with: Result { try Program.run(arguments, input: input, environment: environment) })
                }
            }
        }
    }

    private func withBunker(_ body: (World, ScriptedBunker) async throws -> Void) async throws {
        let world = try World()
        let pool = RelayPool(
            transport: try WebSocketTransport(), wall: { .current }, logger: Logger(label: "test"))
        let bunker = ScriptedBunker(on: pool, relays: world.relays, now: { .current })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await bunker.run() }
            defer { group.cancelAll() }
            await bunker.waitUntilItListens()
            try await body(world, bunker)
        }
    }

    @Test(
        "a token pairs, and a private list is signed and sealed by the bunker, and read through it with one relay gone")
    func throughTheBunker() async throws {
        try await withBunker { world, bunker in
            let token = BunkerURI(signer: bunker.own.publicKey, relays: world.relays, secret: "planted-secret")
            let added = try await world.run(["account", "add", "--name", "away"], input: token.text + "\n")
            #expect(added.status == 0, "\(added.errors)")
            let line = try JSONValue(Array(added.line.utf8))
            #expect(line["kind"]?.string == "remote")
            #expect(line["pubkey"]?.string == bunker.user.publicKey.hex)
            #expect(!added.output.contains("planted-secret") && !added.errors.contains("planted-secret"))

            let first = try await world.run(["list", "add", "mutes", "--private", "-"], input: "Giveaway\n")
            #expect(first.status == 0, "\(first.errors)")
            world.programs.removeFirst()
            let asked = bunker.requests.count
            let shown = try await world.run(["list", "show", "mutes"])
            #expect(shown.output.contains(#"["word","giveaway"]"#), "\(shown.errors)")
            #expect(bunker.requests.dropFirst(asked).contains { $0.method == .nip44Decrypt })
            #expect(bunker.requests.contains { $0.method == .signEvent })
        }
    }

    @Test("an invitation pairs with whoever knows its secret")
    func invitation() async throws {
        try await withBunker { world, bunker in
            let environment = ["LINNET_DATA": world.directory.path, "LINNET_PASSWORD": Self.passphrase]
            let relays = world.relays.flatMap { ["--relay", $0.text] }
            var accounts = try await world.run(["account", "list"])
            // Whose signer's answer is lost, as ephemeral events can be, is told so and pairs again.
            for _ in 0..<3 where !accounts.output.contains(bunker.user.publicKey.hex) {
                let waiting = try WaitingForSigner(["account", "connect"] + relays, environment: environment)
                let invitation = try NostrConnectURI(await waiting.invitation())
                // The first answer may come before anybody listens, so it is said again, as signers do.
                var answers = 0
                while !waiting.hasEnded, answers < 60 {
                    await bunker.accept(invitation, with: invitation.secret)
                    answers += 1
                    try await Task.sleep(for: .milliseconds(500))
                }
                accounts = try await world.run(["account", "list"])
            }
            #expect(accounts.output.contains(bunker.user.publicKey.hex))
            #expect(accounts.output.contains(#""kind":"remote""#))
        }
    }

    @Test("a token on the command line is refused and not repeated")
    func token() async throws {
        let result = try Program.run(["account", "add", "bunker://abc?secret=planted-secret"])
        #expect(result.status != 0)
        #expect(!result.errors.contains("planted-secret"))
    }
}

/// `linnet account connect` while it waits.
private final class WaitingForSigner {
    private let process = Process()
    private let errors = Pipe()

    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = try Program.executable()
        process.arguments = arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
    }

    var hasEnded: Bool { !process.isRunning }

    /// The first line it prints, read on a thread of its own.
    func invitation() async -> String {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [errors] in
                var bytes: [UInt8] = []
                while let byte = errors.fileHandleForReading.readData(ofLength: 1).first, byte != 0x0A {
                    bytes.append(byte)
                }
                continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
            }
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
    }
}
