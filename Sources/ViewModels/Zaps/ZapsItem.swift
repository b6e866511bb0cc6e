internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// What was paid for a note, as a screen shows it.
public struct ZapsItem: Hashable, Sendable {
    /// One payment.
    public struct Payment: Hashable, Sendable {
        /// Who paid; `nil` for somebody who does not say.
        public let person: PersonItem?
        /// How much, exactly: "2,100 sats".
        public let amount: String
        /// What they wrote, on one line; empty for nothing.
        public let comment: String
    }

    /// How much in all, in whole satoshis.
    public let satoshis: Int
    /// How many payments.
    public let count: Int
    /// How much and by how many, in words.
    public let words: String
    /// The largest payments, the largest first.
    public let largest: [Payment]

    /// Reads what a screen needs; `nil` where nothing was paid.
    init?(_ note: Note) {
        let tally = note.zaps
        guard tally.count > 0 else { return nil }
        satoshis = Int(clamping: tally.millisatoshis / 1000)
        count = tally.count
        words = ZapWords.sum(tally.millisatoshis, payments: tally.count)
        largest = tally.largest.map { zap in
            Payment(
                person: zap.isAnonymous ? nil : note.mentioned[zap.sender].map(PersonItem.init),
                amount: InvoiceWords.amount(zap.millisatoshis), comment: oneLine(zap.comment, limit: 140))
        }
    }
}
