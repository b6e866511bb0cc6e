internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// What an account knows of its circles beside the vault: what is to be done, relays, events on their way out.
struct CircleDesk: Sendable {
    /// What is to be done, the next first.
    var todo: [CircleEffect] = []
    /// Events that no relay has taken yet.
    var outbox: PublishQueue
    /// Which circle an event on its way is of.
    var homes: [EventID: CircleID] = [:]
    /// What is listened to.
    var live: (any LiveSubscription)?
    /// What was asked of which relay.
    var requests: [RelayURL: [Filter]] = [:]
    /// Relays that are live now.
    var connected: Set<RelayURL> = []
    /// Circles that relays are being asked for.
    var catching: Set<CircleID> = []
    /// Circles that relays are to be asked for once more after that, and since when.
    var again: [CircleID: Timestamp] = [:]
    /// Circles whose newcomers are being shown pictures.
    var showing: Set<CircleID> = []
    /// Whether Welcomes are being wrapped.
    var isWrapping = false

    init(patience: PublishPatience) { outbox = PublishQueue(patience: patience) }
}
