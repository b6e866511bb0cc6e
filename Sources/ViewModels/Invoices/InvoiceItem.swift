public import NostrCore
public import NostrNIPs

/// A request for a payment over Lightning, as a page shows it.
public struct InvoiceItem: Hashable, Sendable {
    /// The invoice, lowercase: what a wallet is given.
    public let text: String
    /// How much is asked for: "2,500 sats"; `nil` where the payer decides.
    public let amount: String?
    /// Words of the one who is paid, in one line; empty where there are none.
    public let purpose: String
    /// The moment from which it cannot be paid.
    public let expiresAt: Timestamp
    /// Whether it asks for real money.
    public let isReal: Bool

    /// Shows an invoice that was read.
    public init(_ invoice: LightningInvoice) {
        text = invoice.text
        amount = invoice.millisatoshis.map(InvoiceWords.amount)
        purpose =
            switch invoice.purpose {
            case .text(let text): oneLine(text, limit: 200)
            case .hash, .unsaid: ""
            }
        expiresAt = invoice.expiresAt
        isReal = invoice.network == .bitcoin
    }

    /// What it is, in a few words.
    public var title: String { InvoiceWords.title(amount: amount, isReal: isReal) }

    /// What its code holds: the invoice in uppercase, which makes a smaller code (BOLT-11).
    public var codeText: String { "LIGHTNING:" + text.uppercased() }

    /// Whether it can be paid at a moment.
    public func isOpen(at moment: Timestamp) -> Bool { moment < expiresAt }
}
