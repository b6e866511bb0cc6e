internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NostrNIPs

extension BlobServer {
    /// Gives a blob, or a part of it.
    ///
    /// Source: BUD-01; RFC 9110 for conditions and ranges.
    func give(
        _ hash: BlobHash, to request: Request, over channel: (any Channel)?
    ) async throws -> Response {
        let found: (blob: KeptBlob, file: OpenBlob)?
        do {
            found = try await store.open(hash)
        } catch let damage as BlobStore.Damage {
            log.error("a blob is damaged", metadata: ["blob": "\(damage.hash)"])
            throw BlossomRefusal(.notFound, "This blob is damaged here; bringing it again mends it.")
        }
        guard let (blob, file) = found else { throw BlossomRefusal(.notFound, "There is no such blob here.") }
        var headers = Self.headers(of: blob)
        let tag = "\"\(hash.hex)\""
        if Self.names(tag, in: request.headers[.ifNoneMatch]) {
            headers[.contentLength] = String(blob.size)
            return Response(status: .notModified, headers: headers)
        }
        guard request.method == .get else {
            headers[.contentLength] = String(blob.size)
            return Response(status: .ok, headers: headers)
        }
        // A part of another version would be of no use to who has one of that.
        let isSame = request.headers[.ifRange].map { $0 == tag } ?? true
        switch isSame ? ByteRange(header: request.headers[.range], size: blob.size) : .whole {
        case .whole:
            return Response(status: .ok, headers: headers, body: BlobBody.of(file, 0..<blob.size, over: channel))
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(blob.size)"
            return Response(
                status: .partialContent, headers: headers, body: BlobBody.of(file, range, over: channel))
        case .notThere:
            let refusal = BlossomRefusal(.rangeNotSatisfiable, "This blob has \(blob.size) bytes and not those.")
            var response = BlossomAnswers.refusal(refusal, isHeadersOnly: false)
            response.headers[.contentRange] = "bytes */\(blob.size)"
            return response
        }
    }

    /// What is said of a blob whatever is asked.
    ///
    /// A blob never changes, so it may be kept for ever. A page or a picture that somebody brought runs no script and sends
    /// no form here: the port may be one that others trust. Only a PDF is left to the browser's own viewer, which has an
    /// origin of its own, and which some browsers do not start under such a policy.
    private static func headers(of blob: KeptBlob) -> HTTPFields {
        var headers = BlossomAnswers.open
        headers[.contentType] = blob.type.hasPrefix("text/") ? blob.type + "; charset=utf-8" : blob.type
        headers[.acceptRanges] = "bytes"
        headers[.eTag] = "\"\(blob.hash.hex)\""
        headers[.cacheControl] = "public, max-age=31536000, immutable"
        guard blob.type != "application/pdf" else { return headers }
        headers[.contentSecurityPolicy] =
            "sandbox; default-src 'none'; img-src 'self' data:; media-src 'self' data:; style-src 'unsafe-inline'"
        return headers
    }

    /// Whether a list of tags names one, or all.
    private static func names(_ tag: String, in header: String?) -> Bool {
        guard let header else { return false }
        return header.split(separator: ",").contains { part in
            let given = part.filter { $0 != " " && $0 != "\t" }
            return given == "*" || given == tag || given == "W/" + tag
        }
    }
}
