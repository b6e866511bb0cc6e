internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ViewModels

/// Reads a posted form, all of it in memory.
func readForm(_ request: Request) async throws -> Form {
    let boundary = request.headers[.contentType].flatMap(Form.boundary)
    let most = boundary == nil ? FormGuard.largestForm : FormGuard.largestForm(at: request.uri.path)
    // Said at once and in words: who chose a photo as it came from the camera must know what is wrong.
    if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > most { throw fileTooLarge }
    guard let boundary else { return Form(encoded: String(buffer: try await readBody(request, most: most))) }
    var parts = Form.Gathering()
    try await readParts(request, boundary: boundary, most: Int64(most), otherwise: fileTooLarge) { parts.add($0) }
    return parts.form
}

private let fileTooLarge = HTTPError(.contentTooLarge, message: TroubleWords.fileTooLarge)

/// Takes a form of several parts apart while it comes.
///
/// - Parameters:
///   - most: the largest form, in bytes.
///   - tooLarge: what is answered to a larger one.
func readParts(
    _ request: Request, boundary: String, most: Int64, otherwise tooLarge: HTTPError,
    _ take: (MultipartReader.Piece) async throws -> Void
) async throws {
    var (reader, size) = (MultipartReader(boundary: boundary), Int64(0))
    var body = request.body.makeAsyncIterator()
    while true {
        let next: ByteBuffer?
        // Nothing but the socket can fail here.
        do { next = try await body.next() } catch { throw BrokenOff() }
        guard let next else { break }
        size += Int64(next.readableBytes)
        guard size <= most else { throw tooLarge }
        do {
            for piece in try reader.read(next.readableBytesView) { try await take(piece) }
        } catch is MultipartReader.Malformed {
            throw HTTPError(.badRequest, message: FileWords.broken)
        }
    }
    guard reader.isOver else { throw HTTPError(.badRequest, message: FileWords.broken) }
}

/// The body of a form, which may come in pieces without saying how much there is.
private func readBody(_ request: Request, most: Int) async throws -> ByteBuffer {
    var body = ByteBuffer()
    do {
        for try await part in request.body {
            body.writeImmutableBuffer(part)
            if body.readableBytes > most { break }
        }
    } catch {
        // Nothing but the socket can fail here.
        throw BrokenOff()
    }
    guard body.readableBytes <= most else { throw fileTooLarge }
    return body
}

/// The browser left before it had said all; nobody reads what it is answered.
struct BrokenOff: Error {}
