public import NostrCore

/// How a changed list differs from the one it was made from.
///
/// Follow lists, relay lists and the lists of NIP-51 are replaced whole, so a client that has read half a list and
/// writes it back destroys the other half. Before a change is published, look at ``dropped`` first.
public struct ListDifference: Hashable, Sendable {
    /// Tags that are new, in the order of the new list.
    public let added: [Tag]
    /// Tags that are gone, in the order of the old list.
    public let dropped: [Tag]

    /// Compares two lists of tags; order does not count, repetition does.
    public init(from old: [Tag], to new: [Tag]) {
        var counts: [Tag: Int] = [:]
        for tag in old { counts[tag, default: 0] += 1 }
        var added: [Tag] = []
        for tag in new {
            if let count = counts[tag], count > 0 { counts[tag] = count - 1 } else { added.append(tag) }
        }
        var dropped: [Tag] = []
        for tag in old.reversed() where (counts[tag] ?? 0) > 0 {
            counts[tag, default: 0] -= 1
            dropped.append(tag)
        }
        self.added = added
        self.dropped = dropped.reversed()
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { added.isEmpty && dropped.isEmpty }
}

/// The moment to write on an event that replaces another: now, but always later than what it replaces.
///
/// A replaceable event with an older or equal moment may lose against the one it means to replace.
func momentReplacing(_ previous: Timestamp?, now: Timestamp) -> Timestamp {
    guard let previous else { return now }
    return max(now, previous + .seconds(1))
}
