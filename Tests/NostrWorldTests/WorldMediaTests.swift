import NostrCore
import NostrNIPs
import Testing

@testable import NostrWorld

@Suite("Media of the world", .timeLimit(.minutes(5)))
struct WorldMediaTests {
    @Test("people whom the demo person follows posted pictures and a film today")
    func hero() throws {
        let world = try hamlet()
        let follows = Set(world.heroFollows)
        let fresh = world.events.filter { follows.contains($0.pubkey) && $0.createdAt > testNow - .seconds(86_400) }
        let titles = Set(fresh.compactMap { PicturePost($0)?.title })
        #expect(titles.isSuperset(of: ["Four from the walk", "From an old server", "The wrong way round"]))
        let walk = try #require(fresh.compactMap(PicturePost.init).first { $0.title == "Four from the walk" })
        #expect(walk.pictures.count == 4 && walk.pictures.count { $0.description == nil } == 1)
        let places = try #require(walk.pictures.first?.people)
        let size = try #require(walk.pictures.first?.dimensions)
        #expect(places.count == 3 && places.count { $0.x <= size.width } == 2, "one lies beside the picture")
        #expect(walk.pictures.dropFirst().allSatisfy { $0.people.isEmpty })
        #expect(fresh.contains { VideoPost($0)?.title == "A film of the harbour" })
        #expect(fresh.contains { $0.kind == 20 && $0.tags.contentWarning != nil })
        let exchanged = try #require(fresh.compactMap(PicturePost.init).first { $0.title == "Exchanged on the way" })
        let hashes = try exchanged.pictures.map { file in
            let drawn = try #require(Photograph(path: String(file.url.dropFirst(world.pictures.count))))
            return drawn.hash
        }
        #expect(zip(exchanged.pictures, hashes).map { $0.hash == $1 } == [false, true])
        #expect(exchanged.pictures.allSatisfy { $0.hash?.count == 64 })
    }

    @Test("every picture that is said to be there is there, and looks from far away as it is said to")
    func files() throws {
        let world = try hamlet()
        let posts = world.events.compactMap(PicturePost.init)
        #expect(posts.count > 5)
        for file in posts.flatMap(\.pictures) {
            let paths = file.addresses.map { String($0.dropFirst(world.pictures.count)) }
            #expect(paths.contains { Photograph(path: $0) != nil }, "\(paths)")
            #expect(file.blurhash.map { BlurHash($0) != nil } ?? true)
            #expect(file.thumbhash.map { ThumbHash($0) != nil } ?? true)
        }
        #expect(posts.flatMap(\.pictures).contains { !$0.fallbacks.isEmpty })
    }

    @Test("people have pictures that are there, and some of them on a server that is gone")
    func faces() throws {
        let world = try hamlet()
        let pictures = WorldPictures(world)
        let faces = world.events.filter { $0.kind == 0 }.compactMap { event -> String? in
            guard let start = event.content.firstRange(of: "\"picture\":\"") else { return nil }
            return String(event.content[start.upperBound...].prefix { $0 != "\"" })
        }
        #expect(faces.count { pictures.file(at: $0)?.type == "image/svg+xml" } > faces.count / 2)
        let lost = faces.filter { $0.hasPrefix("http://gone.localhost:") }
        #expect(!lost.isEmpty && lost.allSatisfy { pictures.file(at: $0) == nil })
        #expect(pictures.file(at: "https://elsewhere.example/avatar/00ff.svg") == nil)
    }

    @Test("every film is there, small, whole, and of the shape that is said")
    func films() throws {
        let world = try hamlet()
        let films = world.events.compactMap { VideoPost($0) }
        #expect(!films.isEmpty)
        for file in films.flatMap(\.variants) {
            let path = String(file.url.dropFirst(world.pictures.count))
            let mp4 = try #require(Film(path: path)).mp4
            #expect(mp4.count < 20_000)
            #expect(String(decoding: mp4[4..<8], as: UTF8.self) == "ftyp")
            #expect(Self.boxes(mp4) == ["ftyp", "moov", "mdat"])
            #expect(file.duration == .seconds(Film.seconds))
        }
        let path = Film.path(3, variant: 1, isTall: true)
        let (once, again) = (try #require(Film(path: path)), try #require(Film(path: path)))
        #expect(once.mp4 == again.mp4)
        for path in ["/film/x-1-wide.mp4", "/film/1-1.mp4", "/film/1-1-round.mp4", "/film/99999999-1-wide.mp4"] {
            #expect(Film(path: path) == nil)
        }
    }

    /// The names of the outermost boxes of an MP4 file, as far as their lengths are right.
    static func boxes(_ mp4: [UInt8]) -> [String] {
        var names: [String] = []
        var place = 0
        while place + 8 <= mp4.count {
            let length = mp4[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
            guard length >= 8, place + length <= mp4.count else { return names }
            names.append(String(decoding: mp4[place + 4..<place + 8], as: UTF8.self))
            place += length
        }
        return place == mp4.count ? names : []
    }

    @Test("players may ask for a part of a file")
    func parts() {
        #expect(wantedPart("bytes=0-1", of: 10) == 0..<2)
        #expect(wantedPart("bytes=4-", of: 10) == 4..<10)
        #expect(wantedPart("bytes=4-99", of: 10) == 4..<10)
        for header in ["bytes=10-", "bytes=-5", "bytes=5-4", "bytes=0-1,3-4", "lines=0-1", "bytes=x-", ""] {
            #expect(wantedPart(header, of: 10) == nil, "\(header)")
        }
    }

    @Test("the same address always shows and sings the same, and another is nothing")
    func determinism() throws {
        let path = Photograph.path(palette: 3, number: 7)
        #expect(try #require(Photograph(path: path)).png == Photograph(path: path)?.png)
        #expect(Photograph(path: "/photograph/99-1-wide.png") == nil && Photograph(path: "/gone/1.png") == nil)
        let song = try #require(Song(path: Song.path(3)))
        #expect(Array(song.wav.prefix(4)) == Array("RIFF".utf8) && song.wav.count == 44 + Song.seconds * 8000)
        #expect(Song(path: "/song/x.wav") == nil)
    }
}
