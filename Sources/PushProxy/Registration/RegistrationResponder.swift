internal import HTTPTypes
public import Hummingbird
internal import NIOCore
internal import NostrCore

/// What is known about a request: where it came from.
public struct RegistrationContext: RequestContext {
    /// What Hummingbird keeps of a request.
    public var coreContext: CoreRequestContextStorage
    let address: String

    /// Notes the other end of the socket.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        address = source.channel.remoteAddress?.ipAddress ?? "unknown"
    }
}

/// The API behind Hummingbird.
public struct RegistrationResponder: HTTPResponder {
    private let api: RegistrationAPI

    /// Answers for an API that is running; closing it is for whoever made it.
    public init(_ api: RegistrationAPI) {
        self.api = api
    }

    /// Reads a body of bounded length and answers.
    ///
    /// Pages of any site may register a browser: what counts is the signature, and there are no cookies.
    public func respond(to request: Request, context: RegistrationContext) async throws -> Response {
        var headers: HTTPFields = [.accessControlAllowOrigin: "*", .cacheControl: "no-store"]
        if request.method == .options {
            headers[.accessControlAllowHeaders] = "authorization, content-type, x-clave-auth"
            headers[.accessControlAllowMethods] = "GET, POST"
            return Response(status: .noContent, headers: headers)
        }
        let authorization = Self.header("x-clave-auth", of: request) ?? request.headers[.authorization]
        let answer = await api.answer(
            RegistrationRequest(
                method: request.method.rawValue, path: request.uri.path, authorization: authorization,
                body: await body(of: request),
                address: api.settings.proxies.origin(
                    of: request.headers.map { ($0.name.rawName, $0.value) }, from: context.address)))
        headers[.contentType] = answer.contentType
        if let seconds = answer.retryAfter { headers[.retryAfter] = "\(seconds)" }
        return Response(
            status: HTTPResponse.Status(code: answer.status), headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: answer.body)))
    }

    /// The body, or `nil` when it is too long or breaks off.
    private func body(of request: Request) async -> [UInt8]? {
        // Whoever breaks off reads no answer.
        guard let buffer = try? await request.body.collect(upTo: api.settings.longestBody) else { return nil }
        return Array(buffer.readableBytesView)
    }

    private static func header(_ name: String, of request: Request) -> String? {
        request.headers.last { $0.name.canonicalName == name }?.value
    }
}
