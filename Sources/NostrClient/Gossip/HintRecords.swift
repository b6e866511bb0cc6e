internal import NostrCore
internal import NostrStore

/// What of ``RelayHints`` is kept in the account's file, and when it is written.
///
/// Of people whose relay list is not known, those the account follows before all others: the three relays that count
/// most, of at most a thousand people. What is on disk is replaced where other relays count most, or once a week, so
/// that the many events that only confirm it cost no writing.
///
/// Shape on disk: table `relay-hints`, key the person's key; a version and when it was written, then for each relay
/// what it counts, in thousandths, and its address behind one byte for the length.
struct HintRecords: Sendable {
    static let table = "relay-hints"
    static let mostPeople = 1000
    static let perPerson = 3
    /// However often something was seen, it is forgotten within a year.
    private static let mostWeight = 16.0
    private static let least = 0.06
    private static let pause: Duration = .seconds(600)
    private static let renewal: Duration = .seconds(7 * 86_400)
    private static let version: UInt8 = 1

    private struct Written: Hashable, Sendable {
        var relays: [RelayURL]
        var moment: Timestamp
    }

    private var written: [PublicKey: Written] = [:]
    private var lastWritten: Timestamp?

    /// Nothing is on disk.
    init() {}

    /// Reads what was kept, as far as it still counts; what cannot be read is dropped at the next writing.
    ///
    /// - Returns: what each relay of a person counts now.
    mutating func read(_ records: [Record], now: Timestamp) -> [PublicKey: [RelayURL: Double]] {
        var found: [PublicKey: [RelayURL: Double]] = [:]
        for record in records {
            // A key that was written here is one.
            guard let person = try? PublicKey(hex: record.key) else { continue }
            let (relays, moment) = Self.relays(in: record.value) ?? ([], Timestamp(seconds: 0))
            written[person] = Written(relays: relays.map(\.relay), moment: moment)
            guard found.count < Self.mostPeople else { continue }
            let days = min(max(now.seconds - moment.seconds, 0) / 86_400, 365)
            let factor = (0..<days).reduce(1.0) { factor, _ in factor * 0.977 }
            let counting = relays.map { ($0.relay, $0.weight * factor) }.filter { $0.1 > Self.least }
            if !counting.isEmpty { found[person] = Dictionary(counting) { first, _ in first } }
        }
        return found
    }

    /// What is to be written now.
    ///
    /// - Parameters:
    ///   - isListed: whether a person's own list is known, which makes hints needless.
    ///   - isLast: whether nothing will be written after this.
    mutating func changes(
        of hints: RelayHints, followed: Set<PublicKey>, isListed: (PublicKey) -> Bool, now: Timestamp,
        isLast: Bool = false
    ) -> [RecordChange] {
        let isDue = lastWritten.map { $0 + Self.pause <= now } ?? false
        if lastWritten == nil || isDue { lastWritten = now }
        guard isDue || isLast else { return [] }
        let people = chosen(hints, followed, isListed)
        var changes: [RecordChange] = []
        for person in written.keys.filter({ !people.contains($0) }).sorted() {
            written[person] = nil
            changes.append(.remove(table: Self.table, key: person.hex))
        }
        for person in people.sorted() {
            let relays = hints.weighted(person).prefix(Self.perPerson).map { (relay: $0.key, weight: $0.value) }
            let addresses = relays.map(\.relay)
            if let before = written[person], before.relays == addresses, before.moment + Self.renewal > now { continue }
            written[person] = Written(relays: addresses, moment: now)
            changes.append(.put(table: Self.table, key: person.hex, value: Self.bytes(relays, now)))
        }
        return changes
    }

    /// Whose hints are kept.
    private func chosen(
        _ hints: RelayHints, _ followed: Set<PublicKey>, _ isListed: (PublicKey) -> Bool
    ) -> Set<PublicKey> {
        let open = hints.best.filter { !isListed($0.key) }
        guard open.count > Self.mostPeople else { return Set(open.keys) }
        func order(_ person: PublicKey, _ best: Double) -> (Int, Double) { (followed.contains(person) ? 1 : 0, best) }
        return Set(
            open.sorted { first, second in
                let (one, other) = (order(first.key, first.value), order(second.key, second.value))
                return one == other ? first.key < second.key : one > other
            }.prefix(Self.mostPeople).map(\.key))
    }

    private static func relays(in bytes: [UInt8]) -> (relays: [(relay: RelayURL, weight: Double)], moment: Timestamp)? {
        var reader = ByteReader(bytes)
        guard reader.byte() == version, let moment = reader.integer() else { return nil }
        var relays: [(relay: RelayURL, weight: Double)] = []
        while relays.count < perPerson, !reader.rest.isEmpty {
            guard let weight = reader.integer(), let address = reader.short() else { return nil }
            // An address that was written here is one.
            guard let relay = try? RelayURL(String(decoding: address, as: UTF8.self)) else { continue }
            relays.append((relay, min(Double(min(max(weight, 0), 1_000_000)) / 1000, mostWeight)))
        }
        return (relays, Timestamp(seconds: min(max(moment, 0), 1 << 40)))
    }

    private static func bytes(_ relays: [(relay: RelayURL, weight: Double)], _ now: Timestamp) -> [UInt8] {
        var bytes = [version]
        bytes.append(bigEndian: now.seconds)
        for (relay, weight) in relays {
            let address = Array(relay.text.utf8)
            // Longer ones are nobody's relay.
            guard let length = UInt8(exactly: address.count) else { continue }
            bytes.append(bigEndian: Int64(min(weight, mostWeight) * 1000))
            bytes.append(length)
            bytes += address
        }
        return bytes
    }
}
