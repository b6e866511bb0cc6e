public import NostrCore

/// What events of a Cashu wallet are worth: the decrypted contents of kinds 7375 and 7376.
///
/// Source: NIP-60, "Token Event" and "Spending History Event"; NIP-61 for proofs within a nutzap.
public enum CashuWallet {
    /// Unspent proofs.
    public static let tokens: Kind = 7375
    /// What was received or spent.
    public static let history: Kind = 7376

    /// What a line of the history is about; unit: thousandths of a satoshi.
    ///
    /// - Parameter json: the decrypted content, an array of tags with `amount` and `unit`.
    /// - Returns: `nil` where it does not say, or in another unit than `sat` and `msat`.
    public static func amount(ofHistory json: String) -> Int64? {
        // What is no JSON says nothing.
        guard let value = try? JSONValue(Array(json.utf8), depth: 4), case .array(let entries) = value else {
            return nil
        }
        let tags = entries.map { Tag($0.elements.compactMap(\.string)) }
        guard let number = tags.firstValue("amount").flatMap({ Int64($0) }), number >= 0 else { return nil }
        return millisats(number, in: tags.firstValue("unit") ?? "sat")
    }

    /// What unspent proofs are worth together; unit: thousandths of a satoshi.
    ///
    /// - Parameter json: the decrypted content, an object with `proofs` and `unit`.
    public static func amount(ofTokens json: String) -> Int64? {
        // As above.
        guard let value = try? JSONValue(Array(json.utf8), depth: 8), let proofs = value["proofs"]?.elements else {
            return nil
        }
        return sum(of: proofs, in: value["unit"]?.string ?? "sat")
    }

    /// What proofs are worth together; one that cannot be read makes the sum unknown.
    package static func sum(of proofs: [JSONValue], in unit: String) -> Int64? {
        var sum: Int64 = 0
        for proof in proofs {
            guard let part = proof["amount"]?.integer, part >= 0 else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(part)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return millisats(sum, in: unit)
    }

    private static func millisats(_ number: Int64, in unit: String) -> Int64? {
        guard unit == "sat" || unit == "msat" else { return nil }
        let (product, isTooMuch) = number.multipliedReportingOverflow(by: unit == "sat" ? 1000 : 1)
        return isTooMuch ? nil : product
    }
}
