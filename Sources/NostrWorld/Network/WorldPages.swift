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
    guard request.method == "GET" || request.method == "HEAD", let file = worldFile(request.request.target) else {
        return PlainResponse(status: 404)
    }
    var response = PlainResponse(
        status: 200,
        headers: [
            ("Content-Type", file.type), ("Cache-Control", "public, max-age=86400"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"),
            ("X-Content-Type-Options", "nosniff"), ("Access-Control-Allow-Origin", "*"), ("Accept-Ranges", "bytes"),
        ], body: file.bytes)
    if let range = request.request.header("Range").flatMap({ wantedPart($0, of: file.bytes.count) }) {
        response.status = 206
        response.headers.append(
            ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.bytes.count)"))
        response.body = Array(file.bytes[range])
    }
    return response
}

/// The part of a file that a player asks for, such as `bytes=0-1` or `bytes=500-`; `nil` for all of it.
///
/// Source: RFC 9110, 14.1.2; some players play nothing without.
func wantedPart(_ header: String, of count: Int) -> Range<Int>? {
    guard header.hasPrefix("bytes=") else { return nil }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Int(ends[0]), (0..<count).contains(first) else { return nil }
    if ends[1].isEmpty { return first..<count }
    guard let last = Int(ends[1]), last >= first else { return nil }
    return first..<min(last, count - 1) + 1
}

/// Answers requests for the world's pictures, and for files of its media servers, which are told apart by their hosts.
func answerFile(_ request: PlainRequest, _ servers: WorldMediaServers) -> PlainResponse {
    guard let host = request.request.header("Host"), host.contains(".localhost"),
        request.method == "GET" || request.method == "HEAD"
    else { return answerPicture(request) }
    let answer = servers.answer(
        WorldMediaServers.Incoming(
            method: request.method, address: "http://\(host)\(request.request.target)", headers: [:], body: []))
    guard let answer, answer.status == 200 else { return PlainResponse(status: 404) }
    return PlainResponse(
        status: 200,
        headers: [
            ("Content-Type", answer.headers["content-type"] ?? "application/octet-stream"),
            ("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
            ("X-Content-Type-Options", "nosniff"), ("Access-Control-Allow-Origin", "*"),
        ], body: answer.body)
}

/// The pictures of a world, for whoever fetches them within this process.
public struct WorldPictures: Sendable {
    private let host: String

    /// Keeps the name of a world's host alone: pictures are drawn from their addresses.
    public init(_ world: World) {
        host = world.pictures
    }

    /// What lies at an address; `nil` where nothing does.
    public func file(at address: String) -> (type: String, bytes: [UInt8])? {
        guard address.hasPrefix(host + "/") else { return nil }
        return worldFile(String(address.dropFirst(host.count)))
    }
}

/// A drawing, a photograph, a film, a stream in pieces or a song, made from its own address.
private func worldFile(_ path: String) -> (type: String, bytes: [UInt8])? {
    if let drawing = Drawing(path: path) { return ("image/svg+xml", Array(drawing.svg.utf8)) }
    if let photograph = Photograph(path: path) { return ("image/png", photograph.png) }
    if let film = Film(path: path) { return ("video/mp4", film.mp4) }
    if let piece = StreamPieces(path: path) { return (piece.type, piece.bytes) }
    if let song = Song(path: path) { return ("audio/wav", song.wav) }
    if let sealed = SealedPicture(path: path) { return ("application/octet-stream", sealed.encrypted) }
    return nil
}
