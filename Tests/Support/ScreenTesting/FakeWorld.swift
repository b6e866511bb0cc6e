public import NostrClient
public import NostrCore
import NostrTesting

/// Someone who can sign.
public struct FakeAuthor: Sendable {
    /// The key.
    public let key: PublicKey
    private let seed: UInt8

    /// Makes an author from a number of 1 to 255.
    public init(_ seed: UInt8) {
        self.seed = seed
        key = Self.secret(seed).publicKey
    }

    /// Signs an event.
    public func event(_ content: String, kind: Kind = 1, tags: [Tag] = [], at moment: Timestamp) -> Event {
        var random = SeededRandom(seed: UInt64(seed))
        let draft = EventDraft(kind: kind, tags: tags, content: content, createdAt: moment)
        return Event(signing: draft, with: Self.secret(seed), using: &random)
    }

    private static func secret(_ seed: UInt8) -> SecretKey {
        let bytes = [UInt8](repeating: seed, count: 32)
        do { return try SecretKey(bytes.span) } catch { preconditionFailure("\(seed) repeated is a secret key") }
    }
}

/// A few people and what they wrote.
public struct FakeWorld: Sendable {
    /// Oneself.
    public let own: FakeAuthor
    /// Everyone, oneself included.
    public let authors: [FakeAuthor]
    /// Their profiles.
    public var people: [PublicKey: Person]
    /// Their notes, newest first.
    public var notes: [Note] = []
    /// The moment of the newest note.
    public let newest: Timestamp

    /// Makes people by name; the first is oneself and follows all others.
    public init(names: [String] = ["Ada", "Ben", "Cleo"], newest: Timestamp = Timestamp(seconds: 1_700_000_000)) {
        authors = names.indices.map { FakeAuthor(UInt8($0 + 1)) }
        own = authors.first ?? FakeAuthor(1)
        self.newest = newest
        people = [:]
        for (author, name) in zip(authors, names) {
            var person = Person(key: author.key, fields: ["name": name], isFollowed: author.key != own.key)
            person.followingCount = names.count - 1
            people[author.key] = person
        }
    }

    private init(own: FakeAuthor, name: String) {
        authors = [own]
        self.own = own
        newest = Timestamp(seconds: 1_700_000_000)
        people = [own.key: Person(key: own.key, fields: ["name": name])]
    }

    /// The world of one person alone.
    public static func of(_ own: FakeAuthor, named name: String) -> FakeWorld { FakeWorld(own: own, name: name) }

    /// Makes a note without keeping it.
    public func note(_ content: String, by index: Int = 1, kind: Kind = 1, tags: [Tag] = [], ago seconds: Int64) -> Note
    {
        let author = authors[index % authors.count]
        let event = author.event(content, kind: kind, tags: tags, at: newest - .seconds(seconds))
        return Note(event: event, author: people[author.key] ?? Person(key: author.key))
    }

    /// Keeps a note made of a text.
    @discardableResult
    public mutating func write(_ content: String, by index: Int = 1, tags: [Tag] = [], ago seconds: Int64) -> Note {
        let made = note(content, by: index, tags: tags, ago: seconds)
        keep(made)
        return made
    }

    /// Keeps a note.
    public mutating func keep(_ note: Note) {
        notes.append(note)
        notes.sort {
            $0.event.createdAt == $1.event.createdAt ? $0.id < $1.id : $0.event.createdAt > $1.event.createdAt
        }
    }

    /// A world with a number of plain notes, one a minute.
    public static func plain(notes count: Int) -> FakeWorld {
        var world = FakeWorld()
        for index in 0..<count { world.write("Note \(index)", by: index + 1, ago: Int64(index) * 60) }
        return world
    }
}
