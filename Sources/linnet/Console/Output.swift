import Foundation
import Synchronization

/// Standard output and standard error, there at once also when a program reads them.
///
/// Writing never ends the program: a home goes on when the terminal it was started from is gone. What could not be
/// written is remembered, and a command that ends then does so with a failure.
enum Output {
    /// Why standard output took no more; the first reason.
    private static let trouble = Mutex<String?>(nil)

    /// Writes one line.
    static func line(_ text: String) { self.text(text + "\n") }

    /// Writes text as it is.
    static func text(_ text: String) { bytes(Array(text.utf8)) }

    /// Writes bytes as they are.
    static func bytes(_ bytes: [UInt8]) {
        do { try FileHandle.standardOutput.write(contentsOf: Data(bytes)) } catch {
            let words = Reading.isDiskFull(error) ? "the disk is full" : "it was closed"
            trouble.withLock { $0 = $0 ?? "Standard output could not be written: \(words)." }
        }
    }

    /// Writes a value as one line of JSON.
    static func json(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Writes text on standard error, as it is.
    static func error(_ text: String) {
        // There is nowhere left to complain.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// What kept standard output from being written, if anything did.
    static var failure: String? { trouble.withLock { $0 } }
}
