internal import NostrCore
internal import NostrNIPs

// What people do with what others wrote.
extension Chronicle {
    /// Answers a post (NIP-10, with markers or, by some, positional as of old).
    ///
    /// - Parameter isBack: the author of the conversation answers an answer.
    mutating func reply(to post: Post, by author: Int, at moment: Timestamp, isBack: Bool = false) -> Post {
        let person = people[author]
        let language = person.language == post.language ? post.language : .english
        let grammar = language.grammar
        var text = grammar.expand(isBack ? "reply.back" : "reply.short", using: &dice)
        let rule = "\(post.topic.rawValue).reply"
        if !isBack, grammar.names.contains(rule), dice.chance(0.7) {
            let own = grammar.expand(rule, using: &dice)
            text = dice.chance(0.15) ? "\(text) \(own)" : own
        }
        let tags =
            person.isOldFashioned
            ? positionalTags(to: post.event, author: person.publicKey)
            : ThreadReferences.replyTags(to: post.event, relay: hint(for: post.author), author: person.publicKey)
        let event = publish(EventDraft(kind: 1, tags: tags, content: text, createdAt: moment), by: author)
        let answer = Post(event: event, author: author, topic: post.topic, language: language, depth: post.depth + 1)
        remember(answer)
        return answer
    }

    /// `e` tags without markers: the root first, the answered note last.
    ///
    /// Source: NIP-10, deprecated form.
    private func positionalTags(to parent: Event, author: PublicKey) -> [Tag] {
        let above = ThreadReferences(parent.tags)
        var tags: [Tag] = []
        if let root = above.root, root.id != parent.id { tags.append(["e", root.id.hex]) }
        tags.append(["e", parent.id.hex])
        var told = [parent.pubkey]
        for key in parent.tags.named("p").compactMap({ $0.publicKey(at: 1) }) where !told.contains(key) {
            told.append(key)
        }
        return tags + told.filter { $0 != author }.map { ["p", $0.hex] }
    }

    /// Reacts (NIP-25): mostly `+`, some emoji, a few of the world's own.
    mutating func react(to event: Event, of author: Int, by reader: Int, at moment: Timestamp) {
        var content = "+"
        var emoji: CustomEmoji?
        switch dice.whole(0...99) {
        case 0..<52: content = "+"
        case 52..<92: content = dice.pick(["🤙", "❤️", "🔥", "😂", "👍", "🐦", "🙏", "💜", "👀", "🌱"], or: "+")
        case 92..<93: content = "-"
        default:
            let name = dice.pick(Self.emoji, or: "linnet")
            emoji = CustomEmoji(shortcode: name, url: "\(pictures)/emoji/\(name).svg")
            content = ":\(name):"
        }
        let draft = Reaction.draft(
            to: event, content: content, emoji: emoji, relay: hint(for: author), createdAt: moment)
        publish(draft, by: reader)
    }

    /// Reposts (NIP-18); some clients leave the content empty.
    mutating func repost(_ post: Post, by reader: Int, at moment: Timestamp) {
        var draft = Repost.draft(of: post.event, relay: hint(for: post.author), createdAt: moment)
        if dice.chance(0.2) { draft.content = "" }
        publish(draft, by: reader)
    }

    /// Asks to delete the author's own event (NIP-09).
    mutating func delete(_ event: Event, by author: Int, at moment: Timestamp) {
        let tags: [Tag] = [["e", event.id.hex], ["k", String(event.kind.rawValue)]]
        publish(EventDraft(kind: 5, tags: tags, content: dice.chance(0.5) ? "" : "oops", createdAt: moment), by: author)
    }

    /// Somebody among an author's followers who would answer in this language; the busy ones more often.
    mutating func reader(of author: Int, _ language: Language, answering: Bool) -> Int? {
        let followers = graph.followers[author]
        let some = (0..<3).compactMap { _ in dice.pick(followers) }.filter {
            $0 != hero && (!answering || people[$0].reads(language))
        }
        return some.max { people[$0].notesPerDay < people[$1].notesPerDay }
    }
}
