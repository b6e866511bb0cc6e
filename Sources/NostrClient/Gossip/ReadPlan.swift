public import NostrCore

/// Which authors are read from which relays, and why.
public struct ReadPlan: Hashable, Sendable {
    /// How one author is read.
    public struct Assignment: Hashable, Sendable {
        /// The relays, best first; empty when none can be asked.
        public var relays: [RelayURL]
        /// What led there.
        public var basis: AuthorCoverage.Basis

        /// An author whose relays have been chosen.
        public init(relays: [RelayURL], basis: AuthorCoverage.Basis) {
            self.relays = relays
            self.basis = basis
        }
    }

    /// Per relay the authors read there.
    public private(set) var relays: [RelayURL: Set<PublicKey>] = [:]
    /// Per author the relays and the basis.
    public private(set) var assignments: [PublicKey: Assignment] = [:]

    /// Nobody.
    public init() {}

    /// Reads an author so.
    public mutating func assign(_ author: PublicKey, _ assignment: Assignment) {
        for relay in assignments[author]?.relays ?? [] { relays[relay]?.remove(author) }
        assignments[author] = assignment
        for relay in assignment.relays { relays[relay, default: []].insert(author) }
    }

    /// Reads an author no more.
    mutating func leaveOut(_ author: PublicKey) {
        for relay in assignments.removeValue(forKey: author)?.relays ?? [] {
            relays[relay]?.remove(author)
            if relays[relay]?.isEmpty == true { relays[relay] = nil }
        }
    }

    /// The filters for each relay: its authors in chunks of at most 200, everything else as in the pattern.
    ///
    /// Relays refuse longer filters often enough that chunks cost less than retries.
    public func requests(_ pattern: Filter, chunk: Int = 200) -> [RelayURL: [Filter]] {
        var requests: [RelayURL: [Filter]] = [:]
        for (relay, authors) in relays where !authors.isEmpty {
            requests[relay] = authors.chunked(by: chunk).map { part in
                var filter = pattern
                filter.authors = part
                return filter
            }
        }
        return requests
    }
}

extension Set where Element: Comparable {
    /// The elements in sets of at most `size`, in a stable order so that equal sets ask in equal words.
    func chunked(by size: Int) -> [Set<Element>] {
        let sorted = self.sorted()
        let step = Swift.max(size, 1)
        return stride(from: 0, to: sorted.count, by: step).map { start in
            Set(sorted[start..<Swift.min(start + step, sorted.count)])
        }
    }
}

extension Array {
    /// The elements in order, in parts of at most `size`.
    func chunked(by size: Int) -> [[Element]] {
        let step = Swift.max(size, 1)
        return stride(from: 0, to: count, by: step).map { Array(self[$0..<Swift.min($0 + step, count)]) }
    }
}
