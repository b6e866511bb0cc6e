internal import NostrCore
internal import NostrNIPs

/// Lists that people of the world read as feeds: sets of people (kind 30000), of notes (30003), of topics (30015) and of
/// relays (30002), as messy as programs write them.
struct WorldFeeds {
    private let people: [WorldPerson]
    private let graph: FollowGraph
    private let relays: [WorldRelay]
    private let now: Timestamp
    private var dice: Dice

    /// Writes the lists of the demo person and of some others.
    static func write(
        people: [WorldPerson], hero: Int, graph: FollowGraph, relays: [WorldRelay], now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: what stands on lists changes nothing of what people do.
        var feeds = WorldFeeds(people: people, graph: graph, relays: relays, now: now, dice: Dice(seed: seed ^ 0xFEED5))
        let notes = written.filter { $0.event.kind == 1 }
        var lists = feeds.heroLists(hero, notes)
        for person in people where person.number != hero {
            if feeds.dice.chance(0.12) { lists.append(feeds.peopleSet(of: person.number)) }
            if feeds.dice.chance(0.08) { lists.append(feeds.topicSet(of: person.number)) }
            if feeds.dice.chance(0.08) { lists.append(feeds.noteSet(of: person.number, notes)) }
        }
        lists.append(feeds.favourites(of: hero))
        written += lists
    }

    private mutating func heroLists(_ hero: Int, _ notes: [Written]) -> [Written] {
        let everyday = relays.filter { $0.trait == .reliable || $0.trait == .commons }.prefix(3)
        var notesOnList: [Tag] = some(of: notes, 8).map { Tag(["e", $0.event.id.hex, "", $0.event.pubkey.hex]) }
        notesOnList += [["e", "not an id"], ["e", String(repeating: "0d", count: 32)], ["r", "https://example.com"]]
        var relaysOnList: [Tag] = everyday.map { Tag(["relay", $0.address.text]) }
        relaysOnList.append(["relay", "nonsense"])
        return [
            list(.interestSets, "outdoors", "Outdoors", [["t", "birds"], ["t", "Garden"], ["t", ""]], by: hero),
            list(.bookmarkSets, "read-again", "Read again", notesOnList, by: hero),
            list(.relaySets, "harbour", "Harbour", relaysOnList, by: hero),
        ]
    }

    /// Favourite relays (kind 10012), by the set of relays they stand in.
    private mutating func favourites(of person: Int) -> Written {
        let set = EventAddress(kind: .relaySets, author: people[person].publicKey, identifier: "harbour")
        let draft = EventDraft(
            kind: .relayFeeds, tags: [["a", set.description]], createdAt: now - .seconds(3 * 86_400))
        return Written(event: Event(signing: draft, with: people[person].keyholder.key, using: &dice), author: person)
    }

    /// Some programs write `name`, some write no title at all, and people stand there twice.
    private mutating func peopleSet(of person: Int) -> Written {
        let follows = Array(graph.follows[person].prefix(40))
        let count = dice.whole(2...9)
        let members = (0..<count).compactMap { _ in dice.pick(follows) }
        var tags = members.map { Tag(["p", people[$0].publicKey.hex]) }
        if let first = tags.first { tags.append(first) }
        let title = dice.chance(0.3) ? "" : "Friends"
        return list(.followSets, "friends", title, tags, by: person)
    }

    private mutating func topicSet(of person: Int) -> Written {
        let topics = people[person].topics.flatMap(\.hashtags).prefix(4)
        let tags = topics.map { topic in Tag(["t", dice.chance(0.3) ? topic.uppercased() : topic]) }
        return list(.interestSets, "interests", "Interests", tags, by: person)
    }

    private mutating func noteSet(of person: Int, _ notes: [Written]) -> Written {
        let count = dice.whole(1...6)
        let tags = some(of: notes, count).map { Tag(["e", $0.event.id.hex]) }
        return list(.bookmarkSets, "kept", "Kept", tags, by: person)
    }

    private mutating func some(of notes: [Written], _ count: Int) -> [Written] {
        (0..<count).compactMap { _ in dice.pick(notes) }
    }

    private mutating func list(
        _ kind: Kind, _ identifier: String, _ title: String, _ tags: [Tag], by author: Int
    ) -> Written {
        let heading: [Tag] = [["d", identifier]] + (title.isEmpty ? [] : [["title", title]])
        let moment = now - .seconds(Int64(dice.whole(1...40)) * 86_400)
        let draft = EventDraft(kind: kind, tags: heading + tags, createdAt: moment)
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        return Written(event: event, author: author)
    }
}
