internal import NostrCore
internal import NostrNIPs

/// Polls that people ask each other, and votes as messy as those of the real network: cast twice, too late, for answers
/// that are not there.
struct WorldPolls {
    private struct Question {
        var words: String
        var options: [String]
        var choice = Poll.Choice.single
        /// When it was asked, and when it ends, in hours before the end of history; below zero is to come.
        var askedAgo: Int64
        var endedAgo: Int64?
    }

    private static let questions = [
        Question(
            words: "Tea or coffee before a walk at dawn?", options: ["Tea", "Coffee", "Water, and hurry"],
            askedAgo: 5, endedAgo: -43),
        Question(
            words: "Which birds come to your window? #birds",
            options: ["Sparrows", "Finches", "Tits", "Robins", "None at all"], choice: .multiple, askedAgo: 9),
        Question(
            words: "Is a hot dog a sandwich?", options: ["Yes", "No"], askedAgo: 70, endedAgo: 22),
        Question(
            words: "When shall we meet at the marsh?",
            options: ["Saturday morning", "Saturday evening", "Sunday morning"], choice: .multiple, askedAgo: 20,
            endedAgo: -1),
        Question(
            words: "How much rye in a loaf?", options: ["None", "A third", "Half", "All of it"], askedAgo: 120,
            endedAgo: 96),
        Question(
            words: "Do you run your own relay?", options: ["Yes", "Not yet", "What is a relay?"], askedAgo: 2,
            endedAgo: -166),
    ]

    private let people: [WorldPerson]
    private let graph: FollowGraph
    private let choices: [RelayChoice]
    private let relays: [WorldRelay]
    private let now: Timestamp
    private var dice: Dice
    /// Who puts work into a vote; a sequence of its own, so that it changes nothing of who votes for what.
    private var workers: Dice
    private var written: [Written] = []

    /// Asks, and has others vote.
    static func write(
        people: [WorldPerson], graph: FollowGraph, choices: [RelayChoice], relays: [WorldRelay], now: Timestamp,
        seed: UInt64, beside open: inout [Written]
    ) {
        var polls = WorldPolls(
            people: people, graph: graph, choices: choices, relays: relays, now: now, dice: Dice(seed: seed ^ 0x9011),
            workers: Dice(seed: seed ^ 0x90F13))
        let zapPolls = polls.write()
        open += polls.written
        WorldZaps.vote(in: zapPolls, people: people, graph: graph, now: now, seed: seed, beside: &open)
    }

    private init(
        people: [WorldPerson], graph: FollowGraph, choices: [RelayChoice], relays: [WorldRelay], now: Timestamp,
        dice: Dice, workers: Dice
    ) {
        self.people = people
        self.graph = graph
        self.choices = choices
        self.relays = relays
        self.now = now
        self.dice = dice
        self.workers = workers
    }

    /// - Returns: the zap polls among them.
    private mutating func write() -> [Written] {
        // People the demo person follows ask, so that home has something to answer.
        let askers = graph.follows[0].filter { !choices[$0].writes.isEmpty && people[$0].language == .english }
        guard !askers.isEmpty else { return [] }
        for (number, question) in Self.questions.enumerated() { ask(question, by: askers[number % askers.count]) }
        writeMalformed(by: askers[askers.count - 1])
        return writeZapPolls(by: askers)
    }

    private mutating func ask(_ question: Question, by author: Int) {
        let ids = Poll.identifiers(question.options.count, using: &dice)
        let options = zip(ids, question.options).map { Poll.Option(id: $0, label: $1) }
        let homes = choices[author].writes.prefix(3)
        var tags = Poll.tags(
            options: options, choice: question.choice, endsAt: question.endedAgo.map(moment),
            relays: homes.map { relays[$0].address })
        // A single choice is what a poll has that says nothing.
        if question.choice == .single, dice.chance(0.4) { tags.removeAll { $0.name == "polltype" } }
        let poll = publish(Poll.kind, tags, question.words, by: author, at: moment(question.askedAgo))
        for voter in graph.followers[author].filter({ $0 != 0 && $0 != author }).prefix(40) where dice.chance(0.7) {
            vote(in: poll, ids, question, by: voter, at: Array(homes))
        }
    }

    private mutating func vote(
        in poll: Event, _ ids: [String], _ question: Question, by voter: Int, at homes: [Int]
    ) {
        // One in six changes their mind; some vote although it is over.
        for _ in 0..<(dice.chance(0.16) ? 2 : 1) {
            var chosen = [dice.pick(ids, or: "")]
            if question.choice == .multiple || dice.chance(0.05) { chosen.append(dice.pick(ids, or: "")) }
            if dice.chance(0.06) { chosen.insert("nothing00", at: 0) }
            let span = max(Int((now.seconds - poll.createdAt.seconds) - 1), 1)
            let at = poll.createdAt + .seconds(Int64(dice.whole(1...span)))
            let draft = PollResponse.draft(to: poll.id, options: chosen, createdAt: min(at, now))
            publish(draft.kind, worked(draft, by: voter), "", by: voter, at: draft.createdAt, also: homes)
        }
    }

    /// The tags of a vote; some voters put work into it (NIP-13), and some only say so.
    private mutating func worked(_ draft: EventDraft, by voter: Int) -> [Tag] {
        let (bits, works, claims) = (8, workers.chance(0.2), workers.chance(0.03))
        if claims { return draft.tags + [["nonce", "1", "24"]] }
        guard works else { return draft.tags }
        for nonce in 0..<20_000 {
            let tags = draft.tags + [["nonce", String(nonce), String(bits)]]
            let id = canonicalID(
                pubkey: people[voter].publicKey, createdAt: draft.createdAt, kind: draft.kind, tags: tags, content: "")
            if id.difficulty >= bits { return tags }
        }
        return draft.tags
    }

    /// What other programs got wrong: one answer, one identifier twice, an end that is no number.
    private mutating func writeMalformed(by author: Int) {
        publish(
            Poll.kind, [["option", "a", "Only this"], ["option", "a", "Or this"], ["endsAt", "tomorrow"]],
            "Is anybody out there?", by: author, at: moment(30))
        publish(
            Poll.kind,
            [["option", "1", ""], ["option", "2", "Two"], ["option"], ["polltype", "ranked"], ["endsAt", "soon"]],
            "Pick one, I suppose", by: author, at: moment(31))
    }

    private mutating func writeZapPolls(by askers: [Int]) -> [Written] {
        let rules: [(words: String, tags: [Tag], askedAgo: Int64)] = [
            (
                "What shall I paint next? Your sats decide.",
                [
                    ["poll_option", "0", "The weir"], ["poll_option", "1", "A heron"], ["value_minimum", "21"],
                    ["value_maximum", "1000"], ["consensus_threshold", "50"],
                ], 48
            ),
            (
                "Which bread for the market?",
                [
                    ["poll_option", "0", "Rye"], ["poll_option", "1", "Spelt"], ["poll_option", "2", "Potato"],
                    ["closed_at", String(moment(20).seconds)],
                ], 60
            ),
        ]
        return rules.enumerated().map { number, rule in
            let author = askers[(number + 3) % askers.count]
            publish(ZapPoll.kind, rule.tags, rule.words, by: author, at: moment(rule.askedAgo))
            return written[written.count - 1]
        }
    }

    private func moment(_ hoursAgo: Int64) -> Timestamp { now - .seconds(hoursAgo * 3600) }

    @discardableResult
    private mutating func publish(
        _ kind: Kind, _ tags: [Tag], _ content: String, by author: Int, at moment: Timestamp, also: [Int] = []
    ) -> Event {
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: moment)
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, alsoAt: Set(also)))
        return event
    }
}
