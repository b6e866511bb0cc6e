internal import CZlib
internal import HTTPTypes

/// Packing what goes to a browser (gzip, RFC 1952).
enum GzipEncoder {
    /// How much work goes into it.
    enum Effort: Int32 {
        /// For a page, made for one answer.
        case page = 4
        /// For a file of the program, packed once.
        case file = 9
    }

    /// Packs bytes; the same bytes give the same result, since no time is written.
    static func compress(_ bytes: [UInt8], _ effort: Effort) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        // 15 is the largest window, 16 more asks for gzip's header and trailer.
        let begun = unsafe deflateInit2_(
            &stream, effort.rawValue, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        precondition(begun == Z_OK, "zlib takes its own constants")
        defer { unsafe deflateEnd(&stream) }
        var out = [UInt8](repeating: 0, count: Int(unsafe deflateBound(&stream, UInt(bytes.count))))
        var input = bytes
        let written = unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe out.withUnsafeMutableBufferPointer { out in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = out.baseAddress
                unsafe stream.avail_out = UInt32(out.count)
                // The room is what zlib says is enough, so that one call ends it.
                let ended = unsafe deflate(&stream, Z_FINISH)
                precondition(ended == Z_STREAM_END, "deflateBound is enough")
                return unsafe out.count - Int(stream.avail_out)
            }
        }
        return Array(out.prefix(written))
    }
}

/// Whether a browser takes gzip: named without `q=0`.
func takesGzip(_ headers: HTTPFields) -> Bool {
    headers[values: .acceptEncoding].contains { line in
        line.split(separator: ",").contains { part in
            let pieces = part.split(separator: ";").map { $0.trimming(while: \.isWhitespace) }
            guard pieces.first?.lowercased() == "gzip" else { return false }
            return !pieces.dropFirst().contains { $0.hasPrefix("q=0") && !$0.contains { ("1"..."9").contains($0) } }
        }
    }
}

extension Substring {
    /// The text without such characters at either end.
    fileprivate func trimming(while isLeft: (Character) -> Bool) -> Substring {
        let head = drop(while: isLeft)
        guard let last = head.lastIndex(where: { !isLeft($0) }) else { return "" }
        return head[...last]
    }
}
