public import NostrCore
internal import NostrNIPs

/// Where people were seen or are said to be, for those whose relay list is not known.
///
/// Two sources: a hint somebody wrote into a tag or an `nprofile`, and the relay an event of theirs came from, which
/// weighs more because it is a fact. Bounded: eight relays per person, oldest people first to go.
public struct RelayHints: Hashable, Sendable {
    /// Where a hint comes from.
    public enum Source: Hashable, Sendable {
        /// Somebody wrote it: a tag's third element, an `nprofile` or `nevent`.
        case claimed
        /// An event of that person came from there.
        case seen
    }

    private static let perPerson = 8
    private let capacity: Int
    private var people: [PublicKey: [RelayURL: Int]] = [:]
    private var order: [PublicKey] = []

    /// Keeps hints about at most `capacity` people.
    public init(capacity: Int = 5000) {
        self.capacity = max(capacity, 1)
    }

    /// Remembers one hint.
    public mutating func note(_ relay: RelayURL, for person: PublicKey, _ source: Source) {
        if people[person] == nil { makeRoom(for: person) }
        var known = people[person] ?? [:]
        let weight = source == .seen ? 4 : 1
        guard known[relay] != nil || known.count < Self.perPerson || source == .seen else { return }
        known[relay, default: 0] += weight
        if known.count > Self.perPerson, let least = known.min(by: { ($0.value, $1.key) < ($1.value, $0.key) }) {
            known[least.key] = nil
        }
        people[person] = known
    }

    /// Learns from an event: `p` relay hints, `e`, `q` and `E` hints that name an author, and the relays inside
    /// `nprofile` and `nevent` in its text.
    public mutating func learn(from event: Event) {
        for tag in event.tags.prefix(200) {
            switch tag.name {
            case "p", "P": note(tag[2], person: tag.value)
            case "e", "E": note(tag[2], person: tag[4] ?? (tag.name == "E" ? tag[3] : nil))
            case "q": note(tag[2], person: tag[3])
            default: continue
            }
        }
        for entity in event.textReferences.prefix(20) {
            guard let author = entity.author else { continue }
            for relay in entity.relays.prefix(3) { note(relay, for: author, .claimed) }
        }
    }

    /// The relays a person was hinted at, best first.
    public func relays(of person: PublicKey) -> [RelayURL] {
        (people[person] ?? [:]).sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    }

    private mutating func note(_ relay: String?, person: String?) {
        // A hint is a courtesy of a stranger: whatever does not parse is no hint.
        guard let relay, !relay.isEmpty, let person, let key = try? PublicKey(hex: person),
            let url = try? RelayURL(relay)
        else { return }
        note(url, for: key, .claimed)
    }

    private mutating func makeRoom(for person: PublicKey) {
        order.append(person)
        guard order.count > capacity else { return }
        let leaving = order.prefix(capacity / 10 + 1)
        for key in leaving { people[key] = nil }
        order.removeFirst(leaving.count)
    }
}
