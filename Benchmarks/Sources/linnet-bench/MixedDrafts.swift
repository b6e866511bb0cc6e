import NostrCore

/// What people post today, drawn at about the shares in which relays hold it.
///
/// Of 1000 events 10 are profiles, 300 reactions of which every fifth is an emoji or a picture of one, 60 reposts with the
/// note inside, 40 receipts of payments, 30 posts of pictures, 10 films, 5 polls, 15 votes, 2 polls that are answered by
/// paying, 8 articles, 220 answers and 300 notes, of which every tenth quotes another.
struct MixedDrafts {
    /// Kinds beside notes that others answer.
    static let answered: Set<Kind> = [20, 21, 1068, 6969, 30_023]

    /// What may be answered, and what may be voted in.
    let recent: [Event], polls: [Event]
    /// Which event of all it is.
    let number: Int

    func draft(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        let target = recent.isEmpty ? nil : recent[Int.random(in: 0..<recent.count, using: &random)]
        switch (Int.random(in: 0..<1000, using: &random), target) {
        case (..<10, _):
            let name = words(using: &random).prefix(12)
            return EventDraft(
                kind: 0, content: #"{"name":"\#(name.filter(\.isLetter))","about":"a reader"}"#, createdAt: moment)
        case (..<310, let target?): return reaction(to: target, at: moment, using: &random)
        case (..<370, let target?):
            var tags = pointing(at: target)
            if target.kind != 1 { tags.append(["k", "\(target.kind.rawValue)"]) }
            return EventDraft(
                kind: target.kind == 1 ? 6 : 16, tags: tags, content: String(decoding: target.json, as: UTF8.self),
                createdAt: moment)
        case (..<410, let target?): return receipt(for: target, at: moment, using: &random)
        case (..<440, _): return pictures(at: moment, using: &random)
        case (..<450, _): return film(at: moment, using: &random)
        case (..<455, _): return poll(at: moment, using: &random)
        case (..<470, _) where !polls.isEmpty: return vote(at: moment, using: &random)
        case (..<472, _): return zapPoll(at: moment, using: &random)
        case (..<480, _): return article(at: moment, using: &random)
        case (..<700, let target?):
            return EventDraft(
                kind: target.kind == 1 ? 1 : 1111, tags: answering(target), content: words(using: &random),
                createdAt: moment)
        default: return note(quoting: target, at: moment, using: &random)
        }
    }

    private func pointing(at target: Event) -> [Tag] {
        [["e", target.id.hex, "wss://relay.example.com"], ["p", target.pubkey.hex]]
    }

    private func answering(_ target: Event) -> [Tag] {
        if target.kind == 1 { return pointing(at: target) }
        let kind = "\(target.kind.rawValue)"
        return [
            ["E", target.id.hex, "wss://relay.example.com"], ["K", kind], ["P", target.pubkey.hex],
            ["e", target.id.hex, "wss://relay.example.com"], ["k", kind], ["p", target.pubkey.hex],
        ]
    }

    private func note(
        quoting target: Event?, at moment: Timestamp, using random: inout some RandomNumberGenerator
    ) -> EventDraft {
        let text = words(using: &random)
        let topic: Tag = ["t", "topic\(Int.random(in: 0..<500, using: &random))"]
        guard let target, Int.random(in: 0..<10, using: &random) == 0 else {
            return EventDraft(kind: 1, tags: [topic], content: text, createdAt: moment)
        }
        let quote: Tag = ["q", target.id.hex, "wss://relay.example.com", target.pubkey.hex]
        return EventDraft(kind: 1, tags: [topic, quote], content: text, createdAt: moment)
    }

    private func reaction(
        to target: Event, at moment: Timestamp, using random: inout some RandomNumberGenerator
    ) -> EventDraft {
        var tags = pointing(at: target)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            tags.append(["emoji", "parrot", "https://example.com/parrot.png"])
            return EventDraft(kind: 7, tags: tags, content: ":parrot:", createdAt: moment)
        case 1: return EventDraft(kind: 7, tags: tags, content: "🌱", createdAt: moment)
        default: return EventDraft(kind: 7, tags: tags, content: "+", createdAt: moment)
        }
    }

    /// A receipt as others claim them: its request is signed, and nobody's place of payment confirms it.
    private func receipt(
        for target: Event, at moment: Timestamp, using random: inout some RandomNumberGenerator
    ) -> EventDraft {
        let key = SecretKey.generate(using: &random)
        var asked = pointing(at: target)
        asked.append(["relays", "wss://relay.example.com"])
        asked.append(["amount", "250000000"])
        let request = Event(
            signing: EventDraft(kind: 9734, tags: asked, createdAt: moment), with: key, using: &random)
        var tags = pointing(at: target)
        tags.append(["P", request.pubkey.hex])
        tags.append(["bolt11", Self.invoice])
        tags.append(["description", String(decoding: request.json, as: UTF8.self)])
        return EventDraft(kind: 9735, tags: tags, createdAt: moment)
    }

    /// Of the examples of BOLT-11.
    private static let invoice = """
        lnbc2500u1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqc\
        yq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpu9qrsgquk0rl77nj30yxdy8j9vdx85fkpmdla2087ne0xh8nhedh8w27kyke0lp53ut353s06f\
        v3qfegext0eh0ymjpf39tuven09sam30g4vgpfna3rh
        """

    private func pictures(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        var tags: [Tag] = [["title", "a morning"], ["m", "image/jpeg"]]
        for file in 0..<Int.random(in: 1...4, using: &random) {
            tags.append([
                "imeta", "url https://example.com/\(number)-\(file).jpg", "m image/jpeg", "dim 1200x900",
                "blurhash LEHV6nWB2yk8pyo0adR*.7kCMdnj", "alt \(words(using: &random).prefix(80))",
            ])
        }
        return EventDraft(kind: 20, tags: tags, content: words(using: &random), createdAt: moment)
    }

    private func film(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        var tags: [Tag] = [["title", "a walk"]]
        for size in ["1080x1920", "720x1280"] {
            tags.append([
                "imeta", "dim \(size)", "url https://example.com/\(number)-\(size).mp4", "m video/mp4",
                "image https://example.com/\(number).jpg", "duration 29.5",
            ])
        }
        return EventDraft(kind: 21, tags: tags, content: words(using: &random), createdAt: moment)
    }

    private func poll(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        var tags: [Tag] = [["relay", "wss://relay.example.com"], ["polltype", "singlechoice"]]
        for option in 0..<Int.random(in: 2...6, using: &random) {
            tags.append(["option", "o\(option)", "answer \(option)"])
        }
        return EventDraft(kind: 1068, tags: tags, content: words(using: &random), createdAt: moment)
    }

    private func vote(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        let poll = polls[Int.random(in: 0..<polls.count, using: &random)]
        let option = "o\(Int.random(in: 0..<2, using: &random))"
        return EventDraft(kind: 1018, tags: [["e", poll.id.hex], ["response", option]], createdAt: moment)
    }

    private func zapPoll(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        var tags: [Tag] = [["value_minimum", "10"]]
        for option in 0..<3 { tags.append(["poll_option", "\(option)", "answer \(option)"]) }
        return EventDraft(kind: 6969, tags: tags, content: words(using: &random), createdAt: moment)
    }

    private func article(at moment: Timestamp, using random: inout some RandomNumberGenerator) -> EventDraft {
        let paragraphs = (0..<20).map { _ in words(using: &random) }
        return EventDraft(
            kind: 30_023,
            tags: [
                ["d", "article-\(number)"], ["title", "On mornings"], ["summary", "What they are"],
                ["published_at", "\(moment.seconds)"],
            ], content: paragraphs.joined(separator: "\n\n"), createdAt: moment)
    }
}
