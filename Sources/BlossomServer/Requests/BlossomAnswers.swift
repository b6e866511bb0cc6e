internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrNIPs

extension HTTPField.Name {
    static let reason = named("X-Reason")
    static let blobHash = named("X-SHA-256")
    static let blobType = named("X-Content-Type")
    static let blobLength = named("X-Content-Length")

    private static func named(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a header's name") }
        return name
    }
}

/// The answers that are no blob.
enum BlossomAnswers {
    /// What stands on every answer, so that pages of any site can read it.
    ///
    /// Source: BUD-01.
    static let open: HTTPFields = [
        .accessControlAllowOrigin: "*",
        .accessControlExposeHeaders:
            "X-Reason, Content-Length, Content-Range, Content-Type, Accept-Ranges, ETag, Retry-After",
        .xContentTypeOptions: "nosniff", .crossOriginResourcePolicy: "cross-origin",
    ]

    /// The answer to a browser that asks what it may.
    ///
    /// Source: BUD-01.
    static var preflight: Response {
        var headers = open
        headers[.accessControlAllowHeaders] = "Authorization, *"
        headers[.accessControlAllowMethods] = "GET, HEAD, PUT, DELETE"
        headers[.accessControlMaxAge] = "86400"
        return Response(status: .noContent, headers: headers)
    }

    /// A document.
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        var headers = open
        headers[.contentType] = "application/json"
        headers[.cacheControl] = "no-store"
        return Response(
            status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: value.json)))
    }

    /// Nothing more to say.
    static func empty(_ status: HTTPResponse.Status) -> Response {
        var headers = open
        headers[.cacheControl] = "no-store"
        return Response(status: status, headers: headers)
    }

    /// A refusal, its reason in a header and as text; a request for headers alone gets no text.
    static func refusal(_ refusal: BlossomRefusal, isHeadersOnly: Bool) -> Response {
        var headers = open
        headers[.reason] = refusal.reason
        headers[.cacheControl] = "no-store"
        headers[.contentType] = "text/plain; charset=utf-8"
        if let seconds = refusal.retryAfter { headers[.retryAfter] = "\(seconds)" }
        if let allowed = refusal.allowed { headers[.allow] = allowed }
        if refusal.status == .unauthorized { headers[.wwwAuthenticate] = "Nostr" }
        let body = isHeadersOnly ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: refusal.reason + "\n"))
        return Response(status: refusal.status, headers: headers, body: body)
    }
}
