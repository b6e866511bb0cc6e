/// The fields of a form or a query, decoded; of fields with one name the first counts.
struct Form: Equatable, Sendable {
    /// The largest one, in bytes; a note of the longest size, percent-encoded, fits.
    static let largest = 128 * 1024

    private var fields: [String: String] = [:]
    private var files: [String: FormFile] = [:]

    init() {}

    /// Decodes `application/x-www-form-urlencoded`.
    init(encoded text: some StringProtocol) {
        for pair in text.split(separator: "&") {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let first = halves.first else { continue }
            add(decodePercent(first), halves.count > 1 ? decodePercent(halves[1]) : "")
        }
    }

    /// Adds a field, unless there is one of its name: the first counts.
    mutating func add(_ name: String, _ value: String) {
        if fields[name] == nil { fields[name] = value }
    }

    /// Adds a file, unless there is one of its name: the first counts.
    mutating func add(_ name: String, _ file: FormFile) {
        if files[name] == nil { files[name] = file }
    }

    /// The file of a field; `nil` where none was chosen.
    func file(_ name: String) -> FormFile? { files[name] }

    /// The value of a field, empty when it is missing.
    subscript(_ name: String) -> String { fields[name] ?? "" }

    /// All fields, by name.
    var all: [(name: String, value: String)] {
        fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// Whether a field came.
    func has(_ name: String) -> Bool { fields[name] != nil }
}

/// A file that a browser sent.
struct FormFile: Hashable, Sendable {
    /// What it is called on the person's device, as the browser says.
    let name: String
    /// What is in it.
    let bytes: [UInt8]
}

/// Undoes percent encoding and `+`; line breaks become `\n`, broken UTF-8 the replacement character.
func decodePercent(_ text: some StringProtocol) -> String {
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    bytes.reserveCapacity(source.count)
    var index = 0
    while index < source.count {
        let byte = source[index]
        if byte == UInt8(ascii: "%"), index + 2 < source.count, let high = hexDigit(source[index + 1]),
            let low = hexDigit(source[index + 2])
        {
            bytes.append(high << 4 | low)
            index += 3
        } else {
            bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            index += 1
        }
    }
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
}

private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}

/// Percent-encodes everything but letters, digits and `-._~`.
func encodePercent(_ text: String) -> String {
    var out: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
        if isUnreservedInAddress(byte) {
            out.append(byte)
        } else {
            out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }
    return String(decoding: out, as: UTF8.self)
}
