internal import NostrCore
internal import NostrNIPs

/// What people do while the world runs with what stands there already: they vote in polls, and react to posts of the demo
/// person and to lines of chats, so that something comes while somebody looks.
///
/// It throws dice of its own, so that what people write elsewhere stays what it was.
struct LiveAttention: Sendable {
    /// The kinds of the demo person's posts that others notice.
    static let noticed: Set<Kind> = [1, 20, 21, LiveChatMessage.kind, Poll.kind]
    /// So long nobody notices a post.
    private static let pause: Duration = .seconds(120)
    private static let reactions = ["+", "+", "❤️", "🔥", "🌱", "😂", "👏"]

    private let people: [WorldPerson]
    /// Everybody but the demo person, and who of them follows the demo person.
    private let others: [Int], readers: [Int]
    /// The polls of others that can be answered.
    private let polls: [Event]
    /// Relays by their addresses, by number.
    private let relays: [RelayURL: Int]
    private var dice: Dice
    private var written: [Written] = []

    init(_ world: World, seed: UInt64) {
        people = world.people
        let hero = world.hero
        others = world.people.indices.filter { $0 != hero }
        readers = world.graph.followers[hero].filter { $0 != hero }
        polls = world.events.filter { event in
            event.pubkey != world.heroPerson.publicKey && (Poll(event).map { !$0.hasEnded(at: world.now) } ?? false)
        }
        relays = Dictionary(world.relays.map { ($0.address, $0.number) }) { first, _ in first }
        dice = Dice(seed: seed ^ 0xA77E_2710)
    }

    /// Hands over what was written since the last time.
    mutating func takeWritten() -> [Written] {
        defer { written = [] }
        return written
    }

    /// Somebody notices something, sometimes.
    ///
    /// - Parameters:
    ///   - posts: what the demo person posted lately.
    ///   - lines: what was just said in chats.
    mutating func live(at now: Timestamp, posts: [Event], lines: [Written]) {
        if dice.chance(0.3), let line = dice.pick(lines.filter { $0.event.kind == LiveChatMessage.kind }) {
            react(to: line.event, by: somebody(), at: now, alsoAt: line.alsoAt)
        }
        if dice.chance(0.05), let poll = dice.pick(polls) { vote(in: poll, by: somebody(), at: now) }
        let settled = posts.filter { $0.createdAt + Self.pause <= now }
        guard dice.chance(0.1), let post = dice.pick(settled), let reader = dice.pick(readers) else { return }
        if post.kind == Poll.kind { vote(in: post, by: reader, at: now) } else { react(to: post, by: reader, at: now) }
    }

    /// Anybody but the demo person.
    private mutating func somebody() -> Int { dice.pick(others) ?? readers.first ?? 0 }

    private mutating func vote(in event: Event, by voter: Int, at now: Timestamp) {
        guard let poll = Poll(event), !poll.hasEnded(at: now), let option = dice.pick(poll.options) else { return }
        publish(
            PollResponse.draft(to: poll.id, options: [option.id], createdAt: now), by: voter,
            alsoAt: Set(poll.relays.compactMap { relays[$0] }))
    }

    private mutating func react(to event: Event, by reader: Int, at now: Timestamp, alsoAt: Set<Int> = []) {
        let content = dice.pick(Self.reactions, or: "+")
        var draft = Reaction.draft(to: event, content: content, emoji: nil, relay: nil, createdAt: now)
        // By it those in the room find it.
        if let line = LiveChatMessage(event) { draft.tags.append(line.activity.tag("a")) }
        publish(draft, by: reader, alsoAt: alsoAt)
    }

    private mutating func publish(_ draft: EventDraft, by author: Int, alsoAt: Set<Int>) {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, alsoAt: alsoAt))
    }
}
