internal import NostrCore
internal import NostrRelay

/// What was asked of which relay for whom, how it ended, and what came.
struct CoverageLedger: Sendable {
    private static let mostCounted = 8000
    /// With the rests of a relay that is down (``RelayHealth``) these take a quarter of an hour.
    private static let mostSecondTries = 6

    private var asked: [PublicKey: [RelayURL: RelayEnding?]] = [:]
    private var failed: [RelayURL: Bool] = [:]
    private var secondTries: [RelayURL: Int] = [:]
    private var counted: [RelayURL: Set<EventID>] = [:]
    private var received: [PublicKey: [RelayURL: Int]] = [:]
    private var changes: [RelayURL: Int] = [:]
    /// How often questions were forgotten, so that there may be something to ask again.
    private(set) var forgotten = 0

    /// How often anything about questions to a relay changed.
    func changes(at relay: RelayURL) -> Int { changes[relay] ?? 0 }

    /// Of the relays, and whom to ask there, what was not asked yet.
    func unasked(_ relays: [RelayURL: Set<PublicKey>]) -> [RelayURL: Set<PublicKey>] {
        var open: [RelayURL: Set<PublicKey>] = [:]
        for (relay, authors) in relays {
            let new = authors.filter { asked[$0]?.index(forKey: relay) == nil }
            if !new.isEmpty { open[relay] = new }
        }
        return open
    }

    /// A question for these authors goes to this relay.
    mutating func ask(_ authors: Set<PublicKey>, of relay: RelayURL) {
        for author in authors { asked[author, default: [:]].updateValue(nil, forKey: relay) }
        changes[relay, default: 0] += 1
    }

    /// The question ended so.
    mutating func end(_ authors: Set<PublicKey>, of relay: RelayURL, _ ending: RelayEnding) {
        for author in authors { asked[author, default: [:]].updateValue(ending, forKey: relay) }
        changes[relay, default: 0] += 1
        if ending == .complete { secondTries[relay] = nil } else { failed[relay] = true }
    }

    /// Whether the question for any of these authors is still running at a relay.
    func isOpen(_ authors: Set<PublicKey>, at relay: RelayURL) -> Bool {
        authors.contains { author in
            if case .some(.none) = asked[author]?[relay] { true } else { false }
        }
    }

    /// Of these authors, those of whom a relay has sent all it holds.
    func complete(_ authors: Set<PublicKey>, at relay: RelayURL) -> Set<PublicKey> {
        authors.filter { asked[$0]?[relay] == .some(.some(.complete)) }
    }

    /// Forgets questions at a relay that did not end complete, so that they are asked again; at most six times.
    ///
    /// - Returns: for how many authors.
    @discardableResult
    mutating func forgetFailures(at relay: RelayURL) -> Int {
        guard failed[relay] == true, secondTries[relay, default: 0] < Self.mostSecondTries else { return 0 }
        var found = 0
        for (author, relays) in asked {
            guard case .some(.some(let ending)) = relays[relay], ending != .complete else { continue }
            asked[author]?.removeValue(forKey: relay)
            found += 1
        }
        didForget(relay)
        secondTries[relay, default: 0] += 1
        return found
    }

    /// Forgets that a relay was asked, so that it is asked again.
    mutating func forget(_ relay: RelayURL) {
        for (author, relays) in asked {
            guard case .some(.some) = relays[relay] else { continue }
            asked[author]?.removeValue(forKey: relay)
        }
        didForget(relay)
    }

    private mutating func didForget(_ relay: RelayURL) {
        failed[relay] = nil
        changes[relay, default: 0] += 1
        forgotten += 1
    }

    /// Events came; each counts once per relay, though questions and standing subscriptions overlap.
    ///
    /// - Returns: those that came from there for the first time.
    mutating func receive(_ events: [Event], from relay: RelayURL) -> [Event] {
        if counted[relay, default: []].count > Self.mostCounted { counted[relay] = [] }
        let new = events.filter { counted[relay, default: []].insert($0.id).inserted }
        for event in new { received[event.pubkey, default: [:]][relay, default: 0] += 1 }
        return new
    }

    /// How each question for an author ended; `nil` inside while it runs.
    func asked(for author: PublicKey) -> [RelayURL: RelayEnding?] { asked[author] ?? [:] }

    /// What came of some authors from one relay.
    func received(of authors: Set<PublicKey>, from relay: RelayURL) -> [PublicKey: Int] {
        authors.reduce(into: [:]) { counts, author in counts[author] = received[author]?[relay] }
    }

    /// What came of an author from each relay.
    func received(of author: PublicKey) -> [RelayURL: Int] { received[author] ?? [:] }
}
