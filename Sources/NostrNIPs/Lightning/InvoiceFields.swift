/// The fields between the time and the signature; the first of a kind counts, and what is unknown is skipped.
///
/// Source: BOLT-11, "Tagged Fields".
struct InvoiceFields {
    private(set) var paymentHash: [UInt8]?
    private(set) var paymentSecret: [UInt8]?
    private(set) var purpose = LightningInvoice.Purpose.unsaid
    private(set) var payee: [UInt8]?
    private(set) var expiry: Int64?
    private(set) var finalDelta: Int64?
    private(set) var metadata: [UInt8]?
    private(set) var fallbacks: [LightningInvoice.Fallback] = []
    private(set) var routes: [[LightningInvoice.Hop]] = []
    /// A feature the payer must know, and we do not.
    private(set) var unknownFeature: Int?
    private var hasFeatures = false

    init(_ values: ArraySlice<UInt8>) throws(LightningInvoiceError) {
        var rest = values
        while let type = rest.popFirst() {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { throw .malformedField }
            let length = Int(high) << 5 | Int(low)
            guard rest.count >= length else { throw .malformedField }
            try read(type, rest.prefix(length))
            rest = rest.dropFirst(length)
        }
    }

    private mutating func read(_ type: UInt8, _ data: ArraySlice<UInt8>) throws(LightningInvoiceError) {
        switch type {
        case 1 where data.count == 52: paymentHash = paymentHash ?? InvoiceBits.bytes(data)
        case 16 where data.count == 52: paymentSecret = paymentSecret ?? InvoiceBits.bytes(data)
        case 19 where data.count == 53: payee = payee ?? InvoiceBits.bytes(data)
        case 13, 23: readPurpose(type, data)
        case 6: expiry = expiry ?? InvoiceBits.number(data)
        case 24: finalDelta = finalDelta ?? InvoiceBits.number(data)
        case 27: metadata = metadata ?? InvoiceBits.bytes(data)
        case 9: readFallback(data)
        case 3: routes.append(Self.hops(InvoiceBits.bytes(data)))
        case 5 where !hasFeatures:
            hasFeatures = true
            unknownFeature = Self.unknownFeature(data)
        default: break
        }
    }

    private mutating func readPurpose(_ type: UInt8, _ data: ArraySlice<UInt8>) {
        guard purpose == .unsaid else { return }
        if type == 23 {
            if data.count == 52 { purpose = .hash(InvoiceBits.bytes(data)) }
        } else if let text = String(validating: InvoiceBits.bytes(data), as: UTF8.self) {
            purpose = .text(text)
        }
    }

    private mutating func readFallback(_ data: ArraySlice<UInt8>) {
        guard let version = data.first, version <= 18 else { return }
        fallbacks.append(LightningInvoice.Fallback(version: version, program: InvoiceBits.bytes(data.dropFirst())))
    }

    /// Whole entries of 51 bytes.
    private static func hops(_ bytes: [UInt8]) -> [LightningInvoice.Hop] {
        stride(from: 0, to: bytes.count - bytes.count % 51, by: 51).map { start in
            let entry = bytes[start..<start + 51]
            func number(_ range: Range<Int>) -> UInt64 {
                entry[start + range.lowerBound..<start + range.upperBound].reduce(0) { $0 << 8 | UInt64($1) }
            }
            return LightningInvoice.Hop(
                node: Array(entry.prefix(33)), channel: number(33..<41),
                baseFee: UInt32(truncatingIfNeeded: number(41..<45)),
                proportionalFee: UInt32(truncatingIfNeeded: number(45..<49)),
                delta: UInt16(truncatingIfNeeded: number(49..<51)))
        }
    }

    /// The lowest even feature that is set and not known; odd ones may be ignored.
    ///
    /// Source: BOLT-9, those that stand in invoices.
    private static func unknownFeature(_ data: ArraySlice<UInt8>) -> Int? {
        let known: Set<Int> = [8, 14, 16, 24, 36, 48, 56]
        for (group, value) in data.reversed().enumerated() {
            for bit in 0..<5 where value >> UInt8(bit) & 1 == 1 {
                let feature = group * 5 + bit
                if feature.isMultiple(of: 2), !known.contains(feature) { return feature }
            }
        }
        return nil
    }
}
