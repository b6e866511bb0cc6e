import NostrCore

/// What a session wants done; the driver does it in order.
enum SessionAction: Hashable, Sendable {
    /// Open a socket, then say ``RelaySession/didConnect(now:)`` or ``RelaySession/didFailToConnect(_:now:)``.
    case connect
    /// Close the socket, then say ``RelaySession/didDisconnect(_:now:)``.
    case disconnect
    /// Send a frame.
    case send(ClientMessage)
    /// Send a ping, then say ``RelaySession/didPong(now:)``, or close the socket when none comes.
    case ping
    /// Sign the challenge if the person consents, then say ``RelaySession/didSign(_:challenge:now:)``.
    case sign(challenge: String)
    /// An event for a query.
    case deliver(QueryID, Event)
    /// A standing query has had its stored events.
    case live(QueryID)
    /// A standing query gets nothing for now.
    case interrupted(QueryID, RelayEnding)
    /// A one-shot query is over here.
    case ended(QueryID, RelayEnding)
    /// A count is known; `nil` where the relay did not say in time.
    case counted(QueryID, Int?)
    /// What became of an offered event.
    case published(PublishID, PublishOutcome)
}

/// What a query wants.
enum QueryMode: Hashable, Sendable {
    /// All stored events, until a moment of ``Moment/uptime``.
    case once(until: Duration)
    /// Stored events and all that come, until cancelled.
    case standing
    /// A number only, until a moment of ``Moment/uptime``.
    case count(until: Duration)

    /// When it must be over.
    var deadline: Duration? {
        switch self {
        case .once(let deadline), .count(let deadline): deadline
        case .standing: nil
        }
    }
}
