internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrClient

/// A file of a stranger, read while it is sent, or the part of it that a player asks for; whatever is in it, a browser
/// runs none of it here.
///
/// - Parameter age: for how long the browser keeps it, and it alone; `nil` for what never changes under its address.
/// - Returns: `nil` where the file is gone by now.
func fileResponse(_ file: FoundFile, to request: Request, keptFor age: Duration?) -> Response? {
    // Whatever it is that makes it unreadable, there is nothing to be given out.
    guard let handle = try? FileHandle(forReadingFrom: file.file) else { return nil }
    let cache = age.map { "private, max-age=\($0.components.seconds)" } ?? "private, max-age=604800, immutable"
    var headers: HTTPFields = [
        .contentType: file.type, .xContentTypeOptions: "nosniff", .acceptRanges: "bytes", .cacheControl: cache,
        .contentSecurityPolicy: "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    ]
    let wanted: WantedBytes = request.headers[.range].map { WantedBytes($0, of: file.size) } ?? .whole
    switch wanted {
    case .whole:
        return Response(status: .ok, headers: headers, body: pieces(of: handle, 0..<file.size))
    case .part(let range):
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
        return Response(status: .partialContent, headers: headers, body: pieces(of: handle, range))
    case .outside:
        // What cannot be closed was not read.
        try? handle.close()
        return Response(
            status: .rangeNotSatisfiable,
            headers: [.contentRange: "bytes */\(file.size)", .cacheControl: "no-store"])
    }
}

private func pieces(of handle: FileHandle, _ range: Range<Int64>) -> ResponseBody {
    ResponseBody(contentLength: Int(range.count)) { writer in
        // What cannot be closed was read all the same.
        defer { try? handle.close() }
        try handle.seek(toOffset: UInt64(range.lowerBound))
        var left = Int(range.count)
        while left > 0, let bytes = try handle.read(upToCount: min(64 << 10, left)), !bytes.isEmpty {
            left -= bytes.count
            try await writer.write(ByteBuffer(bytes: bytes))
        }
        try await writer.finish(nil)
    }
}

/// Which bytes of a file a player asks for.
///
/// Source: RFC 9110, 14.1.2 and 14.2: what cannot be read, and several parts at once, are as if nothing had been asked.
enum WantedBytes: Equatable {
    /// The whole file.
    case whole
    /// A part, within the file.
    case part(Range<Int64>)
    /// None that there are.
    case outside

    /// Reads the field `Range`.
    init(_ field: String, of size: Int64) {
        guard field.lowercased().hasPrefix("bytes=") else {
            self = .whole
            return
        }
        let ends: [String] = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map
        {
            $0.filter { !$0.isWhitespace }
        }
        guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            !(ends[0].isEmpty && ends[1].isEmpty)
        else {
            self = .whole
            return
        }
        // Numbers too long to be read are behind any end.
        let last = Int64(ends[1]) ?? .max
        if ends[0].isEmpty {
            self = last == 0 || size == 0 ? .outside : .part(max(0, size - last)..<size)
        } else if let first = Int64(ends[0]), first < size {
            self = ends[1].isEmpty || last >= first ? .part(first..<min(last, size - 1) + 1) : .whole
        } else {
            self = .outside
        }
    }
}
