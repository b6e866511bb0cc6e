internal import NostrCore

/// One event with what the world has to know to place it.
struct Written: Sendable {
    var event: Event
    var author: Int
    /// The last indexer missed this one and still shows what it replaced.
    var skipsLastIndexer = false
    /// Relays that missed this one, by number, and still show what it replaced.
    var skips: Set<Int> = []
    /// Relays that it was offered to besides, by number.
    var alsoAt: Set<Int> = []
}
