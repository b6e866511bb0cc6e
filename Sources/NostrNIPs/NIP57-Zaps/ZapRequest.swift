public import NostrCore

/// What somebody asks a recipient's wallet to say when their payment has arrived: kind 9734, which no relay gets.
///
/// Source: NIP-57, appendices A and D.
public struct ZapRequest: Hashable, Sendable {
    /// The kind of a request.
    public static let kind: Kind = 9734

    /// The request as its sender signed it.
    public let event: Event
    /// Who is to be paid.
    public let recipient: PublicKey
    /// What of theirs is zapped, if it is one event.
    public let target: EventID?
    /// The address of what is zapped, where it has one.
    public let address: EventAddress?
    /// How much the sender means to pay, in thousandths of a satoshi, where they say.
    public let millisatoshis: Int64?
    /// Where the recipient is paid, as the sender wrote it: LNURL in Bech32, or what some write in its place.
    public let lnurl: String?

    /// Takes a request that was signed by its sender.
    ///
    /// - Throws: ``ZapFailure/notARequest``, ``ZapFailure/recipients``, ``ZapFailure/targets`` or ``ZapFailure/amount``.
    public init(_ event: Event) throws(ZapFailure) {
        guard event.kind == Self.kind else { throw .notARequest }
        let marks = try ZapMarks(event.tags)
        self.event = event
        recipient = marks.recipient
        target = marks.target
        address = marks.address
        lnurl = event.tags.first { $0.name == "lnurl" }?.text(at: 1)
        if let tag = event.tags.first(where: { $0.name == "amount" }) {
            guard let amount = tag[1].flatMap({ Int64(decimal: $0) }), amount > 0 else { throw .amount }
            millisatoshis = amount
        } else {
            millisatoshis = nil
        }
    }

    /// Who sent it: a key of its own where the sender does not say who they are.
    public var sender: PublicKey { event.pubkey }
    /// Whether the sender does not say to everybody who they are.
    public var isAnonymous: Bool { event.tags.contains { $0.name == "anon" } }
}

/// The tags that a request and its receipt have in common.
struct ZapMarks: Hashable, Sendable {
    let recipient: PublicKey
    let target: EventID?
    let address: EventAddress?

    /// - Throws: where there is not one recipient, or more than one thing is named, or something malformed.
    init(_ tags: [Tag]) throws(ZapFailure) {
        let recipients = tags.filter { $0.name == "p" }
        guard recipients.count == 1, let recipient = recipients[0].publicKey(at: 1) else { throw .recipients }
        self.recipient = recipient
        // What is only mentioned is not paid for: some programs copy such tags from a poll (NIP-10, kind 6969).
        let events = tags.filter { $0.name == "e" && $0[3] != "mention" }
        let addresses = tags.filter { $0.name == "a" }
        guard events.count <= 1, addresses.count <= 1 else { throw .targets }
        target = events.first?.eventID(at: 1)
        address = addresses.first?.address(at: 1)
        guard (target == nil) == events.isEmpty, (address == nil) == addresses.isEmpty else { throw .targets }
    }
}

/// Why a zap does not count.
public enum ZapFailure: Error, Hashable, Sendable {
    /// It is no request of kind 9734.
    case notARequest
    /// It is no receipt of kind 9735.
    case notAReceipt
    /// It does not name exactly one recipient.
    case recipients
    /// It names more than one thing, or none that could be one.
    case targets
    /// Its amount is no number above zero, or the invoice asks for another.
    case amount
    /// The receipt holds no request, or none that its sender signed.
    case request
    /// The receipt holds no invoice that could be paid with money.
    case invoice
    /// The invoice was not made for this request.
    case description
    /// Receipt and request are about different people or things.
    case mismatch
    /// Whoever signed the receipt is not the recipient's wallet.
    case issuer
    /// It was paid at another place than the recipient's.
    case place
    /// Somebody paid themself.
    case toOneself
    /// Who was paid has no part in what was zapped.
    case stranger
}
