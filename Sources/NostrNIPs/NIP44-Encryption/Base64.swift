/// Base64 with padding, strict both ways: RFC 4648 §4 and §3.5, no white space, no bits left over.
///
/// Our own because payloads are decoded once per message and Foundation's takes longer than the cipher.
package enum Base64 {
    /// How many characters `count` bytes take.
    package static func length(ofBytes count: Int) -> Int { (count + 2) / 3 * 4 }

    /// The text of bytes.
    package static func encode(_ bytes: Span<UInt8>) -> String {
        unsafe String(unsafeUninitializedCapacity: length(ofBytes: bytes.count)) { out in
            var (read, written) = (0, 0)
            func letter(_ value: UInt32) -> UInt8 { unsafe alphabet.utf8Start[Int(value & 63)] }
            while read < bytes.count {
                let second = read + 1 < bytes.count ? bytes[read + 1] : 0
                let third = read + 2 < bytes.count ? bytes[read + 2] : 0
                let group = UInt32(bytes[read]) << 16 | UInt32(second) << 8 | UInt32(third)
                unsafe out[written] = letter(group >> 18)
                unsafe out[written + 1] = letter(group >> 12)
                unsafe out[written + 2] = read + 1 < bytes.count ? letter(group >> 6) : pad
                unsafe out[written + 3] = read + 2 < bytes.count ? letter(group) : pad
                read += 3
                written += 4
            }
            return written
        }
    }

    /// The bytes of a text; `nil` unless it is what ``encode(_:)`` would have made of them.
    package static func decode(_ text: String) -> [UInt8]? {
        var text = text
        return text.withUTF8 { unsafe decode($0) }
    }

    private static func decode(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        guard let last = unsafe text.last else { return [] }
        let padding = last == pad ? (unsafe text[text.count - 2] == pad ? 2 : 1) : 0
        let whole = text.count / 4 - (padding > 0 ? 1 : 0)
        return unsafe values.withUnsafeBufferPointer { values in
            func value(_ place: Int) -> UInt8 { unsafe values[Int(unsafe text[place])] }
            // Every character that stands for nothing sets the highest bit, which is looked at once at the end.
            var seen: UInt8 = 0
            var bytes = unsafe [UInt8](unsafeUninitializedCapacity: text.count / 4 * 3) { out, count in
                for group in 0..<whole {
                    let (a, b, c, d) = (
                        value(4 * group), value(4 * group + 1), value(4 * group + 2), value(4 * group + 3)
                    )
                    seen |= a | b | c | d
                    unsafe out[3 * group] = a << 2 | b >> 4
                    unsafe out[3 * group + 1] = b << 4 | c >> 2
                    unsafe out[3 * group + 2] = c << 6 | d
                }
                count = 3 * whole
            }
            guard seen < 64 else { return nil }
            if padding > 0 {
                let rest = [value(4 * whole), value(4 * whole + 1), padding == 2 ? 0 : value(4 * whole + 2)]
                guard let end = lastBytes(rest, padding: padding) else { return nil }
                bytes += end
            }
            return bytes
        }
    }

    /// The one or two bytes of a group with padding.
    private static func lastBytes(_ values: [UInt8], padding: Int) -> [UInt8]? {
        let (a, b, c) = (values[0], values[1], values[2])
        guard a | b | c < 64 else { return nil }
        if padding == 2 { return b & 15 == 0 ? [a << 2 | b >> 4] : nil }
        return c & 3 == 0 ? [a << 2 | b >> 4, b << 4 | c >> 2] : nil
    }

    private static let pad = UInt8(ascii: "=")
    private static let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

    /// The value of each character, 255 for those that have none.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for value in 0..<64 { values[Int(unsafe alphabet.utf8Start[value])] = UInt8(value) }
        return values
    }()
}
