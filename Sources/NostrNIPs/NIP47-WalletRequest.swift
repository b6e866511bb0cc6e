public import NostrCore

/// What a wallet is asked to do: the decrypted content of an event of kind 23194.
///
/// Shape: `{"method": string, "params": object}`. Read for the amount alone; the wallet checks everything else.
/// Source: NIP-47, "Commands".
public struct WalletRequest: Hashable, Sendable {
    /// The kind of the events that carry it.
    public static let kind: Kind = 23_194

    /// What is asked: `pay_invoice`, say.
    public let method: String
    /// What it would pay in all; `nil` where it pays nothing, or does not say how much.
    ///
    /// Unit: thousandths of a satoshi.
    public let amount: Int64?

    /// Reads the decrypted content; `nil` for anything but a request.
    public init?(json: String) {
        // What is no JSON is no request.
        guard let value = try? JSONValue(Array(json.utf8), depth: 16), let method = value["method"]?.string else {
            return nil
        }
        self.method = method
        let parameters = value["params"]
        switch method {
        case "pay_invoice": amount = parameters.flatMap(Self.payment)
        case "pay_keysend": amount = parameters?["amount"].flatMap(Self.millisats)
        case "multi_pay_invoice": amount = Self.sum(parameters?["invoices"], Self.payment)
        case "multi_pay_keysend": amount = Self.sum(parameters?["keysends"]) { $0["amount"].flatMap(Self.millisats) }
        default: amount = nil
        }
    }

    /// What paying an invoice costs: what the request says or what the invoice does; the larger, should both.
    private static func payment(_ value: JSONValue) -> Int64? {
        let amounts = [
            value["amount"].flatMap(millisats), value["invoice"]?.string.flatMap(LightningInvoice.amountSaid(in:)),
        ]
        return amounts.compactMap { $0 }.max()
    }

    private static func millisats(_ value: JSONValue) -> Int64? {
        value.integer.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Payments together; one that does not say how much makes the sum unknown.
    private static func sum(_ list: JSONValue?, _ amount: (JSONValue) -> Int64?) -> Int64? {
        guard let parts = list?.elements, !parts.isEmpty else { return nil }
        var sum: Int64 = 0
        for part in parts {
            guard let one = amount(part) else { return nil }
            let (next, isTooMuch) = sum.addingReportingOverflow(one)
            guard !isTooMuch else { return nil }
            sum = next
        }
        return sum
    }
}
