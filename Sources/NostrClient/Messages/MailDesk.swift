internal import NostrCore

/// What an account knows of its messages beside the vault: relays, what is on its way in and out.
struct MailDesk: Sendable {
    /// How far each relay's wraps are here; read from disk when first asked for.
    var progress: [RelayURL: InboxProgress] = [:]
    /// Relays that have sent all they hold since the start.
    var caughtUp: Set<RelayURL> = []
    /// Relays that are live now.
    var live: Set<RelayURL> = []
    /// Relays that are being caught up with.
    var catching: Set<RelayURL> = []
    /// Wraps that could not be believed since the start.
    var rejected = 0
    /// Wraps on disk that wait for the key; `nil` before they were counted.
    var waiting: Int?
    /// Whether the vault has just been opened and is being read.
    var isOpening = false
    /// What goes out.
    var outbox: MailOutbox
    /// Whether what was on its way when the program ended is in the outbox.
    var isOutboxLoaded = false
    /// Messages whose state changed while there was no key to write it down with.
    var unsaved: Set<EventID> = []
    /// Grows whenever relays must be asked anew: after an unlock.
    var epoch = 0

    init(patience: PublishPatience) {
        outbox = MailOutbox(patience: patience)
    }
}
