import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("GIFs of the world")
struct WorldGifsTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    @Test("every scene is a whole GIF that moves, and always the same")
    func files() {
        for scene in MovingPicture.Scene.allCases {
            let gif = MovingPicture(scene: scene).gif
            #expect(gif == MovingPicture(scene: scene).gif && gif.count < 60_000)
            #expect(String(decoding: gif.prefix(6), as: UTF8.self) == "GIF89a" && gif.last == 0x3B)
            #expect(Self.pictures(in: gif) == 6)
        }
        #expect(Set(WorldGifs.files.map(\.hash)).count == MovingPicture.Scene.allCases.count)
    }

    /// How many pictures a GIF has, as far as its blocks end where they say.
    private static func pictures(in gif: [UInt8]) -> Int? {
        var (place, count) = (13 + 3 * 128, 0)
        while place < gif.count {
            switch gif[place] {
            case 0x3B: return place == gif.count - 1 ? count : nil
            case 0x21: place += 2
            case 0x2C:
                count += 1
                place += 11
            default: return nil
            }
            while place < gif.count, gif[place] != 0 { place += Int(gif[place]) + 1 }
            place += 1
        }
        return nil
    }

    @Test("people published them well, badly and wrongly, and the demo person's relays have them")
    func published() throws {
        let world = try hamlet()
        let placed = zip(world.events, world.holders).compactMap { event, holders in
            FileMetadata(event).map { (shared: $0, event: event, holders: holders) }
        }
        let gifs = placed.filter(\.shared.isGIF)
        #expect(gifs.count == 5 && placed.count == 6)
        let reads = Set(world.choices[world.hero].reads)
        #expect(gifs.allSatisfy { !reads.isDisjoint(with: $0.holders) })
        #expect(gifs.contains { !$0.shared.file.fallbacks.isEmpty })
        #expect(gifs.contains { $0.shared.file.description == nil && $0.shared.summary != nil })
        #expect(gifs.contains { $0.event.tags.contentWarning != nil })
        let hashes = Set(WorldGifs.files.map(\.hash.hex))
        #expect(gifs.contains { $0.shared.file.hash.map { !hashes.contains($0) } == true })
    }

    private func ask(_ query: String) -> WorldMediaServers.Answer? {
        WorldMediaServers(port: 99, now: { Self.now }).answer(
            WorldMediaServers.Incoming(
                method: "GET", address: "https://api.giphy.com/v1/gifs/\(query)", headers: [:], body: []))
    }

    @Test("the host of GIFs wants a key, finds by words, and its files are there")
    func host() throws {
        #expect(ask("search?q=waves")?.status == 401 && ask("trending?api_key=wrong")?.status == 401)
        let answer = try #require(ask("search?api_key=\(WorldGifs.key)&q=waves%20come"))
        let value = try JSONValue(answer.body)
        let entries = value["data"]?.elements ?? []
        #expect(answer.status == 200 && entries.count == 2)
        let url = try #require(entries.first?["images"]?["original"]?["url"]?.string)
        let servers = WorldMediaServers(port: 99, now: { Self.now })
        let file = servers.answer(WorldMediaServers.Incoming(method: "GET", address: url, headers: [:], body: []))
        #expect(file?.status == 200 && file?.body == WorldGifs.files.first?.gif)
        #expect(servers.answer(.init(method: "GET", address: "https://else.example/", headers: [:], body: [])) == nil)
    }
}
