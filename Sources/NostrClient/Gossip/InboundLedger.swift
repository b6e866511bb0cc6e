internal import NostrCore
internal import NostrStore
internal import Synchronization

/// What each relay gave of what others sent to the account, over restarts: how far, and how much.
///
/// Whatever came is held, so what is missing is what relays were not asked for, or did not answer.
struct InboundTally: Hashable, Sendable {
    static let table = "inbound"
    /// So many events of one relay are known again; what came before is counted once more at worst.
    static let mostKnown = 500
    private static let mostEntries = 200
    private static let version: UInt8 = 1

    private struct Key: Hashable, Sendable {
        let sort: InboundCoverage.Sort
        let relay: RelayURL

        var record: String { sort.rawValue + " " + relay.text }
    }

    private struct Entry: Hashable, Sendable {
        var standing = InboundCoverage.Standing.notAsked
        var isLive = false
        var until: Timestamp?
        var received = 0
        /// The beginnings of the ids that came last, oldest first.
        var known: [UInt64] = []
    }

    private var entries: [Key: Entry] = [:]
    private var changed: Set<Key> = []

    /// A relay is asked for all it holds.
    mutating func ask(_ sort: InboundCoverage.Sort, of relay: RelayURL) {
        let key = Key(sort: sort, relay: relay)
        guard entries[key] != nil || entries.count < Self.mostEntries else { return }
        entries[key, default: Entry()].standing = .asking
    }

    /// The question ended; ends that were not asked for say nothing.
    mutating func end(_ sort: InboundCoverage.Sort, at relay: RelayURL, isComplete: Bool, now: Timestamp) {
        let key = Key(sort: sort, relay: relay)
        guard entries[key]?.standing == .asking else { return }
        entries[key]?.standing = isComplete ? .complete : .failed
        if isComplete { entries[key]?.until = now }
        changed.insert(key)
    }

    /// Events came from a relay; each counts once.
    mutating func receive(_ sort: InboundCoverage.Sort, _ ids: [EventID], from relay: RelayURL) {
        let key = Key(sort: sort, relay: relay)
        guard !ids.isEmpty, var entry = entries[key] else { return }
        var known = Set(entry.known)
        for id in ids {
            let mark = id.mark
            guard known.insert(mark).inserted else { continue }
            entry.received += 1
            entry.known.append(mark)
        }
        if entry.known.count > Self.mostKnown { entry.known.removeFirst(entry.known.count - Self.mostKnown) }
        guard entry != entries[key] else { return }
        entries[key] = entry
        changed.insert(key)
    }

    /// A relay passes on what comes from now on, or no longer does.
    mutating func setLive(_ sort: InboundCoverage.Sort, at relay: RelayURL, _ isLive: Bool, now: Timestamp) {
        let key = Key(sort: sort, relay: relay)
        guard let entry = entries[key], entry.isLive != isLive else { return }
        entries[key]?.isLive = isLive
        if !isLive, entry.standing == .complete { entries[key]?.until = now }
        changed.insert(key)
    }

    /// What a relay gave so far.
    func coverage(_ sort: InboundCoverage.Sort, of relay: RelayURL, now: Timestamp) -> InboundCoverage {
        let entry = entries[Key(sort: sort, relay: relay)] ?? Entry()
        let isNow = entry.isLive && entry.standing == .complete
        return InboundCoverage(
            relay: relay, sort: sort, standing: entry.standing, heardUntil: isNow ? now : entry.until,
            received: entry.received)
    }

    // MARK: Records

    /// Nothing was heard yet.
    init() {}

    /// Reads what was kept; what cannot be read begins anew.
    init(records: [Record]) {
        for record in records.prefix(Self.mostEntries) {
            let words = record.key.split(separator: " ", maxSplits: 1).map(String.init)
            var reader = ByteReader(record.value)
            // An address that was written here is one.
            guard let first = words.first, let last = words.last, words.count == 2,
                let sort = InboundCoverage.Sort(rawValue: first), let relay = try? RelayURL(last),
                reader.byte() == Self.version, let until = reader.integer(), let received = reader.integer()
            else { continue }
            var entry = Entry()
            entry.until = until > 0 ? Timestamp(seconds: until) : nil
            entry.received = Int(max(0, min(received, 1_000_000_000)))
            while entry.known.count < Self.mostKnown, let mark = reader.integer() {
                entry.known.append(UInt64(bitPattern: mark))
            }
            entries[Key(sort: sort, relay: relay)] = entry
        }
    }

    /// What is to be written now; empties the list of it.
    mutating func changes(now: Timestamp) -> [RecordChange] {
        for (key, entry) in entries where entry.isLive && entry.standing == .complete {
            entries[key]?.until = now
            changed.insert(key)
        }
        defer { changed = [] }
        return changed.compactMap { key in
            entries[key].map { .put(table: Self.table, key: key.record, value: Self.bytes(of: $0)) }
        }
    }

    private static func bytes(of entry: Entry) -> [UInt8] {
        var bytes = [version]
        bytes.append(bigEndian: entry.until?.seconds ?? 0)
        bytes.append(bigEndian: Int64(entry.received))
        for mark in entry.known { bytes.append(bigEndian: Int64(bitPattern: mark)) }
        return bytes
    }
}

extension EventID {
    /// The first eight bytes: enough to know an id again among some hundred.
    fileprivate var mark: UInt64 { bytes.array.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// One such tally, shared by what receives messages and what receives notifications.
final class InboundLedger: Sendable {
    private let tally = Mutex(InboundTally())

    func load(_ records: [Record]) {
        let kept = InboundTally(records: records)
        tally.withLock { $0 = kept }
    }

    func ask(_ sort: InboundCoverage.Sort, of relay: RelayURL) { tally.withLock { $0.ask(sort, of: relay) } }

    func end(_ sort: InboundCoverage.Sort, at relay: RelayURL, isComplete: Bool, now: Timestamp) {
        tally.withLock { $0.end(sort, at: relay, isComplete: isComplete, now: now) }
    }

    func receive(_ sort: InboundCoverage.Sort, _ events: [Event], from relay: RelayURL) {
        tally.withLock { $0.receive(sort, events.map(\.id), from: relay) }
    }

    func setLive(_ sort: InboundCoverage.Sort, at relay: RelayURL, _ isLive: Bool, now: Timestamp) {
        tally.withLock { $0.setLive(sort, at: relay, isLive, now: now) }
    }

    func coverage(_ sort: InboundCoverage.Sort, of relay: RelayURL, now: Timestamp) -> InboundCoverage {
        tally.withLock { $0.coverage(sort, of: relay, now: now) }
    }

    func changes(now: Timestamp) -> [RecordChange] { tally.withLock { $0.changes(now: now) } }
}
