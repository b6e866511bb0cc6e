internal import NostrCore
internal import NostrNIPs

/// Something people can answer.
struct Post: Sendable {
    var event: Event
    var author: Int
    var topic: Topic
    var language: Language
    /// How many notes stand above it.
    var depth = 0
}

/// Writes what people say: each verb draws one event and signs it.
struct Chronicle: Sendable {
    let people: [WorldPerson]
    let hero: Int
    let graph: FollowGraph
    let choices: [RelayChoice]
    let relays: [WorldRelay]
    let pictures: String
    var dice: Dice
    private(set) var written: [Written] = []
    /// The newest posts, for quotes and for answers to come.
    private(set) var recent: [Post] = []

    init(
        people: [WorldPerson], hero: Int, graph: FollowGraph, choices: [RelayChoice], relays: [WorldRelay],
        pictures: String, dice: Dice
    ) {
        self.people = people
        self.hero = hero
        self.graph = graph
        self.choices = choices
        self.relays = relays
        self.pictures = pictures
        self.dice = dice
    }

    /// Hands over what was written since the last time.
    mutating func takeWritten() -> [Written] {
        defer { written = [] }
        return written
    }

    /// Signs and notes down an event.
    @discardableResult
    mutating func publish(_ draft: EventDraft, by author: Int, skipsLastIndexer: Bool = false) -> Event {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, skipsLastIndexer: skipsLastIndexer))
        return event
    }

    /// Remembers a post for quotes and answers; the oldest go.
    mutating func remember(_ post: Post) {
        recent.append(post)
        if recent.count > 1200 { recent.removeFirst(400) }
    }

    /// Forgets posts before a moment.
    mutating func forget(before moment: Timestamp) {
        recent.removeAll { $0.event.createdAt < moment }
    }

    /// Where a client would say a person's notes are found; some clients say nothing, some are wrong.
    mutating func hint(for author: Int) -> RelayURL? {
        switch dice.whole(0...9) {
        case 0...6: dice.pick(choices[author].writes).map { relays[$0].address }
        case 7: dice.pick(relays).map(\.address)
        default: nil
        }
    }

    /// `nostr:npub…` of a person.
    func mention(_ person: Int) -> String {
        "nostr:" + bech32Encode(prefix: "npub", bytes: people[person].publicKey.bytes.array)
    }
}

// Notes.
extension Chronicle {
    /// A note that starts a conversation.
    mutating func note(by author: Int, at moment: Timestamp) -> Post {
        let person = people[author]
        let language = person.language != .english && dice.chance(0.1) ? .english : person.language
        let topic = topic(of: person, in: language)
        var tags: [Tag] = []
        var text = language.grammar.expand("\(topic.rawValue).note", using: &dice)
        switch dice.whole(0...99) {
        case 0..<5: text = long(text, topic, language)
        case 5..<13: addPicture(to: &text, &tags, topic)
        case 13..<21: addMention(to: &text, &tags, by: author, language)
        case 21..<27: addQuote(to: &text, &tags, by: author, at: moment, language)
        case 27 where language == .english: addWarning(to: &text, &tags)
        case 28..<31: addEmoji(to: &text, &tags)
        case 31 where language == .english: addInvoice(to: &text, by: author, at: moment)
        default: break
        }
        if dice.chance(0.22) { addHashtags(to: &text, &tags, topic) }
        let event = publish(EventDraft(kind: 1, tags: tags, content: text, createdAt: moment), by: author)
        let post = Post(event: event, author: author, topic: topic, language: language)
        remember(post)
        return post
    }

    private mutating func topic(of person: WorldPerson, in language: Language) -> Topic {
        let known = person.topics.filter(language.topics.contains)
        guard !known.isEmpty, !dice.chance(0.12) else { return .day }
        return known[dice.offset(weights: [0.6, 0.27, 0.13].prefix(known.count).map { $0 })]
    }

    private mutating func long(_ first: String, _ topic: Topic, _ language: Language) -> String {
        let rest = (0..<dice.whole(2...4)).map { _ in language.grammar.expand("\(topic.rawValue).note", using: &dice) }
        return ([first] + rest).joined(separator: "\n\n")
    }

    private mutating func addPicture(to text: inout String, _ tags: inout [Tag], _ topic: Topic) {
        let url = "\(pictures)/photo/\(topic.rawValue)-\(dice.whole(1...9999)).svg"
        text += "\n\n\(url)"
        tags.append(["imeta", "url \(url)", "m image/svg+xml", "dim 1200x800", "alt A drawing about \(topic.rawValue)"])
    }

    private mutating func addMention(
        to text: inout String, _ tags: inout [Tag], by author: Int, _ language: Language
    ) {
        let knowsHero = graph.follows[author].contains(hero)
        guard let other = knowsHero && dice.chance(0.15) ? hero : dice.pick(graph.follows[author]) else { return }
        let greeting = language.grammar.expand("greet", using: &dice).replacing("{who}", with: mention(other))
        text = dice.chance(0.5) ? "\(greeting)\n\n\(text)" : "\(text)\n\n\(greeting)"
        tags.append(["p", people[other].publicKey.hex])
    }

    private mutating func addQuote(
        to text: inout String, _ tags: inout [Tag], by author: Int, at moment: Timestamp, _ language: Language
    ) {
        let known = recent.suffix(150).filter {
            $0.event.createdAt < moment && $0.author != author && people[author].reads($0.language) && $0.depth == 0
        }
        guard let quoted = dice.pick(known) else { return }
        let hint = hint(for: quoted.author)
        let pointer = EventPointer(quoted.event, relays: hint.map { [$0] } ?? [])
        // An event id always has such a form; only identifiers of addresses can be too long.
        guard let code = try? NostrEntity.nevent(pointer).encoded() else { return }
        text = "\(language.grammar.expand("quote.words", using: &dice))\n\nnostr:\(code)"
        tags.append(["q", quoted.event.id.hex, hint?.text ?? "", quoted.event.pubkey.hex])
        tags.append(["p", quoted.event.pubkey.hex])
    }

    private mutating func addWarning(to text: inout String, _ tags: inout [Tag]) {
        text = Language.english.grammar.expand("warn.note", using: &dice)
        let reason = dice.chance(0.2) ? "" : Language.english.grammar.expand("warn.reason", using: &dice)
        tags.append(["content-warning", reason])
    }

    /// Emoji of the world's own, drawn by ``Drawing``.
    static let emoji = ["linnet", "leaf", "wave", "loaf", "star"]

    private mutating func addEmoji(to text: inout String, _ tags: inout [Tag]) {
        let name = dice.pick(Self.emoji, or: "linnet")
        text += " :\(name):"
        tags.append(["emoji", name, "\(pictures)/emoji/\(name).svg"])
    }

    private mutating func addHashtags(to text: inout String, _ tags: inout [Tag], _ topic: Topic) {
        let count = dice.whole(1...2)
        let words = topic.hashtags.prefix(count)
        text += (dice.chance(0.5) ? "\n\n" : " ") + words.map { "#\($0)" }.joined(separator: " ")
        tags += words.map { ["t", $0] }
    }

    /// A long article with headings.
    mutating func article(by author: Int, at moment: Timestamp) {
        let person = people[author]
        let topic = person.topics.first ?? .day
        let grammar = person.language.grammar
        let sections = (0..<dice.whole(3...5)).map { number in
            let paragraphs = (0..<dice.whole(2...3)).map { _ in
                (0..<dice.whole(2...4)).map { _ in grammar.expand("\(topic.rawValue).note", using: &dice) }
                    .joined(separator: " ")
            }
            return "## \(number + 1)\n\n" + paragraphs.joined(separator: "\n\n")
        }
        let tag = topic.hashtags.first ?? topic.rawValue
        let title = dice.pick(
            ["A year of \(tag)", "Notes on \(tag)", "\(tag.capitalised), slowly", "What \(tag) taught me"], or: tag)
        let slug = title.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }).joined(separator: "-")
        let tags: [Tag] = [
            ["d", slug], ["title", title], ["summary", grammar.expand("\(topic.rawValue).note", using: &dice)],
            ["image", "\(pictures)/photo/\(topic.rawValue)-\(dice.whole(1...9999)).svg"],
            ["published_at", String(moment.seconds)], ["t", tag],
        ]
        let text = sections.joined(separator: "\n\n")
        publish(EventDraft(kind: 30_023, tags: tags, content: text, createdAt: moment), by: author)
    }
}

extension String {
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
