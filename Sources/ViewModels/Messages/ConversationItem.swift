public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A conversation as a list of conversations shows it.
public struct ConversationItem: Hashable, Sendable, Identifiable {
    /// Its name in addresses.
    public let word: String
    /// The others; the account itself for its notes to itself.
    public let people: [PersonItem]
    /// What to call it: the person, the subject of a group, or the people of one without.
    public let title: String
    /// The newest subject, where it is not the title.
    public let subject: String?
    /// Whether there is more than one other.
    public let isGroup: Bool
    /// Whether there is nobody else in it.
    public let isToSelf: Bool
    /// The start of the newest message; empty before the first.
    public let excerpt: String
    /// Who wrote it, where that is not plain: "You", or a name in a group.
    public let excerptAuthor: String?
    /// When it was written.
    public let moment: Timestamp?
    /// How many messages of others came after the last one read.
    public let unread: Int

    public var id: String { word }

    /// Reads what a list needs from a conversation.
    ///
    /// - Parameter own: whose account looks.
    public init(_ summary: ConversationSummary, own: PublicKey) {
        word = summary.room.word
        let people = roomPeople(summary, own: own)
        self.people = people
        isGroup = people.count > 1
        isToSelf = people.allSatisfy { $0.key == own }
        let subject = summary.subject.map { oneLine($0, limit: 80) }.flatMap { $0.isEmpty ? nil : $0 }
        let inARow = isToSelf ? ConversationWords.notesToYourself : peopleInARow(people)
        title = isGroup ? subject ?? inARow : inARow
        self.subject = isGroup ? nil : subject
        moment = summary.newest?.createdAt
        unread = summary.unread
        guard let newest = summary.newest else {
            excerpt = ""
            excerptAuthor = nil
            return
        }
        excerpt = messageExcerpt(newest, names: names(of: people))
        let isOwn = newest.author.key == own
        excerptAuthor =
            isOwn ? (isToSelf ? nil : ConversationWords.you) : (isGroup ? PersonItem(newest.author).name : nil)
    }
}

extension ConversationItem {
    /// Who can read it besides the account, behind "Only you and".
    public var readers: String {
        isGroup && people.count > 3 ? ConversationWords.others(people.count) : peopleInARow(people)
    }
}

/// Everybody a conversation is with, known or not; the account itself where there is nobody else.
func roomPeople(_ summary: ConversationSummary, own: PublicKey) -> [PersonItem] {
    let known = Dictionary(summary.people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let others = summary.room.others(than: own)
    return (others.isEmpty ? [own] : others).map { PersonItem(known[$0] ?? Person(key: $0)) }
}

/// People by name in one breath.
public func peopleInARow(_ people: [PersonItem]) -> String { ConversationWords.inARow(people.map(\.name)) }

/// People by the names they are shown under, to draw mentions of them.
func names(of people: [PersonItem]) -> [String: PublicKey] {
    Dictionary(people.map { ($0.name, $0.key) }, uniquingKeysWith: { first, _ in first })
}

/// The start of a message in one line.
func messageExcerpt(_ message: Message, names: [String: PublicKey], limit: Int = 100) -> String {
    switch message.body {
    case .text(let text): textExcerpt(text, names: names, limit: limit)
    case .file(let file): ConversationWords.encrypted(FileItem(file).sort)
    case .deleted: ConversationWords.deleted
    }
}

/// The start of a text in one line, people by name.
func textExcerpt(_ text: String, names: [String: PublicKey], limit: Int = 100) -> String {
    // Mentions take many letters to say little; a start of a few lines holds enough.
    let parts = contentParts(written: String(text.prefix(600)), mentions: names)
    return oneLine(parts.map(plainText).joined(), limit: limit)
}

private func plainText(_ part: ContentPart) -> String {
    switch part {
    case .text(let text), .link(let text), .image(let text), .video(let text), .entity(let text): text
    case .hashtag(let shown, _): shown
    case .mention(_, let name): "@" + name
    case .note: ConversationWords.mentionedNote
    case .article: ConversationWords.mentionedArticle
    case .emoji(let code, _): ":\(code):"
    case .invoice(let invoice): invoice.title
    }
}
