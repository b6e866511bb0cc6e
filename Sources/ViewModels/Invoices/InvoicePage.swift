public import NostrCore
public import NostrNIPs

/// The page of one invoice: what it asks for, as a code for a wallet.
public struct InvoicePage: Hashable, Sendable {
    /// The invoice.
    public let invoice: InvoiceItem
    /// Whether it can still be paid.
    public let isOpen: Bool

    /// Reads an invoice that somebody pasted or opened: alone, after `lightning:`, or in an address of Bitcoin.
    ///
    /// - Throws: ``/NostrNIPs/LightningInvoiceError``.
    public init(_ text: String, now: Timestamp) throws(LightningInvoiceError) {
        invoice = InvoiceItem(try LightningInvoice(lightningCode(in: text)))
        isOpen = invoice.isOpen(at: now)
    }
}
