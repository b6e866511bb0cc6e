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
    /// Until when: when the timeline was last known to be live.
    var until: Timestamp
    /// Nothing older is to be had.
    var isEnd = false

    init(since: Timestamp, until: Timestamp) {
        self.since = since
        self.until = until
    }

    /// Reads two decimal numbers.
    init?(record: [UInt8]) {
        let parts = String(decoding: record, as: UTF8.self).split(separator: " ").compactMap { Int64($0) }
        guard let since = parts.first, let until = parts.last, parts.count == 2 else { return nil }
        self.init(since: Timestamp(seconds: since), until: Timestamp(seconds: until))
    }

    var record: [UInt8] { Array("\(since.seconds) \(until.seconds)".utf8) }
}

/// Works out how far back a stretch of a timeline reaches when every relay was asked for a limited number of events.
///
/// Each relay is known down to the oldest event it sent, or all the way when it sent fewer than asked; together they
/// are known down to the most recent of these.
struct StretchTally: Sendable {
    private let limit: Int
    private var oldest: [RelayURL: Timestamp] = [:]
    private var counts: [RelayURL: Int] = [:]
    private(set) var complete: Set<RelayURL> = []

    init(limit: Int) {
        self.limit = limit
    }

    mutating func count(_ events: [Event], from relay: RelayURL) {
        counts[relay, default: 0] += events.count
        guard let last = events.map(\.createdAt).min() else { return }
        oldest[relay] = min(oldest[relay] ?? last, last)
    }

    mutating func didComplete(_ relay: RelayURL) {
        complete.insert(relay)
    }

    /// How far back the stretch reaches; `nil` when nothing older is left anywhere.
    var reach: Timestamp? {
        complete.compactMap { relay in
            (counts[relay] ?? 0) >= limit ? oldest[relay] : nil
        }.max()
    }
}
