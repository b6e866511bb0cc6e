internal import NostrCore

/// What is asked of which relay: everything of a few, and of the others only what is for signers paired there.
struct WatchPlan: Sendable {
    private struct Watch {
        let signers: Set<PublicKey>
        let since: Timestamp
    }

    private let primary: Set<RelayURL>
    private let start: Timestamp
    private let mostRelays: Int
    private var watches: [RelayURL: Watch] = [:]
    /// Relays that signers paired on and that there was no place for.
    private(set) var leftOut = 0

    /// - Parameters:
    ///   - primary: relays whose requests all are read, whoever they are for.
    ///   - start: from when on requests are wanted.
    ///   - mostRelays: how many others are watched; those with the most signers go first.
    init(primary: Set<RelayURL>, start: Timestamp, mostRelays: Int) {
        self.primary = primary
        self.start = start
        self.mostRelays = mostRelays
    }

    /// Takes what pairings say now.
    ///
    /// A relay whose signers stay is asked exactly as before, so that its subscription stays too.
    ///
    /// - Parameter since: from when on requests are wanted where the signers changed.
    mutating func update(_ wanted: [RelayURL: Set<PublicKey>], since: Timestamp) -> [RelayURL: [Filter]] {
        let others = wanted.filter { !primary.contains($0.key) && !$0.value.isEmpty }
            .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        leftOut = max(others.count - mostRelays, 0)
        var next: [RelayURL: Watch] = [:]
        for (relay, signers) in others.prefix(mostRelays) {
            if let watch = watches[relay], watch.signers == signers {
                next[relay] = watch
            } else {
                next[relay] = Watch(signers: signers, since: since)
            }
        }
        watches = next
        return requests
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
