internal import NostrCore
internal import NostrNIPs

/// Who is writing now, from a handful of notes.
struct ActiveAuthors: Sendable {
    /// Notes asked of one relay.
    static let notes = 500
    /// People offered.
    static let most = 20
    /// Somebody who wrote so many of the notes that were read is more likely a machine.
    private static let tooMany = 10
    /// What counts as now.
    private static let recently: Duration = .seconds(20 * 60)
    /// Clocks are off; what lies further ahead was dated to be first.
    private static let clockError: Duration = .seconds(300)

    private let own: PublicKey
    private let now: Timestamp
    private var notes: [PublicKey: Set<EventID>] = [:]
    private var newest: [PublicKey: Timestamp] = [:]

    init(own: PublicKey, now: Timestamp) {
        self.own = own
        self.now = now
    }

    /// Counts notes; answers to others and what is dated ahead say nothing of whom to follow.
    mutating func count(_ events: [Event]) {
        for event in events where event.kind == 1 && event.pubkey != own && event.createdAt <= now + Self.clockError {
            guard !event.tags.contains(where: { $0.name == "e" }) else { continue }
            notes[event.pubkey, default: []].insert(event.id)
            newest[event.pubkey] = max(newest[event.pubkey] ?? event.createdAt, event.createdAt)
        }
    }

    /// Those who wrote within twenty minutes, drawn by lot so that nobody buys a place by writing last; where they are
    /// few, those who wrote last before.
    ///
    /// - Returns: up to twice as many as are offered, as some will have no name.
    func draw(using random: inout some RandomNumberGenerator) -> [PublicKey] {
        let people = notes.filter { $0.value.count <= Self.tooMany }.keys.sorted {
            let (a, b) = (newest[$0] ?? now, newest[$1] ?? now)
            return a != b ? a > b : $0.hex < $1.hex
        }
        let active = people.prefix { newest[$0] ?? now > now - Self.recently }.shuffled(using: &random)
        return Array((active + people.dropFirst(active.count)).prefix(2 * Self.most))
    }
}

/// Topics to offer, those that are spoken of most first.
struct OfferedTopics: Sendable {
    /// Topics offered.
    static let most = 20
    /// Longer ones are sentences.
    private static let longest = 30

    private(set) var topics: [String] = []

    /// Adds the topics of a list.
    mutating func add(_ list: PublicList) {
        add(list.items.compactMap { if case .hashtag(let topic) = $0 { topic } else { nil } })
    }

    /// Adds topics; what could not be a hashtag is left out.
    mutating func add(_ more: [String]) {
        for topic in more {
            let topic = topic.lowercased()
            let isWord = !topic.isEmpty && topic.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            guard isWord, topic.count <= Self.longest, !topics.contains(topic), topics.count < Self.most else {
                continue
            }
            topics.append(topic)
        }
    }
}
