internal import NostrCore
internal import NostrNIPs

/// Counts reactions to one thing by what they mean: each person once for each meaning.
struct ReactionTally: Sendable {
    /// One meaning, and who it was.
    struct Line: Hashable, Sendable {
        let meaning: Reaction.Meaning
        let content: String
        var people: [PublicKey]
    }

    /// The lines so far, in the order in which they began.
    private(set) var lines: [Line] = []
    private var places: [Key: Int] = [:]
    private var seen: [Key: Set<PublicKey>] = [:]

    /// What makes two reactions the same: of emoji with a picture also the picture, since names are anybody's.
    private struct Key: Hashable {
        let content: String
        let picture: String
    }

    /// So many meanings are told apart; strangers can make up any number of them.
    static let mostLines = 60
    /// A longer text is no emoji.
    static let longestContent = 32

    /// Nothing counted yet.
    init() {}

    /// Counts the reactions among events that are to this thing, named by its id or its address.
    init(_ events: [Event], to id: EventID, at address: EventAddress?, without mutes: Mutes) {
        for event in events where !mutes.people.contains(event.pubkey) {
            guard let reaction = Reaction(event, to: id, at: address) else { continue }
            add(reaction, of: event.pubkey)
        }
    }

    /// Counts what somebody meant.
    mutating func add(_ reaction: Reaction, of person: PublicKey) {
        let (content, picture): (String, String) =
            switch reaction.meaning {
            case .like: ("+", "")
            case .dislike: ("-", "")
            case .emoji(let text): (text, "")
            case .customEmoji(let emoji): (":\(emoji.shortcode):", emoji.url)
            }
        guard content.utf8.count <= 128, content.count <= Self.longestContent else { return }
        let key = Key(content: content, picture: picture)
        guard seen[key, default: []].insert(person).inserted else { return }
        if let place = places[key] {
            lines[place].people.append(person)
        } else if lines.count < Self.mostLines {
            places[key] = lines.count
            lines.append(Line(meaning: reaction.meaning, content: content, people: [person]))
        }
    }

    /// The lines, the largest first; of equal ones the one that began first.
    var ranked: [Line] {
        lines.enumerated().sorted { a, b in
            (b.element.people.count, a.offset) < (a.element.people.count, b.offset)
        }.map(\.element)
    }
}

extension ReactionTally.Line {
    /// The people who are named: the account and those it follows before strangers.
    func named(own: PublicKey, followed: Set<PublicKey>) -> [PublicKey] {
        func rank(_ key: PublicKey) -> Int { key == own ? 0 : (followed.contains(key) ? 1 : 2) }
        let ranked = people.enumerated().sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
        return ranked.prefix(ReactionGroup.mostPeople).map(\.element)
    }

    /// The line as it is shown, with these people named.
    func group(naming keys: [PublicKey], _ persons: [PublicKey: Person], own: PublicKey) -> ReactionGroup {
        ReactionGroup(
            meaning: meaning, content: content, count: people.count,
            people: keys.map { persons[$0] ?? Person(key: $0) }, isOwn: people.contains(own))
    }
}
