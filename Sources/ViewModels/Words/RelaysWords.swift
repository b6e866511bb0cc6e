internal import NostrRelay

/// What pages say about relays, and about what came from them.
enum RelaysWords {
    // How a relay stands

    static let connected = "Connected"
    static let connecting = "Connecting"
    static let resting = "Resting"
    static let failing = "Failing"
    static let distrusted = "Not trusted"
    static let blocked = "Blocked"
    static let awaitsPermission = "Needs permission"
    static let notAskedUntilAllowed = "in a private network; not asked until you allow it"

    // Where one writes and reads

    static let bothUses = "write and read"
    static let writeUse = "write"
    static let readUse = "read"
    static let noUse = "take it off"
    static let onlyReads = "This account can only read: it has no relays of its own here."
    static let listPublished = "Others can find you now: where you write and read is published."
    static let listFound = "You had published a list already; this is that list."
    static let noneToWrite = "You write to no relay, so nobody finds what you publish. Add a relay to write to."
    package static let staysOff = "Others cannot reach it, so it is not told; add it yourself if it should be."
    static let noneToRead =
        "You read from no relay, so nobody knows where to send you replies. Add a relay to read from."
    static func manyToWrite(_ count: Int) -> String {
        "You write to \(count) relays. Two to four are enough: whoever follows you has to connect to them."
    }
    static func manyToRead(_ count: Int) -> String {
        "You read \(count) relays. Two to four are enough: whoever replies to you has to write to them."
    }
    static func isNow(_ relay: String, toWrite: Bool, toRead: Bool) -> String {
        switch (toWrite, toRead) {
        case (true, true): "You write to \(relay) and read there."
        case (true, false): "You write to \(relay)."
        case (false, true): "You read \(relay)."
        case (false, false): "\(relay) is off your list."
        }
    }

    // Other lists of relays

    static let noSuchList = "There is no such list of relays."
    static func closedInbox(_ relay: String) -> String {
        "\(relay) takes messages only from people it knows, so others may not be able to write to you there."
    }
    static let noInbox =
        "You have not said where messages to you can be left, so most people cannot write to you. Add a relay to “Message relays”."
    static func isListed(_ relay: String, _ isOn: Bool, _ list: String) -> String {
        isOn ? "\(relay) is on “\(list)” now." : "\(relay) is off “\(list)” now."
    }

    // Relays in private networks

    static let notAnAddress = "That is not a relay's address."
    static let noRelays = "There is no relay on this list yet. Add one to read its notes here."

    /// Which relays a feed reads.
    static func reading(_ names: [String]) -> String {
        let first = names.prefix(3).joined(separator: ", ")
        return names.count > 3 ? "\(first) and \(names.count - 3) more" : first
    }
    static func readFirst(_ most: Int, of all: Int) -> String {
        "Of its \(all) relays the first \(most) are read, by their addresses."
    }
    static func allowed(_ relay: String, _ isAllowed: Bool) -> String {
        isAllowed
            ? "You allowed \(relay). Linnet connects to it now."
            : "Linnet does not connect to \(relay) again unless you allow it."
    }
    static let tooManyAllowed = "Too many relays in private networks are allowed already; take one back first."

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
    static let conversation = "Where its poll or chat is kept"
    static func reading(_ person: String) -> String { "Where \(person) reads" }
}
