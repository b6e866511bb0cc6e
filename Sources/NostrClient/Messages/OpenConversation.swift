internal import NostrCore
internal import NostrNIPs

/// One conversation with everything in it, decrypted and folded: which messages there are, in order, which were taken
/// back, who reacted.
///
/// The order in which rumors came makes no difference.
struct OpenConversation: Sendable {
    /// A message and where it stands.
    struct Item: Hashable, Sendable {
        let id: EventID
        let author: PublicKey
        /// When its author says, but never later than it came: a date in the future would hold the newest place.
        let moment: Timestamp
        /// `nil` once its author took it back.
        var message: ChatMessage?
        let expiration: Timestamp?

        var place: MessageCursor { MessageCursor(createdAt: moment, id: id) }
    }

    /// A message's own clock may be ahead of ours by this much before it is not believed.
    static let skew: Duration = .seconds(600)

    let room: ChatRoom
    /// The messages, oldest first.
    private(set) var items: [Item] = []
    private(set) var reactions: [EventID: [MessageReaction]] = [:]
    /// Messages and reactions that are asked to be deleted, and by whom.
    private var deletions: [EventID: Set<PublicKey>] = [:]
    /// Reaction rumors, so that they can be taken back.
    private var reactionIDs: [EventID: (target: EventID, reaction: MessageReaction)] = [:]

    init(_ room: ChatRoom, _ records: [MailRecord] = []) {
        self.room = room
        items.reserveCapacity(records.count)
        for record in records { add(record) }
        items.sort { $0.place < $1.place }
    }

    /// The moment a message is ordered by.
    static func moment(_ createdAt: Timestamp, arrivedAt: Timestamp) -> Timestamp {
        createdAt > arrivedAt + skew ? arrivedAt : createdAt
    }

    /// Takes one more rumor; returns the ids of messages whose text goes with it.
    @discardableResult
    mutating func take(_ record: MailRecord) -> [EventID] {
        let count = items.count
        let gone = add(record)
        if items.count > count, items.count > 1 { settleLast() }
        return gone
    }

    /// Takes a message out, as if it had never been.
    mutating func remove(_ id: EventID) {
        items.removeAll { $0.id == id }
        reactions[id] = nil
    }

    /// The message with an id.
    func item(_ id: EventID) -> Item? { items.last { $0.id == id } }

    /// Up to `limit` messages before a place, and whether there are more; oldest first.
    func stretch(
        before cursor: MessageCursor?, limit: Int, where isShown: (Item) -> Bool
    ) -> (items: [Item], hasMore: Bool) {
        var index = cursor.map(self.index(of:)) ?? items.count
        var found: [Item] = []
        while index > 0 {
            index -= 1
            guard isShown(items[index]) else { continue }
            if found.count == limit { return (found.reversed(), true) }
            found.append(items[index])
        }
        return (found.reversed(), false)
    }

    /// How many messages are before a place.
    private func index(of cursor: MessageCursor) -> Int {
        var low = 0
        var high = items.count
        while low < high {
            let middle = (low + high) / 2
            if items[middle].place < cursor { low = middle + 1 } else { high = middle }
        }
        return low
    }

    @discardableResult
    private mutating func add(_ record: MailRecord) -> [EventID] {
        switch record.content {
        case .removed: return []
        case .retracted(let id, let author, let createdAt):
            let moment = Self.moment(createdAt, arrivedAt: record.arrivedAt)
            items.append(Item(id: id, author: author, moment: moment, message: nil, expiration: record.expiration))
            return []
        case .held(let rumor): return add(rumor, record)
        }
    }

    private mutating func add(_ rumor: Rumor, _ record: MailRecord) -> [EventID] {
        if let message = ChatMessage(rumor) {
            let isGone = deletions[rumor.id]?.contains(rumor.pubkey) ?? false
            items.append(
                Item(
                    id: rumor.id, author: rumor.pubkey,
                    moment: Self.moment(rumor.createdAt, arrivedAt: record.arrivedAt),
                    message: isGone ? nil : message, expiration: record.expiration))
            return isGone ? [rumor.id] : []
        }
        if let reaction = ChatReaction(rumor) {
            if deletions[rumor.id]?.contains(rumor.pubkey) ?? false { return [] }
            let made = MessageReaction(content: rumor.content.isEmpty ? "+" : rumor.content, author: rumor.pubkey)
            reactionIDs[rumor.id] = (reaction.target, made)
            if !reactions[reaction.target, default: []].contains(made) {
                reactions[reaction.target, default: []].append(made)
            }
            return []
        }
        return ChatDeletion(rumor).map { delete($0) } ?? []
    }

    /// Only what is by the same author goes; what has not come yet goes when it comes.
    private mutating func delete(_ deletion: ChatDeletion) -> [EventID] {
        var gone: [EventID] = []
        for target in deletion.targets {
            deletions[target, default: []].insert(deletion.author)
            if let known = reactionIDs[target], known.reaction.author == deletion.author {
                reactions[known.target]?.removeAll { $0 == known.reaction }
                if reactions[known.target]?.isEmpty == true { reactions[known.target] = nil }
                reactionIDs[target] = nil
            }
            if let index = items.lastIndex(where: { $0.id == target && $0.author == deletion.author }) {
                if items[index].message != nil { gone.append(target) }
                items[index].message = nil
            }
        }
        return gone
    }

    /// Moves the last item to its place.
    private mutating func settleLast() {
        let item = items.removeLast()
        items.insert(item, at: index(of: item.place))
    }
}

extension MessageCursor: Comparable {
    public static func < (a: MessageCursor, b: MessageCursor) -> Bool {
        a.createdAt == b.createdAt ? a.id < b.id : a.createdAt < b.createdAt
    }
}
