public import NostrCore

/// A relay that was asked in a search.
public struct SearchedRelay: Hashable, Sendable {
    /// How far it came.
    public enum Standing: Hashable, Sendable {
        /// It has not said all it has.
        case asking
        /// It has.
        case answered
        /// It did not, or not in time.
        case failed
        /// It was not asked: it is in a private network, and the person did not choose it.
        case notChosen
    }

    /// Which one.
    public let relay: RelayURL
    /// How far it came.
    public internal(set) var standing: Standing

    /// A relay that stands so.
    public init(_ relay: RelayURL, _ standing: Standing) {
        self.relay = relay
        self.standing = standing
    }
}
