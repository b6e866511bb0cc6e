internal import NostrCore
internal import NostrNIPs

/// Counts how many people made something of each of many things: each person once for each.
struct TrendTally<Subject: Hashable & Comparable & Sendable>: Sendable {
    private var people: [Subject: Set<PublicKey>] = [:]

    /// Nothing was counted yet.
    init() {}

    /// Counts somebody for something.
    mutating func count(_ person: PublicKey, for subject: Subject) {
        people[subject, default: []].insert(person)
    }

    /// The things that at least two people made something of, those of most people first.
    ///
    /// What one person alone does is no trend.
    func ranked(_ most: Int) -> [(subject: Subject, people: Int)] {
        let counted = people.filter { $0.value.count > 1 }.map { (subject: $0.key, people: $0.value.count) }
        return Array(counted.sorted { ($1.people, $0.subject) < ($0.people, $1.subject) }.prefix(most))
    }
}

extension TrendTally<String> {
    /// More topics of one note say nothing of any.
    private static var mostTopics: Int { 8 }
    /// Longer ones are sentences.
    private static var longestTopic: Int { 30 }

    /// Counts the topics of notes, but those that are muted.
    init(topicsOf notes: [Event], _ mutes: Mutes) {
        self.init()
        for note in notes where !mutes.hides(note) {
            // Cut first: a hostile note has thousands.
            for topic in note.tags.hashtags.prefix(Self.mostTopics) where Self.isTopic(topic) {
                count(note.pubkey, for: topic)
            }
        }
    }

    /// Whether a text can be a hashtag.
    private static func isTopic(_ topic: String) -> Bool {
        !topic.isEmpty && topic.utf8.count <= 4 * longestTopic && topic.count <= longestTopic
            && topic.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
    }
}

extension TrendTally<PublicKey> {
    /// Counts whom reactions and reposts are for, as these say; nobody counts for themselves, and a dislike for nobody.
    init(authorsNamedBy events: [Event], _ mutes: Mutes) {
        self.init()
        for event in events where !mutes.people.contains(event.pubkey) {
            guard let author = Self.author(namedBy: event), author != event.pubkey, !mutes.people.contains(author)
            else { continue }
            count(event.pubkey, for: author)
        }
    }

    private static func author(namedBy event: Event) -> PublicKey? {
        if let reaction = Reaction(event) { return reaction.meaning == .dislike ? nil : reaction.target.author }
        return Repost(event)?.target.author ?? AddressRepost(event)?.target.address.author
    }
}
