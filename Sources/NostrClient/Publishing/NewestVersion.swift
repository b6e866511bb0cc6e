internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// The newest version of a replaceable event, and whether enough relays answered to believe that it is the newest.
///
/// A list is replaced whole; written back from an old version it would undo what another device did since, and
/// written back from nothing it would be lost. So: at least one of the author's own write relays must have sent all
/// it holds, and at least two relays in all, where two were asked. While it is not known where the author writes, one of
/// those who know such things must have answered too, or a list that is elsewhere would seem not to exist.
///
/// A relay that is gone (``SilentRelays``) is not waited for: where all others answered, that is enough, also when only
/// one other is left; and where every relay of the author's own is gone, an indexer stands in for them.
struct NewestVersion: Sendable {
    private(set) var own: Set<RelayURL>
    private(set) var asked: Set<RelayURL>
    private let indexers: Set<RelayURL>
    private let address: EventAddress
    private(set) var event: Event?
    private var complete: Set<RelayURL> = []
    /// Those of the relays asked that do not count any more.
    var gone: Set<RelayURL> = []

    init(own: [RelayURL], others: [RelayURL], stored: Event?, address: EventAddress) {
        self.address = address
        self.own = Set(own)
        indexers = Set(others)
        asked = Set(own).union(others)
        event = stored
    }

    mutating func receive(_ update: FetchUpdate) {
        switch update {
        case .events(let events, _):
            for candidate in events where candidate.address == address && candidate.supersedes(event) {
                event = candidate
            }
        case .ended(let relay, .complete): complete.insert(relay)
        case .ended: break
        }
    }

    /// The author turns out to write elsewhere; returns the relays that are still to be asked.
    mutating func learn(own relays: [RelayURL]) -> Set<RelayURL> {
        own = Set(relays)
        defer { asked.formUnion(own) }
        return own.subtracting(asked)
    }

    /// Whether the answer can be built on.
    ///
    /// - Parameter knowsRelays: whether the author's relay list is known.
    func isCertain(knowsRelays: Bool) -> Bool {
        let isOwnGone = own.subtracting(gone).isEmpty && !complete.isDisjoint(with: indexers)
        let hasOwn = own.isEmpty || !complete.isDisjoint(with: own) || isOwnGone
        let hasIndexer = knowsRelays || indexers.isEmpty || !complete.isDisjoint(with: indexers)
        let expected = asked.subtracting(gone).union(complete).count
        return hasOwn && hasIndexer && complete.count >= min(2, expected) && !complete.isEmpty
    }

    /// Why nothing can be built on it.
    func failure(of kind: Kind) -> AccountError {
        let expected = asked.subtracting(gone).union(complete)
        return AccountError(
            .newestUnknown, of: kind, count: complete.count, total: expected.count,
            missing: expected.subtracting(complete).sorted())
    }
}

extension Event {
    /// Whether this version replaces another: the later one does, at the same second the lower id.
    ///
    /// Source: NIP-01.
    func supersedes(_ other: Event?) -> Bool {
        guard let other else { return true }
        return createdAt > other.createdAt || createdAt == other.createdAt && id < other.id
    }
}
