internal import NostrCore

/// Where one person publishes and reads, and the tags by which the world learns of it.
struct RelayChoice: Sendable {
    /// Living relays that take this person's events, by number; empty for somebody whose list is all dead.
    var writes: [Int] = []
    /// Living relays where this person looks for mentions, by number.
    var reads: [Int] = []
    /// Relays where this person's private messages wait, by number; empty for somebody without such a list.
    var inbox: [Int] = []
    /// The tags of kind 10002, messy as they are; `nil` for somebody without a list.
    var tags: [Tag]?
}

extension RelayChoice {
    /// Four of five people have an inbox, most of them one; the demo person has two.
    static func inbox(among relays: [Int], isHero: Bool, using dice: inout Dice) -> [Int] {
        if isHero { return Array(relays.prefix(2)) }
        guard dice.chance(0.8), let first = dice.pick(relays) else { return [] }
        let second = dice.chance(0.35) ? dice.pick(relays.filter { $0 != first }) : nil
        return [first] + [second].compactMap { $0 }
    }
}

/// Draws relay lists as messy as those of the real network.
struct RelayListWriter {
    private let relays: [WorldRelay]
    private let dead: [RelayURL]
    private let members: [Int: Set<Int>]
    /// How many dead relays the lists written so far fall short of their share.
    private var owed = 0.0

    /// What share of all relays listed no longer answers.
    static let deadShare = 0.35

    /// - Parameter members: for each paid relay, who may write there.
    init(relays: [WorldRelay], dead: [RelayURL], members: [Int: Set<Int>]) {
        self.relays = relays
        self.dead = dead
        self.members = members
    }

    /// Draws one person's choice.
    mutating func choice(of person: WorldPerson, using dice: inout Dice) -> RelayChoice {
        let isLost = person.isLost
        guard isLost || dice.chance(0.88) else { return listless(using: &dice) }
        let living = isLost ? [] : livingRelays(of: person.number, using: &dice)
        owed += Double(living.count) * Self.deadShare / (1 - Self.deadShare)
        let deadCount = isLost ? 3 : dice.times(mean: owed)
        owed -= Double(deadCount)
        var entries = living.map { entry(relays[$0], using: &dice) }
        // A person who writes somewhere writes at least to one relay that keeps and shows it, with few exceptions.
        if let first = entries.indices.first, dice.chance(0.985) || !entries.contains(where: \.writes) {
            entries[first].marker = entries[first].marker == "read" ? nil : entries[first].marker
        }
        var choice = RelayChoice(
            writes: entries.filter(\.writes).map(\.relay), reads: entries.filter(\.reads).map(\.relay))
        var tags = entries.map { tag($0.text, $0.marker) }
        for _ in 0..<deadCount { tags.append(tag(deadText(using: &dice), marker(using: &dice))) }
        if dice.chance(0.08), let again = entries.first {
            owed += Self.deadShare
            tags.append(tag(again.text + "/", again.marker))
        }
        if dice.chance(0.15) { tags.append(garbage(using: &dice)) }
        for place in tags.indices { tags.swapAt(place, dice.whole(place...tags.count - 1)) }
        choice.tags = tags
        return choice
    }

    /// The demo person's list: four good relays, one that wants authentication, one that wants money, two dead.
    func heroChoice() -> RelayChoice {
        let good = relays.filter { $0.trait == .reliable }.prefix(3).map(\.number)
        let commons = relays.filter { $0.trait == .commons }.map(\.number)
        let difficult = relays.filter { $0.trait == .authenticating || $0.trait == .paid }.prefix(2).map(\.number)
        var tags = (commons + good).map { tag(relays[$0].address.text, nil) }
        tags += difficult.map { tag(relays[$0].address.text, "write") }
        tags += dead.prefix(2).map { tag($0.text + "/", nil) }
        return RelayChoice(writes: commons + good, reads: commons + good, tags: tags)
    }

    private struct Entry {
        var relay: Int
        var text: String
        var marker: String?
        var writes: Bool { marker != "read" }
        var reads: Bool { marker != "write" }
    }

    private func listless(using dice: inout Dice) -> RelayChoice {
        let commons = relays.filter { $0.trait == .commons }.map(\.number)
        let solid = relays.filter { $0.trait == .reliable }
        let other = solid.isEmpty ? nil : solid[dice.offset(weights: solid.map(\.fame))].number
        let places = commons + (dice.chance(0.6) ? [other].compactMap { $0 } : [])
        return RelayChoice(writes: places, reads: places, tags: nil)
    }

    /// The first one is solid.
    private func livingRelays(of person: Int, using dice: inout Dice) -> [Int] {
        let usable = relays.filter { relay in
            relay.fame > 0 && relay.isAlive && (relay.trait != .paid || members[relay.number]?.contains(person) == true)
        }
        let solid = usable.filter(\.isSolid)
        guard !solid.isEmpty else { return [] }
        var chosen = [solid[dice.offset(weights: solid.map(\.fame))].number]
        for _ in 0..<min(5, dice.times(mean: 1.9)) {
            let left = usable.filter { !chosen.contains($0.number) }
            if left.isEmpty { break }
            chosen.append(left[dice.offset(weights: left.map(\.fame))].number)
        }
        return chosen
    }

    private func entry(_ relay: WorldRelay, using dice: inout Dice) -> Entry {
        var text = relay.address.text
        switch dice.whole(0...99) {
        case 0..<18: text += "/"
        case 18..<22: text = "WS" + text.dropFirst(2)
        case 22..<24: text = " \(text) "
        case 24..<26: text = text.replacing("127.0.0.1", with: "LOCALHOST")
        default: break
        }
        return Entry(relay: relay.number, text: text, marker: marker(using: &dice))
    }

    private func marker(using dice: inout Dice) -> String? {
        switch dice.whole(0...99) {
        case 0..<15: "write"
        case 15..<30: "read"
        default: nil
        }
    }

    /// A few dead relays were once famous and stand in very many lists.
    private func deadText(using dice: inout Dice) -> String {
        let weights = dead.indices.map { 1 / (1 + Double($0)) }
        let text = dead.isEmpty ? "ws://127.0.0.1:2" : dead[dice.offset(weights: weights)].text
        return dice.chance(0.3) ? text + "/" : text
    }

    private func tag(_ text: String, _ marker: String?) -> Tag {
        Tag(["r", text] + (marker.map { [$0] } ?? []))
    }

    private func garbage(using dice: inout Dice) -> Tag {
        let some: [Tag] = [
            ["r", "wss://"], ["r", "https://relay.example/"], ["r", "relay.example"], ["r", ""], ["r"],
            ["r", "wss//relay.example"], ["r", "ws://localhost:4848", "read"], ["r", "ws://127.0.0.1:99999"],
            ["r", "wss://one.example wss://two.example"], ["r", "npub1notarelay"], ["relay", "wss://relay.example"],
            ["r", "ws://[::1]:7447"], ["r", "wss://user:word@relay.example"], ["x"],
        ]
        return dice.pick(some, or: ["r"])
    }
}
