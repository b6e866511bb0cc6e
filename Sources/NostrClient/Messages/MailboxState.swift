internal import NostrCore
internal import NostrNIPs

/// What is known of every conversation without opening it.
///
/// A value without I/O. Taking the same messages in another order gives the same state, and so does
/// ``RoomSummary/init(_:keeping:)`` over all of them.
struct MailboxState: Sendable {
    private(set) var rooms: [ChatRoom: RoomSummary] = [:]

    init(_ rooms: [RoomSummary] = []) {
        for room in rooms { self.rooms[room.room] = room }
    }

    subscript(_ room: ChatRoom) -> RoomSummary? {
        get { rooms[room] }
        set { rooms[room] = newValue }
    }

    /// The conversations of a folder that have a message to show, the one with the newest first.
    func summaries(in folder: MessageFolder, _ view: MailboxView) -> [RoomSummary] {
        rooms.values
            .filter { $0.newest != nil && view.folder(of: $0) == folder && !view.hides($0) }
            .sorted { ($1.newest?.place ?? .start) < ($0.newest?.place ?? .start) }
    }

    /// How many messages of a folder are unread.
    func unread(in folder: MessageFolder, _ view: MailboxView) -> Int {
        rooms.values.reduce(0) { sum, room in
            guard room.newest != nil, view.folder(of: room) == folder, !view.hides(room) else { return sum }
            return sum + (view.unread(of: room) > 0 ? 1 : 0)
        }
    }

    /// The room behind a page's address.
    func room(_ word: String) -> ChatRoom? {
        rooms.keys.first { Array($0.word.utf8) == Array(word.utf8) }
    }
}

/// How an account looks at its messages now: whom it follows and whom it does not want to see.
struct MailboxView: Sendable {
    let account: PublicKey
    var followed: Set<PublicKey> = []
    var mutes = Mutes()
    var now: Timestamp

    /// Known is where somebody one follows wrote, where one wrote oneself, and what one accepted.
    ///
    /// That somebody is only named makes nothing known: a stranger can name anybody.
    func folder(of room: RoomSummary) -> MessageFolder {
        let isKnown =
            room.isAccepted || room.writers.contains(account) || !room.writers.isDisjoint(with: followed)
            || room.room.participants == [account]
        return isKnown ? .known : .requests
    }

    /// Whether nothing is left of a conversation without the muted.
    func hides(_ room: RoomSummary) -> Bool {
        let others = room.room.others(than: account)
        return !others.isEmpty && others.allSatisfy(mutes.people.contains)
            || !room.writers.isEmpty && room.writers.isSubset(of: mutes.people)
    }

    /// Whether a message is shown.
    func shows(_ item: OpenConversation.Item) -> Bool {
        if let expiration = item.expiration, expiration <= now { return false }
        if item.author == account { return true }
        if mutes.people.contains(item.author) { return false }
        return item.message.map { !mutes.hides($0.rumor) } ?? true
    }

    /// Whether the start of a conversation's newest message may stand in a list.
    func shows(_ glimpse: RoomSummary.Glimpse) -> Bool {
        if let expiration = glimpse.expiration, expiration <= now { return false }
        if glimpse.author == account { return true }
        if case .text(let text) = glimpse.content, mutes.hides(text: text) { return false }
        return !mutes.people.contains(glimpse.author)
    }

    func unread(of room: RoomSummary) -> Int {
        mutes.people.isEmpty ? room.unread.count : room.unread.count { !mutes.people.contains($0.author) }
    }
}

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

    /// Works the summary out again from the whole conversation.
    ///
    /// - Parameter old: what a person decided: what is accepted and read.
    init(_ conversation: OpenConversation, keeping old: RoomSummary?, account: PublicKey) {
        self.init(conversation.room)
        isAccepted = old?.isAccepted ?? false
        readUpTo = old?.readUpTo
        hasDeletions = old?.hasDeletions ?? false
        for item in conversation.items { take(item, account: account) }
    }

    /// Takes a message.
    mutating func take(_ item: OpenConversation.Item, account: PublicKey) {
        writers.insert(item.author)
        if newest.map({ $0.place < item.place }) ?? true {
            newest = Glimpse(item)
        }
        if let text = item.message?.subject, subject.map({ $0.place < item.place }) ?? true {
            subject = Subject(place: item.place, text: text)
        }
        if let moment = item.expiration { expires = expires.map { min($0, moment) } ?? moment }
        if item.author == account {
            // Whoever answers has read what came before, on whatever device.
            read(upTo: item.place)
        } else if item.message != nil, readUpTo.map({ $0 < item.place }) ?? true {
            unread.append(Unread(place: item.place, author: item.author))
            unread.sort { $0.place < $1.place }
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
    init(_ item: OpenConversation.Item) {
        place = item.place
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

extension MessageCursor {
    static let start = MessageCursor(createdAt: Timestamp(seconds: .min), id: EventID(Bytes32()))
}
