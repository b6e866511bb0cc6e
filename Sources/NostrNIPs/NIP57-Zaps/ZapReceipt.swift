internal import Crypto
public import NostrCore

/// What a wallet says of a payment that arrived: kind 9735, with the request and the invoice in it.
///
/// Everything is checked that can be without asking anybody; whether the signer is the recipient's wallet shows only
/// their wallet's document: ``check(by:)``. It is a word of that wallet, and no proof that anything was paid.
/// Source: NIP-57, appendices E and F.
public struct ZapReceipt: Hashable, Sendable {
    /// The kind of a receipt.
    public static let kind: Kind = 9735
    /// The longest request that is read, in bytes.
    public static let longestRequest = 64 * 1024

    /// The receipt's own id.
    public let id: EventID
    /// Who signed the receipt: the recipient's wallet, if it is true.
    public let issuer: PublicKey
    /// What was asked.
    public let request: ZapRequest
    /// How much the invoice asks for, in thousandths of a satoshi.
    public let millisatoshis: Int64
    /// The SHA-256 of what proves the payment, 32 bytes: the same in two receipts of one payment.
    public let paymentHash: [UInt8]
    /// When the wallet says it was paid.
    public let paidAt: Timestamp

    /// Reads a receipt whose signature was checked.
    ///
    /// - Throws: ``ZapFailure``.
    public init(_ receipt: Event) throws(ZapFailure) {
        guard receipt.kind == Self.kind else { throw .notAReceipt }
        let marks = try ZapMarks(receipt.tags)
        guard let description = receipt.tags.first(where: { $0.name == "description" })?.text(at: 1),
            description.utf8.count <= Self.longestRequest
        else { throw .request }
        let request = try Self.request(description)
        guard marks == (try ZapMarks(request.event.tags)) else { throw .mismatch }
        let senders = receipt.tags.filter { $0.name == "P" }
        guard senders.allSatisfy({ $0.publicKey(at: 1) == request.sender }) else { throw .mismatch }
        guard request.sender != request.recipient else { throw .toOneself }
        let invoice = try Self.invoice(receipt.tags)
        guard let amount = invoice.millisatoshis, amount > 0,
            request.millisatoshis.map({ $0 == amount }) ?? true
        else { throw .amount }
        guard case .hash(let hash) = invoice.purpose, hash.elementsEqual(SHA256.hash(data: Array(description.utf8)))
        else { throw .description }
        id = receipt.id
        issuer = receipt.pubkey
        self.request = request
        millisatoshis = amount
        paymentHash = invoice.paymentHash
        paidAt = receipt.createdAt
    }

    /// What a wallet signs when the invoice for a request was paid.
    ///
    /// - Parameter invoice: one whose description hash is the SHA-256 of the request's JSON.
    ///
    /// Source: NIP-57, appendix E.
    public static func draft(for request: ZapRequest, invoice: String, paidAt: Timestamp) -> EventDraft {
        var tags = request.event.tags.filter { ["p", "e", "a"].contains($0.name) }
        tags.append(["P", request.sender.hex])
        tags.append(["bolt11", invoice])
        tags.append(["description", String(decoding: request.event.json, as: UTF8.self)])
        return EventDraft(kind: kind, tags: tags, content: "", createdAt: paidAt)
    }

    /// Checks a receipt against what the recipient's wallet says of itself.
    ///
    /// - Throws: ``ZapFailure/issuer`` or ``ZapFailure/place``.
    public func check(by wallet: LightningPayee) throws(ZapFailure) {
        guard wallet.zapIssuer == issuer else { throw .issuer }
        guard request.lnurl.map(wallet.place.isNamed) ?? true else { throw .place }
    }

    /// Checks that who was paid has a part in what was zapped: its author, who is named there to be paid, or a stream's
    /// host (NIP-53).
    ///
    /// Without this anybody could write any sum under anybody's note, by paying themself there.
    ///
    /// - Throws: ``ZapFailure/targets`` where another event was zapped, or ``ZapFailure/stranger``.
    public func check(on zapped: Event) throws(ZapFailure) {
        let isNamed = request.target == zapped.id || request.address.map { $0 == zapped.address } ?? false
        guard isNamed else { throw .targets }
        guard
            request.recipient == zapped.pubkey || zapped.tags.zapRecipients.contains(request.recipient)
                || zapped.kind == LiveActivity.kind && zapped.tags.liveHosts.contains(request.recipient)
        else { throw .stranger }
    }

    private static func request(_ text: String) throws(ZapFailure) -> ZapRequest {
        // Why it is no event makes no difference: what was asked is not known.
        guard let raw = try? UnverifiedEvent(json: Array(text.utf8)), let event = try? Event(verifying: raw) else {
            throw .request
        }
        return try ZapRequest(event)
    }

    private static func invoice(_ tags: [Tag]) throws(ZapFailure) -> LightningInvoice {
        let texts = tags.filter { $0.name == "bolt11" }
        guard texts.count == 1, let text = texts[0].text(at: 1) else { throw .invoice }
        do {
            let invoice = try LightningInvoice(text)
            // The coins of test networks are worth nothing.
            guard invoice.network == .bitcoin else { throw ZapFailure.invoice }
            return invoice
        } catch {
            throw .invoice
        }
    }
}

extension [Tag] {
    /// Who is to be paid for an event in its author's place.
    ///
    /// Source: NIP-57, appendix G.
    public var zapRecipients: Set<PublicKey> {
        Set(lazy.filter { $0.name == "zap" }.prefix(64).compactMap { $0.publicKey(at: 1) })
    }
}
