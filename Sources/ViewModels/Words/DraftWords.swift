internal import NostrCore

/// What the page of drafts says.
package enum DraftWords {
    static func stayHere(_ waits: Bool) -> String {
        waits
            ? "Your drafts stay on this Linnet only, encrypted, until you choose where else to keep them."
            : "Your drafts are kept on this Linnet only, encrypted. Your other devices do not have them."
    }

    static func goTo(_ relays: [String]) -> String {
        "Your drafts are kept here and on \(list(relays)), encrypted: your other devices find them there."
    }

    package static let relaysChosen =
        "Drafts go to these relays from now on, and those you had here were sent there, too."
    package static let staysHere = "Drafts stay on this Linnet."
    package static let searchSaved = "Saved. These relays are searched from now on."
    package static let searchNone = "Saved. No further relays are searched."

    /// A relay that was to be searched, and was not.
    static func notSearched(_ relay: String, _ why: String) -> String { "\(relay) could not be searched: \(why)." }

    static let noneChosen = "Tick at least one relay, or keep drafts here."

    static func notARelay(_ text: String) -> String {
        "“\(text)” is not a relay address: give one that begins with wss://."
    }

    static func tooMany(_ most: Int) -> String { "At most \(most) relays can be searched." }

    /// What a draft of another kind than a note will be.
    static func kind(_ kind: Kind) -> String? {
        switch kind {
        case 1: nil
        case 9: "A message in a group"
        case 14: "A private message"
        case 20: "A picture"
        case 1068: "A poll"
        case 1111: "A comment"
        case 30_023: "An article"
        default: "Kind \(kind.rawValue)"
        }
    }

    static func files(_ count: Int) -> String { count == 1 ? "1 file" : "\(count) files" }

    private static func list(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return names.dropLast().joined(separator: ", ") + " and " + last
    }
}
