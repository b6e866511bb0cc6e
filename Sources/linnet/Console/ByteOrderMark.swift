/// What some editors write before a text, and no person sees.
enum ByteOrderMark {
    /// Before UTF-8: to be read over.
    static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The same, as a character.
    static let character: Character = "\u{FEFF}"
    private static let utf16: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF]]

    /// Reads a text as UTF-8 without the mark.
    ///
    /// - Parameter name: what to call it in an error.
    /// - Throws: a ``CommandFailure`` that says what to do, never with what was read.
    static func text(_ bytes: some Collection<UInt8>, of name: String) throws -> String {
        if utf16.contains(where: { bytes.starts(with: $0) }) {
            throw CommandFailure("\(name) is UTF-16: save it as UTF-8.")
        }
        let rest = bytes.starts(with: utf8) ? bytes.dropFirst(utf8.count) : bytes[...]
        guard let text = String(validating: rest, as: UTF8.self) else {
            throw CommandFailure("\(name) is not UTF-8 text.")
        }
        return text
    }
}
