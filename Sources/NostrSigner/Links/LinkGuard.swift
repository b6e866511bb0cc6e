internal import NostrCore

/// How often apps may ask by links, and for how long one request is not asked again.
public struct LinkLimits: Hashable, Sendable {
    /// How long the same request of the same app is refused.
    public var replayWindow: Duration
    /// Links of one app within a minute.
    public var perApp: Int
    /// Links of all apps within a minute.
    public var together: Int
    /// Links that wait at the same time.
    public var waiting: Int
    /// How long a person has to answer.
    public var patience: Duration

    /// Two minutes, 20 and 60 a minute, 16 waiting, five minutes.
    public init(
        replayWindow: Duration = .seconds(120), perApp: Int = 20, together: Int = 60, waiting: Int = 16,
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

    /// What makes one request the same as another: who asks, the id they gave it, and what is asked.
    private struct Key: Hashable {
        let app: RequestingApp
        let id: String
        let content: String
    }

    private let limits: LinkLimits
    private var seen: [Key: Timestamp] = [:]
    private var arrivals: [(app: RequestingApp, at: Timestamp)] = []

    init(_ limits: LinkLimits) {
        self.limits = limits
    }

    /// Takes a link's app, its id and what it asks.
    ///
    /// - Parameters:
    ///   - id: `nil` for a link that cannot be told from another one of the app.
    ///   - content: what it asks, or a digest of it.
    mutating func admit(_ app: RequestingApp, id: String?, content: String = "", at now: Timestamp) -> Verdict {
        arrivals.removeAll { $0.at + .seconds(60) <= now }
        guard arrivals.count < limits.together,
            arrivals.count(where: { $0.app == app }) < limits.perApp
        else { return .tooMany }
        arrivals.append((app, now))
        guard let id else { return .new }
        seen = seen.filter { $0.value + limits.replayWindow > now }
        let key = Key(app: app, id: id, content: content)
        guard seen[key] == nil else { return .replayed }
        seen[key] = now
        return .new
    }

    /// Lets an app ask again: the person said no, or nothing was done.
    mutating func forget(_ app: RequestingApp, id: String, content: String) {
        seen[Key(app: app, id: id, content: content)] = nil
    }
}
