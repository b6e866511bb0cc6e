internal import NostrClient

/// What pages say of how complete messages and notifications are.
enum InboundWords {
    static func title(_ sort: InboundCoverage.Sort) -> String {
        switch sort {
        case .messages: "Messages to you"
        case .notifications: "Replies, reactions and mentions"
        }
    }

    static func standing(_ standing: InboundCoverage.Standing) -> String {
        switch standing {
        case .notAsked: "not asked since the start"
        case .asking: "is being asked"
        case .complete: "gave all it holds"
        case .failed: "did not give all it holds"
        }
    }

    static func sentence(complete: Int, of count: Int) -> String {
        if complete == count {
            switch count {
            case 1: return "The one relay gave all it holds."
            case 2: return "Both relays gave all they hold."
            default: return "All \(count) relays gave all they hold."
            }
        }
        if count == 1 { return "The one relay has not given all it holds." }
        return "\(complete) of \(count) relays gave all they hold."
    }

    static func home(_ home: HomeCompleteness) -> String {
        let all = home.people == 1 ? "The one person you follow" : "The \(home.people) people you follow"
        if home.inFull == home.people { return "\(all): all of their relays gave all they hold." }
        return "\(all): for \(home.inFull), all of their relays gave all they hold; "
            + "for \(home.heard), at least one did."
    }
}
