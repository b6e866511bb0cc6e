/// Puts together what comes from a bus: first the lines of authentication, then messages.
///
/// A value without its socket: bytes in, lines and messages out; never more than one message is held. Source: D-Bus
/// Specification, "Authentication Protocol" and "Message Format".
struct DBusInput: Sendable {
    /// The longest line of authentication.
    static let longestLine = 512

    private var unread: [UInt8] = []

    /// Adds bytes as they came.
    mutating func append(_ bytes: [UInt8]) { unread += bytes }

    /// The next line without its end; `nil` when it has not come whole.
    ///
    /// - Throws: ``DBusProblem/malformed`` for one that is too long.
    mutating func line() throws(DBusProblem) -> String? {
        guard let end = unread.firstIndex(of: 0x0A) else {
            guard unread.count <= Self.longestLine else { throw .malformed }
            return nil
        }
        let line = unread[..<end]
        guard end <= Self.longestLine, line.last == 0x0D, line.allSatisfy({ $0 < 0x80 }) else { throw .malformed }
        let text = String(decoding: line.dropLast(), as: UTF8.self)
        unread.removeSubrange(...end)
        return text
    }

    /// The next message; `nil` when it has not come whole.
    ///
    /// - Throws: ``DBusProblem/malformed``; what follows cannot be read then.
    mutating func message() throws(DBusProblem) -> DBusMessage? {
        guard unread.count >= DBusMessage.startLength else { return nil }
        let length = try DBusMessage.length(unread)
        guard unread.count >= length else { return nil }
        let message = try DBusMessage(Array(unread[..<length]))
        unread.removeSubrange(..<length)
        return message
    }
}

/// The client's side of `EXTERNAL`: the bus reads the user from the socket.
///
/// Source: D-Bus Specification, "Authentication Protocol" and "EXTERNAL".
enum DBusAuthentication {
    /// What is sent first: the credentials' zero byte, and the user to be.
    ///
    /// - Parameter user: the number of the user, written in ASCII and that in hex.
    static func opening(user: UInt32) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        let hex = "\(user)".utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        return [0] + Array("AUTH EXTERNAL ".utf8) + hex + Array("\r\n".utf8)
    }

    /// What ends it: messages follow.
    static let begin = Array("BEGIN\r\n".utf8)

    /// Whether the bus said yes; it says nothing else but no.
    static func isAccepted(_ line: String) -> Bool {
        line.split(separator: " ", omittingEmptySubsequences: false).first == "OK"
    }
}
