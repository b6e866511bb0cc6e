/// The grammars' sources, one file per language and field.
enum Phrases {}

/// A language people of the world write in.
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"
    case spanish = "es"
    case french = "fr"
    case portuguese = "pt"
    case japanese = "ja"

    private static let grammars: [Language: Grammar] = [
        .english: Grammar(
            [Phrases.englishNature, Phrases.englishHands, Phrases.englishTown, Phrases.englishLetters].joined(
                separator: "\n")),
        .german: Grammar(Phrases.german),
        .spanish: Grammar(Phrases.spanish),
        .french: Grammar(Phrases.french),
        .portuguese: Grammar(Phrases.portuguese),
        .japanese: Grammar(Phrases.japanese),
    ]

    /// What is said in it.
    var grammar: Grammar { Self.grammars[self] ?? Grammar("") }

    /// What notes in it can be about, in a fixed order.
    var topics: [Topic] { Self.topics[self] ?? [] }

    /// Looked for once: each note of months asks for them.
    private static let topics = grammars.mapValues { grammar in
        let names = grammar.names
        return Topic.allCases.filter { names.contains("\($0.rawValue).note") }
    }

    /// How common it is.
    var share: Double {
        switch self {
        case .english: 0.56
        case .german: 0.14
        case .spanish: 0.09
        case .french: 0.08
        case .portuguese: 0.06
        case .japanese: 0.07
        }
    }

    /// Where most of its speakers live, in hours east of Greenwich.
    var hoursEast: Int {
        switch self {
        case .english: 0
        case .german, .french, .spanish: 1
        case .portuguese: -1
        case .japanese: 9
        }
    }
}

/// What people write about.
public enum Topic: String, CaseIterable, Sendable {
    case birds, garden, hills, stars, bread, wheels, photo, music, books, code, nostr, day

    /// Hashtags that fit.
    var hashtags: [String] {
        switch self {
        case .birds: ["birds", "birding", "nature"]
        case .garden: ["garden", "growyourown", "seeds"]
        case .hills: ["hiking", "outdoors", "slowtravel"]
        case .stars: ["astronomy", "nightsky"]
        case .bread: ["bread", "sourdough", "baking"]
        case .wheels: ["cycling", "bikes", "commute"]
        case .photo: ["photography", "filmisnotdead", "analog"]
        case .music: ["music", "choir", "fiddle"]
        case .books: ["books", "reading", "library"]
        case .code: ["programming", "swift", "smalltools"]
        case .nostr: ["nostr", "outbox", "relays"]
        case .day: ["goodmorning", "smallthings"]
        }
    }
}
