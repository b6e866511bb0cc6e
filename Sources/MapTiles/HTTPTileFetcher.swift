internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

/// Asks tile servers over HTTP, with nothing in the question that tells more than the tile.
///
/// A client of its own: it keeps no cookies, follows no redirect (one would lead to a server that nobody named), and
/// shares no connection with what else this program asks.
public final class HTTPTileFetcher: TileFetching {
    private let client: HTTPClient

    /// A client without connections yet; end it with ``shutDown()``.
    public init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(10))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    /// Ends its connections; nothing is fetched any more.
    public func shutDown() async throws {
        try await client.shutdown()
    }

    public func fetch(_ request: TileRequest) async throws -> TileAnswer {
        var question = HTTPClientRequest(url: request.url)
        question.headers.add(name: "user-agent", value: request.agent)
        question.headers.add(name: "accept", value: "image/webp,image/png,image/jpeg")
        if let tag = request.tag { question.headers.add(name: "if-none-match", value: tag) }
        let answer = try await client.execute(question, timeout: TimeAmount(request.deadline))
        // What is no picture is not read: an answer thrown away ends its connection.
        let isPicture = answer.status == .ok
        let body = isPicture ? Array(buffer: try await answer.body.collect(upTo: request.longest)) : []
        return TileAnswer(
            status: Int(answer.status.code), tag: answer.headers.first(name: "etag"), maxAge: maxAge(answer.headers),
            retryAfter: answer.headers.first(name: "retry-after").flatMap(seconds), body: body)
    }

    /// How long an answer stays fresh, as `Cache-Control` says.
    ///
    /// Source: RFC 9111 §5.2.2.1.
    private func maxAge(_ headers: HTTPHeaders) -> Duration? {
        for directive in headers[canonicalForm: "cache-control"] {
            let parts = directive.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "max-age" { return seconds(parts[1]) }
        }
        return nil
    }

    /// Seconds; a century is long enough.
    private func seconds(_ digits: some StringProtocol) -> Duration? {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits) else { return nil }
        return .seconds(min(number, 100 * 365 * 86400))
    }
}
