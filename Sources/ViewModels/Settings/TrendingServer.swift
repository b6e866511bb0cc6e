public import NostrCore

/// A server that counts what is trending for everybody, as the person of an account wants it.
public struct TrendingServer: Codable, Hashable, Sendable {
    /// Its address, as written; empty for none.
    public var address: String
    /// Whether it is offered.
    public var isUsed: Bool

    /// A server; nothing is asked of it before the person wants it.
    public init(address: String = "wss://feeds.nostrarchives.com", isUsed: Bool = false) {
        self.address = address
        self.isUsed = isUsed
    }

    /// Where to ask; `nil` where nothing is to be asked.
    public var relay: RelayURL? {
        guard isUsed else { return nil }
        // What is no address is asked nothing.
        return try? RelayURL(address)
    }
}
