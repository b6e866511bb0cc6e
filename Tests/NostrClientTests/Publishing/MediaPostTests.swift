import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// Pictures and films an account publishes, and finding a film by its address.
struct MediaPostTests {
    let bench = AccountBench()
    let bob = TestPerson.bob

    private static let picture: NostrCore.Tag = ["imeta", "url https://a.example/1.png", "m image/png", "alt A heron"]
    private static let film: NostrCore.Tag = ["imeta", "url https://a.example/1.mp4", "m video/mp4", "alt Waves"]

    @Test("a note names its files in its text")
    func note() async throws {
        let event = try await bench.account.publishing.publish(
            Composition(text: "look", attachments: [Self.picture]))
        #expect(event.kind == 1 && event.content == "look\nhttps://a.example/1.png")
        #expect(event.tags.attachments(in: event.content).map(\.description) == ["A heron"])
    }

    @Test("a post of pictures has them in tags alone, with what its text asks for")
    func pictures() async throws {
        let event = try await bench.account.publishing.publish(
            Composition(
                text: "at dawn #birds nostr:\(bob.publicKey.npub)", contentWarning: "feathers",
                attachments: [Self.picture, Self.film], mediaPost: MediaPost(.pictures, title: "Heron")))
        let post = try #require(PicturePost(event))
        #expect(post.title == "Heron" && post.pictures.map(\.url) == ["https://a.example/1.png"])
        #expect(event.tags.contains(["t", "birds"]) && event.tags.contains(["p", bob.publicKey.hex]))
        #expect(event.tags.contains(["m", "image/png"]) && event.tags.contentWarning == "feathers")
        #expect(!event.content.contains("https://"))
    }

    @Test("a short film is of its own kind; without a film there is nothing to publish")
    func films() async throws {
        let event = try await bench.account.publishing.publish(
            Composition(text: "", attachments: [Self.film], mediaPost: MediaPost(.short, title: "Waves")))
        #expect(event.kind == 22 && VideoPost(event)?.title == "Waves")
        await #expect(throws: AccountError.self) {
            _ = try await bench.account.publishing.publish(
                Composition(text: "x", attachments: [Self.picture], mediaPost: MediaPost(.film, title: "Waves")))
        }
    }

    @Test(
        "a film that is upright is of the short kind, and its type and hash can be asked for",
        arguments: [("1280x720", 21), ("720x1280", 22), ("720x720", 21)] as [(String, Kind)])
    func upright(dimensions: String, kind: Kind) async throws {
        let hash = String(repeating: "ab", count: 32)
        let film: NostrCore.Tag = [
            "imeta", "url https://a.example/1.mp4", "m video/mp4", "dim \(dimensions)", "x \(hash)", "duration 6.5",
            "bitrate 800000", "image https://a.example/1.jpg", "alt Waves", "fallback https://b.example/1.mp4",
        ]
        let event = try await bench.account.publishing.publish(
            Composition(
                text: "at dawn #sea", contentWarning: "spray", attachments: [film],
                mediaPost: MediaPost(.film, title: "Waves")))
        #expect(event.kind == kind && event.content == "at dawn #sea")
        for tag in [["title", "Waves"], ["m", "video/mp4"], ["x", hash], ["t", "sea"], ["alt", "Waves"]]
            as [NostrCore.Tag]
        {
            #expect(event.tags.contains(tag))
        }
        let post = try #require(VideoPost(event))
        let shown = try #require(post.variants.first)
        #expect(post.duration == .milliseconds(6500) && shown.bitrate == 800_000)
        #expect(shown.previews == ["https://a.example/1.jpg"] && shown.fallbacks == ["https://b.example/1.mp4"])
        #expect(event.tags.contentWarning == "spray")
    }

    @Test("a film that can change is found by its address, the newest version")
    func address() async throws {
        let tags: [NostrCore.Tag] = [["d", "harbour"], ["title", "The harbour"], Self.film]
        let event = bob.event("waves", kind: 34_235, tags: tags)
        _ = await bench.store.save([event], from: nil)
        let pointer = AddressPointer(address: try #require(event.address))
        let code = try NostrEntity.naddr(pointer).encoded()
        let result = try await bench.account.timeline.search(code, before: nil, limit: 10)
        #expect(result.notes.notes.map(\.event) == [event] && result.people.isEmpty)
    }
}
