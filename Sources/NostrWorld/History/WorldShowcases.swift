internal import NostrCore
internal import NostrNIPs

/// What people of the world show beside notes: comments under articles, notes they pin, what they are doing now, lists
/// for others, and events of kinds that few programs know.
struct WorldShowcases {
    private let people: [WorldPerson]
    private let hero: Int
    private let graph: FollowGraph
    private let pictures: String
    private let now: Timestamp
    private var dice: Dice
    private var new: [Written] = []

    /// A kind that stands for all those nobody knows.
    static let oddKind: Kind = 31_871

    /// Writes it beside what is there.
    static func write(
        people: [WorldPerson], hero: Int, graph: FollowGraph, pictures: String, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: what people show changes nothing of what they say.
        var showcases = WorldShowcases(
            people: people, hero: hero, graph: graph, pictures: pictures, now: now, dice: Dice(seed: seed ^ 0xA271_C1E5)
        )
        showcases.write(beside: written)
        written += showcases.new
    }

    private init(
        people: [WorldPerson], hero: Int, graph: FollowGraph, pictures: String, now: Timestamp, dice: Dice
    ) {
        self.people = people
        self.hero = hero
        self.graph = graph
        self.pictures = pictures
        self.now = now
        self.dice = dice
    }

    private mutating func write(beside written: [Written]) {
        writeGuide()
        for article in written where article.event.kind == Article.kind { comment(on: article) }
        var notes: [Int: [Event]] = [:]
        for note in written where note.event.kind == 1 && ThreadReferences(note.event.tags).root == nil {
            notes[note.author, default: []].append(note.event)
        }
        for person in people {
            if person.number == hero || dice.chance(0.15) { pin(notes[person.number] ?? [], by: person.number) }
            if person.number != hero, dice.chance(0.2) { talk(by: person.number) }
            if person.number != hero, dice.chance(0.06) { list(by: person.number) }
            if person.number != hero, dice.chance(0.06) { oddity(by: person.number) }
        }
        speakOfOtherThings()
        writeDraft()
    }

    /// A draft of an article that its author left open on relays, as some programs do.
    private mutating func writeDraft() {
        guard let author = graph.follows[hero].first else { return }
        publish(
            Article.draftKind,
            [
                ["d", "linnets-in-winter"], ["title", "Linnets in winter"],
                ["summary", "Where they go; not finished."],
            ],
            "They gather on stubble and salt marsh.\n\n## To do\n\n- counts", by: author, ago: 27 * 3600)
    }

    /// Of people the demo person follows: comments on what is outside of Nostr (NIP-22, NIP-73), and a status with an
    /// emoji of the world's own.
    private mutating func speakOfOtherThings() {
        let friends = graph.follows[hero].filter { !people[$0].isLost }
        for (friend, thing) in zip(friends, Self.otherThings) {
            publish(
                Comment.draft(
                    on: thing.name, kind: thing.kind, text: thing.words, createdAt: now - .seconds(thing.ago)),
                by: friend)
        }
        guard let friend = friends.dropFirst(Self.otherThings.count).first else { return }
        let picture: Tag = ["emoji", "linnet", "\(pictures)/emoji/linnet.svg"]
        publish(UserStatus.kind, [["d", UserStatus.general], picture], "out with a :linnet:", by: friend, ago: 60)
    }

    private static let otherThings: [(name: String, kind: String, words: String, ago: Int64)] = [
        ("https://birds.example/linnet", "web", "The best page about linnets there is.", 5_000),
        ("isbn:9780007273782", "isbn", "Read this one by the window.", 9_000),
    ]

    @discardableResult
    private mutating func publish(
        _ kind: Kind, _ tags: [Tag], _ content: String, by author: Int, ago seconds: Int64
    ) -> Event {
        publish(
            EventDraft(kind: kind, tags: tags, content: content, createdAt: now - .seconds(seconds)), by: author)
    }

    @discardableResult
    private mutating func publish(_ draft: EventDraft, by author: Int) -> Event {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        new.append(Written(event: event, author: author))
        return event
    }

    /// An article by somebody the demo person follows that has all of what an article may hold, and a note that leads to
    /// it.
    private mutating func writeGuide() {
        guard let author = graph.follows[hero].first else { return }
        let friend = graph.follows[hero].dropFirst().first.map { people[$0].publicKey.npub }
        let moment = now - .seconds(26 * 3600)
        let draft = ArticleDraft(
            title: "A guide to linnets", summary: "How to tell a linnet from everything else on the heath.",
            image: "\(pictures)/photo/birds-3.svg", hashtags: ["birds"], markdown: guide(naming: friend)
        ).draft(replacing: nil, now: moment)
        let article = publish(draft, by: author)
        comment(on: Written(event: article, author: author), atLeast: 2)
        guard let address = article.address,
            let code = try? NostrEntity.naddr(AddressPointer(address: address)).encoded()
        else { return }
        publish(
            1, [["q", address.description], ["p", article.pubkey.hex]], "Written at last: nostr:\(code)", by: author,
            ago: 25 * 3600)
    }

    private func guide(naming friend: String?) -> String {
        """
        A linnet is a small finch. This is how to tell one from *everything else* on the heath.

        # What to look for

        - a **chestnut** back
        - a forehead with red on it, in *spring*
        - a voice that never stops:
          1. twitter
          2. trill

        ![A linnet on gorse](\(pictures)/photo/birds-7.svg)

        ## What others say

        > Look at the tail first.
        > Then at the wings.

        \(friend.map { "Ask nostr:\($0), who has counted them for years, or " } ?? "")read the
        [handbook](https://birds.example/linnet). Write counts as `name: number`:

        ```
        linnet: 14
        goldfinch: 3
        ```

        <b>HTML</b> is not meant to work here, ~~and neither is shouting~~.
        """
    }

    private mutating func comment(on article: Written, atLeast least: Int = 0) {
        let readers = graph.followers[article.author].filter { $0 != hero }
        for _ in 0..<max(least, dice.whole(0...4)) {
            guard let reader = dice.pick(readers), let at = later(than: article.event) else { continue }
            let words = dice.pick(
                [
                    "This was worth the time.", "I had not thought of the second part.", "Is there more to come?",
                    "The picture alone.", "I disagree about the end, and read it twice.",
                ], or: "Thank you.")
            let first = publish(Comment.draft(on: article.event, relay: nil, text: words, createdAt: at), by: reader)
            guard dice.chance(0.4), let back = later(than: first) else { continue }
            let answer = dice.pick(["Thank you!", "More next month.", "Tell me why?"], or: "Thank you!")
            publish(Comment.draft(on: first, relay: nil, text: answer, createdAt: back), by: article.author)
        }
    }

    /// A moment after an event; `nil` when that has not come yet.
    private mutating func later(than event: Event) -> Timestamp? {
        let at = event.createdAt + .seconds(60 + Int64(dice.wait(mean: 20_000)))
        return at <= now ? at : nil
    }

    /// Pins a few of somebody's own notes; some pins lead nowhere, and some to a note of another.
    private mutating func pin(_ notes: [Event], by author: Int) {
        var tags = (0..<dice.whole(1...3)).compactMap { _ in dice.pick(notes) }.map { Tag(["e", $0.id.hex]) }
        if dice.chance(0.2) { tags.append(["e", String(repeating: "0f", count: 32)]) }
        guard !tags.isEmpty else { return }
        publish(.pinnedNotes, tags, "", by: author, ago: Int64(dice.whole(600...800_000)))
    }

    /// Says what somebody is doing; some of it has been over for long.
    private mutating func talk(by author: Int) {
        let ago = Int64(dice.whole(120...80_000))
        if dice.chance(0.6) {
            let words = dice.pick(
                ["in the garden", "on a train", "reading", "asleep, mostly", "baking", "out counting birds"],
                or: "reading")
            var tags: [Tag] = [["d", UserStatus.general]]
            if dice.chance(0.5) { tags.append(.expiration(now - .seconds(ago) + .seconds(86_400))) }
            publish(UserStatus.kind, tags, words, by: author, ago: ago)
        } else {
            let song = dice.pick(["Weir at Night", "Two Herons", "A Slow Reel"], or: "Two Herons")
            let tags: [Tag] = [
                ["d", UserStatus.music], ["r", "https://music.example/\(author)"],
                .expiration(now - .seconds(ago) + .seconds(Int64(dice.whole(200...90_000)))),
            ]
            publish(UserStatus.kind, tags, "\(song) – The Ferrymen", by: author, ago: ago)
        }
    }

    /// A list for others: people worth following, or topics.
    private mutating func list(by author: Int) {
        if dice.chance(0.5) {
            var tags: [Tag] = [["d", "mine"], ["title", "What I read about"]]
            tags += (people[author].topics.first?.hashtags ?? ["day"]).map { Tag(["t", $0]) }
            publish(.interestSets, tags, "", by: author, ago: 90_000)
        } else {
            var tags: [Tag] = [["d", "kind"], ["title", "Kind people"], ["description", "They answer."]]
            tags += graph.follows[author].prefix(6).map { Tag(["p", people[$0].publicKey.hex]) }
            publish(.followSets, tags, "", by: author, ago: 100_000)
        }
    }

    /// An event of a kind that few programs know, and its author's repost of it (NIP-18, kind 16); its content is for
    /// programs alone.
    private mutating func oddity(by author: Int) {
        let ago = Int64(dice.whole(4_000...200_000))
        let odd = publish(
            Self.oddKind,
            [["d", "walk-\(author)"], ["alt", "A walk of \(dice.whole(3...20)) kilometres, as a track for maps"]],
            "{\"track\":[[53.1,8.2],[53.2,8.3]]}", by: author, ago: ago)
        var repost = Repost.draft(of: odd, relay: nil, createdAt: now - .seconds(ago - 60))
        // Some programs name what can change by its address alone, and put nothing inside.
        if author.isMultiple(of: 2) {
            repost.tags.removeAll { $0.name == "e" }
            repost.content = ""
        }
        publish(repost, by: author)
    }
}
