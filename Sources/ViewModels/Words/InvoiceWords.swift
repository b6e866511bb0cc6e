public import NostrNIPs

/// Words about payments that are asked for.
public enum InvoiceWords {
    /// What an invoice is, in a few words.
    static func title(amount: String?, isReal: Bool) -> String {
        let kind = isReal ? "Lightning invoice" : "Test invoice"
        return amount.map { "\(kind) for \($0)" } ?? "\(kind) for any amount"
    }

    /// An amount, exactly.
    ///
    /// - Parameter millisatoshis: thousandths of a satoshi.
    public static func amount(_ millisatoshis: Int64) -> String {
        let (whole, rest) = millisatoshis.quotientAndRemainder(dividingBy: 1000)
        guard rest == 0 else {
            let digits = String(rest)
            let thousandths = String(repeating: "0", count: 3 - digits.count) + digits
            return "\(grouped(whole)).\(thousandths) sats"
        }
        return whole == 1 ? "1 sat" : "\(grouped(whole)) sats"
    }

    /// What a text that should be an invoice is not.
    public static func problem(_ error: LightningInvoiceError) -> String {
        switch error {
        case .notBech32, .tooShort, .malformedField:
            "This is not a Lightning invoice, or a letter of it was changed. Ask for it once more, and copy all of it."
        case .unknownNetwork: "This asks for money of a network that Linnet does not know."
        case .badAmount: "This invoice asks for an amount that cannot be paid. Ask for a new one."
        case .missing: "This invoice lacks something that every wallet needs to pay it. Ask for a new one."
        case .unknownFeature:
            "This invoice asks your wallet for something newer than Linnet knows. A newer wallet may be able to pay it."
        case .badSignature: "Nobody signed this invoice, or it was changed. Do not pay it."
        }
    }

    /// A number with its thousands apart.
    static func grouped(_ number: Int64) -> String {
        var out = ""
        for (index, digit) in String(number).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { out.append(",") }
            out.append(digit)
        }
        return String(out.reversed())
    }
}
