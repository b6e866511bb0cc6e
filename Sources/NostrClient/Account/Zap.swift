public import NostrCore

/// A payment over Lightning that was made in public, as a receipt that counts says it.
public struct Zap: Hashable, Sendable {
    /// Who paid: a key made for this payment alone where ``isAnonymous``.
    public let sender: PublicKey
    /// Whether the sender does not say to everybody who they are.
    public let isAnonymous: Bool
    /// How much, in thousandths of a satoshi.
    public let millisatoshis: Int64
    /// What the sender wrote, others' words; empty for nothing.
    public let comment: String
    /// When it was paid, as the recipient's wallet says.
    public let paidAt: Timestamp
    /// Which answer of a zap poll it is for, by its number; `nil` for none.
    public let pollOption: Int?

    /// A payment whose facts are known.
    public init(
        sender: PublicKey, isAnonymous: Bool = false, millisatoshis: Int64, comment: String = "", paidAt: Timestamp,
        pollOption: Int? = nil
    ) {
        self.sender = sender
        self.isAnonymous = isAnonymous
        self.millisatoshis = millisatoshis
        self.comment = comment
        self.paidAt = paidAt
        self.pollOption = pollOption
    }

    /// The same payment without what its sender wrote.
    var withoutComment: Zap {
        Zap(sender: sender, isAnonymous: isAnonymous, millisatoshis: millisatoshis, paidAt: paidAt)
    }
}

/// What was paid for one event.
public struct ZapTally: Hashable, Sendable {
    /// How many payments.
    public let count: Int
    /// All of them together, in thousandths of a satoshi.
    public let millisatoshis: Int64
    /// The largest ones, at most ``mostListed``, the largest first.
    public let largest: [Zap]

    /// How many payments are listed one by one.
    public static let mostListed = 20

    /// Counts payments.
    public init(_ zaps: [Zap] = []) {
        count = zaps.count
        millisatoshis = zaps.reduce(0) { sum, zap in
            // No sum goes beyond all the money there is.
            let (sum, isTooMuch) = sum.addingReportingOverflow(zap.millisatoshis)
            return isTooMuch ? .max : sum
        }
        let sorted = zaps.sorted { ($1.millisatoshis, $0.paidAt) < ($0.millisatoshis, $1.paidAt) }
        largest = Array(sorted.prefix(Self.mostListed))
    }
}
