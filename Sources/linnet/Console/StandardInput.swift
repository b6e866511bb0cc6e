import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard input as a text, with plain sentences where it is none.
enum StandardInput {
    private static let name = "Standard input"
    private static let linesRead = Mutex(0)

    /// All of it.
    ///
    /// - Throws: a ``CommandFailure`` when it cannot be read or is no text.
    static func text() throws -> String {
        let data: Data?
        do { data = try FileHandle.standardInput.readToEnd() } catch { throw unreadable }
        return try ByteOrderMark.text(data ?? Data(), of: name)
    }

    /// All of it, as something a person wrote: without the end of its last line.
    static func writing() throws -> String {
        let typed = try text()
        // A carriage return and a line feed are one character.
        return typed.last?.isNewline == true ? String(typed.dropLast()) : typed
    }

    /// Its first line, without what is read after it; `nil` when there is none.
    ///
    /// - Throws: a ``CommandFailure`` when it cannot be read.
    static func firstLine() throws -> String? { try nextLine()?.text }

    /// The next line and its number, counted from 1 whoever read those before; `nil` at the end.
    ///
    /// - Throws: a ``CommandFailure`` when it cannot be read.
    static func nextLine() throws -> (text: String, number: Int)? {
        guard var line = readLine() else {
            try refuseUnread()
            return nil
        }
        let number = linesRead.withLock { count in
            count += 1
            return count
        }
        if number == 1, line.first == ByteOrderMark.character { line.removeFirst() }
        return (line, number)
    }

    /// Refuses further lines where only one was wanted; waits for the end of the input.
    ///
    /// - Parameter what: what stood on the first line, such as "the key".
    static func refuseFurtherLines(after what: String) throws {
        while let (line, number) = try nextLine() {
            guard !line.allSatisfy(\.isWhitespace) else { continue }
            throw CommandFailure("Standard input holds more than \(what): line \(number) is not empty.")
        }
    }

    /// Says so when it ended since it cannot be read: a directory, or closed from the start.
    private static func refuseUnread() throws {
        // Asking for nothing waits for nothing, and still says what is wrong.
        var byte: UInt8 = 0
        if unsafe read(STDIN_FILENO, &byte, 0) < 0, errno != EINTR, errno != EAGAIN { throw unreadable }
    }

    private static let unreadable = CommandFailure("Standard input cannot be read: it is closed, or a directory.")
}
