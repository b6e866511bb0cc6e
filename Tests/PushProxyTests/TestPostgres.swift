import Foundation
import NostrTesting
import PostgresStorage
import Testing

/// A PostgreSQL server of the tests' own: a fresh cluster in a temporary folder, reached through a socket there only.
final class TestPostgres: Sendable {
    /// The server of the suite that runs.
    @TaskLocal static var current: TestPostgres?

    /// Where the server's programs are; `nil` without PostgreSQL.
    static let programs: String? = {
        let debian = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
        let folders =
            versions.sorted().reversed().map { "\(debian)/\($0)/bin" } + [
                "/opt/homebrew/opt/postgresql@16/bin", "/opt/homebrew/bin", "/usr/local/bin", "/usr/bin",
            ]
        return folders.first { FileManager.default.isExecutableFile(atPath: "\($0)/initdb") }
    }()

    /// Whether the tests run: not without PostgreSQL, unless that must not be.
    static var isWanted: Bool { programs != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    struct Missing: Error {}

    private let folder: String
    private let programs: String

    /// Makes a cluster and starts it.
    init() async throws {
        programs = try #require(Self.programs, "PostgreSQL is not installed: run scripts/setup.sh test")
        folder = NSTemporaryDirectory() + "pg-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // PostgreSQL refuses to run as root.
        if getuid() == 0 { try await Command.run("/bin/chown", "postgres", folder) }
        try await run("initdb", "-D", "\(folder)/data", "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8")
        try await start()
    }

    /// Starts the server, again after ``stop()``.
    func start() async throws {
        let options = "-c listen_addresses='' -c fsync=off -c unix_socket_directories='\(folder)'"
        try await run(
            "pg_ctl", "-D", "\(folder)/data", "-l", "\(folder)/log", "-o", options, "-w", "-t", "250", "start")
    }

    /// Stops the server as a crash would.
    func stop() async throws {
        try await run("pg_ctl", "-D", "\(folder)/data", "-m", "immediate", "-w", "-t", "250", "stop")
    }

    /// Stops it for good.
    func remove() async {
        // It may be stopped already, and what stays behind lies in the system's folder for such things.
        try? await stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The address of an empty database.
    func freshDatabase() async throws -> String {
        let name = "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
        try await run("createdb", "-h", folder, "-U", "postgres", "-T", "template0", name)
        return "postgres:///\(name)?host=\(folder)&user=postgres"
    }

    /// A registry in a database, patient with a server on a slow machine.
    static func registry(_ address: String, connections: Int = 4) async throws -> PostgresPushRegistry {
        try await PostgresPushRegistry(address: address, connections: connections, deadline: .seconds(60))
    }

    private func run(_ program: String, _ arguments: String...) async throws {
        let command = ["\(programs)/\(program)"] + arguments
        try await Command.run(getuid() == 0 ? ["/sbin/runuser", "-u", "postgres", "--"] + command : command)
    }
}

/// Gives a suite a PostgreSQL server while it runs.
struct PostgresServer: SuiteTrait, TestScoping {
    @concurrent func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let server = try await TestPostgres()
        let result: Result<Void, any Error>
        do { result = .success(try await TestPostgres.$current.withValue(server) { try await function() }) } catch {
            result = .failure(error)
        }
        await server.remove()
        try result.get()
    }
}

extension Trait where Self == PostgresServer {
    /// A PostgreSQL server of the suite's own, stopped after its last test.
    static var postgresServer: Self { PostgresServer() }
}

/// A program run to its end, on a thread of its own and not for ever.
enum Command {
    struct Failed: Error, CustomStringConvertible {
        let description: String
    }

    static func run(_ arguments: String...) async throws { try await run(arguments) }

    static func run(_ arguments: [String]) async throws {
        try await ChildProcess.onOwnThread {
            // A server that outlives its starter must hold nothing of ours.
            let closing = "cd /tmp; for i in {3..63}; do eval \"exec $i>&-\"; done; exec \"$@\""
            let status = try ChildProcess("/bin/bash", ["-c", closing, "bash"] + arguments, killedAfter: 300).wait()
            guard status == 0 else { throw Failed(description: "\(arguments.prefix(6)) ended with \(status)") }
        }
    }
}
