internal import NostrCore
internal import NostrNIPs

// What happens from now on, one thing at a time.
extension Chronicle {
    /// Somebody does something now.
    ///
    /// - Parameter heroNotes: what the demo person wrote in the last minutes; people notice.
    mutating func live(at now: Timestamp, heroNotes: [Event]) {
        forget(before: now - .seconds(2 * 86_400))
        if let note = dice.pick(heroNotes), dice.chance(0.35) {
            answerHero(Post(event: note, author: hero, topic: .day, language: .english), at: now)
            return
        }
        let known = recent.filter { $0.event.createdAt < now }
        guard let post = dice.pick(known.suffix(120)), !dice.chance(0.4) else {
            _ = note(by: somebody(), at: now)
            return
        }
        switch dice.whole(0...99) {
        case 0..<38:
            guard let reader = reader(of: post.author, post.language, answering: true) else { break }
            _ = reply(to: post, by: reader, at: now)
        case 38..<48:
            guard post.depth == 0, let reader = reader(of: post.author, post.language, answering: true) else { break }
            repost(post, by: reader, at: now)
        default:
            guard let reader = reader(of: post.author, post.language, answering: false) else { break }
            react(to: post.event, of: post.author, by: reader, at: now)
        }
    }

    private mutating func answerHero(_ post: Post, at now: Timestamp) {
        guard let reader = reader(of: hero, .english, answering: true) else { return }
        if dice.chance(0.4), !ThreadReferences(post.event.tags).isReply || dice.chance(0.5) {
            _ = reply(to: post, by: reader, at: now)
        } else {
            react(to: post.event, of: hero, by: reader, at: now)
        }
    }

    /// Anybody but the demo person, the busy ones more often; half the time somebody the demo person follows.
    private mutating func somebody() -> Int {
        let crowd = dice.chance(0.5) ? graph.follows[hero] : people.indices.filter { $0 != hero }
        return crowd.isEmpty ? hero : crowd[dice.offset(weights: crowd.map { people[$0].notesPerDay })]
    }
}
