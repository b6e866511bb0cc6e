internal import NostrClient

/// What pages say about relays that want to know who the person is.
enum RelayConsentWords {
    static let waits = "the relay wants to know who you are: unlock your key if it is locked, or answer under Relays"

    static let asks = "asks who you are, and waits for your answer"
    static let ownRelay = "is told when it asks, because it is on a list of yours"
    static let notAsked = "has not asked, and would not be told"

    static func purpose(_ reasons: Set<RelayConsentReason>) -> String {
        let all = RelayConsentReason.allCases.filter(reasons.contains).map(word)
        return all.isEmpty ? "you named it" : "for " + all.joined(separator: ", ")
    }

    static func answer(_ consent: RelayConsent) -> String {
        switch consent {
        case .always: "may always know who you are"
        case .once: "may know who you are until Linnet ends"
        case .never: "never learns who you are"
        }
    }

    private static func word(_ reason: RelayConsentReason) -> String {
        switch reason {
        case .message: "a private message"
        case .note: "a note or reply of yours"
        case .circle: "a circle"
        case .list: "your profile or a list"
        case .event: "something you publish"
        case .reading: "reading its notes"
        }
    }
}
