public import NostrCore

extension EventStore {
    /// Changes from now on that concern some filters: added events one of them matches, every removal, and
    /// ``StoreChange/missed``.
    ///
    /// `limit` plays no part; `search` does. Begin it before the query whose answer it continues, so that nothing falls
    /// between the two.
    public func liveQuery(_ filters: [Filter]) async -> some AsyncSequence<StoreChange, Never> & Sendable {
        let filters = filters.map(LiveFilter.init)
        return await changes().filter { change in
            switch change {
            case .added(let event): filters.contains { $0.matches(event) }
            case .removed, .missed: true
            }
        }
    }
}

/// A filter with its search words split once.
struct LiveFilter: Sendable {
    private let filter: Filter
    private let search: SearchTerms?

    init(_ filter: Filter) {
        self.filter = filter
        search = filter.search.map(SearchTerms.init)
    }

    func matches(_ event: Event) -> Bool {
        guard filter.matches(event) else { return false }
        return search?.match(event) ?? true
    }
}
