internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What names articles, films and streams by their addresses, in questions to the store.
struct AddressReader: Sendable {
    /// So many events that name the addresses of a page are looked at, the newest first.
    private static let mostNaming = 2_000

    let store: any EventStore
    /// The addresses of a page, and the version of each that it shows.
    let shown: [EventAddress: EventID]

    /// How many events of each kind name one of the addresses and not the version shown: those are counted by its id.
    func counts(without muted: Set<PublicKey>) async throws -> [EventID: [Kind: Int]] {
        guard !shown.isEmpty else { return [:] }
        let filter = Filter(kinds: NoteKinds.counted, tags: ["a": values], limit: Self.mostNaming)
        var counts: [EventID: [Kind: Int]] = [:]
        let naming = try await store.query([filter])
        let elsewhere = try await store.answersElsewhere(among: naming)
        for event in naming where !muted.contains(event.pubkey) && !elsewhere.contains(event.id) {
            for address in event.touchedAddresses {
                guard let id = shown[address], !event.names(id) else { continue }
                counts[id, default: [:]][event.kind, default: 0] += 1
            }
        }
        return counts
    }

    /// What an account reacted with and what it reposted, by address.
    func marks(of account: PublicKey) async throws -> OwnMarks {
        var marks = OwnMarks()
        guard !shown.isEmpty else { return marks }
        let filter = Filter(authors: [account], kinds: [7, 6, 16], tags: ["a": values], limit: Self.mostNaming)
        let own = try await store.query([filter])
        let elsewhere = try await store.answersElsewhere(among: own)
        for event in own where !elsewhere.contains(event.id) {
            for id in event.touchedAddresses.compactMap({ shown[$0] }) {
                if event.kind != Reaction.kind {
                    marks.reposts.insert(id)
                } else if marks.reactions[id] == nil {
                    marks.reactions[id] = event.content
                }
            }
        }
        return marks
    }

    private var values: Set<String> { Set(shown.keys.map(\.description)) }
}
