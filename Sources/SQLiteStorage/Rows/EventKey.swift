internal import NostrCore

/// The row number of an event: its place in the one order in which events are listed.
///
/// Shape: 63 bits, the moment in the upper 43 and the first 20 bits of the id, inverted, in the lower 20, so that a
/// higher key is listed first: newer, and at the same second the lower id. Every index ends in the row number, so every
/// index is in time order at no cost. Two events of one second whose ids begin with the same 20 bits get neighbouring
/// keys; answers are put in exact order after they are read.
struct EventKey: Hashable, Comparable {
    static let idBits = 20
    private static let idMask = Int64(1) << idBits - 1
    private static let lastSecond = Int64(1) << (63 - idBits) - 1

    let rowID: Int64

    init(rowID: Int64) {
        self.rowID = rowID
    }

    /// The place of an event, before anything is known of its neighbours.
    init(_ event: Event) {
        let id = event.id.bytes
        let prefix = Int64(id[0]) << 12 | Int64(id[1]) << 4 | Int64(id[2]) >> 4
        rowID = Self.second(event.createdAt) << Self.idBits | (Self.idMask - prefix)
    }

    /// The next place of the same second, for an event whose own is taken.
    var neighbour: EventKey {
        EventKey(rowID: rowID & ~Self.idMask | (rowID &- 1) & Self.idMask)
    }

    /// The keys of all moments from `since` to `until`, both inclusive.
    static func range(since: Timestamp?, until: Timestamp?) -> ClosedRange<Int64>? {
        let first = since.map { second($0) << idBits } ?? 0
        let last = until.map { second($0) << idBits | idMask } ?? .max
        return first <= last ? first...last : nil
    }

    /// Moments beyond what fits stand at its end; the exact moment is in the row.
    private static func second(_ moment: Timestamp) -> Int64 {
        min(max(moment.seconds, 0), lastSecond)
    }

    static func < (a: EventKey, b: EventKey) -> Bool { a.rowID < b.rowID }
}
