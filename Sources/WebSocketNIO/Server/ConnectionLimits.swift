/// How many sockets a server bears, and how many of them are whose.
public struct ConnectionLimits: Hashable, Sendable {
    /// How many at once.
    public var all: Int
    /// How many of one address; of IPv6 the first 64 bits count.
    ///
    /// This machine's own `127.0.0.1` and `::1` are not bound by it, nor are proxies of ours: they stand for many.
    public var perAddress: Int
    /// How many of all are kept for this machine's own addresses and for those of somebody who has logged in.
    public var kept: Int
    /// How many there may be besides all, for browsers that are logged in and nobody else.
    public var loggedIn: Int

    /// Defaults: 4096 in all, 512 of one address, 128 kept, 64 more for browsers that are logged in.
    public init(all: Int = 4096, perAddress: Int = 512, kept: Int = 128, loggedIn: Int = 64) {
        self.all = all
        self.perAddress = perAddress
        self.kept = kept
        self.loggedIn = loggedIn
    }

    /// The same, or as few as some descriptors allow: half of them stay for files and for the relays we connect to.
    public func fitting(descriptors: Int) -> ConnectionLimits {
        guard all + loggedIn > descriptors / 2 else { return self }
        var fewer = self
        fewer.loggedIn = min(loggedIn, descriptors / 16)
        fewer.all = max(1, min(all, descriptors / 2 - fewer.loggedIn))
        fewer.kept = min(kept, fewer.all / 4)
        return fewer
    }
}
