public import NostrCore

/// A secret key that several can hold; keys themselves cannot be copied.
final class Keyholder: Sendable {
    let key: SecretKey

    init(_ key: consuming SecretKey) {
        self.key = key
    }
}

/// Somebody who lives in the world.
public struct WorldPerson: Sendable {
    /// Where this person stands among ``World/people``.
    public let number: Int
    /// The key everybody knows.
    public let publicKey: PublicKey
    /// The name as shown.
    public let name: String
    /// The name as a handle of plain letters.
    public let handle: String
    /// The language of most notes.
    public let language: Language
    /// What the notes are about, the favourite first.
    public let topics: [Topic]
    /// Top-level notes per day.
    let notesPerDay: Double
    /// How likely others follow this person; a few are very well known.
    let fame: Double
    /// Whether all relays of this person's list are gone; who is not heard writes little.
    let isLost: Bool
    /// Whether the `e` tags of replies are positional, as they were before NIP-10 had markers.
    let isOldFashioned: Bool
    let keyholder: Keyholder

    /// Whether this person likes something enough to answer in its language.
    func reads(_ other: Language) -> Bool { other == language || other == .english }
}

extension WorldPerson {
    /// Draws somebody.
    ///
    /// - Parameter taken: names already used; the new one is added.
    static func draw(number: Int, taken: inout Set<String>, using dice: inout Dice) -> WorldPerson {
        let languages = Language.allCases
        let language = languages[dice.offset(weights: languages.map(\.share))]
        var name = language.name(using: &dice)
        while !taken.insert(name.full).inserted || !taken.insert(name.handle).inserted {
            name = language.name(using: &dice)
        }
        var topics = language.topics
        for place in topics.indices { topics.swapAt(place, dice.whole(place...topics.count - 1)) }
        // A few write most of it, most write now and then: a power law over people.
        let busy = min(2, 0.03 / (0.012 + dice.fraction()))
        let isLost = dice.chance(0.02)
        let fame = min(40, 0.6 / (0.012 + dice.fraction()))
        return make(
            number: number, name: name, language: language, topics: Array(topics.prefix(3)),
            notesPerDay: isLost ? busy / 20 : busy, fame: fame, isLost: isLost, using: &dice)
    }

    /// The person through whose eyes a visitor sees the demo.
    static func hero(number: Int, taken: inout Set<String>, using dice: inout Dice) -> WorldPerson {
        let name = PersonName(full: "Linnea Holm", handle: "linnea")
        taken.formUnion([name.full, name.handle])
        return make(
            number: number, name: name, language: .english, topics: [.birds, .bread, .code], notesPerDay: 0.4, fame: 5,
            isLost: false, using: &dice)
    }

    private static func make(
        number: Int, name: PersonName, language: Language, topics: [Topic], notesPerDay: Double, fame: Double,
        isLost: Bool, using dice: inout Dice
    ) -> WorldPerson {
        let key = SecretKey.generate(using: &dice)
        let publicKey = key.publicKey
        return WorldPerson(
            number: number, publicKey: publicKey, name: name.full, handle: name.handle, language: language,
            topics: topics, notesPerDay: notesPerDay, fame: fame, isLost: isLost, isOldFashioned: dice.chance(0.12),
            keyholder: Keyholder(key))
    }
}
