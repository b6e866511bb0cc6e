internal import NostrCore
internal import NostrNIPs

/// How an account looks at its messages now: whom it follows and whom it does not want to see.
struct MessageVisibility: Sendable {
    let account: PublicKey
    var followed: Set<PublicKey> = []
    var mutes = Mutes()
    var now: Timestamp
    /// Unread messages that are not shown for what they say; see ``MessageStore/silenced(in:for:)``.
    var silenced: Set<EventID> = []

    /// Known is where somebody wrote whom the account follows, where it wrote itself, and what it accepted.
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

    /// Whether a message may be shown, as far as its entry says.
    func mayShow(_ entry: MessageEntry) -> Bool {
        if let expiration = entry.expiration, expiration <= now { return false }
        return entry.author == account || !mutes.people.contains(entry.author)
    }

    /// Whether a message is shown.
    func shows(_ item: StoredMessage) -> Bool {
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

    /// Whether a conversation's subject may stand above it.
    func shows(_ subject: RoomSummary.Subject) -> Bool {
        if subject.author == account { return true }
        return mutes.verdict(on: subject.author, in: .conversation) == .shown && !mutes.hides(text: subject.text)
    }

    /// How many messages of others came since it was read, and are shown.
    func unread(of room: RoomSummary) -> Int {
        if mutes.people.isEmpty, silenced.isEmpty { return room.unread.count }
        return room.unread.count { !mutes.people.contains($0.author) && !silenced.contains($0.place.id) }
    }
}
