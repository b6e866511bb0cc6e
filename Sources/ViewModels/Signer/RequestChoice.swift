internal import NostrCore
internal import NostrSigner

/// What a person can say to a request, as buttons and commands name it.
public enum RequestChoice: String, Hashable, Sendable, CaseIterable {
    /// Yes, this once.
    case once
    /// Yes, and the same for this app for an hour, a day, a week.
    case hour, day, week
    /// Yes, and the same for this app from now on.
    case always
    /// No, this once.
    case refuse
    /// No, and the same for this app from now on.
    case refuseAlways = "refuse-always"

    /// Whether it is a yes.
    public var allows: Bool { self != .refuse && self != .refuseAlways }

    /// For how long the same holds; `nil` for always and for once.
    var span: Duration? {
        switch self {
        case .hour: .seconds(3600)
        case .day: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        case .once, .always, .refuse, .refuseAlways: nil
        }
    }

    /// What the signer is told.
    func verdict(at now: Timestamp) -> RequestVerdict {
        switch self {
        case .once: .once(allow: true)
        case .refuse: .once(allow: false)
        case .always: .always(allow: true, until: nil)
        case .refuseAlways: .always(allow: false, until: nil)
        case .hour, .day, .week: .always(allow: true, until: span.map { now + $0 })
        }
    }

    /// What was done, for the line on top of the next page.
    func done(_ count: Int, of app: String) -> String {
        let (isYes, span): (Bool, SignerWords.Span) =
            switch self {
            case .once: (true, .once)
            case .hour: (true, .hour)
            case .day: (true, .day)
            case .week: (true, .week)
            case .always: (true, .always)
            case .refuse: (false, .once)
            case .refuseAlways: (false, .always)
            }
        return SignerWords.decided(count, of: app, isYes: isYes, span)
    }
}
