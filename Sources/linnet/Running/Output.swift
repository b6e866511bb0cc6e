import Foundation

/// Standard output, a line at a time, there at once also when a program reads it.
enum Output {
    /// Writes one line.
    static func line(_ text: String) {
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}
