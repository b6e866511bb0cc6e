internal import NostrCore
internal import NostrNIPs

/// Makes the lines of a room out of what is stored of it.
struct RoomReading {
    /// Within this time the same words of the same person are a repetition.
    static let repetition: Duration = .seconds(600)

    private let address: EventAddress
    private let account: PublicKey
    private let followed: Set<PublicKey>
    private let mutes: Mutes
    private let now: Timestamp
    private var messages: [Event] = []
    private var repeats = 0
    private var pinned: [Event] = []
    private var payments: [(id: EventID, zap: Zap)] = []
    /// What people reacted with, by what they reacted to.
    private var tallies: [EventID: ReactionTally] = [:]
    /// Who reacted to the stream itself.
    private var streamFans: Set<PublicKey> = []

    /// Takes what is stored, in any order; what is muted, or from further ahead than clocks differ, goes.
    ///
    /// - Parameters:
    ///   - stream: the version in force of the stream itself, where it is here.
    ///   - elsewhere: those that name the stream and are about something else, such as a line of its chat.
    init(
        _ stored: [Event], of stream: EventID?, elsewhere: Set<EventID>, at address: EventAddress, account: PublicKey,
        followed: Set<PublicKey>, mutes: Mutes, now: Timestamp
    ) {
        self.address = address
        self.account = account
        self.followed = followed
        self.mutes = mutes
        self.now = now
        let due = stored.filter { $0.createdAt <= now + LiveStreams.latest }
        let said = due.filter { isSaid($0) && mutes.verdict(on: $0, in: .timeline) == .shown }
        (messages, repeats) = withoutRepeats(said.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) })
        messages = Array(messages.suffix(LiveRoom.most))
        for event in due where mutes.verdict(on: event, in: .counts) == .shown {
            takeReaction(event, of: stream, isElsewhere: elsewhere.contains(event.id))
        }
    }

    /// How many people wrote within the last hour.
    var chatters: Int {
        Set(messages.lazy.filter { $0.createdAt >= now - LiveStreams.recently }.map(\.pubkey)).count
    }

    /// Everybody who is to be known to draw the room; of those who only reacted, whom the account follows.
    var people: Set<PublicKey> {
        var people = Set((messages + pinned).flatMap { [$0.pubkey] + $0.mentionedPeople.prefix(20) })
        for (_, zap) in payments where !zap.isAnonymous { people.insert(zap.sender) }
        for tally in tallies.values { people.formUnion(tally.lines.flatMap(\.people).filter(followed.contains)) }
        return people
    }

    /// Takes the payments among what is stored, each once.
    mutating func takePayments(_ verdicts: [EventID: ZapVerdict], of stored: [Event]) {
        var seen: Set<[UInt8]> = []
        for event in stored {
            guard case .counts(let payment, let zap)? = verdicts[event.id], seen.insert(payment).inserted,
                mutes.verdict(on: zap.sender, in: .timeline) == .shown, !mutes.hides(text: zap.comment)
            else { continue }
            payments.append((event.id, zap))
        }
    }

    /// Takes the lines that the stream's author pinned, in their order; of other streams' lines nothing.
    mutating func addPinned(_ events: [Event], named ids: [EventID]) {
        pinned = ids.compactMap { id in events.first { $0.id == id } }.filter {
            isSaid($0) && mutes.verdict(on: $0, in: .timeline) == .shown
        }
    }

    /// How many people reacted to the stream itself, in this version or an earlier one.
    var reactions: Int { streamFans.count }

    /// Puts the lines into a room.
    func fill(_ room: inout LiveRoom, _ persons: [PublicKey: Person]) {
        let zaps = payments.map { line($0.id, $0.zap, persons) }
        let lines = (messages.map { line($0, persons) } + zaps).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        room.lines = Array(lines.suffix(LiveRoom.most))
        room.pinned = pinned.map { line($0, persons) }
        room.mentioned = persons
        room.zaps = ZapTally(payments.map(\.zap))
        room.repeats = repeats
    }

    private func line(_ event: Event, _ persons: [PublicKey: Person]) -> LiveLine {
        LiveLine(
            id: event.id, createdAt: event.createdAt, author: persons[event.pubkey] ?? Person(key: event.pubkey),
            body: .words(event), replyTo: LiveChatMessage(event)?.replyTo, reactions: reactions(on: event.id, persons))
    }

    private func line(_ id: EventID, _ zap: Zap, _ persons: [PublicKey: Person]) -> LiveLine {
        LiveLine(
            id: id, createdAt: zap.paidAt, author: persons[zap.sender] ?? Person(key: zap.sender), body: .zap(zap))
    }

    private func isSaid(_ event: Event) -> Bool {
        event.kind == LiveChatMessage.kind && LiveChatMessage(event)?.activity.address == address
    }

    /// Leaves out what somebody says again and again; the account's own lines stay.
    private func withoutRepeats(_ said: [Event]) -> ([Event], Int) {
        struct Words: Hashable {
            let person: PublicKey
            let text: String
        }
        var last: [Words: Timestamp] = [:]
        let kept = said.filter { event in
            let words = Words(person: event.pubkey, text: event.content.trimmingWhiteSpace())
            let before = last.updateValue(event.createdAt, forKey: words)
            guard let before, event.pubkey != account else { return true }
            return before + Self.repetition < event.createdAt
        }
        return (kept, said.count - kept.count)
    }

    private mutating func takeReaction(_ event: Event, of stream: EventID?, isElsewhere: Bool) {
        guard event.kind == Reaction.kind, let reaction = Reaction(event), reaction.address == address else { return }
        let isToStream = reaction.target.id == stream || (event.touchedAddresses.contains(address) && !isElsewhere)
        guard !isToStream else {
            streamFans.insert(event.pubkey)
            return
        }
        // A chat shows no dislikes.
        guard reaction.meaning != .dislike else { return }
        tallies[reaction.target.id, default: ReactionTally()].add(reaction, of: event.pubkey)
    }

    /// The four most frequent ones.
    private func reactions(on id: EventID, _ persons: [PublicKey: Person]) -> [ReactionGroup] {
        (tallies[id]?.ranked ?? []).prefix(4).map { line in
            line.group(naming: line.named(own: account, followed: followed), persons, own: account)
        }
    }
}
