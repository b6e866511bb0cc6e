internal import NostrCore

/// How often apps may ask by links, and for how long one request is not asked again.
public struct LinkLimits: Hashable, Sendable {
    /// How long the same id of the same app is refused.
    public var replayWindow: Duration
    /// Links of one app within a minute.
    public var perApp: Int
    /// Links of all apps within a minute.
    public var together: Int
    /// Links that wait at the same time.
    public var waiting: Int
    /// How long a person has to answer.
    public var patience: Duration

    /// Ten minutes, 20 and 60 a minute, 16 waiting, five minutes.
    public init(
        replayWindow: Duration = .seconds(600), perApp: Int = 20, together: Int = 60, waiting: Int = 16,
        patience: Duration = .seconds(300)
    ) {
        self.replayWindow = replayWindow
        self.perApp = perApp
        self.together = together
        self.waiting = waiting
        self.patience = patience
    }
}

/// Remembers which links came lately: refuses those that come again and those that come too often.
///
/// Bounded by the rate: no more can be remembered than came within the window.
struct LinkGuard {
    /// What becomes of a link at the door.
    enum Verdict: Hashable {
        case new, replayed, tooMany
    }

    private struct Key: Hashable {
        let origin: String
        let id: String
    }

    private let limits: LinkLimits
    private var seen: [Key: Timestamp] = [:]
    private var arrivals: [(origin: String, at: Timestamp)] = []

    init(_ limits: LinkLimits) {
        self.limits = limits
    }

    /// Takes a link's app and id.
    ///
    /// - Parameter id: `nil` for a link that cannot be told from another one of the app.
    mutating func admit(_ origin: String, id: String?, at now: Timestamp) -> Verdict {
        arrivals.removeAll { $0.at + .seconds(60) <= now }
        guard arrivals.count < limits.together,
            arrivals.count(where: { $0.origin == origin }) < limits.perApp
        else { return .tooMany }
        arrivals.append((origin, now))
        guard let id else { return .new }
        seen = seen.filter { $0.value + limits.replayWindow > now }
        let key = Key(origin: origin, id: id)
        guard seen[key] == nil else { return .replayed }
        seen[key] = now
        return .new
    }

    /// Lets an app ask again: the person said no, or nothing was done.
    mutating func forget(_ origin: String, id: String) {
        seen[Key(origin: origin, id: id)] = nil
    }
}
