import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("What people of the world show beside notes", .timeLimit(.minutes(10)))
struct ShowcasesTests {
    @Test("has articles with comments, and one that has all of what an article may hold")
    func articles() throws {
        let events = try hamlet().events
        let articles = events.compactMap(Article.init)
        let guide = try #require(articles.first { $0.title == "A guide to linnets" })
        let blocks = MarkdownDocument(guide.markdown).blocks
        #expect(blocks.contains { if case .code = $0 { true } else { false } })
        #expect(blocks.contains { if case .quote = $0 { true } else { false } })
        #expect(blocks.contains { if case .list = $0 { true } else { false } })
        let commented = events.compactMap(NostrNIPs.Comment.init).compactMap { comment in
            if case .address(let pointer, _) = comment.root { pointer.address } else { nil }
        }.filter { $0.kind == Article.kind }
        #expect(commented.count > 3)
        #expect(articles.filter(\.isDraft).map(\.title) == ["Linnets in winter"])
        let outside = events.compactMap(NostrNIPs.Comment.init).compactMap { comment in
            if case .external(let name, _, _) = comment.parent { name } else { nil }
        }
        #expect(Set(outside) == ["https://birds.example/linnet", "isbn:9780007273782"])
        let addresses = Set(articles.map(\.address))
        #expect(commented.allSatisfy(addresses.contains))
    }

    @Test("has pins, statuses that hold and some that are over, and kinds with nothing but words for what they are")
    func others() throws {
        let world = try WorldTests.town.get()
        let hero = world.heroPerson.publicKey
        #expect(world.events.contains { $0.kind == .pinnedNotes && $0.pubkey == hero })
        #expect(world.events.contains { $0.kind == .relayFeeds && $0.pubkey == hero })
        let statuses = world.events.compactMap(UserStatus.init)
        #expect(Set(statuses.map(\.type)) == [UserStatus.general, UserStatus.music])
        #expect(statuses.contains { $0.expires.map { $0 <= world.now } ?? false })
        #expect(statuses.contains { $0.expires.map { $0 > world.now } ?? false })
        #expect(statuses.contains { $0.emoji.map(\.shortcode) == ["linnet"] && $0.text.contains(":linnet:") })
        let odd = world.events.filter { $0.kind == WorldShowcases.oddKind }
        #expect(!odd.isEmpty && odd.allSatisfy { $0.tags.alternativeText != nil })
        let reposted = Set(world.events.compactMap(Repost.init).map(\.target.id))
        let places = Set(world.events.compactMap(AddressRepost.init).map(\.target.address))
        #expect(!places.isEmpty, "some name it by its address alone")
        #expect(odd.allSatisfy { reposted.contains($0.id) || $0.address.map(places.contains) ?? false })
    }
}
