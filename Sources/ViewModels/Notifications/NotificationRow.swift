public import NostrClient
public import NostrCore
internal import NostrNIPs

/// Something that concerns the account, as a screen shows it: one thing, or several of one sort about one note.
public struct NotificationRow: Hashable, Sendable, Identifiable {
    /// How often somebody reacted with what.
    public struct ReactionCount: Hashable, Sendable {
        /// An emoji, a heart for a like, or `:name:`.
        public let content: String
        /// How often.
        public let count: Int
    }

    /// The newest event of it.
    public let id: EventID
    /// What it is.
    public let sort: AccountNotification.Sort
    /// When the newest of it happened.
    public let moment: Timestamp
    /// Whether some of it is not read yet.
    public let isUnread: Bool
    /// The first of those who did it, each once.
    public let people: [PersonItem]
    /// Who else, after their names: "and 3 others"; empty where that is nobody.
    public let others: String
    /// What they did, after that: "reacted to your note".
    public let deed: String
    /// What was said: the start of an answer, the words beside a payment; empty for nothing.
    public let excerpt: String
    /// The start of what it is about; empty where that is not here, or says it itself.
    public let about: String
    /// With what people reacted, the most frequent first.
    public let reactions: [ReactionCount]
    /// How much was paid: "2,100 sats"; `nil` where nothing was.
    public let amount: String?
    /// The note to open.
    public let opens: EventID?
    /// The live stream to open, as its page is called: where a line of its chat is; `nil` for anything else.
    public let stream: String?
    /// Whether it can be answered by a note.
    public let canReply: Bool

    /// So many people are named.
    private static let mostNamed = 3
    private static let mostReactions = 6

    /// Reads what a screen needs from a group.
    ///
    /// - Parameter names: people by the names they are shown under.
    init(_ group: NotificationGroup, in page: NotificationPage, names: [String: PublicKey]) {
        let newest = group.newest
        id = group.id
        sort = group.sort
        moment = newest.moment
        isUnread = group.members.contains { page.unread.contains($0.id) }
        let keys = group.people
        people = keys.prefix(Self.mostNamed).map { PersonItem(page.people[$0] ?? Person(key: $0)) }
        others = NotificationWords.others(
            keys.count - people.count, anonymous: group.anonymous, isFirst: people.isEmpty)
        deed = NotificationWords.deed(
            group.sort, about: Self.kind(of: group, in: page), hasTarget: group.target != nil,
            isOne: keys.count + group.anonymous == 1)
        let saysSomething = [.reply, .quote, .mention, .chat].contains(group.sort)
        excerpt =
            if saysSomething {
                newest.event.map { Self.excerpt($0, names) } ?? ""
            } else {
                oneLine(group.members.lazy.compactMap { $0.zap?.comment }.first { !$0.isEmpty } ?? "", limit: 200)
            }
        about =
            if group.sort != .mention, let target = group.target.flatMap({ page.targets[$0] }) {
                Self.excerpt(target, names)
            } else {
                ""
            }
        reactions = group.sort == .reaction ? Self.reactions(of: group) : []
        amount = group.sort == .zap ? InvoiceWords.amount(group.millisatoshis) : nil
        let word = newest.event.flatMap { LiveChatMessage($0) }.map { StreamWord.word(of: $0.activity.address) } ?? ""
        stream = word.isEmpty ? nil : word
        canReply = saysSomething && group.sort != .chat
        opens = canReply ? newest.id : group.sort == .chat ? nil : group.target
    }

    /// Of which kind it is what a group is about: as it is here, or as the address says that was reposted.
    private static func kind(of group: NotificationGroup, in page: NotificationPage) -> Kind? {
        group.target.flatMap { page.targets[$0]?.kind }
            ?? group.newest.event.flatMap { AddressRepost($0)?.target.address.kind }
    }

    /// The start of a note in one line; what its author warns of is not in it.
    private static func excerpt(_ event: Event, _ names: [String: PublicKey]) -> String {
        if event.tags.contains(where: { $0.name == "content-warning" }) { return NotificationWords.warned }
        let title = event.kind == 30_023 ? event.tags.firstValue("title") : nil
        return textExcerpt(title ?? event.content, names: names, limit: 200)
    }

    private static func reactions(of group: NotificationGroup) -> [ReactionCount] {
        var counts: [String: Int] = [:]
        for member in group.members {
            let content =
                switch member.event.flatMap({ Reaction($0) })?.meaning {
                case .like, nil: "❤️"
                case .dislike: "👎"
                case .emoji(let text): oneLine(text, limit: 8)
                case .customEmoji(let emoji): ":\(oneLine(emoji.shortcode, limit: 24)):"
                }
            counts[content.isEmpty ? "❤️" : content, default: 0] += 1
        }
        let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return sorted.prefix(mostReactions).map { ReactionCount(content: $0.key, count: $0.value) }
    }
}
