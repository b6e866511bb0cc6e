internal import NostrRelay

/// What pages say about relays, and about what came from them.
enum RelaysWords {
    // How a relay stands

    static let connected = "Connected"
    static let connecting = "Connecting"
    static let resting = "Resting"
    static let failing = "Failing"
    static let distrusted = "Not believed"
    static let blocked = "Blocked"

    // Relays in private networks

    static let notAnAddress = "That is not a relay's address."
    static let tooManyAllowed = "So many relays in private networks are allowed already; take one back first."

    // Why nothing is read from a relay for now

    static func distrust(_ distrust: RelayStatistics.Distrust, isOwn: Bool) -> String {
        let minutes = Int((distrust.pause / .seconds(60)).rounded())
        let span = minutes < 120 ? "\(minutes) minutes" : "\(minutes / 60) hours"
        let reason =
            "\(distrust.bad) of its last \(distrust.all) messages were forged, unasked for or unreadable, "
            + "so it is not read for \(span)."
        return isOwn ? reason + " What you write still goes there." : reason
    }

    // How a person's relays were found

    static let ownList = "their own relay list"
    static let hints = "hints in other notes"
    static let indexers = "well-known relays"

    // How a relay's answer about a person ended

    static let stillAnswering = "still answering"
    static let complete = "sent all it holds"
    static let tooSlow = "too slow"
    static let refused = "refused"
    static let notReachable = "not reachable"

    // Why a relay is offered one's own note

    static let ownRelay = "Your own relay"
    static let findable = "Helps others find you"
    static func reading(_ person: String) -> String { "Where \(person) reads" }
}
