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
