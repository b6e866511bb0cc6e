internal import NostrCore
internal import NostrNIPs

/// How many people name each relay on their lists, to choose relays for somebody who has none.
///
/// The few that everybody names are left out: whoever is new adds to what is too large already, and is read as well
/// elsewhere. So are those that hardly anybody names, which are often gone, private, or somebody's own.
struct RelayTally: Sendable {
    /// So many of the most named are left out.
    static let crowded = 5
    /// So many people must name a relay.
    static let fewestNames = 3
    /// So many relays are tried at most.
    static let mostCandidates = 15
    /// Entries of one list that count; longer lists are no choice.
    private static let longestList = 20

    /// A relay to try.
    struct Candidate: Hashable, Sendable {
        var relay: RelayURL
        var names: Int
    }

    private struct List: Sendable {
        var event: Event
        var relays: Set<RelayURL>
    }

    private var lists: [PublicKey: List] = [:]

    /// How many people's lists were read.
    var people: Int { lists.count }

    /// Counts a relay list; of one person only the newest, and other events not at all.
    mutating func count(_ event: Event) {
        guard event.supersedes(lists[event.pubkey]?.event), let list = RelayList(event) else { return }
        lists[event.pubkey] = List(event: event, relays: Set(list.entries.prefix(Self.longestList).map(\.relay)))
    }

    /// The relays to try, the most named first; of equals the first by address.
    ///
    /// - Parameter isUsable: whether a relay that strangers name may be contacted.
    func candidates(_ isUsable: (RelayURL) -> Bool) -> [Candidate] {
        Array(
            ranked(isUsable).dropFirst(Self.crowded).prefix { $0.names >= Self.fewestNames }.prefix(Self.mostCandidates)
        )
    }

    /// The few that everybody names, which are left out whoever else names them.
    func crowded(_ isUsable: (RelayURL) -> Bool) -> [RelayURL] {
        ranked(isUsable).prefix(Self.crowded).filter { $0.names >= Self.fewestNames }.map(\.relay)
    }

    private func ranked(_ isUsable: (RelayURL) -> Bool) -> [Candidate] {
        var names: [RelayURL: Int] = [:]
        for list in lists.values {
            for relay in list.relays where isUsable(relay) { names[relay, default: 0] += 1 }
        }
        return names.map { Candidate(relay: $0.key, names: $0.value) }.sorted {
            $0.names != $1.names ? $0.names > $1.names : $0.relay < $1.relay
        }
    }
}
