internal import CZlib

/// The gzip format (RFC 1952), both ways, in memory.
public enum Gzip {
    /// Why bytes could not be unpacked.
    public enum Problem: Error, Hashable, Sendable {
        /// They are no gzip, or end too soon.
        case malformed
        /// They hold more than the caller takes.
        case tooLarge(limit: Int)
    }

    /// How much work goes into making bytes small.
    public enum Effort: Int32, Sendable {
        /// For what is made for one answer.
        case little = 4
        /// What zlib does unasked.
        case usual = 6
        /// For what is packed once and sent often.
        case most = 9
    }

    /// Packs bytes; the same bytes give the same result, since no time is written.
    public static func compress(_ bytes: [UInt8], _ effort: Effort = .usual) -> [UInt8] {
        var stream = unsafe z_stream()
        let size = unsafe Int32(MemoryLayout<z_stream>.size)
        let begun = unsafe deflateInit2_(
            &stream, effort.rawValue, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
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

    /// Unpacks bytes.
    ///
    /// - Parameter limit: the most that may come out, in bytes; what is packed can be a thousand times smaller.
    public static func decompress(_ bytes: [UInt8], limit: Int) throws(Problem) -> [UInt8] {
        var stream = unsafe z_stream()
        let begun = unsafe inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(begun == Z_OK, "zlib takes its own constants")
        defer { unsafe inflateEnd(&stream) }
        var out: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 16 * 1024)
        var taken = 0
        while true {
            let (status, read, written) = unsafe step(&stream, bytes, from: taken, into: &room)
            taken += read
            guard out.count + written <= limit else { throw .tooLarge(limit: limit) }
            out += room.prefix(written)
            if status == Z_STREAM_END { break }
            guard status == Z_OK, read > 0 || written > 0 else { throw .malformed }
        }
        guard taken == bytes.count else { throw .malformed }
        return out
    }

    private static func step(
        _ stream: inout z_stream, _ bytes: [UInt8], from start: Int, into room: inout [UInt8]
    ) -> (status: Int32, read: Int, written: Int) {
        var input = Array(bytes[start...].prefix(64 * 1024))
        return unsafe input.withUnsafeMutableBufferPointer { input in
            unsafe room.withUnsafeMutableBufferPointer { room in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = room.baseAddress
                unsafe stream.avail_out = UInt32(room.count)
                let status = unsafe inflate(&stream, Z_NO_FLUSH)
                return unsafe (status, input.count - Int(stream.avail_in), room.count - Int(stream.avail_out))
            }
        }
    }

    /// The largest window, with gzip's header and trailer.
    private static let windowBits: Int32 = 15 + 16
}
