internal import NostrCore

/// Notes of the last days with a link to one of the world's sites each, by people whom the demo person follows.
enum WorldLinks {
    /// Writes them beside what was written.
    static func share(
        people: [WorldPerson], authors: [Int], now: Timestamp, seed: UInt64, beside written: inout [Written]
    ) {
        // A sequence of its own: links change nothing of what people do otherwise.
        var dice = Dice(seed: seed ^ 0x11_4B5)
        // Whose relays are all gone is read by nobody.
        let authors = authors.filter { !people[$0].isLost }
        for link in WorldSites.links {
            guard let author = dice.pick(authors) else { return }
            let moment = now - .seconds(Int64(dice.whole(600...40 * 3600)))
            let draft = EventDraft(kind: 1, content: "\(link.words)\n\n\(link.address)", createdAt: moment)
            let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
            written.append(Written(event: event, author: author))
        }
    }
}
