public import NostrCore

/// What each relay gave of each author, to choose relays by.
///
/// A relay is worth the share it gave of the most that one relay gave. One that was never asked counts as the lists
/// promise, so that it is tried; a few events prove little, so the promise weighs as much as four of them.
public struct MeasuredDelivery: Hashable, Sendable {
    /// How many events a promise is worth.
    private static let promised = 4.0

    private var events: [PublicKey: [RelayURL: Double]] = [:]

    /// Nothing was measured yet.
    public init() {}

    /// A relay was asked for an author, and gave so many events.
    public mutating func note(_ count: Double, of author: PublicKey, from relay: RelayURL) {
        events[author, default: [:]][relay, default: 0] += max(count, 0)
    }

    /// The share of what an author wrote that a relay is likely to give, 0 to 1.
    ///
    /// - Parameter promise: what is expected as long as nothing was measured.
    public func share(of author: PublicKey, at relay: RelayURL, promise: Double) -> Double {
        guard let measured = events[author], let count = measured[relay], let most = measured.values.max() else {
            return promise
        }
        return (count + Self.promised * promise) / (most + Self.promised)
    }
}
