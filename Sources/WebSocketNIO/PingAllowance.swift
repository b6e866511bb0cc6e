import NIOCore

/// How many pings, and pongs nobody asked for, a peer may send: so many at once, more as time passes.
///
/// Who sends more is left unread for a while: what is not read costs nothing. Only the newest of several pings need be
/// answered (RFC 6455 §5.5.3), so that those beyond the allowance get no pong. Who sends very many is hung up on, since
/// what waits in the system's buffers would keep their socket open for minutes.
struct PingAllowance: Hashable {
    /// How many at once.
    private static let burst: Int64 = 32
    /// The time in which one more is allowed.
    private static let refill = TimeAmount.milliseconds(100)
    /// The longest for which a peer is left unread; who would be for longer is hung up on.
    private static let longestPause = TimeAmount.seconds(10)

    /// When the allowance is, or was, full.
    private var fullAt = NIODeadline.uptimeNanoseconds(0)

    /// A ping came; whether it is to be answered.
    mutating func receive(at now: NIODeadline) -> Bool {
        fullAt = max(fullAt, now) + Self.refill
        return pause(at: now) == nil
    }

    /// Whether the peer is past bearing.
    func isUsedUp(at now: NIODeadline) -> Bool {
        pause(at: now).map { $0 > Self.longestPause } ?? false
    }

    /// For how long the peer is to be left unread; `nil` where it has pings left.
    func pause(at now: NIODeadline) -> TimeAmount? {
        let debt = fullAt - now - Self.refill * Self.burst
        return debt > .zero ? debt : nil
    }
}
