internal import NostrCore
internal import NostrNIPs

/// People who turn to the demo person while the world runs: they begin to follow them, change their lists again later,
/// and answer or call them in the chats of live streams.
///
/// It throws dice of its own, so that what people write elsewhere stays what it was.
struct LiveFollowing: Sendable {
    /// So long nobody answers a line.
    private static let pause: Duration = .seconds(30)
    private static let answers = [
        "that is what I thought, too", "you are right", "I see it now, thank you", "say that again?", "same here",
    ]
    private static let calls = ["are you watching, too?", "this one is for you", "you should hear this"]

    private let people: [WorldPerson]
    private let hero: WorldPerson
    /// Who does not follow the demo person yet, by number.
    private var strangers: [Int]
    /// The newest list of everybody else.
    private var lists: [Int: Event] = [:]
    /// Who answers.
    private let talkers: [Int]
    /// Who began to since the world runs.
    private var followers: [Int] = []
    /// The demo person's lines that were answered.
    private var answered: Set<EventID> = []
    private var dice: Dice
    private var written: [Written] = []

    init(_ world: World, seed: UInt64) {
        people = world.people
        hero = world.heroPerson
        let following = Set(world.graph.followers[world.hero])
        let numbers = Dictionary(
            world.people.map { ($0.publicKey, $0.number) }, uniquingKeysWith: { first, _ in first })
        for event in world.events where event.kind == FollowList.kind {
            guard let number = numbers[event.pubkey], number != world.hero else { continue }
            if let known = lists[number], known.createdAt > event.createdAt { continue }
            lists[number] = event
        }
        strangers = lists.keys.filter { !following.contains($0) && !world.people[$0].isLost }.sorted()
        talkers = lists.keys.filter { !world.people[$0].isLost }.sorted()
        dice = Dice(seed: seed ^ 0xF0_110E)
    }

    /// Hands over what was written since the last time.
    mutating func takeWritten() -> [Written] {
        defer { written = [] }
        return written
    }

    /// Somebody turns to the demo person, sometimes.
    ///
    /// - Parameters:
    ///   - posts: what the demo person posted lately.
    ///   - lines: what was just said in chats.
    mutating func live(at now: Timestamp, posts: [Event], lines: [Written]) {
        if dice.chance(0.04) { beginToFollow(at: now) }
        if dice.chance(0.002), let number = dice.pick(followers) { changeList(of: number, at: now) }
        let own = posts.first { post in
            post.kind == LiveChatMessage.kind && post.createdAt + Self.pause <= now && !answered.contains(post.id)
        }
        if dice.chance(0.2), let own, answered.insert(own.id).inserted {
            answer(dice.pick(Self.answers, or: ""), to: own, at: now, alsoAt: Set(lines.flatMap(\.alsoAt)))
        } else if dice.chance(0.06), let line = dice.pick(lines.filter { $0.event.kind == LiveChatMessage.kind }) {
            let words = "nostr:\(hero.publicKey.npub) " + dice.pick(Self.calls, or: "")
            answer(words, in: line, at: now)
        }
    }

    private mutating func beginToFollow(at now: Timestamp) {
        guard let number = dice.pick(strangers), let list = lists[number] else { return }
        strangers.removeAll { $0 == number }
        followers.append(number)
        replace(list, by: number, adding: ["p", hero.publicKey.hex], at: now)
    }

    private mutating func changeList(of number: Int, at now: Timestamp) {
        guard let list = lists[number], let other = dice.pick(people) else { return }
        replace(list, by: number, adding: ["p", other.publicKey.hex], at: now)
    }

    private mutating func replace(_ list: Event, by number: Int, adding tag: Tag, at now: Timestamp) {
        let draft = EventDraft(kind: FollowList.kind, tags: list.tags + [tag], content: list.content, createdAt: now)
        lists[number] = publish(draft, by: number)
    }

    /// Somebody answers a line of the demo person's.
    private mutating func answer(_ words: String, to line: Event, at now: Timestamp, alsoAt: Set<Int>) {
        guard let message = LiveChatMessage(line), let author = dice.pick(talkers) else { return }
        publish(
            LiveChatMessage.draft(in: message.activity, replyTo: line, text: words, createdAt: now), by: author,
            alsoAt: alsoAt)
    }

    /// Whoever just spoke calls the demo person.
    private mutating func answer(_ words: String, in line: Written, at now: Timestamp) {
        guard let message = LiveChatMessage(line.event) else { return }
        publish(
            LiveChatMessage.draft(in: message.activity, text: words, createdAt: now), by: line.author,
            alsoAt: line.alsoAt)
    }

    @discardableResult
    private mutating func publish(_ draft: EventDraft, by author: Int, alsoAt: Set<Int> = []) -> Event {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, alsoAt: alsoAt))
        return event
    }
}
