internal import NostrCore

/// Tags as compact bytes.
///
/// Shape: the number of tags, then per tag the number of its elements and the elements. An element is twice its length
/// and its UTF-8; 64 lowercase hex digits, which most elements are, are the number 1 and 32 bytes. Numbers are 7 bits a
/// byte, lowest first, the top bit set on all but the last.
enum TagCoding {
    static func encode(_ tags: [Tag]) -> [UInt8] {
        var out: [UInt8] = []
        append(tags.count, to: &out)
        for tag in tags {
            append(tag.elements.count, to: &out)
            for element in tag.elements {
                if let bytes = hexBytes(of: element) {
                    out.append(1)
                    out.append(contentsOf: bytes)
                } else {
                    append(element.utf8.count << 1, to: &out)
                    out.append(contentsOf: element.utf8)
                }
            }
        }
        return out
    }

    /// The tags, or `nil` when the bytes are damaged.
    static func decode(_ bytes: [UInt8]) -> [Tag]? { decode(bytes.span) }

    /// The same of bytes where they lie.
    static func decode(_ bytes: Span<UInt8>) -> [Tag]? {
        var position = 0
        guard let count = number(in: bytes, at: &position), count <= bytes.count else { return nil }
        var tags: [Tag] = []
        tags.reserveCapacity(count)
        for _ in 0..<count {
            guard let elementCount = number(in: bytes, at: &position), elementCount <= bytes.count else { return nil }
            var elements: [String] = []
            elements.reserveCapacity(elementCount)
            for _ in 0..<elementCount {
                guard let element = element(in: bytes, at: &position) else { return nil }
                elements.append(element)
            }
            tags.append(Tag(elements))
        }
        return position == bytes.count ? tags : nil
    }

    /// The 32 bytes of 64 lowercase hex digits; `nil` for any other text.
    static func hexBytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        // Any other 64 bytes are text like all others.
        return try? decodeHex(text, byteCount: 32)
    }

    private static func append(_ number: Int, to out: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            out.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        out.append(UInt8(truncatingIfNeeded: rest))
    }

    private static func number(in bytes: Span<UInt8>, at position: inout Int) -> Int? {
        var value = 0
        var shift = 0
        while position < bytes.count, shift < 56 {
            let byte = bytes[position]
            position += 1
            value |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    private static func element(in bytes: Span<UInt8>, at position: inout Int) -> String? {
        guard let header = number(in: bytes, at: &position) else { return nil }
        let isHex = header == 1
        let length = isHex ? 32 : header >> 1
        guard isHex || header & 1 == 0, length <= bytes.count - position else { return nil }
        let found = bytes.extracting(position..<position + length)
        position += length
        if isHex { return encodeHex(found) }
        return unsafe found.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
