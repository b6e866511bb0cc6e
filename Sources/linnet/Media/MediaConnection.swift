import Foundation
import Processes

/// A connection to a process that prepares a picture: what goes to it and what comes back rests nowhere.
///
/// A pair of sockets rather than pipes: writing to a process that is gone must not end this program by a signal.
/// Nothing here waits.
@safe struct MediaConnection: ~Copyable {
    private let own: Int32
    private var other: Int32
    /// What is still to go.
    private var rest: ArraySlice<UInt8>
    private var isSaid = false
    /// What came.
    private(set) var answer: [UInt8] = []

    /// Makes one for so many bytes; `nil` where the system has none left.
    init?(sending bytes: [UInt8]) {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Self.kind, 0, &ends) == 0 else { return nil }
        Self.keepFromOthers(ends)
        Self.ignoreEnd(of: ends[0])
        (own, other, rest) = (ends[0], ends[1], bytes[...])
    }

    deinit {
        close(own)
        if other >= 0 { close(other) }
    }

    /// Starts a process at the other end.
    mutating func start(
        _ program: String, _ arguments: [String], environment: [String: String]
    ) throws(SpawnedProcess.CannotStart) -> SpawnedProcess {
        let child = try SpawnedProcess(program, arguments, environment: environment, input: other, output: other)
        close(other)
        other = -1
        return child
    }

    /// Gives what is taken and takes what is there.
    ///
    /// - Returns: whether anything moved.
    mutating func move() -> Bool {
        let isGiven = give()
        return take() || isGiven
    }

    private mutating func give() -> Bool {
        guard !isSaid else { return false }
        if !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { unsafe send(own, $0.baseAddress, $0.count, Self.quietly) }
            if sent > 0 {
                rest = rest.dropFirst(sent)
                if !rest.isEmpty { return true }
            } else if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
                return false
            }
        }
        // All is said, or nobody listens any more.
        shutdown(own, Self.writing)
        isSaid = true
        return true
    }

    private mutating func take() -> Bool {
        var piece = [UInt8](repeating: 0, count: 1 << 18)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(own, $0.baseAddress, $0.count, Self.quietly) }
        guard count > 0 else { return false }
        answer += piece.prefix(count)
        return true
    }

    #if canImport(Darwin)
        private static let kind = SOCK_STREAM
        private static let quietly = Int32(MSG_DONTWAIT)
        private static let writing = SHUT_WR

        // No other program that starts meanwhile is to have them; the system does not make them so at once.
        private static func keepFromOthers(_ ends: [Int32]) {
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }

        private static func ignoreEnd(of socket: Int32) {
            var isOn: Int32 = 1
            _ = unsafe setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
        }
    #else
        // No other program has them, also not one that starts at this very moment.
        private static let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        private static let quietly = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
        private static let writing = Int32(SHUT_WR)

        // They are made so.
        private static func keepFromOthers(_ ends: [Int32]) {}

        // Each sending says so itself.
        private static func ignoreEnd(of socket: Int32) {}
    #endif
}
