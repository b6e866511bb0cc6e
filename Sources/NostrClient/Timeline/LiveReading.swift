internal import NostrCore

/// Who is read live where, worked out again only for relays where something changed: it is asked for every few seconds
/// while the notes of thousands of people are gathered.
struct LiveReading: Sendable {
    private struct Part {
        let authors: Set<PublicKey>
        /// After how many changes, as ``CoverageLedger/changes(at:)`` counts them.
        let changes: Int
        let live: Set<PublicKey>
    }

    private var parts: [RelayURL: Part] = [:]

    /// Of some relays, and whom they are read for, those of whom a relay gave all it holds.
    mutating func update(
        _ relays: [RelayURL: Set<PublicKey>], _ ledger: CoverageLedger
    ) -> [RelayURL: Set<PublicKey>] {
        let before = parts
        parts = [:]
        for (relay, authors) in relays {
            let changes = ledger.changes(at: relay)
            if let part = before[relay], part.changes == changes, part.authors == authors {
                parts[relay] = part
            } else {
                let live = ledger.complete(authors, at: relay)
                parts[relay] = Part(authors: authors, changes: changes, live: live)
            }
        }
        return parts.mapValues(\.live)
    }
}
