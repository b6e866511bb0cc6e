public import NostrClient
public import NostrCore

/// What one relay said about a note of the account's own, as a screen shows it.
public struct ReceiptItem: Hashable, Sendable {
    /// How it stands.
    public enum Standing: Hashable, Sendable {
        /// The relay has it.
        case accepted(Timestamp)
        /// It will be offered again.
        case waiting(next: Timestamp)
        /// The relay wants to know who the person is, who has not answered.
        case waitingForPerson
        /// No more attempts.
        case givenUp
    }

    /// The relay.
    public let relay: String
    /// Why this relay was chosen.
    public let purpose: String
    /// How it stands.
    public let standing: Standing
    /// What the relay, or the network, said last.
    public let answer: String

    /// Reads a receipt.
    public init(_ receipt: PublishReceipt) {
        relay = receipt.relay.text
        purpose =
            switch receipt.purpose {
            case .ownWrite: RelaysWords.ownRelay
            case .readOf(let key): RelaysWords.reading(shortened(key))
            case .indexer: RelaysWords.findable
            case .conversation: RelaysWords.conversation
            }
        var said = receipt.lastAnswer?.words ?? ""
        switch receipt.state {
        case .accepted(let moment):
            standing = .accepted(moment)
            // Saying it twice tells nobody more.
            if said.lowercased() == "accepted" { said = "" }
        case .waiting where receipt.lastAnswer?.wantsAuthentication ?? false:
            standing = .waitingForPerson
            said = RelayConsentWords.waits
        case .waiting(_, let next): standing = .waiting(next: next)
        case .givenUp(let why, let attempts):
            standing = .givenUp
            said = why.words(givenUpAfter: attempts)
        }
        answer = oneLine(said, limit: 160)
    }
}

extension ReceiptItem {
    /// Where the account's own note was offered.
    public static func load(
        of id: EventID, from publishing: any NotePublishing
    ) async throws(Trouble) -> [ReceiptItem] {
        try await troubled { try await publishing.receipts(for: id).map(ReceiptItem.init) }
    }
}
