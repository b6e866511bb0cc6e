internal import NostrCore
internal import NostrNIPs

/// One conversation in short.
struct RoomSummary: Hashable, Sendable {
    /// A message of which the start is kept.
    struct Glimpse: Hashable, Sendable {
        let place: MessageCursor
        let author: PublicKey
        let content: Content
        let expiration: Timestamp?

        enum Content: Hashable, Sendable {
            /// The start of a text.
            case text(String)
            case file(Rumor)
            case deleted
        }
    }

    /// A message of somebody else that was not read.
    struct Unread: Hashable, Sendable {
        let place: MessageCursor
        let author: PublicKey
    }

    struct Subject: Hashable, Sendable {
        let place: MessageCursor
        /// Who named it; `nil` where an earlier version kept it.
        let author: PublicKey?
        let text: String
    }

    /// More than this are "many".
    static let mostUnread = 999
    /// How much of the newest message is kept; unit: characters.
    static let glimpseLength = 300

    let room: ChatRoom
    /// Whether it was taken out of the requests.
    var isAccepted = false
    /// Who has written in it.
    var writers: Set<PublicKey> = []
    var newest: Glimpse?
    var subject: Subject?
    /// Everything up to here was read.
    var readUpTo: MessageCursor?
    var unread: [Unread] = []
    /// When the first of its messages disappears.
    var expires: Timestamp?
    /// Whether somebody took something back: then a message that comes may be taken back already.
    var hasDeletions = false

    init(_ room: ChatRoom) {
        self.room = room
    }

    /// Adds a message, in whatever order they come.
    mutating func add(_ item: StoredMessage, account: PublicKey) {
        if newest.map({ $0.place < item.cursor }) ?? true {
            newest = Glimpse(item)
        }
        if let text = item.message?.subject, subject.map({ $0.place < item.cursor }) ?? true {
            subject = Subject(place: item.cursor, author: item.author, text: text)
        }
        count(item.cursor, by: item.author, isRetracted: item.message == nil, item.expiration, account: account)
    }

    /// Counts a message of which only the entry is known: who wrote, what is unread, what disappears.
    mutating func count(_ entry: MessageEntry, account: PublicKey) {
        count(entry.cursor, by: entry.author, isRetracted: entry.isRetracted, entry.expiration, account: account)
    }

    private mutating func count(
        _ place: MessageCursor, by author: PublicKey, isRetracted: Bool, _ expiration: Timestamp?, account: PublicKey
    ) {
        writers.insert(author)
        if let expiration { expires = expires.map { min($0, expiration) } ?? expiration }
        if author == account {
            // Whoever answers has read what came before, on whatever device.
            read(upTo: place)
        } else if !isRetracted, readUpTo.map({ $0 < place }) ?? true {
            let message = Unread(place: place, author: author)
            if let last = unread.last, place < last.place {
                unread.insert(message, at: unread.firstIndex { place < $0.place } ?? unread.count)
            } else {
                unread.append(message)
            }
            if unread.count > Self.mostUnread { unread.removeFirst() }
        }
    }

    /// Everything up to a place was read.
    mutating func read(upTo place: MessageCursor) {
        if let readUpTo, place < readUpTo { return }
        readUpTo = place
        unread.removeAll { !(place < $0.place) }
    }
}

extension RoomSummary.Glimpse {
    init(_ item: StoredMessage) {
        place = item.cursor
        author = item.author
        expiration = item.expiration
        content =
            switch item.message?.body {
            case nil: .deleted
            case .text(let text): .text(String(text.prefix(RoomSummary.glimpseLength)))
            case .file: item.message.map { .file($0.rumor) } ?? .deleted
            }
    }

    /// What a list of conversations shows.
    var body: Message.Body {
        switch content {
        case .text(let text): .text(text)
        case .file(let rumor): EncryptedFile(rumor).map(Message.Body.file) ?? .text(rumor.content)
        case .deleted: .deleted
        }
    }
}
