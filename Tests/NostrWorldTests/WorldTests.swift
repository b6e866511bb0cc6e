import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

/// The end of history in every test.
let testNow = Timestamp(seconds: 1_760_000_000)

/// A small world at made-up ports.
func hamlet(seed: UInt64 = 7, now: Timestamp = testNow) throws -> World {
    try World(seed: seed, size: .hamlet, now: now, ports: WorldPorts(from: 47_000, relays: WorldSize.hamlet.relays))
}

@Suite("The world", .timeLimit(.minutes(10)))
struct WorldTests {
    /// The world of the demo, made once for all tests.
    static let town = Result {
        try World(
            seed: 1, size: .town, now: testNow, ports: WorldPorts(from: 47_000, relays: WorldSize.town.relays))
    }

    @Test("is the same for the same seed, and another for another")
    func determinism() throws {
        let (one, again, other) = (try hamlet(), try hamlet(), try hamlet(seed: 8))
        #expect(one.events == again.events)
        #expect(one.holders == again.holders)
        #expect(one.people.map(\.publicKey) == again.people.map(\.publicKey))
        #expect(Set(one.events.map(\.id)).isDisjoint(with: other.events.map(\.id)))
    }

    @Test("consists of events that verify")
    func verifies() async throws {
        let events = try hamlet().events
        for result in await verify(events.map(\.unverified)) {
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test("most of the names people claim at domains are theirs, some are not, and one domain never answers")
    func names() throws {
        let world = try Self.town.get()
        let names = WorldNames(world)
        var confirmed = 0
        for person in world.people {
            let identifier = try #require(InternetIdentifier("\(person.handle)@birds.example"))
            let text = try #require(names.document(of: identifier.local, at: identifier.domain))
            let document = try #require(WellKnownNames(json: Array(text.utf8)))
            if document.confirms(identifier, for: person.publicKey) { confirmed += 1 }
            #expect(names.document(of: person.handle, at: "people.example") == nil)
        }
        let share = Double(confirmed) / Double(world.people.count)
        #expect((0.75..<1).contains(share))
        #expect(names.document(of: "anybody", at: "example.com") == nil)
    }

    @Test("people whom the demo person follows link to sites; most say what they are about, one never answers")
    func sites() throws {
        let world = try Self.town.get()
        let sites = WorldSites(world)
        let follows = Set(world.heroFollows)
        for link in WorldSites.links {
            let note = try #require(world.events.first { $0.kind == 1 && $0.content.hasSuffix(link.address) })
            #expect(follows.contains(note.pubkey))
            #expect((sites.page(at: link.address) == nil) == link.address.contains("silent.example"))
        }
        #expect(sites.page(at: "https://example.com/") == nil)
    }

    @Test("is a town of at least 300 people and 24 relays with every trait, and not too large to start quickly")
    func shape() throws {
        let world = try Self.town.get()
        #expect(world.people.count >= 300)
        #expect(world.relays.count >= 24)
        #expect(Set(world.people.map(\.name)).count == world.people.count)
        #expect((10_000...20_000).contains(world.events.count))
        for (trait, count) in [
            (RelayTrait.authenticating, 2), (.paid, 2), (.rateLimiting, 2), (.forging, 1), (.ignoringFilters, 1),
            (.silent, 1), (.commons, 1), (.indexer, 2),
        ] {
            #expect(world.relays.count { $0.trait == trait } == count)
        }
        #expect(world.heroFollows.count == 120)
        #expect(world.events.allSatisfy { $0.createdAt <= testNow })
    }

    @Test("lists relays of which 35 % no longer answer")
    func deadEntries() throws {
        let world = try Self.town.get()
        let dead = Set(world.dead)
        let living = Set(world.relays.filter(\.isAlive).map(\.address))
        var counts = (dead: 0, living: 0)
        for tag in world.choices.compactMap(\.tags).joined() where tag.name == "r" {
            guard let relay = tag.relay(at: 1) else { continue }
            let aliased = try RelayURL(relay.text.replacing("localhost", with: "127.0.0.1"))
            if dead.contains(relay) { counts.dead += 1 }
            if living.contains(aliased) { counts.living += 1 }
        }
        let share = Double(counts.dead) / Double(counts.dead + counts.living)
        #expect((0.33...0.37).contains(share), "\(share) of \(counts)")
    }

    @Test("has everything real lists and notes have")
    func variety() throws {
        let world = try Self.town.get()
        let notes = world.events.filter { $0.kind == 1 }
        let threads = notes.map { ThreadReferences($0.tags) }
        #expect(threads.contains { $0.root != $0.parent })
        for tag in ["q", "p", "t", "emoji", "imeta", "content-warning"] {
            #expect(notes.contains { $0.tags.firstValue(tag) != nil }, "no note with \(tag)")
        }
        for kind: Kind in [0, 1, 3, 5, 6, 7, 10_002, 30_023] {
            #expect(world.events.contains { $0.kind == kind }, "nothing of kind \(kind.rawValue)")
        }
        #expect(world.choices.contains { $0.tags == nil })
        let lists = world.choices.compactMap(\.tags).joined()
        #expect(lists.contains { $0.value?.hasSuffix("/") == true })
        #expect(lists.contains { $0.value?.hasPrefix("WS") == true })
        #expect(lists.contains { $0.name == "r" && $0.relay(at: 1) == nil })
        #expect(!notes.contains { $0.content.contains("{") }, "a rule without a name")
    }

    @Test("puts events where their authors write, and where those they mention read")
    func placement() throws {
        let world = try hamlet()
        let numbers = Dictionary(uniqueKeysWithValues: world.people.map { ($0.publicKey, $0.number) })
        for (event, holders) in zip(world.events, world.holders) where event.kind == 1 {
            let author = try #require(numbers[event.pubkey])
            let mentioned = event.tags.named("p").compactMap { $0.publicKey(at: 1) }.compactMap { numbers[$0] }
            let offered = world.choices[author].writes + mentioned.flatMap { world.choices[$0].reads }
            #expect(Set(holders).isSubset(of: offered))
        }
        let kept = zip(world.events, world.holders).filter { $0.0.kind == 1 && !$0.1.isEmpty }
        let all = world.events.count { $0.kind == 1 }
        #expect(Double(kept.count) / Double(all) > 0.95)
    }

    @Test("has grammars that name no rule they do not have", arguments: Language.allCases)
    func grammars(language: Language) {
        var dice = Dice(seed: 11)
        let grammar = language.grammar
        for name in grammar.names.sorted() where name != "greet" {
            for _ in 0..<40 {
                let text = grammar.expand(name, using: &dice)
                #expect(!text.contains("{") && !text.contains("}"), "\(name): \(text)")
            }
        }
        #expect(language.topics.contains(.day))
        for rule in ["reply.short", "reply.back", "quote.words", "greet", "bio.line"] {
            #expect(grammar.names.contains(rule))
        }
    }
}
