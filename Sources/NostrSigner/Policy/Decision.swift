/// What the policy says about one request, and why.
public enum Decision: Hashable, Sendable {
    case allow(Rule)
    case refuse(Rule)
    case ask(Rule)

    /// By which rule.
    public var rule: Rule {
        switch self {
        case .allow(let rule), .refuse(let rule), .ask(let rule): rule
        }
    }
}

/// Why a request was decided as it was; for the log and for the person who decides.
public enum Rule: String, Hashable, Sendable, CaseIterable {
    /// It does not use the key.
    case harmless
    /// The app is not paired.
    case notPaired
    /// The app's trust allows it, or lets the person decide.
    case trust
    /// The kind is protected.
    case protectedKind
    /// A choice that was made for this app and permission.
    case grant
    /// A choice that was made for this app and permission has run out.
    case grantExpired
    /// More often within the hour than allowed.
    case tooOften
    /// Outside the hours of the day that were allowed.
    case outsideHours
    /// The signer is paused.
    case paused
    /// The person decided this one request.
    case person
    /// It would hand a server, and its logs, what was written in private.
    case reachesServer
    /// The event would drop more than a handful of entries from a list.
    case losesEntries
    /// The key is locked, so that nothing can be read or done.
    case locked
    /// The request cannot be done by anybody: no such method, broken parameters.
    case invalid
    /// It is a repeat of what was answered before.
    case repeated
    /// Nobody decided in time.
    case unanswered
}
