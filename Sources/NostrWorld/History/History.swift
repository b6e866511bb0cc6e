internal import NostrCore
internal import NostrNIPs

// Months of it, at once.
extension Chronicle {
    private static let day: Int64 = 86_400

    /// Writes everything up to a moment.
    mutating func writeHistory(days: Int, busyness: Double, until end: Timestamp) {
        for person in people { introduce(person, days: days, until: end) }
        let start = end.seconds - Int64(days) * Self.day
        var moments: [(at: Int64, author: Int)] = []
        for person in people {
            let count = dice.times(mean: person.notesPerDay * Double(days) * busyness)
            for _ in 0..<count { moments.append((wakingMoment(of: person, start..<end.seconds), person.number)) }
        }
        for (at, author) in moments.sorted(by: { ($0.at, $0.author) < ($1.at, $1.author) }) {
            let post = note(by: author, at: Timestamp(seconds: at))
            let spark = dice.wait(mean: author == hero ? 2.5 : 1)
            unfold(post, spark: spark, until: end)
            if author != hero, dice.chance(0.012) {
                delete(
                    post.event, by: author, at: Timestamp(seconds: min(end.seconds, at + Int64(dice.whole(30...9000)))))
            }
        }
        for person in people where dice.chance(0.16) {
            article(by: person.number, at: Timestamp(seconds: wakingMoment(of: person, start..<end.seconds)))
        }
        forget(before: end - .seconds(2 * Self.day))
    }

    /// What happens below a post: reactions, reposts, answers, and answers to these.
    mutating func unfold(_ post: Post, spark: Double, until end: Timestamp) {
        let crowd = Double(graph.followers[post.author].count) * spark
        let fading = [1, 0.6, 0.45, 0.35, 0.3, 0.25, 0.15][min(post.depth, 6)]
        for _ in 0..<min(40, dice.times(mean: 0.0085 * crowd * fading)) {
            guard let reader = reader(of: post.author, post.language, answering: false),
                let at = later(than: post, mean: 10_000, until: end)
            else { continue }
            react(to: post.event, of: post.author, by: reader, at: at)
        }
        if post.depth == 0 {
            for _ in 0..<min(12, dice.times(mean: 0.0015 * crowd)) {
                guard let reader = reader(of: post.author, post.language, answering: true),
                    let at = later(than: post, mean: 18_000, until: end)
                else { continue }
                repost(post, by: reader, at: at)
            }
        }
        guard post.depth < 7 else { return }
        for _ in 0..<min(14, dice.times(mean: 0.0048 * crowd * fading)) {
            guard let reader = reader(of: post.author, post.language, answering: true), reader != post.author,
                let at = later(than: post, mean: 4_000, until: end)
            else { continue }
            let answer = reply(to: post, by: reader, at: at)
            unfold(answer, spark: spark * 0.8, until: end)
            if dice.chance(0.3), people[post.author].reads(answer.language), post.author != hero || dice.chance(0.5),
                let back = later(than: answer, mean: 2_500, until: end)
            {
                unfold(reply(to: answer, by: post.author, at: back, isBack: true), spark: spark * 0.7, until: end)
            }
        }
    }

    /// A moment after a post, or `nil` when that has not come yet.
    private mutating func later(than post: Post, mean: Double, until end: Timestamp) -> Timestamp? {
        let at = post.event.createdAt.seconds + 25 + Int64(dice.wait(mean: mean))
        return at <= end.seconds ? Timestamp(seconds: at) : nil
    }

    /// A moment at which a person is likely to be awake.
    private mutating func wakingMoment(of person: WorldPerson, _ span: Range<Int64>) -> Int64 {
        var at = span.lowerBound
        for _ in 0..<8 {
            at = span.lowerBound + Int64(dice.fraction() * Double(span.upperBound - span.lowerBound))
            let hour = (at / 3600 + Int64(person.language.hoursEast)) % 24
            let wakefulness =
                switch hour {
                case 0..<6: 0.06
                case 6..<9: 0.8
                case 9..<17: 0.55
                case 17..<22: 1.0
                default: 0.5
                }
            if dice.chance(wakefulness) { return at }
        }
        return at
    }

    /// A person's profile, follow list and relay list, with the older versions some of them have.
    private mutating func introduce(_ person: WorldPerson, days: Int, until end: Timestamp) {
        let start = end.seconds - Int64(days) * Self.day
        let before = start - Int64(dice.whole(1...150)) * Self.day
        let within = start + Int64(dice.fraction() * Double(end.seconds - start))
        func draft(_ kind: Kind, _ tags: [Tag], _ content: String, _ at: Int64) -> EventDraft {
            EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: at))
        }
        if dice.chance(0.18) {
            publish(draft(0, [], "{\"name\":\(quotedJSON(person.handle))}", before), by: person.number)
        }
        let profile =
            person.number == hero
            ? WorldPerson.heroProfile(person, pictures: pictures) : person.profile(pictures: pictures, using: &dice)
        publish(draft(0, [], profile, before + Self.day), by: person.number)
        let follows = graph.follows[person.number]
        if dice.chance(0.3) {
            let fewer = followTags(Array(follows.prefix(follows.count / 2)), hints: false)
            publish(draft(3, fewer, "", before), by: person.number)
        }
        publish(
            draft(3, followTags(follows, hints: dice.chance(0.5) || person.number == hero), "", within),
            by: person.number)
        guard let list = choices[person.number].tags else { return }
        let replaced = dice.chance(0.25)
        if replaced { publish(draft(10_002, Array(list.reversed().prefix(2)), "", before), by: person.number) }
        publish(
            draft(10_002, list, "", before + Self.day), by: person.number,
            skipsLastIndexer: replaced && dice.chance(0.4))
    }

    private mutating func followTags(_ follows: [Int], hints: Bool) -> [Tag] {
        follows.map { number in
            let key = people[number].publicKey.hex
            guard hints, let hint = hint(for: number) else { return ["p", key] }
            return dice.chance(0.1) ? ["p", key, hint.text, people[number].handle] : ["p", key, hint.text]
        }
    }
}
