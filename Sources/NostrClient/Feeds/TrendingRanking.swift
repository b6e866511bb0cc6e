internal import NostrCore
internal import NostrNIPs

/// Counts who made something of which note, and puts the notes in order.
///
/// Each person counts once for a note, an author not for their own, and what a person dislikes is not counted for it.
struct TrendingRanking: Sendable {
    private let measure: TrendingChoice.Measure
    private let muted: Set<PublicKey>
    private var people: [EventID: Set<PublicKey>] = [:]
    /// Receipts are written by wallets: who paid shows only once they were checked.
    private var receipts: [EventID: Int] = [:]

    /// Nothing was counted yet.
    ///
    /// - Parameter muted: people who count for nothing.
    init(_ measure: TrendingChoice.Measure, without muted: Set<PublicKey> = []) {
        self.measure = measure
        self.muted = muted
    }

    /// Counts an event for the note it is about, if it is of the sort that is measured.
    mutating func count(_ event: Event) {
        guard measure.kinds.contains(event.kind), !muted.contains(event.pubkey), let target = target(of: event),
            target != event.id
        else { return }
        if measure == .zaps {
            receipts[target, default: 0] += 1
        } else {
            people[target, default: []].insert(event.pubkey)
        }
    }

    private func target(of event: Event) -> EventID? {
        switch measure {
        case .reactions:
            guard let reaction = Reaction(event), reaction.meaning != .dislike else { return nil }
            return reaction.target.id
        case .replies: return event.above.parent?.id
        case .reposts: return Repost(event)?.target.id
        case .zaps: return event.tags.first { $0.name == "e" }?.eventID(at: 1)
        }
    }

    /// The notes that most was counted for, at most so many; who wrote them is not known yet.
    func candidates(_ most: Int) -> [EventID] {
        let counts = measure == .zaps ? receipts : people.mapValues(\.count)
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(most).map(\.key)
    }

    /// These notes in order: who has most first, then the newer; without those that nothing is left of.
    ///
    /// - Parameter paid: what was paid for each, in thousandths of a satoshi, where that is measured.
    func ranked(_ events: [Event], paid: [EventID: Int64] = [:]) -> [Event] {
        let counted = events.map { event in (event: event, count: count(of: event, paid)) }
        return counted.filter { $0.count > 0 }.sorted { a, b in
            (b.count, b.event.createdAt, a.event.id) < (a.count, a.event.createdAt, b.event.id)
        }.map(\.event)
    }

    private func count(of event: Event, _ paid: [EventID: Int64]) -> Int64 {
        if measure == .zaps { return paid[event.id] ?? 0 }
        return Int64(people[event.id]?.subtracting([event.pubkey]).count ?? 0)
    }
}
