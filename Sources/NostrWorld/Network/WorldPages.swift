internal import NostrNIPs
internal import Synchronization
internal import WebSocketNIO

/// A relay's information document, filled in once the relay is there; its port opens before that.
final class DocumentBox: Sendable {
    private let document = Mutex<[UInt8]>([])

    func fill(_ bytes: [UInt8]) {
        document.withLock { $0 = bytes }
    }

    /// Answers plain requests to a relay's port.
    ///
    /// Source: NIP-11.
    func answer(_ request: PlainRequest) -> PlainResponse {
        let document = document.withLock { $0 }
        guard !document.isEmpty, request.request.header("Accept")?.contains(RelayInformation.mediaType) == true else {
            return PlainResponse(
                status: 200, headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array("This is a Nostr relay of a simulated world.\n".utf8))
        }
        return PlainResponse(
            status: 200,
            headers: [
                ("Content-Type", RelayInformation.mediaType), ("Access-Control-Allow-Origin", "*"),
                ("Access-Control-Allow-Headers", "*"), ("Access-Control-Allow-Methods", "GET, HEAD"),
            ], body: document)
    }
}

/// Answers requests for the world's pictures, each drawn from its own address.
func answerPicture(_ request: PlainRequest) -> PlainResponse {
    guard request.method == "GET" || request.method == "HEAD", let drawing = Drawing(path: request.request.target)
    else {
        return PlainResponse(status: 404)
    }
    return PlainResponse(
        status: 200,
        headers: [
            ("Content-Type", "image/svg+xml"), ("Cache-Control", "public, max-age=86400"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            ("X-Content-Type-Options", "nosniff"), ("Access-Control-Allow-Origin", "*"),
        ], body: Array(drawing.svg.utf8))
}
