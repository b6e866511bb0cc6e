import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("Apps of the world", .timeLimit(.minutes(10)))
struct WorldAppsTests {
    @Test("some apps open what few programs know, friends recommend one, and some lead where nobody is to be led")
    func messy() throws {
        let world = try WorldTests.town.get()
        let follows = Set(world.heroFollows)
        let apps = world.events.compactMap { AppHandler($0) }.filter { $0.kinds.contains(WorldShowcases.oddKind) }
        let pages = apps.map { $0.page(opening: ["naddr1abc"]) }
        #expect(pages.contains { $0 == nil }, "some have no page that may be opened")
        let hosts = Set(pages.compactMap(\.?.host))
        #expect(hosts.isSuperset(of: ["footpath.example", "mapper.example"]))
        #expect(hosts.isSubset(of: ["footpath.example", "mapper.example", "tracks.example"]))
        let fans = world.events.compactMap { AppRecommendation($0) }
        #expect(fans.contains { follows.contains($0.author) && $0.handledKind == WorldShowcases.oddKind })
        let places = Set(apps.map(\.address))
        #expect(fans.flatMap(\.apps).allSatisfy { places.contains($0.address) })
    }
}
