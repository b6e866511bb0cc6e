internal import NostrCore

/// How far back relays have been asked for a timeline.
///
/// The store may hold single older notes, from threads or searches; showing them as if the timeline went on there
/// would hide that most of it was never asked for.
struct Horizon: Hashable, Sendable {
    static let table = "account"
    static let key = "home-horizon"

    /// Everything since then has been asked for.
    var since: Timestamp
    /// Nothing older is to be had.
    var isEnd = false
    /// Stretches in a row that brought nothing.
    var emptyStretches = 0

    init(since: Timestamp) {
        self.since = since
    }

    /// Reads decimal seconds.
    init?(record: [UInt8]) {
        guard let seconds = Int64(String(decoding: record, as: UTF8.self)) else { return nil }
        since = Timestamp(seconds: seconds)
    }

    var record: [UInt8] { Array(String(since.seconds).utf8) }
}
