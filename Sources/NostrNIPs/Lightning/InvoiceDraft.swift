public import NostrCore
public import Secp256k1

/// An invoice before its node signs it.
///
/// Source: BOLT-11.
public struct InvoiceDraft: Hashable, Sendable {
    /// The chain it is paid on.
    public var network = LightningInvoice.Network.bitcoin
    /// How much is asked for, in thousandths of a satoshi; `nil` where the payer decides.
    public var millisatoshis: Int64?
    /// When it is made.
    public var createdAt: Timestamp
    /// How long it can be paid, in seconds.
    public var expiry: Int64 = 3600
    /// The SHA-256 of what proves the payment, 32 bytes.
    public var paymentHash: [UInt8]
    /// What keeps nodes on the way from asking who is paid, 32 bytes.
    public var paymentSecret: [UInt8]
    /// What is paid for.
    public var purpose: LightningInvoice.Purpose

    /// Begins an invoice.
    public init(
        millisatoshis: Int64?, createdAt: Timestamp, paymentHash: [UInt8], paymentSecret: [UInt8],
        purpose: LightningInvoice.Purpose
    ) {
        self.millisatoshis = millisatoshis
        self.createdAt = createdAt
        self.paymentHash = paymentHash
        self.paymentSecret = paymentSecret
        self.purpose = purpose
    }

    /// Writes and signs it, lowercase.
    ///
    /// - Throws: `CurveError` where the key does not sign.
    public func signed(by key: borrowing SigningKey) throws(CurveError) -> String {
        let prefix = "ln" + network.rawValue + (millisatoshis.map(Self.amount) ?? "")
        var values = Self.groups(of: createdAt.seconds, count: 7)
        append(&values, type: 1, bech32Values(of: paymentHash))
        append(&values, type: 16, bech32Values(of: paymentSecret))
        switch purpose {
        case .text(let text): append(&values, type: 13, bech32Values(of: Array(text.utf8)))
        case .hash(let hash): append(&values, type: 23, bech32Values(of: hash))
        case .unsaid: append(&values, type: 13, [])
        }
        append(&values, type: 6, Self.groups(of: expiry))
        append(&values, type: 24, Self.groups(of: 18))
        // Both that every payer knows must be known: bits 8 and 14, counted from the last group.
        append(&values, type: 5, [1 << 4, 1 << 3, 0])
        let signature = try key.signRecoverably(InvoiceBits.digest(prefix, values[...]))
        return bech32Encode(prefix: prefix, values: values + bech32Values(of: signature))
    }

    private func append(_ values: inout [UInt8], type: UInt8, _ data: [UInt8]) {
        // A field's length has ten bits; what is longer is cut, as its words are only for people.
        let data = data.prefix(1023)
        values += [type, UInt8(truncatingIfNeeded: data.count >> 5), UInt8(truncatingIfNeeded: data.count & 31)] + data
    }

    /// The shortest way to write an amount.
    private static func amount(_ millisatoshis: Int64) -> String {
        let units: [(Int64, String)] = [(100_000_000_000, ""), (100_000_000, "m"), (100_000, "u"), (100, "n")]
        for (size, letter) in units where millisatoshis.isMultiple(of: size) {
            return "\(millisatoshis / size)\(letter)"
        }
        return "\(millisatoshis)0p"
    }

    /// A number in groups of five bits, the first counting most; so many, or as few as hold it.
    private static func groups(of number: Int64, count: Int? = nil) -> [UInt8] {
        var rest = max(0, number)
        var groups: [UInt8] = []
        while rest > 0 || groups.count < (count ?? 1) {
            groups.append(UInt8(truncatingIfNeeded: rest & 31))
            rest >>= 5
        }
        return Array(groups.prefix(count ?? groups.count).reversed())
    }
}
