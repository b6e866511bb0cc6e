internal import NostrCore
internal import NostrNIPs

/// Packs of emoji (kind 30030) that some people made, and lists of those who use them (kind 10030).
enum WorldEmoji {
    /// Writes them.
    ///
    /// The demo person has no list, so that a first pack can be adopted. One pack in three is as messy as real ones: a
    /// name twice, a shortcode with a space, an address that leads nowhere.
    static func write(
        people: [WorldPerson], graph: FollowGraph, pictures: String, now: Timestamp, seed: UInt64, hero: Int,
        beside written: inout [Written]
    ) {
        // A sequence of its own: packs change nothing of what else happens.
        var dice = Dice(seed: seed ^ 0xE0_30_30)
        let makers = graph.follows[hero].prefix(4)
        var addresses: [String] = []
        for (number, maker) in makers.enumerated() {
            let name = names[number % names.count]
            var tags: [Tag] = [["d", name.lowercased()], ["title", name]]
            if dice.chance(0.5) { tags.append(["description", "Small drawings from the \(name.lowercased())."]) }
            let first = dice.whole(0...2)
            for code in (Chronicle.emoji + Chronicle.emoji)[first..<(first + 3)] {
                tags.append(["emoji", code, "\(pictures)/emoji/\(code).svg"])
            }
            if number % 3 == 2 {
                tags += messy(pictures)
            }
            let moment = now - .seconds(Int64(dice.whole(86_400...864_000)))
            publish(EventDraft(kind: .emojiSets, tags: tags, content: "", createdAt: moment), by: people[maker])
            addresses.append("30030:\(people[maker].publicKey.hex):\(name.lowercased())")
        }
        for person in people where person.number != hero && !addresses.isEmpty && dice.chance(0.2) {
            let tags: [Tag] = [
                ["a", dice.pick(addresses, or: "")],
                ["emoji", "linnet", "\(pictures)/emoji/linnet.svg"],
            ]
            let moment = now - .seconds(Int64(dice.whole(3600...86_000)))
            publish(EventDraft(kind: .emojiList, tags: tags, content: "", createdAt: moment), by: person)
        }

        func publish(_ draft: EventDraft, by person: WorldPerson) {
            let event = Event(signing: draft, with: person.keyholder.key, using: &dice)
            written.append(Written(event: event, author: person.number))
        }
    }

    private static func messy(_ pictures: String) -> [Tag] {
        [
            ["emoji", "leaf", "\(pictures)/emoji/star.svg"], ["emoji", "two words", "\(pictures)/emoji/leaf.svg"],
            ["emoji", "nowhere", "gone"],
        ]
    }

    private static let names = ["Hedgerow", "Bakery", "Tideline", "Nightsky"]
}
