import NostrCore

/// Now, as a session is told it: sessions have no clock of their own.
struct Moment: Hashable, Sendable {
    /// The time since the pool was made, unmoved by changes of the wall clock.
    var uptime: Duration
    /// What the wall clock says, for `since` and for signed events.
    var wall: Timestamp
}

/// The number of a one-shot query, a subscription or a count, unique within a pool.
struct QueryID: Hashable, Sendable {
    let number: UInt64
}

/// The number of an offered event, unique within a pool.
struct PublishID: Hashable, Sendable {
    let number: UInt64
}
