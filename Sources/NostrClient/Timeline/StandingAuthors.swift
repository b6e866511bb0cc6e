public import NostrCore

/// Which authors share a filter of a standing subscription, relay by relay, so that a change sends little anew.
///
/// A filter that stays the same is not sent again. So authors who come get filters of their own, into which smaller ones
/// go: their number stays small, and an author is sent again as often as the logarithm of the changes.
public struct StandingAuthors: Sendable {
    /// Relays refuse longer filters often enough that several cost less than retries.
    private static let chunk = 200
    /// Authors no longer wanted that may stay in a relay's filters: leaving out each at once would send them all anew.
    private static let mostLeftovers = 20

    private var chunks: [RelayURL: [Set<PublicKey>]] = [:]
    private var wanted: [RelayURL: Set<PublicKey>] = [:]

    /// Nobody is asked for yet.
    public init() {}

    /// Takes a new plan over.
    public mutating func update(_ relays: [RelayURL: Set<PublicKey>]) {
        chunks = chunks.filter { relays[$0.key] != nil }
        for (relay, authors) in relays where wanted[relay] != authors {
            chunks[relay] = Self.updated(chunks[relay] ?? [], for: authors)
        }
        wanted = relays
    }

    /// The filters for each relay: its authors, everything else as in the pattern.
    public func requests(_ pattern: Filter) -> [RelayURL: [Filter]] {
        chunks.mapValues { parts in
            parts.map { authors in
                var filter = pattern
                filter.authors = authors
                return filter
            }
        }
    }

    private static func updated(_ old: [Set<PublicKey>], for authors: Set<PublicKey>) -> [Set<PublicKey>] {
        let present = old.reduce(into: Set<PublicKey>()) { $0.formUnion($1) }
        guard present.subtracting(authors).count <= min(mostLeftovers, authors.count / 4) else {
            return authors.chunked(by: chunk)
        }
        var added = authors.subtracting(present)
        guard !added.isEmpty else { return old }
        var kept = old
        for part in old.sorted(by: { $0.count < $1.count })
        where part.count <= added.count && part.count + added.count <= chunk {
            added.formUnion(part)
            kept.removeAll { $0 == part }
        }
        return kept + added.chunked(by: chunk)
    }
}
