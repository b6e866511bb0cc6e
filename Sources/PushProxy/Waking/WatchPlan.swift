internal import NostrCore
internal import NostrStore

/// What is asked of which relay: everything of a few, and of the others only what is for signers paired there.
struct WatchPlan: Sendable {
    private struct Watch {
        let signers: Set<PublicKey>
        let since: Timestamp
    }

    private let primary: Set<RelayURL>
    private let start: Timestamp
    private let mostRelays: Int
    private let mostPerNetwork: Int
    private var watches: [RelayURL: Watch] = [:]
    /// Relays that signers paired on and that there was no place for.
    private(set) var leftOut = 0

    /// - Parameters:
    ///   - primary: relays whose requests all are read, whoever they are for.
    ///   - start: from when on requests are wanted.
    ///   - mostRelays: how many others are watched.
    ///   - mostPerNetwork: how many of those one network may take; keys and devices cost nothing to invent.
    init(primary: Set<RelayURL>, start: Timestamp, mostRelays: Int, mostPerNetwork: Int = .max) {
        self.primary = primary
        self.start = start
        self.mostRelays = mostRelays
        self.mostPerNetwork = mostPerNetwork
    }

    /// How long a relay counts as one that wakes come over.
    private static let memory: Duration = .seconds(30 * 86_400)

    /// Takes what pairings say now.
    ///
    /// A relay whose signers stay is asked exactly as before, so that its subscription stays too.
    ///
    /// - Parameter since: from when on requests are wanted where the signers changed.
    mutating func update(_ wanted: [RelayURL: WatchedRelay], since: Timestamp) -> [RelayURL: [Filter]] {
        let others = wanted.filter { !primary.contains($0.key) && !$0.value.signers.isEmpty }
        let chosen = choose(among: others, now: since)
        leftOut = others.count - chosen.count
        var next: [RelayURL: Watch] = [:]
        for (relay, signers) in chosen {
            if let watch = watches[relay], watch.signers == signers {
                next[relay] = watch
            } else {
                next[relay] = Watch(signers: signers, since: since)
            }
        }
        watches = next
        return requests
    }

    /// Relays that wakes were delivered over lately go first, of those the ones known longest; then those that most
    /// networks and most signers name.
    ///
    /// A relay takes a place of the network, among those that name it, with the most places left.
    private func choose(
        among others: [RelayURL: WatchedRelay], now: Timestamp
    ) -> [(relay: RelayURL, signers: Set<PublicKey>)] {
        func rank(_ relay: WatchedRelay) -> (Int64, Int, Int) {
            var since = Int64.max
            if let delivered = relay.delivered, delivered.upperBound + Self.memory >= now {
                since = delivered.lowerBound.seconds
            }
            return (since, -relay.networks.count, -relay.signers.count)
        }
        let ranked = others.sorted { one, other in
            let (first, second) = (rank(one.value), rank(other.value))
            return first == second ? one.key < other.key : first < second
        }
        var taken: [PushNetworkID: Int] = [:]
        var chosen: [(relay: RelayURL, signers: Set<PublicKey>)] = []
        for (relay, watched) in ranked where chosen.count < mostRelays {
            // No pairing is taken without its network, so relays of those that have none cannot be invented.
            if !watched.hasUnknownNetwork {
                guard
                    let network = watched.networks.min(by: {
                        (taken[$0, default: 0], $0.rawValue) < (taken[$1, default: 0], $1.rawValue)
                    }), taken[network, default: 0] < mostPerNetwork
                else { continue }
                taken[network, default: 0] += 1
            }
            chosen.append((relay, watched.signers))
        }
        return chosen
    }

    /// The filters for each relay; the pool splits long lists.
    var requests: [RelayURL: [Filter]] {
        var requests = watches.mapValues { watch in
            [
                Filter(
                    kinds: [WakeRequest.kind], tags: ["p": Set(watch.signers.map(\.hex))], since: watch.since)
            ]
        }
        for relay in primary { requests[relay] = [Filter(kinds: [WakeRequest.kind], since: start)] }
        return requests
    }
}
