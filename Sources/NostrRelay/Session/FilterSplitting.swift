import NostrCore

extension Filter {
    /// This filter as several, each with at most so many values per list and at most so many bytes of JSON.
    ///
    /// Together they match what this one matches. `limit` stays on each part, because any part may hold all of it.
    func split(values: Int, bytes: Int) -> [Filter] {
        guard let longest = lists.max(by: { $0.count < $1.count }), longest.count > 1 else { return [self] }
        if longest.count <= values, estimatedBytes <= bytes { return [self] }
        return longest.halves(self).flatMap { $0.split(values: values, bytes: bytes) }
    }

    /// At least how long the JSON is; values with many escapes are longer.
    var estimatedBytes: Int {
        lists.reduce(120 + (search?.utf8.count ?? 0)) { $0 + $1.bytes }
    }

    private var lists: [ValueList] {
        var lists: [ValueList] = []
        if let ids { lists.append(.ids(ids)) }
        if let authors { lists.append(.authors(authors)) }
        for (letter, values) in tags { lists.append(.tag(letter, values)) }
        return lists
    }

    private enum ValueList {
        case ids(Set<EventID>), authors(Set<PublicKey>), tag(Character, Set<String>)

        var count: Int {
            switch self {
            case .ids(let ids): ids.count
            case .authors(let keys): keys.count
            case .tag(_, let values): values.count
            }
        }

        var bytes: Int {
            switch self {
            case .ids, .authors: count * 67
            case .tag(_, let values): values.reduce(8) { $0 + $1.utf8.count + 3 }
            }
        }

        /// The filter twice, each with one half of this list, in a stable order.
        func halves(_ filter: Filter) -> [Filter] {
            switch self {
            case .ids(let ids): Self.halve(ids.sorted()).map { half in filter.with { $0.ids = half } }
            case .authors(let keys):
                Self.halve(keys.sorted { $0.bytes < $1.bytes }).map { half in filter.with { $0.authors = half } }
            case .tag(let letter, let values):
                Self.halve(values.sorted()).map { half in filter.with { $0.tags[letter] = half } }
            }
        }

        private static func halve<Value: Hashable>(_ values: [Value]) -> [Set<Value>] {
            [Set(values.prefix(values.count / 2)), Set(values.dropFirst(values.count / 2))]
        }
    }

    /// A copy with changes.
    func with(_ change: (inout Filter) -> Void) -> Filter {
        var copy = self
        change(&copy)
        return copy
    }
}

extension [Filter] {
    /// These filters in groups that each fit one REQ.
    func grouped(count: Int, bytes: Int) -> [[Filter]] {
        var groups: [[Filter]] = []
        var size = 0
        for filter in self {
            if let last = groups.last, last.count < count, size + filter.estimatedBytes <= bytes {
                groups[groups.count - 1].append(filter)
                size += filter.estimatedBytes
            } else {
                groups.append([filter])
                size = filter.estimatedBytes
            }
        }
        return groups
    }
}
