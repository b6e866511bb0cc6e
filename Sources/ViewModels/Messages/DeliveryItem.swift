public import NostrClient
public import NostrCore

/// How far a message of the account has come, in one phrase.
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
    init(_ delivery: Note.Acceptance, others: [PersonItem]) {
        standing = delivery.accepted == 0 ? .waiting : (delivery.accepted < delivery.asked ? .partly : .there)
        phrase = ConversationWords.delivery(
            accepted: delivery.accepted, asked: delivery.asked, others: others.map(\.name))
    }

    /// Says what the counts of a circle's relays mean: one that has it is enough.
    init(inCircle delivery: Note.Acceptance) {
        standing = delivery.accepted == 0 ? .waiting : .there
        phrase = CircleWords.delivery(isThere: standing == .there)
    }

    /// Says what the receipts mean.
    ///
    /// - Parameter own: whose account looks; its copy counts only in notes to itself.
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
                ? ConversationWords.storedForAll(counted.count)
                : ConversationWords.stored(for: reached, of: counted.count)
            return
        }
        phrase = ConversationWords.delivery(
            stored: one.stored, of: one.relays.count, to: one.isOwn ? nil : one.person.name, one.basis, isLost: isLost)
    }
}

/// One recipient of a message: where it went and what each relay said.
public struct RecipientItem: Hashable, Sendable, Identifiable {
    /// To whom.
    public let person: PersonItem
    /// Whether it is the sender's own copy.
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
    public var basisSentence: String { ConversationWords.basis(basis, isOwn ? nil : person.name) }

    /// Reads a receipt.
    public init(_ receipt: RecipientReceipt, own: PublicKey) {
        person = PersonItem(receipt.recipient)
        isOwn = receipt.recipient.key == own
        basis = receipt.basis
        relays = receipt.relays.map(ReceiptItem.init)
    }
}
