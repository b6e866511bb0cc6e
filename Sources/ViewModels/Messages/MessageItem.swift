internal import Circles
public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A private message as a screen shows it.
public struct MessageItem: Hashable, Sendable, Identifiable {
    /// What it says.
    public enum Body: Hashable, Sendable {
        /// Text, ready to be drawn.
        case text([ContentPart])
        /// An encrypted file somewhere.
        case file(FileItem)
        /// Taken back by its author.
        case deleted
        /// What changed in a circle, in one sentence.
        case news(String)
        /// That it is muted, in one sentence; nothing of it is here.
        case muted(String)
    }

    /// The message it answers.
    public struct Reply: Hashable, Sendable {
        /// That message.
        public let id: EventID
        /// Who wrote it, where known.
        public let author: String?
        /// The start of its text; empty when it is not here.
        public let excerpt: String
    }

    /// The message.
    public let id: EventID
    /// Who wrote it.
    public let author: PersonItem
    /// Whether the account wrote it.
    public let isOwn: Bool
    /// When its author says.
    public let createdAt: Timestamp
    /// What it says.
    public let body: Body
    /// Sealed files that belong to it, in order.
    public let files: [FileItem]
    /// The start of what it says, in one line.
    public let excerpt: String
    /// The message it answers.
    public let reply: Reply?
    /// Reactions, each content once.
    public let reactions: [ReactionItem]
    /// When it disappears.
    public let expiration: Timestamp?
    /// How far a message of the account has come.
    public internal(set) var delivery: DeliveryItem?
    /// Whether the one before is by somebody else or some time ago, so that this one names its author.
    public internal(set) var startsGroup = true

    /// Whether not everybody has it: it was said in a branch of a circle that came to nothing.
    public internal(set) var isAstray = false
    /// That it is not known whether its author wrote it; empty where it is.
    public internal(set) var doubt = ""
    /// Whether it says what changed, and nobody said it.
    public var isNews: Bool { if case .news = body { true } else { false } }

    /// Whether a mark stands in its place.
    public var isMuted: Bool { if case .muted = body { true } else { false } }

    /// Its place in the conversation.
    public var cursor: MessageCursor { MessageCursor(createdAt: createdAt, id: id) }

    /// Reads what a screen needs from a message.
    ///
    /// - Parameters:
    ///   - own: whose account looks.
    ///   - people: everybody in the room.
    ///   - answered: the message it answers, where it is at hand.
    init(_ message: Message, own: PublicKey, people: [PersonItem], answered: Message?) {
        id = message.id
        author = PersonItem(message.author)
        isOwn = message.author.key == own
        createdAt = message.createdAt
        let names = names(of: people)
        body =
            switch message.body {
            case .text(let text): .text(contentParts(written: text, mentions: names, emoji: message.emoji.drawn))
            case .file(let file): .file(FileItem(file))
            case .deleted: .deleted
            }
        files = if case .file(let file) = message.body { [FileItem(file)] } else { [] }
        excerpt = messageExcerpt(message, names: names)
        reply = message.replyTo.map { id in
            Reply(
                id: id,
                author: answered.map {
                    ConversationWords.author(isOwn: $0.author.key == own, PersonItem($0.author).name)
                },
                excerpt: message.replyExcerpt.map { textExcerpt($0, names: names) }
                    ?? answered.map { messageExcerpt($0, names: names) } ?? "")
        }
        reactions = message.body == .deleted ? [] : ReactionItem.counting(message.reactions, own: own, people: people)
        expiration = message.expiration
        let others = people.filter { $0.key != own }
        delivery = isOwn ? message.delivery.map { DeliveryItem($0, others: others) } : nil
    }

    /// Reads what a screen needs from a line of a circle.
    ///
    /// - Parameters:
    ///   - own: whose account looks.
    ///   - people: everybody in the circle.
    ///   - names: what they are called in it.
    init(_ line: CircleLine, own: PublicKey, people: [PersonItem], names: [PublicKey: String]) {
        id = line.id
        author = PersonItem(line.author).called(names[line.author.key])
        isOwn = line.author.key == own
        createdAt = line.createdAt
        let mentions = ViewModels.names(of: people)
        body =
            switch line.body {
            case .text(let text): .text(contentParts(written: text, mentions: mentions, emoji: line.emoji.drawn))
            case .deleted: .deleted
            case .change(let change): .news(CircleWords.change(change, by: line.author, own: own))
            case .muted(let reason): .muted(MuteWords.stub(reason))
            }
        files = line.body == .deleted ? [] : line.files.map { FileItem($0) }
        excerpt = lineExcerpt(line, own: own, people: people)
        reply = line.replyTo.map { id in
            Reply(id: id, author: nil, excerpt: line.replyExcerpt.map { textExcerpt($0, names: mentions) } ?? "")
        }
        reactions = line.body == .deleted ? [] : ReactionItem.counting(line.reactions, own: own, people: people)
        expiration = nil
        delivery = isOwn ? line.delivery.map { DeliveryItem(inCircle: $0) } : nil
        isAstray = line.isAstray
        doubt = line.isUnverified ? CircleWords.unverified : ""
    }
}

/// All reactions of one sort to one message.
public struct ReactionItem: Hashable, Sendable {
    /// What to show: an emoji, or `:shortcode:`.
    public let shown: String
    /// What is posted to join it, or to take the account's own back: what it says in full, and after a space the
    /// address of its picture where it has one.
    public let content: String
    /// The picture that stands for the shortcode, where one came along.
    public let picture: EmojiItem?
    /// Those of others, as far as they are known.
    public let people: [PersonItem]
    /// How many.
    public let count: Int
    /// Whose, by name.
    public let names: String
    /// Whether the account's own is among them.
    public let isOwn: Bool

    /// The longest that is sent, in characters; a custom emoji has a name.
    static let longest = 64

    /// The reactions to choose from at a touch.
    public static let offered = ["❤️", "👍", "😂", "😮", "😢", "🙏"]

    /// Gathers equal reactions, in the order they came.
    static func counting(_ reactions: [MessageReaction], own: PublicKey, people: [PersonItem]) -> [ReactionItem] {
        var order: [Sort] = []
        var authors: [Sort: [PublicKey]] = [:]
        var contents: [Sort: String] = [:]
        for reaction in reactions {
            let sort = Sort(shown: shown(reaction.content), picture: picture(of: reaction))
            guard !sort.shown.isEmpty else { continue }
            if authors[sort] == nil { order.append(sort) }
            // Of several that are shown alike the account's own, so that it can be taken back.
            if contents[sort] == nil || reaction.author == own { contents[sort] = content(of: reaction, sort) }
            if authors[sort]?.contains(reaction.author) != true { authors[sort, default: []].append(reaction.author) }
        }
        let known = Dictionary(people.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return order.prefix(12).map { sort in
            let keys = authors[sort] ?? []
            return ReactionItem(
                shown: sort.shown, content: contents[sort] ?? sort.shown, picture: sort.picture,
                people: keys.compactMap { $0 == own ? nil : known[$0] }, count: keys.count,
                names: ConversationWords.inARow(keys.map { $0 == own ? "you" : known[$0]?.name ?? shortened($0) }),
                isOwn: keys.contains(own))
        }
    }

    /// What reactions have in common that stand together: two pictures may have one name.
    private struct Sort: Hashable {
        let shown: String
        let picture: EmojiItem?
    }

    private static func picture(of reaction: MessageReaction) -> EmojiItem? {
        guard let item = reaction.emoji.map(EmojiItem.init), case .picture = item else { return nil }
        return item
    }

    private static func content(of reaction: MessageReaction, _ sort: Sort) -> String {
        switch reaction.content {
        case "", "+", "-": return sort.shown
        default:
            guard sort.picture != nil, let emoji = reaction.emoji else { return reaction.content }
            return "\(reaction.content) \(emoji.url)"
        }
    }

    /// Takes apart what was posted: what a reaction says, and the address of the picture that was pressed.
    static func pressed(_ posted: String) -> (content: String, picture: String?) {
        guard posted.hasPrefix(":"), let space = posted.firstIndex(of: " ") else { return (posted, nil) }
        let address = posted[space...].dropFirst()
        return address.hasPrefix("http") ? (String(posted[..<space]), String(address)) : (posted, nil)
    }

    /// What reactions say that are taken back with one: a like is written in several ways.
    static func contents(like content: String) -> Set<String> {
        switch content {
        case "❤️", "+": ["", "+", "❤️"]
        case "👎", "-": ["-", "👎"]
        default: [content]
        }
    }

    private static func shown(_ content: String) -> String {
        switch content {
        case "", "+": "❤️"
        case "-": "👎"
        default: oneLine(content, limit: content.hasPrefix(":") ? 64 : 3)
        }
    }
}
