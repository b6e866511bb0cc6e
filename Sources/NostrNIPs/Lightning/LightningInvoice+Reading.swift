internal import Crypto
internal import Secp256k1

extension LightningInvoice {
    /// All bitcoin there will ever be, in thousandths of a satoshi.
    private static let most: Int64 = 21_000_000 * 100_000_000 * 1000

    /// The chain and the amount that stand before the data.
    static func amount(in prefix: String) throws(LightningInvoiceError) -> (Network, Int64?) {
        guard prefix.hasPrefix("ln") else { throw .unknownNetwork }
        let rest = prefix.dropFirst(2)
        let currency = rest.prefix { !("0"..."9").contains($0) }
        guard let network = Network(rawValue: String(currency)) else { throw .unknownNetwork }
        let written = rest.dropFirst(currency.count)
        guard !written.isEmpty else { return (network, nil) }
        let digits = written.prefix { ("0"..."9").contains($0) }
        guard let number = Int64(digits), number > 0 else { throw .badAmount }
        // A bitcoin is 10^11 thousandths of a satoshi.
        let factor: Int64
        switch written.dropFirst(digits.count) {
        case "": factor = 100_000_000_000
        case "m": factor = 100_000_000
        case "u": factor = 100_000
        case "n": factor = 100
        case "p":
            guard number.isMultiple(of: 10), number / 10 <= most else { throw .badAmount }
            return (network, number / 10)
        default: throw .badAmount
        }
        let (amount, isOver) = number.multipliedReportingOverflow(by: factor)
        guard !isOver, amount <= most else { throw .badAmount }
        return (network, amount)
    }

    /// What a text asks for on Bitcoin's main network by the part before its data alone; `nil` where it does not say.
    ///
    /// Whoever signed it: it is for saying what a wallet is asked to pay, which checks the rest.
    static func amountSaid(in text: String) -> Int64? {
        let lowered = text.lowercased()
        // The characters of Bech32's data leave out 1, so the last one is the separator.
        guard let end = lowered.lastIndex(of: "1"), let (network, amount) = try? amount(in: String(lowered[..<end])),
            network == .bitcoin
        else { return nil }
        return amount
    }

    /// Who signed: the node that is named, where the signature is its own, else the one the signature gives.
    static func signer(
        of digest: [UInt8], signature: [UInt8], named payee: [UInt8]?
    ) throws(LightningInvoiceError) -> [UInt8] {
        guard signature.count == 65, let recovery = signature.last else { throw .tooShort }
        let both = Array(signature.dropLast())
        if let payee {
            guard ECDSASignature.isValid(both.span, message: digest.span, publicKey: payee.span) else {
                throw .badSignature
            }
            return payee
        }
        guard
            let key = ECDSASignature.publicKey(recoveredFrom: both.span, recovery: recovery, message: digest.span)
        else { throw .badSignature }
        return key
    }
}

/// Groups of five bits, read as what they stand for.
enum InvoiceBits {
    /// Whole bytes, without the bits that fill the last group.
    static func bytes(_ values: ArraySlice<UInt8>, isPadded: Bool = false) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(values.count * 5 / 8 + 1)
        var (held, bits): (UInt32, UInt32) = (0, 0)
        for value in values {
            held = (held << 5 | UInt32(value)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                out.append(UInt8(truncatingIfNeeded: held >> bits))
            }
        }
        if isPadded, bits > 0 { out.append(UInt8(truncatingIfNeeded: held << (8 - bits))) }
        return out
    }

    /// A number, the first group counting most; `nil` where it is beyond 62 bits.
    static func number(_ values: ArraySlice<UInt8>) -> Int64? {
        var number: Int64 = 0
        for value in values {
            guard number < 1 << 57 else { return nil }
            number = number << 5 | Int64(value)
        }
        return number
    }

    /// What is signed: the SHA-256 of the text before the data, then the data to a whole byte.
    static func digest(_ prefix: String, _ values: ArraySlice<UInt8>) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: Array(prefix.utf8))
        hash.update(data: bytes(values, isPadded: true))
        return Array(hash.finalize())
    }
}
