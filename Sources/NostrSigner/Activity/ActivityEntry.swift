public import NostrCore

/// One line of the log of what apps asked and what became of it; holds no plaintext and no secret.
public struct ActivityEntry: Hashable, Sendable, Identifiable {
    /// What became of a request.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// Done and answered.
        case done
        /// Answered with a refusal.
        case refused
        /// Answered with an error.
        case failed
        /// Waits for the person.
        case waiting
        /// Answered again with what was answered before.
        case repeated
    }

    /// Counts up; gives the order.
    public var id: Int64
    /// When.
    public var time: Timestamp
    /// For which account.
    public var account: PublicKey
    /// Who asked.
    public var app: RequestingApp
    /// What the app was called then.
    public var title: String
    /// The method's name as it was sent.
    public var method: String
    /// The kind of the event to sign.
    public var kind: Kind?
    /// Whom something was encrypted for or came from.
    public var peer: PublicKey?
    /// What became of it.
    public var outcome: Outcome
    /// By which rule.
    public var rule: Rule
    /// The signed event.
    public var result: EventID?
    /// What was done; `nil` where nothing is to be said besides the method.
    public var fact: ActivityFact?
    /// The error the app was given.
    public var error: String?

    /// A line; the records number it.
    public init(
        id: Int64 = 0, time: Timestamp, account: PublicKey, app: RequestingApp, title: String, method: String,
        kind: Kind? = nil, peer: PublicKey? = nil, outcome: Outcome, rule: Rule, result: EventID? = nil,
        fact: ActivityFact? = nil, error: String? = nil
    ) {
        self.id = id
        self.time = time
        self.account = account
        self.app = app
        self.title = title
        self.method = method
        self.kind = kind
        self.peer = peer
        self.outcome = outcome
        self.rule = rule
        self.result = result
        self.fact = fact
        self.error = error
    }
}

/// Which lines of the log are wanted, newest first.
public struct ActivityQuery: Hashable, Sendable {
    /// Of one app only.
    public var app: RequestingApp?
    /// With one outcome only.
    public var outcome: ActivityEntry.Outcome?
    /// With one method only.
    public var method: String?
    /// With one kind only.
    public var kind: Kind?
    /// Whose title, method or error contains this, or whose fact as it is kept; letters of either case.
    ///
    /// To search the words a person reads, ask for all lines and compare these.
    public var text: String
    /// Lines before this one.
    public var before: Int64?
    /// How many.
    public var limit: Int

    /// The newest lines of all.
    public init(limit: Int = 50) {
        text = ""
        self.limit = limit
    }
}
