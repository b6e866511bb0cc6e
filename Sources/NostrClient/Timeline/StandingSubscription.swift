internal import NostrCore
internal import NostrRelay

/// What home keeps open at its relays, and which of them pass on what is written as it comes.
struct StandingSubscription {
    /// The subscription; `nil` while there is none.
    var open: (any LiveSubscription)?
    /// From when on it asks for events.
    var since: Timestamp?
    /// Who is asked for at which relay, as it was sent.
    var authors = StandingAuthors()
    /// The relays that pass on what is written as it comes.
    var passingOn: Set<RelayURL> = []
    /// Who is read live where, as it was worked out last.
    var reading = LiveReading()
}
