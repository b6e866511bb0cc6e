import BlossomServer
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import WebUI

/// The connection that a request came over, before it is known who answers it.
struct FrontContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel
    private let log: Logger

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        (channel, log) = (source.channel, source.logger)
    }

    /// What the pages know of a request.
    var page: WebContext { WebContext(source: ApplicationRequestContextSource(channel: channel, logger: log)) }
}

/// What answers a request that is no WebSocket: the relay's document to those who ask for it (NIP-11), the media server
/// for its own paths, else the pages.
///
/// Under a strange name the document is not there, either: a page elsewhere that made its name point here (DNS
/// rebinding) learns from nothing that a home is here. The pages then say that they are not reached so.
struct FrontDoor: HTTPResponder {
    let pages: RouterResponder<WebContext>
    /// `nil` where there is no relay.
    let document: [UInt8]?
    /// `nil` where there is no media server.
    let blobs: BlobServer?
    /// The names it is reached by.
    let hosts: Set<String>

    func respond(to request: Request, context: FrontContext) async throws -> Response {
        guard let host = request.head.authority, hosts.contains(LocalRelay.withoutPort(host.lowercased())) else {
            return try await pages.respond(to: request, context: context.page)
        }
        if let blobs, BlobServer.claims(request.head.path ?? "/") {
            return await blobs.respond(to: request, over: context.channel)
        }
        guard let document, request.method == .get,
            request.headers[.accept]?.contains("application/nostr+json") == true
        else {
            return try await pages.respond(to: request, context: context.page)
        }
        var headers = HTTPFields()
        headers[.contentType] = "application/nostr+json"
        // NIP-11 asks for it, and the document says nothing about the person.
        headers[.accessControlAllowOrigin] = "*"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
