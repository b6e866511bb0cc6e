internal import NostrCore

/// What one relay has given of whom, and until when: per author, since relays are asked for different people at
/// different times.
///
/// Those whose notes the relay passes on as they come share one moment, which moves on by itself.
struct RelayCoverage: Hashable, Sendable {
    /// What is here of one author from this relay.
    struct Stretch: Hashable, Sendable {
        /// Everything the relay had from then on was heard.
        var since: Timestamp
        /// Until when; of those who are read live ``RelayCoverage/liveUntil`` counts.
        var until: Timestamp
        /// How many of the author's events came from the relay, older ones counting less and less.
        var events: Double
        var isLive = false
    }

    /// Until when those who are read live have been heard.
    private(set) var liveUntil = Timestamp(seconds: 0)
    private(set) var authors: [PublicKey: Stretch] = [:]
    /// When counts last lost some of their weight.
    private var agedAt: Timestamp

    /// Nothing was heard yet.
    init(now: Timestamp) { agedAt = now }

    /// When anything was heard last.
    var lastHeard: Timestamp { max(liveUntil, authors.values.map(\.until).max() ?? liveUntil) }

    /// Whether anything was heard after a moment.
    func wasHeard(after moment: Timestamp) -> Bool {
        liveUntil > moment || authors.values.contains { $0.until > moment }
    }

    /// Until when an author was heard here; `nil` for one who never was.
    func until(_ author: PublicKey) -> Timestamp? {
        authors[author].map { $0.isLive ? max($0.until, liveUntil) : $0.until }
    }

    /// A question for some authors ended with everything the relay has from a moment on.
    ///
    /// - Parameter came: how many events of each came before anything was known of the relay.
    mutating func complete(_ asked: Set<PublicKey>, since: Timestamp, came: [PublicKey: Int], now: Timestamp) {
        for author in asked {
            var stretch =
                authors[author] ?? Stretch(since: since, until: now, events: Double(came[author, default: 0]))
            // With a hole before the question, what lies behind it does not count.
            stretch.since = (until(author) ?? now) < since ? since : min(stretch.since, since)
            stretch.until = now
            authors[author] = stretch
        }
    }

    /// These authors are being read live until now; of others who were, nothing is heard any more.
    ///
    /// - Returns: whether there are others than before.
    mutating func setLive(_ reading: Set<PublicKey>, now: Timestamp) -> Bool {
        var isNew = false
        for (author, stretch) in authors where stretch.isLive != reading.contains(author) {
            isNew = true
            if stretch.isLive { authors[author]?.until = max(stretch.until, liveUntil) }
            authors[author]?.isLive.toggle()
        }
        // Of a relay where nobody is read live nothing was heard now.
        if !reading.isEmpty { liveUntil = now }
        return isNew
    }

    /// The same people are being read live until now.
    mutating func staysLive(now: Timestamp) { liveUntil = now }

    /// Events of an author came from here.
    mutating func count(_ events: Int, of author: PublicKey) { authors[author]?.events += Double(events) }

    /// What came long ago counts less and less, since people move: half after a month.
    mutating func age(now: Timestamp) {
        let days = min((now.seconds - agedAt.seconds) / 86_400, 365)
        guard days >= 1 else { return }
        let factor = (0..<days).reduce(1.0) { factor, _ in factor * 0.977 }
        for author in authors.keys { authors[author]?.events *= factor }
        agedAt = now
    }

    /// Leaves out authors who are wanted no more.
    mutating func keep(only wanted: Set<PublicKey>) { authors = authors.filter { wanted.contains($0.key) } }
}

// MARK: - Records

extension RelayCoverage {
    private static let version: UInt8 = 1

    /// A version and when counts were aged; then for each author the key, since, until, events, and whether read live.
    var record: [UInt8] {
        var bytes = [Self.version]
        bytes.append(bigEndian: agedAt.seconds)
        for (author, stretch) in authors.sorted(by: { $0.key < $1.key }) {
            bytes += author.bytes.array
            bytes.append(bigEndian: stretch.since.seconds)
            bytes.append(bigEndian: stretch.until.seconds)
            bytes.append(bigEndian: Int64(min(max(stretch.events.rounded(), 0), 1e9)))
            bytes.append(stretch.isLive ? 1 : 0)
        }
        return bytes
    }

    /// Reads what was written, nobody being read live for now; `nil` for another version, or a part of a record.
    ///
    /// - Parameter liveUntil: kept beside the authors, as it changes far more often.
    init?(record: [UInt8], liveUntil: Timestamp) {
        var reader = ByteReader(record)
        guard reader.byte() == Self.version, let aged = reader.integer() else { return nil }
        agedAt = Timestamp(seconds: aged)
        self.liveUntil = liveUntil
        while !reader.rest.isEmpty {
            guard let author = reader.bytes32().map(PublicKey.init), let since = reader.integer(),
                let until = reader.integer(), let events = reader.integer(), let live = reader.byte()
            else { return nil }
            let end = Timestamp(seconds: until)
            authors[author] = Stretch(
                since: Timestamp(seconds: since), until: live == 1 ? max(end, liveUntil) : end, events: Double(events))
        }
    }
}
