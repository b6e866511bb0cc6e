internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
package import NIOSSL
internal import NostrCore

/// Fetches documents that addresses in other people's words lead to, without harm to this machine or its network.
///
/// Over TLS only. A host's address is looked up first and judged, and the connection goes to that very address, so that
/// no second look-up leads elsewhere: nothing of this machine or a private network is reached. No redirect is followed,
/// no cookie is kept, no connection is shared between two documents, and size and time are bounded.
public struct OpenWebClient: Sendable {
    /// Why there is no document.
    public enum Failure: Error, Hashable, Sendable {
        /// The address is none of the open web over TLS.
        case notAllowed
        /// The host's name leads to this machine or a private network.
        case privateAddress
        /// The host's name leads nowhere.
        case unknownHost
        /// Nobody answers there, or not so that it could be believed.
        case unreachable
        /// Not in time.
        case timedOut
        /// The answer leads elsewhere, which is not followed.
        case redirected
        /// The answer is no document, by its status.
        case status(Int)
        /// The document is longer than is borne.
        case tooLong
    }

    /// Finds where a host is.
    package typealias LookUp = @Sendable (String, Int) async throws -> String

    private let lookUp: LookUp
    private let isAllowed: @Sendable (String) -> Bool
    private let tls: TLSConfiguration?

    /// Asks the system's resolver, and believes whom the system believes.
    public init() {
        self.init(lookUp: Self.systemLookUp, isAllowed: Self.isOpen)
    }

    /// Whether a number is of the open network.
    static let isOpen: @Sendable (String) -> Bool = { !isPrivateHost($0) }

    /// Looks hosts up otherwise; for tests.
    package init(
        lookUp: @escaping LookUp, isAllowed: @escaping @Sendable (String) -> Bool, tls: TLSConfiguration? = nil
    ) {
        self.lookUp = lookUp
        self.isAllowed = isAllowed
        self.tls = tls
    }

    /// The document at an address that begins with `https://`.
    ///
    /// - Parameters:
    ///   - longest: in bytes.
    ///   - deadline: for all of it, the look-up too.
    /// - Throws: ``Failure``, or what says that the task was cancelled.
    public func document(at address: String, longest: Int, deadline: Duration) async throws -> [UInt8] {
        guard let host = Self.host(of: address) else { throw Failure.notAllowed }
        let timeLimit = TimeAmount(deadline)
        let end = NIODeadline.now() + timeLimit
        let number = try await number(of: host.name, port: host.port, by: timeLimit)
        guard isAllowed(number) else { throw Failure.privateAddress }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: timeLimit, read: timeLimit)
        configuration.dnsOverride = [host.name: number]
        configuration.httpVersion = .http1Only
        // Whoever cannot be believed now is not tried until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<[UInt8], any Error>
        do {
            result = .success(try await fetch(address, longest, by: end, client))
        } catch {
            result = .failure(error)
        }
        // A client that is not ended keeps its connection; that it cannot be ended twice is no failure of the document.
        try? await client.shutdown()
        do { return try result.get() } catch { throw Self.failure(error) }
    }

    private func fetch(
        _ address: String, _ longest: Int, by end: NIODeadline, _ client: HTTPClient
    ) async throws -> [UInt8] {
        var request = HTTPClientRequest(url: address)
        request.headers.add(name: "accept", value: "application/json")
        let answer = try await client.execute(request, deadline: end)
        let status = Int(answer.status.code)
        if (300..<400).contains(status) { throw Failure.redirected }
        guard status == 200 else { throw Failure.status(status) }
        do {
            return Array(buffer: try await answer.body.collect(upTo: longest))
        } catch is NIOTooManyBytesError {
            throw Failure.tooLong
        }
    }

    /// Where a host is, unless that takes too long: the system's resolver knows no deadline.
    private func number(of host: String, port: Int, by limit: TimeAmount) async throws -> String {
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: String.self)
        let timer = promise.futureResult.eventLoop.scheduleTask(in: limit) { promise.fail(Failure.timedOut) }
        let lookUp = lookUp
        promise.completeWithTask {
            do { return try await lookUp(host, port) } catch { throw Failure.unknownHost }
        }
        defer { timer.cancel() }
        do { return try await promise.futureResult.get() } catch { throw Self.failure(error) }
    }

    private static let systemLookUp: LookUp = { host, port in
        try await NIOThreadPool.singleton.runIfActive {
            guard let number = try SocketAddress.makeAddressResolvingHost(host, port: port).ipAddress else {
                throw Failure.unknownHost
            }
            return number
        }
    }

    /// The host and port of an address of the open web over TLS.
    private static func host(of address: String) -> (name: String, port: Int)? {
        let scheme = "https://"
        guard address.hasPrefix(scheme) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2,
            name.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
            })
        else { return nil }
        guard parts.count == 2 else { return (String(name), 443) }
        guard let port = Int(parts[1]), (1...65_535).contains(port) else { return nil }
        return (String(name), port)
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .readTimeout, .getConnectionFromPoolTimeout,
    ]

    private static func failure(_ error: any Error) -> any Error {
        switch error {
        case let failure as Failure: failure
        case is CancellationError: error
        case let error as HTTPClientError where timeouts.contains(error): Failure.timedOut
        default: Failure.unreachable
        }
    }
}
