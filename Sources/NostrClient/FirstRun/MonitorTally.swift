internal import NostrCore
internal import NostrNIPs

/// What monitors say of relays (NIP-66), to choose relays to try beside those that people name.
///
/// A monitor is a stranger: what it says makes a relay one to try, and nothing more. Those that ask for money, or for who
/// one is, are of no use to somebody new.
struct MonitorTally: Sendable {
    /// What was found out longer ago says nothing any more.
    static let longest: Duration = .seconds(3 * 86_400)
    /// More claims than these of one monitor do not count: what one stranger can say is bounded.
    private static let mostClaims = 1000
    private static let mostMonitors = 20
    /// So many relays are tried beside those that people name.
    static let mostBeside = 5

    /// A relay to try, and how many monitors reached it.
    struct Candidate: Hashable, Sendable {
        var relay: RelayURL
        var monitors: Int
        var openTime: Duration?
    }

    private let now: Timestamp
    private var claims: [PublicKey: [RelayURL: RelayDiscovery]] = [:]

    init(now: Timestamp) { self.now = now }

    /// Counts a claim; of one monitor and relay only the newest, and other events not at all.
    mutating func count(_ event: Event) {
        guard event.kind == RelayDiscovery.kind, event.createdAt + Self.longest > now,
            event.createdAt <= now + .seconds(3600), let claim = RelayDiscovery(event)
        else { return }
        if claims[claim.monitor] == nil, claims.count >= Self.mostMonitors { return }
        let known = claims[claim.monitor]?[claim.relay]
        if known == nil, claims[claim.monitor, default: [:]].count >= Self.mostClaims { return }
        if let known, known.createdAt >= claim.createdAt { return }
        claims[claim.monitor, default: [:]][claim.relay] = claim
    }

    /// The relays to try: those that most monitors reached, of equals the fastest, then the first by address.
    ///
    /// - Parameter isUsable: whether a relay that strangers name may be contacted.
    func candidates(_ isUsable: (RelayURL) -> Bool) -> [Candidate] {
        var found: [RelayURL: Candidate] = [:]
        for claim in claims.values.joined().map(\.value) where claim.isOfUse && isUsable(claim.relay) {
            var candidate = found[claim.relay] ?? Candidate(relay: claim.relay, monitors: 0)
            candidate.monitors += 1
            if let time = claim.openTime { candidate.openTime = candidate.openTime.map { min($0, time) } ?? time }
            found[claim.relay] = candidate
        }
        return found.values.sorted { a, b in
            if a.monitors != b.monitors { return a.monitors > b.monitors }
            let (first, second) = (a.openTime ?? .seconds(60), b.openTime ?? .seconds(60))
            return first != second ? first < second : a.relay < b.relay
        }
    }
}

extension RelayDiscovery {
    /// Whether the relay was reached, in the open, and takes what a stranger writes.
    fileprivate var isOfUse: Bool {
        guard openTime != nil, network == nil || network == "clearnet" else { return false }
        let closed: Set<String> = ["auth", "payment", "writes", "pow"]
        return !requirements.contains { $0.isRequired && closed.contains($0.name) }
    }
}
