internal import Crypto
internal import NostrCore
internal import NostrNIPs

/// What people of the world post beside notes: pictures, films and sounds, described well, badly and wrongly.
struct WorldMedia {
    private let people: [WorldPerson]
    private let now: Timestamp
    /// Where files lie, without a slash at the end.
    private let host: String
    private var dice: Dice
    private var next = 0

    /// Posts of the last days, some of people whom the demo person follows, of today.
    static func post(
        people: [WorldPerson], follows: [Int], host: String, now: Timestamp, seed: UInt64,
        beside written: inout [Written]
    ) {
        var media = WorldMedia(people: people, host: host, now: now, seed: seed)
        media.writeForHero(follows.filter { !people[$0].isLost }, beside: &written)
        media.writeForAll(beside: &written)
    }

    private init(people: [WorldPerson], host: String, now: Timestamp, seed: UInt64) {
        self.people = people
        self.host = host
        self.now = now
        // A sequence of its own: what is posted changes nothing of what is written.
        dice = Dice(seed: seed ^ 0x91C_7035)
    }

    /// What is wrong with a picture of a post.
    private enum Flaw {
        /// Its first address leads nowhere.
        case dead
        /// It says another shape than it has.
        case wrongSize
        /// Nothing is said of what can be seen.
        case silent
        /// Nothing stands in its place.
        case bare
        /// It says the hash of another file.
        case otherFile
    }

    /// A picture whose hash is known: each is drawn when it is asked for, which takes too long for all of them.
    private static let hashed: (palette: Int, path: String, hash: String?) = {
        let path = Photograph.path(palette: 3, number: 1961)
        return (3, path, Photograph(path: path)?.hash)
    }()

    private static let flaws: [Flaw?] = [nil, nil, nil, .dead, .wrongSize, .silent, .bare]

    /// Content warnings, and everything that can be wrong, once each.
    private mutating func writeForHero(_ authors: [Int], beside open: inout [Written]) {
        // Who is seen in the first picture of the first two posts.
        let others = authors.suffix(2)
        var authors = authors[...]
        func tag(_ name: String, _ value: String) -> Tag { [name, value] }
        let posts: [(title: String, flaws: [Flaw?], further: [Tag])] = [
            ("Four from the walk", [nil, nil, nil, .silent], [tag("location", "Lindesnes")]),
            ("From an old server", [.dead], []),
            ("The wrong way round", [.wrongSize], []),
            ("Not for everybody", [nil], [tag("content-warning", "spiders")]),
            ("Exchanged on the way", [.otherFile], []),
        ]
        for (number, post) in posts.enumerated() {
            guard let author = authors.popFirst() else { return }
            var pictures = post.flaws.map { picture($0) }
            let shown = number < 2 ? Array(others.prefix(2)) : []
            if !pictures.isEmpty { pictures[0].people = point(at: shown) }
            // One that is what it says it is, beside the one that is not.
            if post.flaws == [.otherFile] { pictures.append(hashedPicture()) }
            let named = shown.map { Tag(["p", people[$0].publicKey.hex]) }
            let draft = PicturePost.draft(
                title: post.title, text: text(of: author), pictures: pictures, further: post.further + named,
                createdAt: now - .seconds(Int64(2_400 + number * 4_800)))
            sign(draft, by: author, beside: &open)
        }
        guard let filmer = authors.popFirst(), let singer = authors.popFirst() else { return }
        sign(
            film("A film of the harbour", isShort: false, isAddressable: false, by: filmer, at: now - .seconds(24_000)),
            by: filmer, beside: &open)
        sign(song(by: singer, at: now - .seconds(30_000)), by: singer, beside: &open)
    }

    /// Somebody at the left and somebody at the right, and somebody whose place lies beside the picture.
    private func point(at shown: [Int]) -> [MediaAttachment.PersonInPicture] {
        let (width, height) = Photograph.size(isTall: false)
        var places = zip(shown, [(width / 4, height / 2), (width * 3 / 4, height / 3)]).map { person, place in
            MediaAttachment.PersonInPicture(person: people[person].publicKey, x: place.0, y: place.1)
        }
        if let last = people.last, !shown.isEmpty {
            places.append(MediaAttachment.PersonInPicture(person: last.publicKey, x: width * 9, y: 3))
        }
        return places
    }

    /// What others posted in the last days.
    private mutating func writeForAll(beside open: inout [Written]) {
        for person in people where person.number != 0 && !person.isLost && dice.chance(0.14) {
            let moment = now - .seconds(Int64(dice.whole(3_600...6 * 86_400)))
            switch dice.whole(0...9) {
            case 0..<7:
                let pictures = (0..<dice.whole(1...4)).map { _ in
                    let flaw = dice.pick(Self.flaws, or: nil)
                    return picture(flaw)
                }
                let further: [Tag] = dice.chance(0.1) ? [["content-warning", ""]] : []
                let draft = PicturePost.draft(
                    title: title(of: person), text: text(of: person.number), pictures: pictures,
                    further: further + topics(of: person), createdAt: moment)
                sign(draft, by: person.number, beside: &open)
            case 7, 8:
                let draft = film(
                    title(of: person), isShort: dice.chance(0.5), isAddressable: dice.chance(0.5), by: person.number,
                    at: moment)
                sign(draft, by: person.number, beside: &open)
            default: sign(song(by: person.number, at: moment), by: person.number, beside: &open)
            }
        }
    }

    private mutating func sign(_ draft: EventDraft, by author: Int, beside open: inout [Written]) {
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        open.append(Written(event: event, author: author))
    }

    private mutating func picture(_ flaw: Flaw?) -> MediaAttachment {
        let palette = dice.whole(0...Photograph.palettes - 1)
        next += 1
        let path = Photograph.path(palette: palette, number: next)
        let (width, height) = Photograph.size(isTall: false)
        var file = MediaAttachment(url: host + (flaw == .dead ? "/gone/\(next).png" : path))
        file.type = "image/png"
        file.dimensions =
            flaw == .wrongSize ? PixelSize(width: height, height: width) : PixelSize(width: width, height: height)
        if flaw == .dead { file.fallbacks = [host + path] }
        if flaw != .silent { file.description = dice.pick(Self.views, or: "Hills") + ", \(next)" }
        if flaw == .otherFile { file.hash = encodeHex(Array(SHA256.hash(data: Array(path.utf8)))) }
        let hash = Photograph.hashes[palette]
        if flaw != .bare { if dice.chance(0.5) { file.blurhash = hash.blur } else { file.thumbhash = hash.thumb } }
        return file
    }

    private func hashedPicture() -> MediaAttachment {
        let (width, height) = Photograph.size(isTall: false)
        var file = MediaAttachment(url: host + Self.hashed.path)
        file.type = "image/png"
        file.dimensions = PixelSize(width: width, height: height)
        file.description = "The first light, as it was uploaded"
        file.blurhash = Photograph.hashes[Self.hashed.palette].blur
        file.hash = Self.hashed.hash
        return file
    }

    private static let views = [
        "Hills in the first light", "Four ridges, one behind the other", "The sun over the marsh", "A valley in haze",
        "The way home, seen from above",
    ]

    private mutating func film(
        _ title: String, isShort: Bool, isAddressable: Bool, by author: Int, at moment: Timestamp
    ) -> EventDraft {
        next += 1
        let palette = dice.whole(0...Photograph.palettes - 1)
        let (width, height) = Photograph.size(isTall: isShort)
        let variants = [2, 1].map { scale in
            // Larger than it is: the film is small, and of the shape that is said.
            var file = MediaAttachment(url: host + Film.path(next, variant: scale, isTall: isShort))
            file.type = "video/mp4"
            file.dimensions = PixelSize(width: width * scale, height: height * scale)
            file.previews = [host + Photograph.path(palette: palette, number: next, isTall: isShort)]
            file.blurhash = Photograph.hashes[palette].blur
            file.duration = .seconds(Film.seconds)
            file.description = "Waves go out and come in again"
            return file
        }
        var draft = VideoPost.draft(
            title: title, text: text(of: author), isShort: isShort, variants: variants,
            further: [["segment", "00:00:00.000", "00:00:03.000", "Out"], ["segment", "00:00:03.000", "", "In"]],
            createdAt: moment)
        guard isAddressable else { return draft }
        draft.kind = isShort ? VideoPost.addressableShortKind : VideoPost.addressableKind
        draft.tags.insert(["d", "film-\(next)"], at: 0)
        return draft
    }

    /// A note with a sound.
    private mutating func song(by author: Int, at moment: Timestamp) -> EventDraft {
        next += 1
        var file = MediaAttachment(url: host + Song.path(next))
        file.type = "audio/wav"
        file.duration = .seconds(Song.seconds)
        file.description = "A linnet sings in the hedge"
        file.waveform = (0..<60).map { ($0 * 37 + next * 11) % 90 + 5 }
        return EventDraft(
            kind: 1, tags: [file.tag], content: "Heard this morning:\n\n\(file.url)", createdAt: moment)
    }

    private mutating func text(of author: Int) -> String {
        let person = people[author]
        let topic = person.topics.first ?? .day
        return person.language.grammar.expand("\(topic.rawValue).note", using: &dice)
    }

    private mutating func title(of person: WorldPerson) -> String {
        dice.pick(["This morning", "On the way", "Before the rain", "Evening", "From last summer"], or: "Today")
    }

    private func topics(of person: WorldPerson) -> [Tag] {
        (person.topics.first ?? .day).hashtags.prefix(1).map { ["t", $0] }
    }
}
