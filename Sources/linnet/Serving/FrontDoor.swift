import HTTPTypes
import Hummingbird
import WebUI

/// What answers a request that is no WebSocket: the relay's document to those who ask for it (NIP-11), else the pages.
///
/// Under a strange name the document is not there, either: a page elsewhere that made its name point here (DNS
/// rebinding) learns from nothing that a home is here. The pages then say that they are not reached so.
struct FrontDoor: HTTPResponder {
    let pages: RouterResponder<WebContext>
    /// `nil` where there is no relay.
    let document: [UInt8]?
    /// The names it is reached by.
    let hosts: Set<String>

    func respond(to request: Request, context: WebContext) async throws -> Response {
        guard let document, request.method == .get,
            request.headers[.accept]?.contains("application/nostr+json") == true,
            let host = request.head.authority, hosts.contains(LocalRelay.withoutPort(host.lowercased()))
        else {
            return try await pages.respond(to: request, context: context)
        }
        var headers = HTTPFields()
        headers[.contentType] = "application/nostr+json"
        // NIP-11 asks for it, and the document says nothing about the person.
        headers[.accessControlAllowOrigin] = "*"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: document)))
    }
}
