public import NostrCore

/// What a plan of where to read the people of home is made of: all that the program knows at one moment.
///
/// A value, worked out away from any actor: for thousands of people it takes tens of milliseconds of a processor.
public struct HomePlanning: Sendable {
    private let router: RelayRouter
    private let history: CoverageHistory
    private let draws: UInt64
    private let authors: Set<PublicKey>
    private let current: ReadPlan
    private let isRecent: Bool
    private let now: Timestamp

    /// Takes what is known.
    ///
    /// - Parameters:
    ///   - router: lists, hints and how relays behave.
    ///   - history: what relays gave.
    ///   - draws: what decides which relays are tried; the same while the program runs.
    ///   - authors: whom to read.
    ///   - current: the plan in force.
    ///   - isRecent: whether that may be changed where little changed; else there is to be a whole one.
    public init(
        router: RelayRouter, history: CoverageHistory, draws: UInt64, authors: Set<PublicKey>, current: ReadPlan,
        isRecent: Bool, now: Timestamp
    ) {
        (self.router, self.history, self.draws, self.authors) = (router, history, draws, authors)
        (self.current, self.isRecent, self.now) = (current, isRecent, now)
    }

    /// The plan, and whether it was made anew.
    public func plan() -> (plan: ReadPlan, isWhole: Bool) {
        if isRecent, let changed { return (changed, false) }
        let whole = measuring(authors).readPlan(for: authors, now: now)
        // The very same value, where it says the same: then nobody has to compare thousands of people again.
        return (whole == current ? current : whole, true)
    }

    /// The plan in force with a few people more or less; `nil` where only a whole one will do.
    private var changed: ReadPlan? {
        let new = authors.filter { current.assignments[$0] == nil }
        guard let changed = measuring(new).changed(current, for: authors, now: now) else { return nil }
        if changed.relays.keys.allSatisfy({ current.relays[$0] != nil }) { return changed }
        // On a relay that is new in it others are read, too: what it and others gave of them counts then.
        return measuring(authors).changed(current, for: authors, now: now)
    }

    /// The router with what relays gave of some people.
    private func measuring(_ people: Set<PublicKey>) -> RelayRouter {
        var router = router
        router.measured = history.measured(people)
        router.measured.draws = draws
        return router
    }
}
