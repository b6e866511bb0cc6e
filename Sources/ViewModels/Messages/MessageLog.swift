public import NostrClient
public import NostrCore

/// A stretch of a conversation or of a circle's chat.
public struct MessageLog: Hashable, Sendable {
    /// The messages of one day, by Greenwich time.
    public struct Day: Hashable, Sendable {
        /// Its first second.
        public let start: Timestamp
        /// Its messages, oldest first.
        public let messages: [MessageItem]
    }

    /// The messages, oldest first.
    public internal(set) var messages: [MessageItem] = []
    /// Where older ones start; `nil` at the beginning.
    public internal(set) var older: MessageCursor?
    /// Whether the newest message is among them.
    public internal(set) var isAtNewest = true
    /// The first message not read before.
    public private(set) var firstUnread: EventID?

    /// How many messages a stretch has.
    public static let pageSize = 50
    /// Messages of one person this close stand together.
    static let groupSpan: Int64 = 300

    /// Takes messages in, and groups what one person wrote in one go.
    ///
    /// - Parameter unread: how many of others came since the log was read.
    mutating func show(_ items: [MessageItem], older: MessageCursor?, unread: Int) {
        self.older = older
        messages = []
        messages.reserveCapacity(items.count)
        for var item in items {
            if let last = messages.last { item.startsGroup = !standTogether(item, last) }
            messages.append(item)
        }
        guard isAtNewest, unread > 0 else { return }
        firstUnread = messages.filter { !$0.isOwn && !$0.isNews && !$0.isMuted }.suffix(unread).first?.id
    }

    /// The message with an id, when it is here.
    func message(_ id: EventID?) -> MessageItem? { id.flatMap { id in messages.first { $0.id == id } } }

    /// Where the pictures of an account's own emoji lie; read only where it reacted with a picture.
    public func ownPictures(of account: any Account) async -> Set<String> {
        let hasOwn = messages.contains { $0.reactions.contains { $0.isOwn && $0.picture != nil } }
        guard hasOwn else { return [] }
        // What cannot be read now is drawn as what others brought.
        let own = (try? await account.reactions?.ownEmoji()) ?? []
        return Set(
            own.compactMap { emoji in
                if case .picture(_, let address) = EmojiItem(emoji) { address } else { nil }
            })
    }

    /// The messages by day.
    public var days: [Day] {
        var days: [Day] = []
        var current: [MessageItem] = []
        for message in messages {
            if let last = current.last, day(of: last.createdAt) != day(of: message.createdAt) {
                days.append(Day(start: day(of: last.createdAt), messages: current))
                current = []
            }
            current.append(message)
        }
        if let last = current.last { days.append(Day(start: day(of: last.createdAt), messages: current)) }
        return days
    }
}

/// What is being written below a conversation or a circle's chat.
public struct MessagePen: Hashable, Sendable {
    /// What was filled in.
    public internal(set) var draft = MessageDraft()
    /// Why it was not sent.
    public internal(set) var problem: String?
    /// What was sent.
    public internal(set) var sent: EventID?
    /// Whether it waits here for a media server that takes its file.
    public internal(set) var isKept = false
    /// Whether nothing of it is left to be written.
    public var isDone: Bool { sent != nil || isKept }
}

/// Whether a message stands under the name of the one before.
private func standTogether(_ item: MessageItem, _ last: MessageItem) -> Bool {
    let (gap, overflow) = item.createdAt.seconds.subtractingReportingOverflow(last.createdAt.seconds)
    return item.author.key == last.author.key && !overflow && gap < MessageLog.groupSpan
        && day(of: item.createdAt) == day(of: last.createdAt) && item.reply == nil && !item.isNews && !last.isNews
        && !item.isMuted && !last.isMuted
}

/// The first second of a moment's day.
private func day(of moment: Timestamp) -> Timestamp {
    let rest = ((moment.seconds % 86_400) + 86_400) % 86_400
    return moment - .seconds(rest)
}
