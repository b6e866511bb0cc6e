internal import NostrCore

/// Asking the relays a plan has no connection for, a few at a time and again after a while, as a value.
///
/// Some notes stand on one relay alone, which few people name; twenty connections never reach them all.
struct Sweep: Sendable {
    /// How many relays are asked at once.
    private static let width = 4
    /// After how long a relay is asked again.
    private static let pause: Duration = .seconds(900)

    /// One relay to ask.
    struct Part: Sendable {
        var relay: RelayURL
        var authors: Set<PublicKey>
        /// Whether it was asked before since the start.
        var isAgain: Bool
    }

    private var running: Set<RelayURL> = []
    private var asked: [RelayURL: Timestamp] = [:]

    /// The next relays to ask, those that most authors name first.
    mutating func next(_ relays: [RelayURL: Set<PublicKey>], _ ledger: inout CoverageLedger, now: Timestamp) -> [Part] {
        guard running.count < Self.width else { return [] }
        let waiting = relays.filter { !running.contains($0.key) }
        var open = ledger.unasked(waiting)
        for (relay, authors) in waiting where isDue(relay, now: now) { open[relay] = authors }
        let sorted = open.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
        return sorted.prefix(Self.width - running.count).map { relay, authors in
            // Of those whose turn comes later, what was heard is not forgotten yet.
            if isDue(relay, now: now) { ledger.forget(relay) }
            let isAgain = asked[relay] != nil
            running.insert(relay)
            ledger.ask(authors, of: relay)
            asked[relay] = now
            return Part(relay: relay, authors: authors, isAgain: isAgain)
        }
    }

    /// Whether a relay was asked long enough ago to be asked again.
    private func isDue(_ relay: RelayURL, now: Timestamp) -> Bool {
        asked[relay].map { $0 + Self.pause <= now } ?? false
    }

    /// A relay has been asked.
    mutating func ended(_ relay: RelayURL) { running.remove(relay) }
}
