internal import NostrCore
internal import NostrRelay
internal import NostrStore

/// How relays behaved at this start and earlier ones, kept in the account's file: how often a connection came about,
/// how quickly they answer, and what they refused.
///
/// What happened while no relay at all was connected says something of this machine and nothing of a relay, and does
/// not count. Whether a relay asks who reads is not kept as a refusal, since the person may agree at any moment.
///
/// Shape on disk: table `relay-health`, key the relay's address; a version, then six integers: heard until, connections
/// and failures in thousandths, latency in milliseconds (-1 for none), failures in a row, refused until (0 for never).
struct RelayTrack: Hashable, Sendable {
    static let table = "relay-health"
    /// So many relays are kept, those that were tried last.
    static let mostRelays = 1000
    /// Relays that were not tried for so long are forgotten.
    private static let longest: Duration = .seconds(90 * 86_400)
    /// What changed is written together, after so long.
    private static let pause: Duration = .seconds(600)
    /// What was before a start weighs as much as so many attempts.
    private static let weight = 8.0
    private static let version: UInt8 = 1

    /// What is known of one relay.
    struct Figures: Hashable, Sendable {
        var heard: Timestamp
        var connects = 0.0
        var failures = 0.0
        var latency: Duration?
        /// How often in a row it rested, when it was never reached.
        var inARow = 0
        var refusedUntil: Timestamp?
    }

    /// As it was when the account was opened.
    private(set) var earlier: [RelayURL: Figures] = [:]
    private var figures: [RelayURL: Figures] = [:]
    private var changed: Set<RelayURL> = []
    private var lastWritten: Timestamp?

    /// Nothing is known.
    init() {}

    /// Takes in what a new look at the pool shows beside the one before.
    mutating func observe(
        _ new: [RelayURL: RelayStatistics], after old: [RelayURL: RelayStatistics], isOnline: Bool, now: Timestamp
    ) {
        for (relay, figures) in new {
            let before = old[relay] ?? RelayStatistics()
            // A pool that begins anew counts from zero.
            let connects = figures.connects - (figures.connects < before.connects ? 0 : before.connects)
            let failures = figures.failures - (figures.failures < before.failures ? 0 : before.failures)
            if connects > 0 || isOnline && failures > 0 {
                change(relay, now) {
                    // What failed before is over; a relay that is mended is believed after some starts.
                    if connects > 0 { $0.failures /= 2 }
                    $0.connects += Double(connects)
                    $0.failures += isOnline ? Double(failures) : 0
                    if connects > 0 { $0.inARow = 0 }
                }
            }
            note(figures.latency, of: relay, now)
        }
    }

    /// How often in a row a relay rested at the last start, as long as it did not answer since.
    func restsBefore(_ relay: RelayURL) -> Int { earlier[relay]?.inARow ?? 0 }

    /// A relay that was never reached rests once more.
    mutating func rests(_ relay: RelayURL, inARow: Int, now: Timestamp) {
        change(relay, now) { $0.inARow = inARow }
    }

    /// A relay answers.
    mutating func answered(_ relay: RelayURL) {
        earlier[relay]?.inARow = 0
        guard let known = figures[relay], known.inARow > 0 || known.refusedUntil != nil else { return }
        change(relay, known.heard) { ($0.inARow, $0.refusedUntil) = (0, nil) }
    }

    /// A relay said that it gives nothing, and is left alone until then.
    mutating func refuses(_ relay: RelayURL, until: Timestamp, now: Timestamp) {
        change(relay, now) { $0.refusedUntil = until }
    }

    // Each answer moves it a little, and what is near enough is not worth writing.
    private mutating func note(_ latency: Duration?, of relay: RelayURL, _ now: Timestamp) {
        guard let latency else { return }
        if let known = figures[relay]?.latency, latency > known * 0.75, latency < known * 1.25 { return }
        change(relay, now) { $0.latency = latency }
    }

    private mutating func change(_ relay: RelayURL, _ now: Timestamp, _ body: (inout Figures) -> Void) {
        body(&figures[relay, default: Figures(heard: now)])
        figures[relay]?.heard = now
        changed.insert(relay)
    }
}

// MARK: - Records

extension RelayTrack {
    /// Reads what was kept; what cannot be read is as unknown.
    init(records: [Record], now: Timestamp) {
        for record in records.prefix(2 * Self.mostRelays) {
            // An address that was written here is one.
            guard let relay = try? RelayURL(record.key), let known = Figures(record.value, version: Self.version),
                known.heard + Self.longest > now
            else { continue }
            figures[relay] = known.weakened(to: Self.weight, now: now)
            earlier[relay] = figures[relay]
        }
    }

    /// What is to be written now; empties the list of it.
    ///
    /// - Parameter isLast: whether nothing will be written after this.
    mutating func changes(now: Timestamp, isLast: Bool = false) -> [RecordChange] {
        guard let last = lastWritten else {
            lastWritten = now
            return isLast ? written(now) : []
        }
        return isLast || last + Self.pause <= now ? written(now) : []
    }

    private mutating func written(_ now: Timestamp) -> [RecordChange] {
        lastWritten = now
        defer { changed = [] }
        var changes: [RecordChange] = []
        for relay in old(now) {
            figures[relay] = nil
            changed.remove(relay)
            changes.append(.remove(table: Self.table, key: relay.text))
        }
        for relay in changed.sorted() {
            guard let known = figures[relay] else { continue }
            changes.append(.put(table: Self.table, key: relay.text, value: known.bytes(version: Self.version)))
        }
        return changes
    }

    /// Relays to forget: not tried for long, or too many.
    private func old(_ now: Timestamp) -> [RelayURL] {
        let silent = figures.filter { $0.value.heard + Self.longest <= now }.map(\.key)
        guard figures.count - silent.count > Self.mostRelays else { return silent }
        return figures.sorted { ($1.value.heard, $0.key) < ($0.value.heard, $1.key) }
            .dropFirst(Self.mostRelays).map(\.key)
    }
}

extension RelayTrack.Figures {
    fileprivate init?(_ bytes: [UInt8], version: UInt8) {
        var reader = ByteReader(bytes)
        guard reader.byte() == version, let heard = reader.integer(), let connects = reader.integer(),
            let failures = reader.integer(), let latency = reader.integer(), let inARow = reader.integer(),
            let refused = reader.integer()
        else { return nil }
        let most: Int64 = 1_000_000_000
        self.heard = Timestamp(seconds: min(max(heard, 0), 1 << 40))
        self.connects = Double(min(max(connects, 0), most)) / 1000
        self.failures = Double(min(max(failures, 0), most)) / 1000
        self.latency = 0...most ~= latency ? .milliseconds(latency) : nil
        self.inARow = Int(min(max(inARow, 0), 100))
        refusedUntil = 1...(1 << 40) ~= refused ? Timestamp(seconds: refused) : nil
    }

    fileprivate func bytes(version: UInt8) -> [UInt8] {
        var bytes = [version]
        bytes.append(bigEndian: heard.seconds)
        bytes.append(bigEndian: Int64(min(connects, 1_000_000) * 1000))
        bytes.append(bigEndian: Int64(min(failures, 1_000_000) * 1000))
        bytes.append(bigEndian: latency.map { min(Int64($0 / .milliseconds(1)), 1_000_000_000) } ?? -1)
        bytes.append(bigEndian: Int64(inARow))
        bytes.append(bigEndian: refusedUntil?.seconds ?? 0)
        return bytes
    }

    /// What is left of it: no more than so many attempts in all, and of these half after a month.
    fileprivate func weakened(to weight: Double, now: Timestamp) -> Self {
        let days = min(max(now.seconds - heard.seconds, 0) / 86_400, 365)
        let aged = (0..<days).reduce(1.0) { factor, _ in factor * 0.977 }
        let factor = aged * weight / max(connects + failures, weight)
        var weak = self
        weak.connects *= factor
        weak.failures *= factor
        return weak
    }
}
