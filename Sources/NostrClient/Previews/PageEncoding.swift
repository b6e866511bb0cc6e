/// How the characters of a page of the web are written as bytes.
///
/// A page in an encoding that is not here is read as UTF-8 when it happens to be that, else not at all: letters that are
/// guessed wrong are worse than none. Source: WHATWG Encoding, whose labels these are.
enum PageEncoding: Hashable, Sendable {
    case utf8, utf16LittleEndian, utf16BigEndian, western, cyrillic

    /// Reads a label, such as `ISO-8859-1`; `nil` for one that is not known here.
    init?(label: some StringProtocol) {
        switch label.lowercased() {
        case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
        case "utf-16", "utf-16le", "unicode": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "us-ascii", "ascii", "iso-8859-1", "iso8859-1", "latin1", "l1", "iso_8859-1", "windows-1252", "cp1252",
            "iso-8859-15":
            self = .western
        case "windows-1251", "cp1251": self = .cyrillic
        default: return nil
        }
    }

    /// The text of a page; `nil` where its encoding is not known here.
    ///
    /// A mark at its beginning counts most, then what its server said, then what it says of itself.
    ///
    /// - Parameter type: the server's `Content-Type`.
    static func text(of bytes: [UInt8], type: String) -> String? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return utf8.decode(bytes.dropFirst(3)) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16LittleEndian.decode(bytes.dropFirst(2)) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16BigEndian.decode(bytes.dropFirst(2)) }
        let own = label(in: String(decoding: bytes.prefix(2048), as: UTF8.self))
        guard let label = label(in: type) ?? own else {
            return isUTF8(bytes) ? utf8.decode(bytes[...]) : western.decode(bytes[...])
        }
        if let encoding = PageEncoding(label: label) { return encoding.decode(bytes[...]) }
        return isUTF8(bytes) ? utf8.decode(bytes[...]) : nil
    }

    /// What stands behind `charset=`.
    private static func label(in text: String) -> String? {
        let lower = text.lowercased()
        guard let start = lower.firstRange(of: "charset") else { return nil }
        let value = lower[start.upperBound...].drop(while: \.isWhitespace)
        guard value.first == "=" else { return nil }
        let label = value.dropFirst().drop { $0.isWhitespace || $0 == "\"" || $0 == "'" }
            .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "-_:".contains($0)) }
        return label.isEmpty || label.count > 40 ? nil : String(label)
    }

    /// Whether bytes are UTF-8; the last few may be the beginning of a character that was cut off.
    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        (0...3).contains { String(validating: bytes.dropLast($0), as: UTF8.self) != nil }
    }

    private func decode(_ bytes: ArraySlice<UInt8>) -> String {
        switch self {
        case .utf8: return String(decoding: bytes, as: UTF8.self)
        case .utf16LittleEndian, .utf16BigEndian:
            let array = Array(bytes)
            let units = stride(from: 0, to: array.count - 1, by: 2).map { offset -> UInt16 in
                let (first, second) = (UInt16(array[offset]), UInt16(array[offset + 1]))
                return self == .utf16BigEndian ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        case .western, .cyrillic:
            var text = ""
            text.unicodeScalars.reserveCapacity(bytes.count)
            for byte in bytes { text.unicodeScalars.append(scalar(byte)) }
            return text
        }
    }

    private func scalar(_ byte: UInt8) -> Unicode.Scalar {
        if byte < 0x80 { return Unicode.Scalar(byte) }
        if self == .western { return Self.western(byte) }
        switch byte {
        case 0xC0...0xFF: return Unicode.Scalar(0x410 + UInt32(byte - 0xC0)) ?? "\u{FFFD}"
        case 0xA8: return "Ё"
        case 0xB8: return "ё"
        case 0xB9: return "№"
        case 0xAA: return "Є"
        case 0xBA: return "є"
        case 0xAF: return "Ї"
        case 0xBF: return "ї"
        case 0xB2: return "І"
        case 0xB3: return "і"
        case 0x82, 0x84...0x87, 0x89, 0x8B, 0x91...0x97, 0x99, 0x9B, 0xA0, 0xA4, 0xA6, 0xA7, 0xA9, 0xAB...0xAE, 0xB0,
            0xB1, 0xB5...0xB7, 0xBB:
            return Self.western(byte)
        default: return "\u{FFFD}"
        }
    }

    /// A character of windows-1252, also for the controls that pages mean by their numbers.
    static func western(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return upper[Int(byte - 0x80)]
    }

    private static let upper: [Unicode.Scalar] = [
        "€", "\u{FFFD}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{FFFD}", "Ž", "\u{FFFD}", "\u{FFFD}",
        "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{FFFD}", "ž", "Ÿ",
    ]
}
