import Foundation

/// Standard output and standard error, there at once also when a program reads them.
enum Output {
    /// Writes one line.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }

    /// Writes text on standard error, as it is.
    static func error(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
