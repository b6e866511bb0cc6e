public import NostrCore

/// A request for a payment over Lightning, as it is written into notes and receipts; its signature was checked.
///
/// Source: BOLT-11.
public struct LightningInvoice: Hashable, Sendable {
    /// The chain it is paid on.
    public enum Network: String, Hashable, Sendable {
        case bitcoin = "bc"
        case testnet = "tb"
        case signet = "tbs"
        case regtest = "bcrt"
    }

    /// What is paid for.
    public enum Purpose: Hashable, Sendable {
        /// Nothing is said of it.
        case unsaid
        /// Words of the one who is paid; others' words, to be escaped where they are shown.
        case text(String)
        /// The SHA-256 of words that stand elsewhere, 32 bytes; for a zap of its request (NIP-57).
        case hash([UInt8])
    }

    /// The longest text that is read, in bytes; the longest in use have a few routes and stay below 1 500.
    public static let longest = 4096

    /// The invoice as it was written, lowercase.
    public let text: String
    /// The chain it is paid on.
    public let network: Network
    /// How much is asked for, in thousandths of a satoshi; `nil` where the payer decides.
    public let millisatoshis: Int64?
    /// When it was made.
    public let createdAt: Timestamp
    /// How long it can be paid, in seconds after it was made.
    public let expiry: Int64
    /// The SHA-256 of what proves the payment, 32 bytes.
    public let paymentHash: [UInt8]
    /// What keeps nodes on the way from asking who is paid, 32 bytes.
    public let paymentSecret: [UInt8]
    /// What is paid for.
    public let purpose: Purpose
    /// The node that is paid, 33 bytes compressed.
    public let payee: [UInt8]
    /// The time lock the last node asks for, in blocks.
    public let finalDelta: Int64
    /// Bytes the payer sends along; `nil` without.
    public let metadata: [UInt8]?
    /// Addresses on the chain to pay to where Lightning fails, the preferred one first: the version, and the program.
    public let fallbacks: [Fallback]
    /// Ways from public nodes to the one who is paid.
    public let routes: [[Hop]]

    /// An address on the chain.
    public struct Fallback: Hashable, Sendable {
        /// A witness version from 0 to 16, or 17 for the hash of a key, 18 for that of a script.
        public let version: UInt8
        /// The program or hash.
        public let program: [UInt8]
    }

    /// A channel on the way.
    public struct Hop: Hashable, Sendable {
        /// The node the channel begins at, 33 bytes.
        public let node: [UInt8]
        /// The channel.
        public let channel: UInt64
        /// What it costs: thousandths of a satoshi, and millionths of the amount.
        public let baseFee, proportionalFee: UInt32
        /// The time lock it adds, in blocks.
        public let delta: UInt16
    }

    /// The moment from which it cannot be paid.
    public var expiresAt: Timestamp {
        let (sum, isOver) = createdAt.seconds.addingReportingOverflow(expiry)
        return Timestamp(seconds: isOver ? .max : sum)
    }

    /// Reads and checks an invoice.
    ///
    /// - Parameter text: the invoice without `lightning:`, in lowercase or uppercase.
    /// - Throws: ``LightningInvoiceError``.
    public init(_ text: String) throws(LightningInvoiceError) {
        let prefix: String
        let values: [UInt8]
        do throws(Bech32Error) {
            (prefix, values) = try bech32Values(text, maxLength: Self.longest)
        } catch {
            throw .notBech32(error)
        }
        (network, millisatoshis) = try Self.amount(in: prefix)
        // 35 bits of time before and 65 bytes of signature after all fields.
        guard values.count >= 7 + 104 else { throw .tooShort }
        let signed = values.dropLast(104)
        let fields = try InvoiceFields(signed.dropFirst(7))
        guard let hash = fields.paymentHash else { throw .missing(field: "p") }
        guard let secret = fields.paymentSecret else { throw .missing(field: "s") }
        if let feature = fields.unknownFeature { throw .unknownFeature(bit: feature) }
        payee = try Self.signer(
            of: InvoiceBits.digest(prefix, signed), signature: InvoiceBits.bytes(values.suffix(104)),
            named: fields.payee)
        self.text = text.lowercased()
        createdAt = Timestamp(seconds: InvoiceBits.number(values.prefix(7)) ?? 0)
        expiry = fields.expiry ?? 3600
        paymentHash = hash
        paymentSecret = secret
        purpose = fields.purpose
        finalDelta = fields.finalDelta ?? 18
        metadata = fields.metadata
        fallbacks = fields.fallbacks
        routes = fields.routes
    }
}

/// Why a text is no invoice that could be paid.
public enum LightningInvoiceError: Error, Hashable, Sendable {
    /// It is no Bech32.
    case notBech32(Bech32Error)
    /// It names no chain that is known.
    case unknownNetwork
    /// The amount is no number, none of thousandths of a satoshi, or more than there will ever be.
    case badAmount
    /// It ends before its signature.
    case tooShort
    /// A field says that it is longer than the invoice.
    case malformedField
    /// A field without which nobody can pay: `p` or `s`.
    case missing(field: Character)
    /// It asks for something of the payer that is not known.
    case unknownFeature(bit: Int)
    /// Nobody, or somebody else, signed it.
    case badSignature
}
