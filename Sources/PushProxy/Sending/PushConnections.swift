internal import AsyncHTTPClient
internal import AsyncPrimitives
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOSSL
internal import NostrCore
internal import Synchronization

/// How push services are reached.
public struct PushNetwork: Sendable {
    /// Certificates in PEM to believe instead of the system's; for tests and private networks.
    public var trustedRoots: [UInt8]?
    /// Whether addresses that people register may lie on this machine or a private network.
    public var allowsPrivateAddresses = false
    /// How long one attempt may take; there are two at most.
    public var attemptDeadline: Duration = .seconds(3)

    /// The system's certificates and public addresses.
    public init() {}
}

/// What an HTTP server answered, as far as it is read.
struct PushResponse: Sendable {
    let status: Int
    let retryAfter: Duration?
    let body: [UInt8]
}

/// Why there was no answer.
enum PushConnectionFailure: Error, Equatable {
    case timedOut
    case broken(String)
}

/// Connections to push services: kept open, HTTP/2 where the service speaks it, and thrown away when they only seem
/// open.
///
/// A connection whose other end is gone without a word takes requests for a quarter of an hour; so a row of missed
/// deadlines of one service, with no answer of it in between, closes all connections and begins anew. Of services that
/// strangers named only those count that answered before on these connections: one that is always slow closes nothing.
final class PushConnections: Sendable {
    private struct State {
        var client: HTTPClient?
        /// Deadlines that services missed in a row, for those that count.
        var missed = RecentValues<Substring, Int>(capacity: 4096)
    }

    private let network: PushNetwork
    private let areStrangers: Bool
    private let refusesPrivate: Bool
    private let state: Mutex<State>
    private let missedBorne: Int
    private let clock: any Clock<Duration>
    private let deadline: CommonDeadline

    /// - Parameters:
    ///   - areStrangers: whether the services are such as strangers name; they may be silent on purpose, and a socket that
    ///     reached this machine or a private network is closed, unless the network says otherwise.
    ///   - clock: what deadlines and the pause before a second attempt run on.
    /// - Throws: an error of the TLS library when the roots cannot be read.
    init(
        _ network: PushNetwork, areStrangers: Bool, clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        self.clock = clock
        deadline = CommonDeadline(network.attemptDeadline, on: clock)
        self.network = network
        self.areStrangers = areStrangers
        refusesPrivate = areStrangers && !network.allowsPrivateAddresses
        missedBorne = areStrangers ? 20 : 3
        state = Mutex(State())
        let client = try Self.client(network, refusesPrivate)
        state.withLock { $0.client = client }
    }

    /// Posts a message, once more when the connection broke or gave no answer.
    ///
    /// - Parameter retried: called before the second attempt.
    /// - Throws: ``PushConnectionFailure``.
    func post(
        _ body: [UInt8], to url: String, headers: [(String, String)], retried: @Sendable () -> Void = {}
    ) async throws(PushConnectionFailure) -> PushResponse {
        do throws(PushConnectionFailure) {
            return try await attempt(body, url, headers)
        } catch {
            if Task.isCancelled { throw error }
            retried()
            // The pool needs a moment to see that the connection is gone, or the second attempt would go down with it.
            if case .broken = error { try? await clock.sleep(for: .milliseconds(100)) }
            return try await attempt(body, url, headers)
        }
    }

    /// Closes everything.
    func close() async {
        let client = state.withLock { state in
            defer { state.client = nil }
            return state.client
        }
        // What cannot be closed is gone already.
        try? await client?.shutdown()
    }

    /// The longest body of an answer that is read, in bytes.
    private static let longestAnswer = 8192

    private func attempt(
        _ body: [UInt8], _ url: String, _ headers: [(String, String)]
    ) async throws(PushConnectionFailure) -> PushResponse {
        guard let client = state.withLock({ $0.client }) else { throw .broken("closed") }
        let origin = Self.origin(of: url)
        do {
            let request = try HTTPClient.Request(
                url: url, method: .POST, headers: HTTPHeaders(headers), body: .bytes(body))
            // An answer is a few words at most; a future waits for it without tasks of its own.
            let running = client.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.longestAnswer))
            let response = try await deadline.run(cancelling: { running.cancel() }) {
                let answer = try await running.get()
                return PushResponse(
                    status: Int(answer.status.code), retryAfter: Self.retryAfter(answer.headers),
                    body: answer.body.map { Array($0.readableBytesView) } ?? [])
            }
            if let response {
                didAnswer(origin)
                return response
            }
        } catch let error as HTTPClientError where error == .deadlineExceeded || error == .connectTimeout {
            // As above.
        } catch {
            // Only the kind of the error: its text may hold the address.
            throw .broken("\(type(of: error))")
        }
        await missedDeadline(client, origin)
        throw .timedOut
    }

    private func didAnswer(_ origin: Substring) {
        state.withLock { $0.missed.set(0, for: origin) }
    }

    private func missedDeadline(_ client: HTTPClient, _ origin: Substring) async {
        let old = state.withLock { state -> HTTPClient? in
            guard state.client === client, let missed = state.missed[origin] ?? (areStrangers ? nil : 0) else {
                return nil
            }
            state.missed.set(missed + 1, for: origin)
            guard missed + 1 >= missedBorne else { return nil }
            // The settings were good once, so they are now.
            guard let fresh = try? Self.client(network, refusesPrivate) else { return nil }
            state.missed = RecentValues(capacity: 4096)
            state.client = fresh
            return client
        }
        // Requests on it fail now and try again on the new one.
        try? await old?.shutdown()
    }

    /// Host and port of an address.
    private static func origin(of url: String) -> Substring {
        guard let scheme = url.firstRange(of: "://") else { return url[...] }
        return url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
    }

    private static func client(_ network: PushNetwork, _ refusesPrivate: Bool) throws -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout.connect = TimeAmount(network.attemptDeadline)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 16
        if let roots = network.trustedRoots {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(roots))
            configuration.tlsConfiguration = tls
        }
        if refusesPrivate {
            configuration.http1_1ConnectionDebugInitializer = { Self.refusePrivate($0) }
            configuration.http2ConnectionDebugInitializer = { Self.refusePrivate($0) }
        }
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Closes a socket that reached a private address, before a request goes over it.
    ///
    /// Looked at here and not in the name, since a name can be given another address at any time.
    private static func refusePrivate(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard isPrivateHost(channel.remoteAddress?.ipAddress ?? "") else {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        if channel.eventLoop.inEventLoop {
            shut(channel)
        } else {
            channel.eventLoop.execute { shut(channel) }
        }
        // The pool of connections learns of the closing first, as it expects.
        return channel.closeFuture.flatMap { channel.eventLoop.makeFailedFuture(PrivateAddress()) }
    }

    /// Closes the socket under TLS at once: a polite end would let the other side go on talking.
    private static func shut(_ channel: any Channel) {
        do {
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self).close(promise: nil)
        } catch {
            // Without TLS there is nothing between us and the socket.
            channel.close(promise: nil)
        }
    }

    private struct PrivateAddress: Error {}

    private static func retryAfter(_ headers: HTTPHeaders) -> Duration? {
        guard let text = headers.first(name: "retry-after"), let seconds = Int64(text), seconds >= 0 else { return nil }
        return .seconds(min(seconds, 3600))
    }
}
