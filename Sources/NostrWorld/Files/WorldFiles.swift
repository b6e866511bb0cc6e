internal import NostrCore
internal import NostrNIPs

/// Where people of the world keep their files, and pictures whose first server is gone.
enum WorldFiles {
    /// A picture that only its author's servers still have.
    struct Lost: Sendable {
        let png: [UInt8]
        let hash: BlobHash
    }

    /// The pictures whose addresses lead nowhere.
    static let lost: [Lost] = (0..<2).compactMap { number in
        Photograph(path: Photograph.path(palette: number * 3, number: 90_001 + number)).map {
            Lost(png: $0.png, hash: BlobHash(of: $0.png))
        }
    }

    /// Writes server lists beside what was written, the demo person's too, and a note for each lost picture.
    static func write(
        people: [WorldPerson], hero: Int, authors: [Int], port: Int, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        // A sequence of its own: files change nothing of what people do otherwise.
        var dice = Dice(seed: seed ^ 0xB10_550)
        let servers = WorldMediaServers.addresses(port: port).compactMap { MediaServer($0) }
        let few = Array(servers.dropFirst().prefix(2).reversed())
        let authors = authors.filter { !people[$0].isLost && $0 != hero }
        for person in people where person.number == hero || dice.chance(0.2) {
            let moment = now - .seconds(Int64(dice.whole(2 * 86_400...20 * 86_400)))
            sign(list(person.number == hero ? servers : few, moment), by: person, &dice, &written)
        }
        for (number, picture) in lost.enumerated() {
            guard let author = dice.pick(authors) else { return }
            let moment = now - .seconds(Int64(3_000 + number * 9_000))
            // After the others of this author: the newest list is the one in force.
            sign(list(few, moment - .seconds(60)), by: people[author], &dice, &written)
            var file = MediaAttachment(url: "http://gone.localhost:\(port)/\(picture.hash.hex).png")
            (file.type, file.hash, file.description) = ("image/png", picture.hash.hex, "Hills from an old server")
            let (width, height) = Photograph.size(isTall: false)
            file.dimensions = PixelSize(width: width, height: height)
            let draft = EventDraft(
                kind: 1, tags: [file.tag], content: "Found this on a server that is no more.\n\n\(file.url)",
                createdAt: moment)
            sign(draft, by: people[author], &dice, &written)
        }
    }

    private static func list(_ servers: [MediaServer], _ moment: Timestamp) -> EventDraft {
        var list = MediaServerList()
        list.set(servers)
        return list.draft(now: moment)
    }

    private static func sign(
        _ draft: EventDraft, by person: WorldPerson, _ dice: inout Dice, _ written: inout [Written]
    ) {
        let event = Event(signing: draft, with: person.keyholder.key, using: &dice)
        written.append(Written(event: event, author: person.number))
    }
}
