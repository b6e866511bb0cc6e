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
/// no cookie is kept, no connection is shared between two documents, and size and time are bounded. What some requests
/// call near is an address that the person typed themselves: that one may be of this machine or a private network.
/// Each sort of document (pages, files, parts, streams, blobs) has a file.
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
        /// The document is of another sort than was asked for, or packed.
        case wrongType
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
        let end = NIODeadline.now() + TimeAmount(deadline)
        return try await ask(address, accepting: "application/json", by: end) { answer in
            let status = Int(answer.status.code)
            if (300..<400).contains(status) { throw Failure.redirected }
            guard status == 200 else { throw Failure.status(status) }
            var bytes: [UInt8] = []
            for try await part in answer.body {
                guard bytes.count + part.readableBytes <= longest else { throw Failure.tooLong }
                bytes += part.readableBytesView
                // The client's own deadline ends with the head of an answer.
                guard NIODeadline.now() < end else { throw Failure.timedOut }
            }
            return bytes
        }
    }

    /// Asks once at an address, which is judged first, and has the answer read.
    ///
    /// - Parameters:
    ///   - near: whether the person typed this very address, so that it may be of this machine or a private network.
    ///   - silence: how long the other side may say nothing; `nil` for as long as there is.
    /// - Throws: ``Failure``, or what says that the task was cancelled.
    func ask<Value: Sendable>(
        _ address: String, near: Bool = false, accepting types: String, as agent: String? = nil,
        silence: Duration? = nil, by end: NIODeadline, with outgoing: Outgoing = Outgoing(),
        _ read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        guard let host = Self.host(of: address, near: near) else { throw Failure.notAllowed }
        let timeLimit = end - NIODeadline.now()
        guard timeLimit > .nanoseconds(0) else { throw Failure.timedOut }
        let number = try await number(of: host.name, port: host.port, by: timeLimit)
        guard mayReach(number, of: host, near: near) else { throw Failure.privateAddress }
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        let patience = silence.map { TimeAmount($0) } ?? timeLimit
        configuration.timeout = .init(connect: patience, read: patience)
        configuration.dnsOverride = [host.name: number]
        configuration.httpVersion = .http1Only
        // Whoever cannot be believed now is not tried until the deadline.
        configuration.connectionPool.retryConnectionEstablishment = false
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let result: Result<Value, any Error>
        do {
            var request = HTTPClientRequest(url: address)
            request.method = outgoing.method
            for (name, value) in outgoing.headers { request.headers.replaceOrAdd(name: name, value: value) }
            request.body = outgoing.body
            request.headers.add(name: "accept", value: types)
            if let agent { request.headers.add(name: "user-agent", value: agent) }
            result = .success(try await read(try await client.execute(request, deadline: end)))
        } catch {
            result = .failure(error)
        }
        // A client that is not ended keeps its connection; that it cannot be ended twice is no failure of the document.
        try? await client.shutdown()
        do { return try result.get() } catch { throw Self.failure(error) }
    }

    /// Whether a host's number is one to connect to.
    ///
    /// Over TLS a certificate says that whoever answers bears the name that the person typed. Without it nothing does,
    /// so that only what is near by its very name counts, and a name of the open network that leads here does not.
    private func mayReach(_ number: String, of host: Host, near: Bool) -> Bool {
        guard near else { return isAllowed(number) }
        return !host.isPlain || isPrivateHost(host.name) && isPrivateHost(number)
    }

    /// What is asked, where it is more than for a document.
    struct Outgoing {
        var method = HTTPMethod.GET
        var headers: [String: String] = [:]
        var body: HTTPClientRequest.Body?
    }

    /// Where a host is, unless that takes too long: the system's resolver knows no deadline.
    private func number(of host: String, port: Int, by limit: TimeAmount) async throws -> String {
        // Programs of this machine listen there; resolvers often name ::1 first.
        if host == "localhost" { return "127.0.0.1" }
        let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: String.self)
        let timer = promise.futureResult.eventLoop.scheduleTask(in: limit) { promise.fail(Failure.timedOut) }
        let lookUp = lookUp
        promise.completeWithTask {
            do { return try await lookUp(host, port) } catch { throw Failure.unknownHost }
        }
        defer { timer.cancel() }
        do { return try await promise.futureResult.get() } catch { throw Self.failure(error) }
    }

    /// Threads of their own: a name whose servers say nothing keeps one for long, and files are read by the others.
    private static let resolvers: NIOThreadPool = {
        let pool = NIOThreadPool(numberOfThreads: 4)
        pool.start()
        return pool
    }()

    private static let systemLookUp: LookUp = { host, port in
        try await resolvers.runIfActive {
            guard let number = try SocketAddress.makeAddressResolvingHost(host, port: port).ipAddress else {
                throw Failure.unknownHost
            }
            return number
        }
    }

    /// The host and port of an address.
    private struct Host {
        var name: String
        var port: Int
        /// Whether it is spoken with without TLS.
        var isPlain: Bool
    }

    /// Reads an address of the open web over TLS; where it may be near, also one without TLS.
    private static func host(of address: String, near: Bool) -> Host? {
        let isPlain = near && address.hasPrefix("http://")
        let scheme = isPlain ? "http://" : "https://"
        guard address.hasPrefix(scheme) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, !name.isEmpty, parts.count <= 2,
            name.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
            })
        else { return nil }
        guard parts.count == 2 else { return Host(name: String(name), port: isPlain ? 80 : 443, isPlain: isPlain) }
        guard let port = Int(parts[1]), (1...65_535).contains(port) else { return nil }
        return Host(name: String(name), port: port, isPlain: isPlain)
    }

    private static let timeouts: [HTTPClientError] = [
        .deadlineExceeded, .connectTimeout, .tlsHandshakeTimeout, .readTimeout, .getConnectionFromPoolTimeout,
    ]

    private static func failure(_ error: any Error) -> any Error {
        switch error {
        case let failure as Failure: failure
        case let refused as ChunkRefused: refused.why
        case is CancellationError: error
        case let error as HTTPClientError where timeouts.contains(error): Failure.timedOut
        default: Failure.unreachable
        }
    }
}
