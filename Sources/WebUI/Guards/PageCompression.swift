internal import GzipFormat
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// Packs pages for browsers that take them packed.
///
/// What rests in no cache (`no-store`: messages, circles, keys, requests, drafts) is never packed: how long a packed page
/// is tells whether one text in it is like another, and there secrets stand beside words that others choose (BREACH). In
/// the pages that are packed the one secret is the word their forms carry, which looks different in each of them
/// (``FormToken/masked()``). Why: docs/decisions/0024-packed-pages.md.
struct PageCompression: RouterMiddleware {
    typealias Context = WebContext
    /// What is shorter fits into a packet or two as it is.
    static let shortest = 1024

    func handle(
        _ request: Request, context: WebContext, next: @concurrent (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response = try await next(request, context)
        guard isPackable(response) else { return response }
        response.headers[.vary] = "Accept-Encoding"
        guard takesGzip(request.headers) else { return response }
        let plain = PageBytes()
        try await response.body.write(plain)
        response.body = .init(byteBuffer: ByteBuffer(bytes: Gzip.compress(plain.bytes, .little)))
        response.headers[.contentEncoding] = "gzip"
        return response
    }

    private func isPackable(_ response: Response) -> Bool {
        guard let length = response.body.contentLength, length >= Self.shortest,
            response.headers[.contentEncoding] == nil, response.headers[.contentRange] == nil,
            response.headers[.cacheControl]?.contains("no-store") != true,
            let type = response.headers[.contentType]
        else { return false }
        return type.hasPrefix("text/html") || type.hasPrefix("image/svg+xml") || type.hasPrefix("text/plain")
    }
}

/// Gathers the body of an answer.
private final class PageBytes: ResponseBodyWriter, Sendable {
    private let gathered = Mutex<[UInt8]>([])
    var bytes: [UInt8] { gathered.withLock { $0 } }

    func write(_ buffer: ByteBuffer) async throws { gathered.withLock { $0 += buffer.readableBytesView } }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
