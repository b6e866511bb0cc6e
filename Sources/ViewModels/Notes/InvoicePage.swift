public import NostrCore
public import NostrNIPs

/// Why a text is no invoice that could be paid.
public enum InvoiceProblem: Error, Hashable, Sendable {
    case unreadable, unknownNetwork, badAmount, unpayable, unknownFeature, badSignature
}

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
    /// - Throws: ``InvoiceProblem``.
    public init(_ text: String, now: Timestamp) throws(InvoiceProblem) {
        var written = text.filter { !$0.isWhitespace }[...]
        if written.lowercased().hasPrefix("lightning:") { written = written.dropFirst(10).drop { $0 == "/" } }
        do throws(LightningInvoiceError) {
            invoice = InvoiceItem(try LightningInvoice(String(written)))
        } catch {
            throw InvoiceProblem(error)
        }
        isOpen = invoice.isOpen(at: now)
    }
}

extension InvoiceProblem {
    /// What a person is told of an error.
    public init(_ error: LightningInvoiceError) {
        self =
            switch error {
            case .notBech32, .tooShort, .malformedField: .unreadable
            case .unknownNetwork: .unknownNetwork
            case .badAmount: .badAmount
            case .missing: .unpayable
            case .unknownFeature: .unknownFeature
            case .badSignature: .badSignature
            }
    }
}
