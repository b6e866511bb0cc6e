import Foundation

/// Standard output and standard error, there at once also when a program reads them.
enum Output {
    /// Writes one line.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Writes text as it is.
    static func text(_ text: String) {
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    /// Writes a value as one line of JSON.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes text on standard error, as it is.
    static func error(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
