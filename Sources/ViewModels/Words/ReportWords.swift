internal import NostrNIPs

/// What is said about reports.
package enum ReportWords {
    package static let sent = "Reported. Relays and people who trust you may act on it."
    package static let noReason = "Choose what is wrong with it."

    static let noKnownReason = "No reason that Linnet knows"

    static func reason(_ reason: Report.Reason) -> String {
        switch reason {
        case .nudity: "Nudity or pornography"
        case .malware: "Malware: a virus, a harmful link"
        case .profanity: "Profanity or hateful speech"
        case .illegal: "Something that may be illegal"
        case .spam: "Spam"
        case .impersonation: "Someone pretending to be someone else"
        case .other: "Something else"
        }
    }
}
