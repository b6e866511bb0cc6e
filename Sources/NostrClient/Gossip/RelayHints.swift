public import NostrCore
internal import NostrNIPs

/// Where people were seen or are said to be, for those whose relay list is not known.
///
/// Two sources: a hint somebody wrote into a tag or an `nprofile`, and the relay an event of theirs came from, which
/// weighs more because it is a fact. People move, so that a hint counts half after a month; a list of their own makes
/// hints needless. Bounded: eight relays per person, where a new one takes the place of one that was named only once;
/// of people the oldest go first, and before them those who were only written about, so that a flood of claims drives
/// out no fact. What counts most is kept over restarts (`HintRecords`).
public struct RelayHints: Hashable, Sendable {
    /// Where a hint comes from.
    public enum Source: Hashable, Sendable {
        /// Somebody wrote it: a tag's third element, an `nprofile` or `nevent`.
        case claimed
        /// An event of that person came from there.
        case seen
    }

    private static let perPerson = 8
    /// A hint that counts less is forgotten: one that was heard once, after four months.
    private static let least = 0.06
    /// What was heard of an event that came counts more than this for about a month.
    private static let fact = 2.0
    private let capacity: Int
    private var people: [PublicKey: [RelayURL: Double]] = [:]
    private var order: [PublicKey] = []
    /// When hints last lost some of their weight.
    private var agedAt: Timestamp?

    /// Keeps hints about at most `capacity` people.
    public init(capacity: Int = 5000) {
        self.capacity = max(capacity, 1)
    }

    /// Remembers one hint.
    public mutating func note(_ relay: RelayURL, for person: PublicKey, _ source: Source) {
        if people[person] == nil { makeRoom(for: person) }
        // Where they stand: every event that comes is noted, and a copy each time is dear.
        Self.note(relay, source, among: &people[person, default: [:]])
    }

    private static func note(_ relay: RelayURL, _ source: Source, among known: inout [RelayURL: Double]) {
        let weight = source == .seen ? 4.0 : 1
        if known[relay] == nil, known.count >= perPerson {
            // Strangers may claim thousands: what one claimed once gives way, what was heard again or seen does not.
            guard let least = known.min(by: { ($0.value, $1.key) < ($1.value, $0.key) }), least.value <= weight else {
                return
            }
            known[least.key] = nil
        }
        known[relay, default: 0] += weight
    }

    /// What was heard long ago counts less and less: half after a month, and nothing once it is next to nothing.
    public mutating func age(now: Timestamp) {
        guard let last = agedAt else {
            agedAt = now
            return
        }
        let days = min((now.seconds - last.seconds) / 86_400, 365)
        guard days >= 1 else { return }
        let factor = (0..<days).reduce(1.0) { factor, _ in factor * 0.977 }
        people = people.mapValues { relays in relays.mapValues { $0 * factor }.filter { $0.value > Self.least } }
            .filter { !$0.value.isEmpty }
        order.removeAll { people[$0] == nil }
        agedAt = now
    }

    /// Learns from an event: `p` relay hints, `e`, `q` and `E` hints that name an author, and the relays inside
    /// `nprofile` and `nevent` in its text.
    public mutating func learn(from event: Event) {
        for hint in event.relayHints { note(hint.relay, for: hint.person, .claimed) }
    }

    /// The relays a person was hinted at, best first.
    public func relays(of person: PublicKey) -> [RelayURL] { weighted(person).map(\.key) }

    /// The relays a person was hinted at with what each hint counts, best first.
    func weighted(_ person: PublicKey) -> [(key: RelayURL, value: Double)] {
        (people[person] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }

    /// Everybody of whom there is a hint, with what the best of each counts.
    var best: [PublicKey: Double] { people.compactMapValues { $0.values.max() } }

    /// Takes over what was kept at earlier starts.
    mutating func restore(_ kept: [PublicKey: [RelayURL: Double]], now: Timestamp) {
        age(now: now)
        for (person, relays) in kept.sorted(by: { $0.key < $1.key }) {
            guard !relays.isEmpty, people[person] == nil, order.count < capacity else { continue }
            people[person] = relays
            order.append(person)
        }
    }

    private mutating func makeRoom(for person: PublicKey) {
        order.append(person)
        guard order.count > capacity else { return }
        let most = capacity / 10 + 1
        // Whoever comes in is noted next.
        let others = order.dropLast()
        var leaving: Set<PublicKey> = []
        for key in others where leaving.count < most && !isFact(key) { leaving.insert(key) }
        for key in others where leaving.count < most { leaving.insert(key) }
        for key in leaving { people[key] = nil }
        order.removeAll(where: leaving.contains)
    }

    private func isFact(_ person: PublicKey) -> Bool { people[person]?.values.contains { $0 >= Self.fact } ?? false }
}

extension Event {
    /// Where this event says that people are: found away from any lock, as it takes parsing.
    var relayHints: [(relay: RelayURL, person: PublicKey)] {
        var hints: [(relay: RelayURL, person: PublicKey)] = []
        func add(_ relay: String?, _ person: String?) {
            // A hint is a courtesy of a stranger: whatever does not parse is no hint.
            guard let relay, !relay.isEmpty, let person, let key = try? PublicKey(hex: person),
                let url = try? RelayURL(relay)
            else { return }
            hints.append((url, key))
        }
        for tag in tags.prefix(200) {
            switch tag.name {
            case "p", "P": add(tag[2], tag.value)
            case "e", "E": add(tag[2], tag[4] ?? (tag.name == "E" ? tag[3] : nil))
            case "q": add(tag[2], tag[3])
            default: continue
            }
        }
        for entity in textReferences.prefix(20) {
            guard let author = entity.author else { continue }
            for relay in entity.relays.prefix(3) { hints.append((relay, author)) }
        }
        return hints
    }
}
