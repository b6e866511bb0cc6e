/// How complete the home timeline is, over all people the account follows.
public struct HomeCompleteness: Hashable, Sendable {
    /// How many people it follows.
    public var people = 0
    /// Of how many at least one relay gave all it holds, at this start or an earlier one.
    public var heard = 0
    /// Of how many every relay that was asked gave all it holds since the start.
    public var inFull = 0

    /// Nobody is followed.
    public init() {}

    /// Counts one person more.
    public mutating func add(isHeard: Bool, isInFull: Bool) {
        people += 1
        if isHeard || isInFull { heard += 1 }
        if isInFull { inFull += 1 }
    }
}
