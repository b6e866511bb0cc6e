public import NostrCore

/// What each relay gave of each author, to choose relays by.
///
/// A relay is worth the share it gave of the most that one relay gave. One that was never asked counts as the lists
/// promise, so that it is tried; a few events prove little, so the promise weighs as much as four of them.
public struct MeasuredDelivery: Hashable, Sendable {
    /// How many events a promise is worth.
    private static let promised = 4.0
    /// How many events somebody of whom nothing is known is taken to write.
    private static let expected = 8.0

    private var events: [PublicKey: [RelayURL: Double]] = [:]
    /// What decides how shares that are not sure are drawn; `nil` draws nothing.
    ///
    /// The same for as long as a program runs, so that equal knowledge gives equal plans; another one at each start, so
    /// that a relay which seemed worse by little is tried now and then (Thompson sampling). Source: Thompson, 1933.
    public var draws: UInt64?

    /// Nothing was measured yet.
    public init() {}

    /// A relay was asked for an author, and gave so many events.
    public mutating func note(_ count: Double, of author: PublicKey, from relay: RelayURL) {
        events[author, default: [:]][relay, default: 0] += max(count, 0)
    }

    /// What is known of one author.
    func delivery(of author: PublicKey) -> AuthorDelivery {
        let counts = events[author] ?? [:]
        return AuthorDelivery(counts: counts, most: counts.values.max(), draws: draws.map { mix($0, author) })
    }

    /// The share of what an author wrote that a relay is likely to give, 0 to 1.
    ///
    /// - Parameter promise: what is expected as long as nothing was measured.
    public func share(of author: PublicKey, at relay: RelayURL, promise: Double) -> Double {
        delivery(of: author).share(at: relay, promise: promise)
    }

    /// What relays gave of one author.
    struct AuthorDelivery {
        fileprivate let counts: [RelayURL: Double]
        fileprivate let most: Double?
        fileprivate let draws: UInt64?

        /// How much the author counts beside others: the root of what came, so that who writes a lot does not drown the
        /// others, and who writes nothing takes no connection from them.
        var value: Double { (1 + (most ?? MeasuredDelivery.expected)).squareRoot() }

        /// Whether anything came from a relay.
        func came(from relay: RelayURL) -> Bool { (counts[relay] ?? 0) > 0 }

        /// The share that a relay is likely to give.
        func share(at relay: RelayURL, promise: Double) -> Double {
            guard let most, let count = counts[relay] else { return promise }
            return (count + MeasuredDelivery.promised * promise) / (most + MeasuredDelivery.promised)
        }

        /// The share as it is drawn: near the likely one, the nearer the more is known.
        func drawnShare(at relay: RelayURL, promise: Double) -> Double {
            let likely = share(at: relay, promise: promise)
            guard let draws else { return likely }
            let known = (counts[relay] == nil ? 0 : most ?? 0) + MeasuredDelivery.promised
            // Of the beta distribution only its mean and its spread.
            let spread = (max(likely * (1 - likely), 0.04) / (known + 1)).squareRoot()
            return min(max(likely + spread * deviation(draws, relay), 0.01), 1)
        }
    }
}

/// A number that stands for a seed and an author.
private func mix(_ seed: UInt64, _ author: PublicKey) -> UInt64 {
    (0..<32).reduce(seed) { ($0 ^ UInt64(author.bytes[$1])) &* 0x100_0000_01B3 }
}

/// A number that is mostly near 0, with a spread of 1: the same for the same seed and relay.
private func deviation(_ seed: UInt64, _ relay: RelayURL) -> Double {
    var mixed = relay.text.utf8.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    // The sum of four even draws is near enough to the normal distribution.
    let sum = (0..<4).reduce(0.0) { $0 + Double(mixed >> (16 * UInt64($1)) & 0xFFFF) / 65_536 }
    return (sum - 2) * 3.0.squareRoot()
}
