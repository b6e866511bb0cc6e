/// How long and how often a relay is tried before an event is given up there, by name.
public struct PublishPatience: Hashable, Sendable {
    /// The wait after the first failure; doubled each time.
    public var firstWait: Duration
    /// The longest time between two attempts, however many have failed.
    public var longestWait: Duration
    /// Own relays are tried this long: a laptop may be closed for a fortnight.
    public var ownRelays: Duration
    /// Other people's relays and indexers are tried this long.
    public var otherRelays: Duration
    /// How often a relay may say no for a reason that could pass.
    public var refusals: Int

    /// Defaults: 5 s doubling to 1 h; a fortnight for own relays, a day for others; 8 refusals.
    public init(
        firstWait: Duration = .seconds(5), longestWait: Duration = .seconds(3600),
        ownRelays: Duration = .seconds(14 * 86_400), otherRelays: Duration = .seconds(86_400), refusals: Int = 8
    ) {
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.ownRelays = ownRelays
        self.otherRelays = otherRelays
        self.refusals = refusals
    }
}
