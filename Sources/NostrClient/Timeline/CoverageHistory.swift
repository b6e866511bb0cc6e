public import NostrCore
public import NostrStore

/// What every relay has given of whom, over restarts: from when each is asked on, and how much it is worth.
public struct CoverageHistory: Sendable {
    static let table = "coverage"
    /// Relays of which nothing was heard for so long are forgotten.
    private static let longest: Duration = .seconds(90 * 86_400)
    private static let mostRelays = 1000
    /// Counts are written together with something else, or after so long.
    private static let pause: Duration = .seconds(600)

    private var relays: [RelayURL: RelayCoverage] = [:]
    private var changed: Set<RelayURL> = []
    private var counted: Set<RelayURL> = []
    private var moved: Set<RelayURL> = []
    /// Who was read live where, as far as it was taken in.
    private var readLive: [RelayURL: Set<PublicKey>] = [:]
    private var lastWritten: Timestamp?

    /// Nothing was heard yet.
    public init() {}

    /// Until when an author was heard at a relay; `nil` when never.
    public func until(_ author: PublicKey, at relay: RelayURL) -> Timestamp? { relays[relay]?.until(author) }

    /// Of whom some relay has given all it holds, at this start or an earlier one.
    var authors: Set<PublicKey> { relays.values.reduce(into: []) { $0.formUnion($1.authors.keys) } }

    /// What each relay has given of an author.
    func stretches(of author: PublicKey) -> [RelayURL: RelayCoverage.Stretch] {
        relays.compactMapValues { coverage in
            coverage.authors[author].map { stretch in
                var stretch = stretch
                stretch.until = coverage.until(author) ?? stretch.until
                return stretch
            }
        }
    }

    /// The relays that passed on what came to them within the last week.
    func lately(_ now: Timestamp) -> Set<RelayURL> {
        Set(relays.filter { _, coverage in coverage.liveUntil + .seconds(7 * 86_400) >= now }.keys)
    }

    /// A question ended with everything a relay has of some authors from a moment on.
    public mutating func complete(
        _ authors: Set<PublicKey>, at relay: RelayURL, since: Timestamp, came: [PublicKey: Int], now: Timestamp
    ) {
        relays[relay, default: RelayCoverage(now: now)].complete(authors, since: since, came: came, now: now)
        changed.insert(relay)
        readLive[relay] = nil
    }

    /// These relays pass on what these authors write, as it comes; others do not.
    mutating func setLive(_ reading: [RelayURL: Set<PublicKey>], now: Timestamp) {
        for relay in relays.keys {
            let live = reading[relay] ?? []
            if !live.isEmpty { moved.insert(relay) }
            // Mostly they are the same as a moment ago.
            if readLive[relay] == live {
                if !live.isEmpty { relays[relay]?.staysLive(now: now) }
                continue
            }
            if relays[relay]?.setLive(live, now: now) == true { changed.insert(relay) }
            readLive[relay] = live
        }
    }

    /// Events came from a relay, each for the first time: so many of each author.
    public mutating func count(_ events: [PublicKey: Int], from relay: RelayURL) {
        guard relays[relay] != nil else { return }
        for (author, number) in events { relays[relay]?.count(number, of: author) }
        counted.insert(relay)
    }

    /// Events came from a relay, each for the first time.
    mutating func count(_ events: [Event], from relay: RelayURL) {
        count(events.reduce(into: [:]) { $0[$1.pubkey, default: 0] += 1 }, from: relay)
    }

    /// What relays gave of authors, to choose by.
    public func measured(_ authors: Set<PublicKey>) -> MeasuredDelivery {
        var measured = MeasuredDelivery()
        for (relay, coverage) in relays {
            // Of a follow more only that one is looked up, at relays that gave something of thousands.
            if authors.count < coverage.authors.count {
                for author in authors {
                    guard let stretch = coverage.authors[author] else { continue }
                    measured.note(stretch.events, of: author, from: relay)
                }
            } else {
                for (author, stretch) in coverage.authors where authors.contains(author) {
                    measured.note(stretch.events, of: author, from: relay)
                }
            }
        }
        return measured
    }
}

// MARK: - Records

extension CoverageHistory {
    private static let authorsPrefix = "authors "
    private static let untilPrefix = "until "

    /// Reads what was kept; what cannot be read is asked for anew.
    public init(records: [Record], now: Timestamp) {
        var moments: [String: Timestamp] = [:]
        for record in records where record.key.hasPrefix(Self.untilPrefix) {
            guard let seconds = Int64(String(decoding: record.value, as: UTF8.self)) else { continue }
            moments[String(record.key.dropFirst(Self.untilPrefix.count))] = Timestamp(seconds: seconds)
        }
        for record in records where record.key.hasPrefix(Self.authorsPrefix) {
            let address = String(record.key.dropFirst(Self.authorsPrefix.count))
            // An address that was written here is one.
            guard let relay = try? RelayURL(address),
                var coverage = RelayCoverage(record: record.value, liveUntil: moments[address] ?? Timestamp(seconds: 0))
            else { continue }
            coverage.age(now: now)
            relays[relay] = coverage
        }
    }

    /// What is to be written now; empties the list of it.
    ///
    /// - Parameter isLast: whether nothing will be written after this, so that counts do not wait.
    public mutating func changes(wanted: Set<PublicKey>, now: Timestamp, isLast: Bool = false) -> [RecordChange] {
        if isLast || lastWritten.map({ $0 + Self.pause <= now }) ?? false { changed.formUnion(counted) }
        if lastWritten == nil || !changed.isEmpty { lastWritten = now }
        var changes: [RecordChange] = []
        for relay in old(now) {
            relays[relay] = nil
            readLive[relay] = nil
            changed.remove(relay)
            moved.remove(relay)
            changes.append(.remove(table: Self.table, key: Self.authorsPrefix + relay.text))
            changes.append(.remove(table: Self.table, key: Self.untilPrefix + relay.text))
        }
        for relay in changed {
            relays[relay]?.keep(only: wanted)
            relays[relay]?.age(now: now)
            guard let coverage = relays[relay] else { continue }
            changes.append(.put(table: Self.table, key: Self.authorsPrefix + relay.text, value: coverage.record))
            moved.insert(relay)
        }
        for relay in moved {
            guard let until = relays[relay]?.liveUntil else { continue }
            changes.append(
                .put(table: Self.table, key: Self.untilPrefix + relay.text, value: Array("\(until.seconds)".utf8)))
        }
        counted.subtract(changed)
        (changed, moved) = ([], [])
        return changes
    }

    /// Relays to forget: not heard for long, or too many.
    private func old(_ now: Timestamp) -> [RelayURL] {
        let silent = relays.filter { !$0.value.wasHeard(after: now - Self.longest) }.map(\.key)
        guard relays.count - silent.count > Self.mostRelays else { return silent }
        return relays.sorted { ($1.value.lastHeard, $1.key) < ($0.value.lastHeard, $0.key) }
            .dropFirst(Self.mostRelays).map(\.key)
    }
}
