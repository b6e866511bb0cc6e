public import NostrClient
public import NostrCore

/// How far one's own message has come, in one phrase.
public struct DeliveryItem: Hashable, Sendable {
    /// How it stands.
    public enum Standing: Hashable, Sendable {
        /// Nobody has it yet.
        case waiting
        /// Some have it.
        case partly
        /// Everybody has it on at least one relay.
        case there
        /// Somebody will not get it unless it is sent again.
        case failed
    }

    /// How it stands.
    public let standing: Standing
    /// Completes "Your message is …".
    public let phrase: String

    /// Says what the counts of recipients mean.
    init(_ delivery: Note.Delivery, others: [PersonItem]) {
        standing = delivery.accepted == 0 ? .waiting : (delivery.accepted < delivery.asked ? .partly : .there)
        let whose = others.count == 1 ? possessive(others[0].name) : "their"
        switch (standing, others.count) {
        case (.waiting, 0): phrase = "on its way to your own relays"
        case (_, 0): phrase = "stored on your own relays"
        case (.waiting, _): phrase = "on its way to \(whose) relays"
        case (.there, 1): phrase = "stored on \(whose) relays"
        case (.there, _): phrase = "stored for all \(delivery.asked)"
        default: phrase = "stored for \(delivery.accepted) of \(delivery.asked)"
        }
    }

    /// Says what the counts of a circle's relays mean: one that has it is enough.
    init(inCircle delivery: Note.Delivery) {
        standing = delivery.accepted == 0 ? .waiting : .there
        phrase = delivery.accepted == 0 ? "on its way to the circle's relays" : "stored for the circle"
    }

    /// Says what the receipts mean.
    ///
    /// - Parameter own: oneself, whose copy counts only in notes to oneself.
    init(_ receipts: [RecipientItem], own: PublicKey) {
        let others = receipts.filter { !$0.isOwn }
        let counted = others.isEmpty ? receipts : others
        let reached = counted.count { $0.stored > 0 }
        let isLost = counted.contains { $0.stored == 0 && $0.isGivenUp }
        standing =
            isLost ? .failed : (reached == 0 ? .waiting : (reached < counted.count ? .partly : .there))
        guard counted.count == 1, let one = counted.first else {
            phrase =
                reached == counted.count
                ? "stored for all \(counted.count)" : "stored for \(reached) of \(counted.count)"
            return
        }
        let whose = one.isOwn ? "your own" : possessive(one.person.name)
        let relays = one.basis == .relayList ? "relays" : "inbox relays"
        switch (one.relays.count, one.stored) {
        case (0, _): phrase = "waiting to learn where \(one.isOwn ? "you read" : one.person.name + " reads")"
        case (_, 0) where isLost: phrase = "refused by \(whose) \(relays)"
        case (_, 0): phrase = "on its way to \(whose) \(relays)"
        case (let asked, let stored): phrase = "stored on \(stored) of \(asked) of \(whose) \(relays)"
        }
    }
}

/// One recipient of one's message: where it went and what each relay said.
public struct RecipientItem: Hashable, Sendable, Identifiable {
    /// To whom.
    public let person: PersonItem
    /// Whether it is the copy one keeps.
    public let isOwn: Bool
    /// How the relays were found.
    public let basis: RecipientReceipt.Basis
    /// The relays.
    public let relays: [ReceiptItem]

    public var id: PublicKey { person.key }
    /// How many relays have it.
    public var stored: Int { relays.count { if case .accepted = $0.standing { true } else { false } } }
    /// Whether every relay was given up.
    public var isGivenUp: Bool { !relays.isEmpty && relays.allSatisfy { $0.standing == .givenUp } }

    /// How the relays were found, in a sentence.
    public var basisSentence: String {
        let name = isOwn ? "You" : person.name
        switch (basis, isOwn) {
        case (.inbox, false): return "\(possessive(name)) inbox relays, where private messages are read."
        case (.inbox, true): return "Your own inbox relays, so that your other devices have it too."
        case (.relayList, false): return "\(name) names no inbox relays; these are where \(name) reads public notes."
        case (.relayList, true): return "You name no inbox relays; these are where you read public notes."
        case (.unknown, _): return "Linnet does not know yet where \(isOwn ? "you read" : name + " reads")."
        }
    }

    /// Reads a receipt.
    public init(_ receipt: RecipientReceipt, own: PublicKey) {
        person = PersonItem(receipt.recipient)
        isOwn = receipt.recipient.key == own
        basis = receipt.basis
        relays = receipt.relays.map(ReceiptItem.init)
    }
}

/// `Ana's`, `Boris'`.
func possessive(_ name: String) -> String {
    name + (name.hasSuffix("s") ? "'" : "'s")
}
