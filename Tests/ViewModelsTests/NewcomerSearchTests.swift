import Circles
import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("whom an admin means who lets somebody in")
struct NewcomerSearchTests {
    private let circle = CircleID(Array(repeating: 7, count: 32))
    private let world: FakeWorld

    init() throws {
        var world = FakeWorld(names: ["Ada", "Ben", "Benedict", "Cleo", "Benno"])
        let cleo = world.authors[3].key
        world.people[cleo]?.address = NostrAddress(try #require(InternetIdentifier("cleo@example.com")), .verified)
        world.people[world.authors[4].key]?.isFollowed = false
        self.world = world
    }

    private func find(_ text: String) async throws -> [Int] {
        let found = try await NewcomerSearch(people: FakeAccount(world)).find(text, for: try #require(circle))
        return found.compactMap { one in world.authors.firstIndex { $0.key == one.key } }.sorted()
    }

    @Test("a key means its owner, also a stranger; so does a link to add somebody to this circle")
    func keys() async throws {
        let (ben, stranger) = (world.authors[1].key, world.authors[4].key)
        #expect(try await find(ben.npub) == [1])
        #expect(try await find(" \(stranger.hex)\n") == [4])
        let id = try #require(circle)
        #expect(try await find("whistle://addmember/\(ben.hex)/\(id.hex)") == [1])
        let other = String(repeating: "ab", count: 32)
        await #expect(throws: Trouble(CircleWords.otherCircle, canRetry: false)) {
            try await find("whistle://addmember/\(ben.hex)/\(other)")
        }
    }

    @Test("a name at a domain means whom the domain names; a name that it does not know is told with the domain")
    func domains() async throws {
        #expect(try await find("Cleo@example.com") == [3])
        await #expect(throws: Trouble("example.com knows nobody called bob.", canRetry: false)) {
            try await find("bob@example.com")
        }
    }

    @Test("a name means those who are followed: one who is called exactly so, else all to choose from")
    func names() async throws {
        #expect(try await find("ben") == [1])
        #expect(try await find("Bene") == [2])
        #expect(try await find("be") == [1, 2])
        for nobody in ["Benno", "no key at all", "", "@", "%%%"] {
            await #expect(throws: Trouble(CircleWords.noPerson, canRetry: false)) { try await find(nobody) }
        }
    }
}
