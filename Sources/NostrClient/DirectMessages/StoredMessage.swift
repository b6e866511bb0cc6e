internal import NostrCore
internal import NostrNIPs

/// A message of a conversation and what stands around it.
struct StoredMessage: Hashable, Sendable {
    let id: EventID
    let author: PublicKey
    /// When its author says, but never later than it came: a date in the future would hold the newest place.
    let moment: Timestamp
    /// `nil` once its author took it back.
    var message: ChatMessage?
    let expiration: Timestamp?
    var reactions: [MessageReaction] = []
    /// The start of the message it answers, when that is here.
    var replyExcerpt: String?

    var cursor: MessageCursor { MessageCursor(createdAt: moment, id: id) }

    /// What a record shows; `nil` for a reaction, a deletion, and what was removed.
    init?(_ record: RumorRecord) {
        guard let entry = MessageEntry(record) else { return nil }
        self.init(entry, record)
    }

    /// What an entry of the index stands for.
    init(_ entry: MessageEntry, _ record: RumorRecord) {
        id = entry.cursor.id
        author = entry.author
        moment = entry.cursor.createdAt
        message = entry.isRetracted ? nil : record.rumor.flatMap(ChatMessage.init)
        expiration = entry.expiration
    }
}

/// A message in the index of its conversation: enough to know whether to open it.
struct MessageEntry: Hashable, Sendable {
    /// A message's own clock may be ahead of ours by this much before it is not believed.
    static let skew: Duration = .seconds(600)

    let cursor: MessageCursor
    let author: PublicKey
    var isRetracted: Bool
    /// Whether it names a subject for the conversation.
    let hasSubject: Bool
    let expiration: Timestamp?

    /// The entry of a record; `nil` for a reaction, a deletion, and what was removed.
    init?(_ record: RumorRecord) {
        switch record.content {
        case .removed: return nil
        case .retracted(let id, let author, let createdAt):
            cursor = MessageCursor(createdAt: Self.moment(createdAt, arrivedAt: record.arrivedAt), id: id)
            self.author = author
            isRetracted = true
            hasSubject = false
        case .held(let rumor):
            guard let message = ChatMessage(rumor) else { return nil }
            cursor = MessageCursor(
                createdAt: Self.moment(rumor.createdAt, arrivedAt: record.arrivedAt), id: rumor.id)
            author = rumor.pubkey
            isRetracted = false
            hasSubject = message.subject != nil
        }
        expiration = record.expiration
    }

    /// The moment a message is ordered by.
    static func moment(_ createdAt: Timestamp, arrivedAt: Timestamp) -> Timestamp {
        createdAt > arrivedAt + skew ? arrivedAt : createdAt
    }

    // MARK: In the index

    /// Reads an entry; `nil` for what this version cannot read.
    init?(_ entry: SealedIndex.Entry) {
        var (key, value) = (ByteReader(entry.key), ByteReader(entry.value))
        guard let moment = key.integer(), let id = key.bytes32(), let marks = value.byte(),
            let author = value.bytes32(), let expires = value.integer()
        else { return nil }
        cursor = MessageCursor(createdAt: Timestamp(seconds: moment ^ .min), id: EventID(id))
        self.author = PublicKey(author)
        isRetracted = marks & 1 != 0
        hasSubject = marks & 2 != 0
        expiration = expires == 0 ? nil : Timestamp(seconds: expires)
    }

    /// Shape: the key of its place; a byte of marks, the author, and the moment it disappears (8 bytes; 0 for never).
    var indexed: SealedIndex.Entry {
        var value: [UInt8] = [(isRetracted ? 1 : 0) | (hasSubject ? 2 : 0)]
        value += author.bytes.array
        value.append(bigEndian: expiration?.seconds ?? 0)
        return SealedIndex.Entry(key: cursor.indexKey, value: value)
    }
}

extension MessageCursor: Comparable {
    static let start = MessageCursor(createdAt: Timestamp(seconds: .min), id: EventID(Bytes32()))

    /// By moment, then by id.
    public static func < (a: MessageCursor, b: MessageCursor) -> Bool {
        a.createdAt == b.createdAt ? a.id < b.id : a.createdAt < b.createdAt
    }

    /// The same order byte by byte: 8 bytes of the moment, the sign turned round, and the id.
    var indexKey: [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(40)
        key.append(bigEndian: createdAt.seconds ^ .min)
        key += id.bytes.array
        return key
    }
}
