internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Reads a whole conversation from the store.
struct ThreadReader: Sendable {
    /// More answers to one note are not read.
    static let most = 10_000
    /// So many answers are asked of a relay at once; few give more.
    static let asked = 500

    let store: any EventStore

    /// The event, its root, everything that answers either, and what lies between.
    func conversation(around id: EventID) async throws -> [Event] {
        guard let focus = try await store.query([Filter(ids: [id])]).first else { return [] }
        let root = focus.above.root?.id ?? focus.above.parent?.id ?? id
        var filters = Self.answers(to: root.hex, limit: Self.most)
        if root != id { filters += [Filter(ids: [root])] + Self.answers(to: id.hex, limit: Self.most) }
        if let address = focus.address {
            filters += Self.answers(toAddress: address.description, limit: Self.most)
        } else if let commented = focus.commentedAddress?.filter, commented.limit != nil {
            // Without an identifier it would be everything of that kind.
            filters.append(commented)
        }
        var events = [focus] + (try await store.query(filters))
        try await climb(&events, from: focus)
        var seen: Set<EventID> = []
        return events.filter { seen.insert($0.id).inserted }
    }

    /// What answers an event or belongs to the conversation it started.
    static func answers(to id: String, limit: Int) -> [Filter] {
        [
            Filter(kinds: [1, 1111], tags: ["e": [id]], limit: limit),
            Filter(kinds: [1111], tags: ["E": [id]], limit: limit),
        ]
    }

    /// What answers whatever stands at an address, or belongs to the conversation about it.
    static func answers(toAddress address: String, limit: Int) -> [Filter] {
        [
            Filter(kinds: [1, 1111], tags: ["a": [address]], limit: limit),
            Filter(kinds: [1111], tags: ["A": [address]], limit: limit),
        ]
    }

    // Parents that name another root, or none, are found one by one; bounded, since each step is a question.
    private func climb(_ events: inout [Event], from focus: Event) async throws {
        var known = Dictionary(events.map { ($0.id, $0) }) { first, _ in first }
        var current = focus
        for _ in 0..<30 {
            guard let parent = current.above.parent?.id, parent != current.id else { return }
            if let here = known[parent] {
                current = here
                continue
            }
            guard let found = try await store.query([Filter(ids: [parent])]).first else { return }
            known[parent] = found
            events.append(found)
            current = found
        }
    }
}
