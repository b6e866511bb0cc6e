internal import NostrCore
internal import NostrNIPs

/// What people of the world do out of sight: inboxes, letters to and from the demo person, and the demo person's
/// encrypted lists, drafts and earlier versions.
///
/// A gift wrap costs two key agreements and three signatures, so there are a few hundred.
struct PrivateLife {
    private static let day: Int64 = 86_400
    /// What friends write to each other about; the lines are `dm.<theme>.1`, `dm.<theme>.2` and so on.
    private static let themes = ["walk", "loan", "starter", "visit", "patch", "photo"]

    private let people: [WorldPerson]
    private let hero: Int
    private let follows: [Int]
    private let choices: [RelayChoice]
    private let relays: [WorldRelay]
    /// Where pictures are served, without a slash at the end.
    private let pictures: String
    private let days: Int
    private let now: Timestamp
    private var dice: Dice
    private var written: [Written] = []
    /// A message to a group, and who is in it.
    private var toGroup: (rumor: Rumor, members: [Int])?

    init(
        people: [WorldPerson], hero: Int, follows: [Int], choices: [RelayChoice], relays: [WorldRelay],
        pictures: String, days: Int, now: Timestamp, dice: Dice
    ) {
        self.people = people
        self.hero = hero
        self.follows = follows
        self.choices = choices
        self.relays = relays
        self.pictures = pictures
        self.days = days
        self.now = now
        self.dice = dice
    }

    /// Writes everything beside what was written in public.
    mutating func write(beside open: inout [Written]) {
        publishInboxes()
        let friends = self.friends
        for (place, friend) in friends.prefix(4).enumerated() { writeLetters(with: friend, ending: place) }
        if friends.count >= 4 { writeToGroup([hero] + friends.prefix(5).suffix(4)) }
        let strangers = self.strangers
        for stranger in strangers.prefix(2) { writeFirstLetter(of: stranger, "dm.stranger") }
        let spammer = self.spammer
        if let spammer { for _ in 0..<3 { writeFirstLetter(of: spammer, "dm.spam") } }
        writeLists(notes: open.filter { $0.event.kind == 1 && follows.contains($0.author) }, spammer: spammer)
        writeDrafts()
        addEarlierVersions(to: &open)
        // After all else, so that nothing of it is drawn otherwise.
        reactWithOwnEmoji()
        open += written
    }

    /// People the demo person follows who read English and have an inbox, the busiest first.
    var friends: [Int] {
        follows.filter { people[$0].language == .english && !choices[$0].inbox.isEmpty && !people[$0].isLost }
            .sorted { (people[$0].notesPerDay, $0) > (people[$1].notesPerDay, $1) }
    }

    /// Who writes what nobody wants; the demo person has muted them.
    var spammer: Int? { strangers.dropFirst(2).first }

    /// People the demo person does not follow.
    private var strangers: [Int] {
        let known = Set(follows + [hero])
        return people.indices.filter { !known.contains($0) && !choices[$0].inbox.isEmpty }
    }
}

// Letters.
extension PrivateLife {
    private mutating func publishInboxes() {
        for person in people where !choices[person.number].inbox.isEmpty {
            let tags = choices[person.number].inbox.map { Tag(["relay", relays[$0].address.text]) }
            let at = now.seconds - Int64(dice.whole(days...days + 90)) * Self.day
            publish(.directMessageRelays, tags: tags, by: person.number, at: at)
        }
    }

    private mutating func writeLetters(with friend: Int, ending place: Int) {
        let episodes = dice.whole(2...4)
        var themes = Self.themes
        for index in themes.indices { themes.swapAt(index, dice.whole(index...themes.count - 1)) }
        // The newest conversation ended a few minutes ago, the others hours and days.
        var end = now.seconds - 240 - Int64(place) * Int64(dice.whole(9_000...60_000))
        for theme in themes.prefix(episodes) {
            let grammar = Language.english.grammar
            let lines = (1...12).map { "dm.\(theme).\($0)" }.prefix { grammar.names.contains($0) }
            let moments = lines.map { _ in Int64(dice.whole(50...2_400)) }
            var at = end - moments.reduce(0, +)
            end = at - Int64(dice.whole(2...9)) * Self.day
            let heroBegins = dice.chance(0.4)
            var last: Rumor?
            for (number, (line, pause)) in zip(lines, moments).enumerated() {
                at += pause
                let author = (number % 2 == 0) == heroBegins ? hero : friend
                let text = grammar.expand(line, using: &dice)
                let answered = number > 1 && dice.chance(0.15) ? last : nil
                let rumor = send(text, by: author, to: [hero, friend], at: at, answering: answered)
                if dice.chance(0.12) {
                    react(to: rumor, by: author == hero ? friend : hero, in: [hero, friend], at: at + 20)
                }
                last = rumor
            }
        }
    }

    private mutating func writeToGroup(_ members: [Int]) {
        let grammar = Language.english.grammar
        let lines = (1...12).map { "dm.group.\($0)" }.prefix { grammar.names.contains($0) }
        var at = now.seconds - 5 * Self.day
        for (number, line) in lines.enumerated() {
            at += Int64(dice.whole(120...30_000))
            let author = number % 4 == 2 ? hero : members[1 + (number * 3) % (members.count - 1)]
            var text = grammar.expand(line, using: &dice)
            if number == 5 { text += " :linnet:" }
            let rumor = send(
                text, by: author, to: members, at: at, subject: number == 0 ? "Saturday at the marsh" : nil,
                further: number == 5 ? [emoji("linnet")] : [])
            if number == 5 { toGroup = (rumor, members) }
            if number == 3 { react(to: rumor, by: members[1], in: members, at: at + 60, with: "🐦") }
        }
    }

    /// Two of a group react with one emoji of the world's own, and somebody with a name that stands for nothing.
    private mutating func reactWithOwnEmoji() {
        guard let (rumor, members) = toGroup else { return }
        for (friend, name) in zip(members.dropFirst(), ["wave", "wave", "gone"]) {
            guard people[friend].publicKey != rumor.pubkey else { continue }
            react(
                to: rumor, by: friend, in: members, at: rumor.createdAt.seconds + 90, with: ":\(name):",
                name == "gone" ? nil : CustomEmoji(tag: emoji(name)))
        }
    }

    private func emoji(_ name: String) -> Tag { ["emoji", name, "\(pictures)/emoji/\(name).svg"] }

    private mutating func writeFirstLetter(of stranger: Int, _ rule: String) {
        let at = now.seconds - Int64(dice.whole(3_000...600_000))
        _ = send(Language.english.grammar.expand(rule, using: &dice), by: stranger, to: [hero, stranger], at: at)
    }

    private mutating func send(
        _ text: String, by author: Int, to members: [Int], at seconds: Int64, answering: Rumor? = nil,
        subject: String? = nil, further: [Tag] = []
    ) -> Rumor {
        let draft = ChatMessage.draft(
            text, to: ChatRoom(members.map { people[$0].publicKey }), by: people[author].publicKey,
            replyTo: answering.map { EventPointer(id: $0.id, relays: [], author: $0.pubkey, kind: $0.kind) },
            subject: subject, tags: further, createdAt: Timestamp(seconds: min(seconds, now.seconds)))
        let rumor = Rumor(draft, author: people[author].publicKey)
        wrap(rumor, by: author, for: members)
        return rumor
    }

    private mutating func react(
        to rumor: Rumor, by author: Int, in members: [Int], at seconds: Int64, with content: String = "❤️",
        _ emoji: CustomEmoji? = nil
    ) {
        guard let message = ChatMessage(rumor) else { return }
        let draft = ChatReaction.draft(
            content, to: message, by: people[author].publicKey, emoji: emoji,
            createdAt: Timestamp(seconds: min(seconds, now.seconds)))
        wrap(Rumor(draft, author: people[author].publicKey), by: author, for: members)
    }

    private mutating func wrap(_ rumor: Rumor, by author: Int, for members: [Int]) {
        for member in members {
            // Only a text too long or a key that is none would fail; these are neither.
            guard
                let wrap = try? GiftWrap.make(
                    rumor, by: people[author].keyholder.key, for: people[member].publicKey,
                    relay: choices[member].inbox.first.map { relays[$0].address }, now: rumor.createdAt,
                    using: &dice)
            else { continue }
            written.append(Written(event: wrap, author: author))
        }
    }
}

// The demo person's own.
extension PrivateLife {
    private mutating func writeLists(notes: [Written], spammer: Int?) {
        let spam = spammer.map { [Tag(["p", people[$0].publicKey.hex])] } ?? []
        publishList(.muteList, open: [["t", "shinycoins"]], hidden: [["word", "airdrop"]] + spam, daysAgo: 9)
        let some = (0..<6).compactMap { _ in dice.pick(notes)?.event }.map { Tag(["e", $0.id.hex, "", $0.pubkey.hex]) }
        publishList(.bookmarks, open: Array(some.prefix(4)), hidden: Array(some.dropFirst(4)), daysAgo: 4)
        let birders = follows.filter { people[$0].topics.contains(.birds) }.prefix(9)
            .map { Tag(["p", people[$0].publicKey.hex]) }
        publishList(
            .followSets, open: [["d", "birders"], ["title", "Birders"]] + birders.prefix(6),
            hidden: Array(birders.dropFirst(6)), daysAgo: 30)
    }

    private mutating func publishList(_ kind: Kind, open: [Tag], hidden: [Tag], daysAgo: Int64) {
        var items = PrivateItems()
        items.append(hidden)
        guard let content = encryptedToSelf(items.json) else { return }
        publish(kind, tags: open, content: content, by: hero, at: now.seconds - daysAgo * Self.day)
    }

    private mutating func writeDrafts() {
        let texts = [
            (
                "marsh-notes",
                "Three herons, one very cross coot, and the mist lifting all at once. I want to say more about the"
            ),
            ("loaf-17", "Loaf 17: seventy-eight per cent water, a longer rest, and patience I did not know I had."),
        ]
        for (number, (identifier, text)) in texts.enumerated() {
            let at = Timestamp(seconds: now.seconds - Int64(number * 2 + 1) * Self.day)
            let draft = UnsignedDraft(EventDraft(kind: 1, content: text, createdAt: at), author: people[hero].publicKey)
            guard let payload = encryptedToSelf(draft.json) else { continue }
            let wrapped = DraftWrap.draft(
                identifier: identifier, of: 1, payload: payload, replacing: nil, now: at)
            publish(wrapped.kind, tags: wrapped.tags, content: wrapped.content, by: hero, at: at.seconds)
        }
    }

    private mutating func encryptedToSelf(_ text: String) -> String? {
        // A person's own key is a key, and these texts are short.
        try? ConversationKey(between: people[hero].keyholder.key, and: people[hero].publicKey)
            .encrypt(text, using: &dice)
    }

    /// Earlier profiles and follow lists, which only relays that missed what came later still hold: an indexer that is
    /// seldom up to date has the first version, one of the demo person's own relays the second.
    private mutating func addEarlierVersions(to open: inout [Written]) {
        let indexers = relays.filter { $0.trait == .indexer }.map(\.number)
        let late = indexers.count > 1 ? indexers.last : nil
        let behind = choices[hero].writes.count > 2 ? choices[hero].writes.last : nil
        let first = Set([late].compactMap { $0 })
        for kind: Kind in [0, 3] {
            let own = open.indices.filter { open[$0].author == hero && open[$0].event.kind == kind }
            guard let newest = own.max(by: { open[$0].event.createdAt < open[$1].event.createdAt }) else { continue }
            // What went before that is older than these versions, or there would be more of them than told.
            for index in own where index != newest { open[index].skips = first.union([behind].compactMap { $0 }) }
            open[newest].skips = first.union([behind].compactMap { $0 })
            let current = open[newest].event
            for (version, daysBefore) in [(1, Int64(50)), (2, 15)] {
                let tags = Array(current.tags.prefix(current.tags.count * (version == 1 ? 55 : 85) / 100))
                let content = kind == 0 ? earlierProfile(version) : ""
                publish(
                    kind, tags: tags, content: content, by: hero, at: current.createdAt.seconds - daysBefore * Self.day,
                    skips: version == 1 ? [] : first)
            }
        }
    }

    private func earlierProfile(_ version: Int) -> String {
        let person = people[hero]
        let about = version == 1 ? "Trying this out." : "Birds before breakfast, bread after."
        let fields =
            [("name", person.handle), ("about", about)] + (version == 1 ? [] : [("display_name", person.name)])
        return "{" + fields.map { "\(quotedJSON($0.0)):\(quotedJSON($0.1))" }.joined(separator: ",") + "}"
    }

    private mutating func publish(
        _ kind: Kind, tags: [Tag], content: String = "", by author: Int, at seconds: Int64, skips: Set<Int> = []
    ) {
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: Timestamp(seconds: seconds))
        let event = Event(signing: draft, with: people[author].keyholder.key, using: &dice)
        written.append(Written(event: event, author: author, skips: skips))
    }
}
