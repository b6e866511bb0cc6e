internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// One line of a live chat, ready to be drawn.
public struct StreamLine: Hashable, Sendable, Identifiable {
    /// What it answers.
    public struct Reply: Hashable, Sendable {
        /// The line it answers.
        public let id: EventID
        /// Whose that is; `nil` where it is not here.
        public let author: String?
        /// Its beginning.
        public let excerpt: String
    }

    /// Whose event it is.
    public let id: EventID
    /// When it was said.
    public let createdAt: Timestamp
    /// Who said it; `nil` for a payment of somebody who does not say.
    public let author: PersonItem?
    /// Whether the account said it.
    public let isOwn: Bool
    /// The words.
    public let parts: [ContentPart]
    /// How much was paid, in words; `nil` where it is no payment.
    public let amount: String?
    /// What it answers.
    public let reply: Reply?
    /// What people reacted with.
    public let reactions: [ReactionLine]
    /// The beginning of the words, on one line.
    public let excerpt: String

    /// Whether the account reacted to it.
    public var isLiked: Bool { reactions.contains(where: \.isOwn) }

    init(_ line: LiveLine, among known: [EventID: LiveLine], names: [PublicKey: String], own: PublicKey) {
        id = line.id
        createdAt = line.createdAt
        isOwn = line.author.key == own
        switch line.body {
        case .words(let event):
            author = PersonItem(line.author)
            parts = contentParts(of: event) { names[$0] }
            amount = nil
        case .zap(let zap):
            author = zap.isAnonymous ? nil : PersonItem(line.author)
            let comment = oneLine(zap.comment, limit: 200)
            parts = comment.isEmpty ? [] : [.text(comment)]
            amount = InvoiceWords.amount(zap.millisatoshis)
        }
        excerpt = Self.excerpt(of: line)
        reply = line.replyTo.map { id in
            let answered = known[id]
            return Reply(
                id: id, author: answered.map { shownName(of: $0.author) },
                excerpt: answered.map { Self.excerpt(of: $0) } ?? "")
        }
        reactions = line.reactions.map(ReactionLine.init)
    }

    private static func excerpt(of line: LiveLine) -> String {
        switch line.body {
        case .words(let event): oneLine(event.content, limit: 80)
        case .zap(let zap): oneLine(zap.comment, limit: 80)
        }
    }
}
