public import NostrCore
public import NostrNIPs

/// The page of one invoice: what it asks for, as a code for a wallet.
public struct InvoicePage: Hashable, Sendable {
    /// The invoice.
    public let invoice: InvoiceItem
    /// Whether it can still be paid.
    public let isOpen: Bool
    /// What the code holds: the invoice in uppercase, which makes a smaller code (BOLT-11).
    public var codeText: String { "LIGHTNING:" + invoice.text.uppercased() }

    /// Reads an invoice that somebody pasted or opened, with `lightning:` before it or without.
    ///
    /// - Throws: ``/NostrNIPs/LightningInvoiceError``.
    public init(_ text: String, now: Timestamp) throws(LightningInvoiceError) {
        var written = text.filter { !$0.isWhitespace }[...]
        if written.lowercased().hasPrefix("lightning:") { written = written.dropFirst(10).drop { $0 == "/" } }
        invoice = InvoiceItem(try LightningInvoice(String(written)))
        isOpen = invoice.isOpen(at: now)
    }
}
