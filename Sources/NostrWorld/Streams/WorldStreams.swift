internal import NostrCore
internal import NostrNIPs

/// Live streams of the world and what is said in them (NIP-53): two that are live, one planned, one that ended, and one
/// that says it is live and was forgotten.
///
/// It throws dice of its own, so that what people write elsewhere stays what it was.
struct WorldStreams: Sendable {
    /// So often a live stream says that it still is.
    static let pulse: Duration = .seconds(20 * 60)

    /// One stream.
    struct Stream: Sendable {
        let identifier: String
        let title: String
        let summary: String
        /// Who signs it.
        let author: Int
        let host: Int
        /// Named as a speaker, who never agreed.
        var invited: Int?
        let starts: Timestamp
        var ends: Timestamp?
        let status: LiveActivity.Status
        let chatters: [Int]
        var pinned: EventID?
        var updatedAt: Timestamp

        func address(_ people: [WorldPerson]) -> EventAddress {
            EventAddress(kind: LiveActivity.kind, author: people[author].publicKey, identifier: identifier)
        }
    }

    let people: [WorldPerson]
    /// Where chats are kept, by number.
    private let relays: [Int]
    private let addresses: [RelayURL]
    private let pictures: String
    private let wallet: Keyholder
    private var dice: Dice
    private(set) var streams: [Stream] = []
    private var written: [Written] = []

    init(
        people: [WorldPerson], hero: Int, graph: FollowGraph, choices: [RelayChoice], relays all: [WorldRelay],
        pictures: String, now: Timestamp, payable: Set<Int>, seed: UInt64
    ) {
        self.people = people
        self.pictures = pictures
        wallet = WorldZaps.wallet(seed: seed)
        dice = Dice(seed: seed ^ 0x57_2EA4)
        relays = Array(choices[hero].reads.filter { all.indices.contains($0) && all[$0].isReadable }.prefix(3))
        addresses = relays.map { all[$0].address }
        // They speak English, unless too few do.
        let speakers = { (numbers: [Int]) in
            let anybody = numbers.filter { $0 != hero && !people[$0].isLost }
            let speaking = anybody.filter { people[$0].language == .english }
            return speaking.count >= Self.fewest ? speaking : anybody
        }
        let friends = speakers(graph.follows[hero])
        // Who hosts the first one can be paid.
        let ordered = friends.filter(payable.contains) + friends.filter { !payable.contains($0) }
        plan(friends: ordered, everybody: speakers(Array(people.indices)), now: now)
    }

    /// So many friends and strangers of the demo person are needed.
    private static let fewest = 6

    /// Who streams what; in a world without enough people nobody does.
    private mutating func plan(friends: [Int], everybody: [Int], now: Timestamp) {
        var strangers = everybody.filter { !friends.contains($0) }
        // In a hamlet one follows nearly everybody.
        strangers += friends.reversed().prefix(max(Self.fewest - strangers.count, 0))
        guard friends.count >= Self.fewest, strangers.count >= Self.fewest else { return }
        func add(
            _ name: String, _ title: String, _ summary: String, by author: Int, host: Int, invited: Int? = nil,
            starts: Int64, ends: Int64? = nil, _ status: LiveActivity.Status, chatters: [Int] = [], updated: Int64
        ) {
            streams.append(
                Stream(
                    identifier: name, title: title, summary: summary, author: author, host: host, invited: invited,
                    starts: now + .seconds(starts), ends: ends.map { now + .seconds($0) }, status: status,
                    chatters: chatters, updatedAt: now - .seconds(updated)))
        }
        add(
            "harbour-morning", "Morning at the harbour", "Gulls, boats, and whoever comes by with coffee.",
            by: friends[0], host: friends[0], starts: -5400, .live,
            chatters: Array(friends[1...5]) + strangers.prefix(2), updated: 240)
        add(
            "night-radio:7", "Night radio, part seven", "Old tapes, read aloud. Bring a blanket.",
            by: strangers[2], host: strangers[3], invited: friends[5], starts: -1800, .live,
            chatters: Array(strangers.prefix(3)), updated: 120)
        add(
            "loaves", "Baking for a street party", "Forty loaves and one oven.", by: friends[1], host: friends[1],
            starts: 2 * 86_400, .planned, updated: 86_400)
        add(
            "swifts", "Counting swifts from the tower", "An evening of counting; the recording is whole.",
            by: friends[2], host: friends[2], starts: -3 * 86_400, ends: -3 * 86_400 + 7200, .ended,
            updated: 3 * 86_400 - 9000)
        add(
            "forgotten", "Somebody left the camera on", "", by: strangers[4], host: strangers[4], starts: -86_400,
            .live, updated: 7 * 3600)
    }

    /// Writes the streams and the last hour of their chats.
    mutating func writeHistory(until now: Timestamp, muted: Int?, beside open: inout [Written]) {
        for index in streams.indices {
            if streams[index].status == .live, !streams[index].chatters.isEmpty { chat(in: index, until: now) }
            if index == 0 { disturb(in: index, muted: muted, until: now) }
            let event = publish(streamDraft(index), by: streams[index].author)
            if index == 0 { pay(for: event, in: index, until: now) }
        }
        open += takeWritten()
    }

    /// Hands over what was written since the last time.
    mutating func takeWritten() -> [Written] {
        defer { written = [] }
        return written
    }

    /// Somebody writes now, sometimes; and streams say that they are still live.
    mutating func live(at now: Timestamp) {
        for index in streams.indices where streams[index].status == .live && !streams[index].chatters.isEmpty {
            if streams[index].updatedAt + Self.pulse < now {
                streams[index].updatedAt = now
                _ = publish(streamDraft(index), by: streams[index].author)
            }
            if dice.chance(index == 0 ? 0.4 : 0.15) { talk(in: index, at: now) }
        }
    }

    // MARK: - What is said

    private mutating func chat(in index: Int, until now: Timestamp) {
        for minute in stride(from: 44, to: 0, by: index == 0 ? -2 : -5) {
            let id = talk(in: index, at: now - .seconds(Int64(minute * 60 - dice.whole(0...50))))
            if streams[index].pinned == nil { streams[index].pinned = id }
        }
    }

    @discardableResult
    private mutating func talk(in index: Int, at moment: Timestamp) -> EventID? {
        guard let chatter = dice.pick(streams[index].chatters) else { return nil }
        let text = dice.pick(Self.lines, or: "hello")
        return talk(text, in: index, by: chatter, at: moment)
    }

    private mutating func talk(_ text: String, in index: Int, by chatter: Int, at moment: Timestamp) -> EventID {
        let pointer = AddressPointer(address: streams[index].address(people), relays: Array(addresses.prefix(1)))
        let draft = LiveChatMessage.draft(in: pointer, text: text, createdAt: moment)
        return publish(draft, by: chatter).id
    }

    /// Somebody says the same again and again; and somebody whom the demo person muted writes.
    private mutating func disturb(in index: Int, muted: Int?, until now: Timestamp) {
        if let loud = streams[index].chatters.last {
            for step in 0..<6 { _ = talk(Self.spam, in: index, by: loud, at: now - .seconds(Int64(400 - step * 30))) }
        }
        if let muted { _ = talk(Self.unwanted, in: index, by: muted, at: now - .seconds(200)) }
    }

    private mutating func publish(_ draft: EventDraft, by author: Int) -> Event {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, alsoAt: Set(relays)))
        return event
    }

    // MARK: - The streams

    private mutating func streamDraft(_ index: Int) -> EventDraft {
        let stream = streams[index]
        var tags: [Tag] = [
            ["d", stream.identifier], ["title", stream.title], ["summary", stream.summary],
            ["image", "\(pictures)/photo/birds-\(index + 11).svg"], ["starts", String(stream.starts.seconds)],
            ["status", stream.status.rawValue], ["t", "live"],
            Tag(["relays"] + addresses.map(\.text)),
        ]
        if let ends = stream.ends { tags.append(["ends", String(ends.seconds)]) }
        switch stream.status {
        case .live:
            tags.append(["streaming", pictures + StreamPieces.path(index)])
            tags.append(["current_participants", String(stream.chatters.count * 3 + 4)])
        case .ended:
            tags.append(["recording", pictures + Film.path(index, variant: 1, isTall: false)])
            tags.append(["total_participants", "41"])
        case .planned: break
        }
        if let pinned = stream.pinned { tags.append(["pinned", pinned.hex]) }
        let proof = LiveActivity.proof(
            of: stream.address(people), by: people[stream.host].keyholder.key, using: &dice)
        tags.append(["p", people[stream.host].publicKey.hex, "", "Host", proof.hex])
        if let invited = stream.invited { tags.append(["p", people[invited].publicKey.hex, "", "Speaker"]) }
        return EventDraft(kind: LiveActivity.kind, tags: tags, content: "", createdAt: stream.updatedAt)
    }

    /// Three payments that arrived, and two that somebody made up.
    private mutating func pay(for event: Event, in index: Int, until now: Timestamp) {
        let payers = streams[index].chatters
        let payments: [(sats: Int64, words: String, isForged: Bool)] = [
            (210, "for the coffee", false), (21, "", false), (1000, "best harbour", false), (900_000, "so rich", true),
            (5_000_000, "look at me", true),
        ]
        for (number, payment) in payments.enumerated() {
            guard let payer = dice.pick(payers) else { continue }
            let moment = now - .seconds(Int64(1500 - number * 240))
            let recipient = people[streams[index].host].publicKey
            guard
                let receipt = WorldZaps.receipt(
                    for: streams[index].address(people), to: recipient, sats: payment.sats, words: payment.words,
                    from: people[payer].keyholder, wallet: wallet,
                    signedBy: payment.isForged ? people[payer].keyholder : wallet, at: moment, using: &dice)
            else { continue }
            written.append(Written(event: receipt, author: streams[index].host, alsoAt: Set(relays)))
        }
    }
}
