internal import NostrCore
internal import NostrNIPs

/// Reports (NIP-56, kind 1984) that people of the world made, as messy as programs write them: about notes, about
/// people, and by strangers about those the demo person follows.
struct WorldReports {
    private let people: [WorldPerson]
    private let hero: Int
    private let follows: [Int]
    private let now: Timestamp
    private var dice: Dice
    private var new: [Written] = []

    /// Writes them beside what is there.
    ///
    /// - Parameter spammer: who writes what nobody wants.
    static func write(
        people: [WorldPerson], hero: Int, graph: FollowGraph, spammer: Int?, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: reports change nothing of what else happens.
        var reports = WorldReports(
            people: people, hero: hero, follows: graph.follows[hero], now: now, dice: Dice(seed: seed ^ 0x1984_0056))
        reports.write(about: written.filter { $0.event.kind == 1 && $0.author != hero }, spammer: spammer)
        reports.reportArticles(
            written.filter { $0.event.kind == 30_023 && $0.author != hero }, Dice(seed: seed ^ 0x1984_30023))
        written += reports.new
    }

    private init(people: [WorldPerson], hero: Int, follows: [Int], now: Timestamp, dice: Dice) {
        self.people = people
        self.hero = hero
        self.follows = follows
        self.now = now
        self.dice = dice
    }

    private mutating func write(about notes: [Written], spammer: Int?) {
        let followed = Set(follows)
        let near = notes.filter { followed.contains($0.author) }
        let far = notes.filter { !followed.contains($0.author) }
        for reason in ["spam", "Spam", "scam"] {
            guard let spammer, let reporter = dice.pick(follows), reporter != spammer else { continue }
            report([["p", people[spammer].publicKey.hex, reason]], "", by: reporter, after: nil)
        }
        for number in 0..<12 {
            guard let note = dice.pick(number < 3 ? near : far), let reporter = dice.pick(follows) else { continue }
            report(note, number, by: reporter)
        }
        let strangers = people.map(\.number).filter { $0 != hero && !followed.contains($0) }
        for number in 0..<6 {
            guard let note = dice.pick(near), let reporter = dice.pick(strangers) else { continue }
            report(note, number, by: reporter)
        }
    }

    /// Reports that name articles by their addresses alone, whatever version of them.
    private mutating func reportArticles(_ articles: [Written], _ dice: Dice) {
        var dice = dice
        for reason in ["spam", "OTHER", ""] {
            guard let article = dice.pick(articles), let address = article.event.address,
                let reporter = dice.pick(follows), reporter != article.author
            else { continue }
            let tags: [Tag] = [["a", address.description, reason], ["p", article.event.pubkey.hex]]
            let at = min(article.event.createdAt + .seconds(Int64(dice.whole(60...40_000))), now)
            let draft = EventDraft(kind: Report.kind, tags: tags, createdAt: at)
            let event = Event(signing: draft, with: people[reporter].keyholder.key, using: &dice)
            new.append(Written(event: event, author: reporter))
        }
    }

    /// Reports a note; the reason stands where NIP-56 wants it, in capitals, in the other tag, or nowhere.
    private mutating func report(_ note: Written, _ number: Int, by reporter: Int) {
        guard reporter != note.author else { return }
        let reason = dice.pick(["spam", "profanity", "impersonation", "other"], or: "other")
        let (id, key) = (note.event.id.hex, note.event.pubkey.hex)
        let tags: [Tag] =
            switch number % 4 {
            case 0: [["e", id, reason], ["p", key]]
            case 1: [["p", key], ["e", id, reason.uppercased()]]
            case 2: [["e", id], ["p", key, reason]]
            default: [["e", id], ["p", key]]
            }
        let words = dice.chance(0.4) ? "I have seen this three times today." : ""
        report(tags, words, by: reporter, after: note.event.createdAt)
    }

    private mutating func report(_ tags: [Tag], _ words: String, by reporter: Int, after moment: Timestamp?) {
        let at = (moment ?? now - .seconds(400_000)) + .seconds(60 + Int64(dice.wait(mean: 20_000)))
        let draft = EventDraft(kind: Report.kind, tags: tags, content: words, createdAt: min(at, now))
        let event = Event(signing: draft, with: people[reporter].keyholder.key, using: &dice)
        new.append(Written(event: event, author: reporter))
    }
}
