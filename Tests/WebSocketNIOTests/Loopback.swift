import Foundation
import Logging
import NIOCore
import NIOPosix
import NostrCore
import NostrRelay
import Testing
import WebSocketNIO

/// A server on a free port of this machine, alive while `body` runs.
func withServer<R: Sendable>(
    _ configuration: WebSocketServer.Configuration = .init(), limits: WebSocketLimits = WebSocketLimits(),
    accepts: @escaping @Sendable (UpgradeRequest) -> Bool = { _ in true },
    respond: @escaping @Sendable (PlainRequest) -> PlainResponse = { _ in PlainResponse(status: 404) },
    handle: @escaping @Sendable (WebSocketConnection) async -> Void,
    body: (WebSocketServer) async throws -> R
) async throws -> R {
    let server = try await WebSocketServer.bind(
        configuration, limits: limits, logger: Logger(label: "test"), accepts: accepts, respond: respond)
    async let serving: Void = server.run(handle)
    let result: Result<R, any Error>
    do { result = .success(try await body(server)) } catch { result = .failure(error) }
    server.beginShutdown()
    await serving
    return try result.get()
}

/// Sends back what comes.
let echo: @Sendable (WebSocketConnection) async -> Void = { connection in
    do {
        for try await text in connection.incoming { try await connection.send(text) }
    } catch {
        // The test's own side sees why.
    }
}

func url(_ server: WebSocketServer, _ scheme: String = "ws", host: String = "127.0.0.1") throws -> RelayURL {
    try RelayURL("\(scheme)://\(host):\(server.port)")
}

/// What an operation throws as a ``TransportFailure``, or `nil`.
func failure(of body: () async throws -> Void) async -> TransportFailure? {
    do {
        try await body()
        return nil
    } catch {
        return error as? TransportFailure
    }
}

/// A throw-away certificate for `localhost`, made by openssl.
struct TestCertificate {
    let chain: [UInt8]
    let key: [UInt8]

    init() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            // A left-over folder in the temporary directory harms nobody.
            try? FileManager.default.removeItem(at: folder)
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            "-keyout", folder.appendingPathComponent("key.pem").path,
            "-out", folder.appendingPathComponent("cert.pem").path,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl made no certificate")
        chain = [UInt8](try Data(contentsOf: folder.appendingPathComponent("cert.pem")))
        key = [UInt8](try Data(contentsOf: folder.appendingPathComponent("key.pem")))
    }
}
