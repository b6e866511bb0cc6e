import NostrCore
import NostrTesting
import Testing

@testable import NostrNIPs

@Suite("NIP-92 and NIP-94 media attachments")
struct MediaTests {
    private static let digest = String(repeating: "ab", count: 32)

    @Test("reads every field of the example of NIP-71, as messy as it stands there")
    func fields() throws {
        let tag: Tag = [
            "imeta", "dim 1920x1080", "url https://v.example/1080/1.mp4", "x \(Self.digest.uppercased())",
            "m Video/MP4", "image https://v.example/1.jpg", "image https://o.example/1.jpg",
            "fallback https://o.example/1.mp4", "fallback https://p.example/1.mp4", "service nip96",
            "bitrate  320000", "duration 29.223", "size 12345", "alt  Waves, \u{30}and a gull ", "blurhash LEHV6nWB",
        ]
        let file = try #require(MediaAttachment(tag))
        #expect(file.url == "https://v.example/1080/1.mp4" && file.type == "video/mp4" && file.medium == .video)
        #expect(file.dimensions == PixelSize(width: 1920, height: 1080) && file.hash == Self.digest)
        #expect(file.previews == ["https://v.example/1.jpg", "https://o.example/1.jpg"])
        #expect(file.addresses.count == 3 && file.bitrate == 320_000 && file.byteCount == 12_345)
        #expect(file.duration == .milliseconds(29_223) && file.description == "Waves, 0and a gull")
        #expect(file.otherFields == ["service nip96"] && file.blurhash == "LEHV6nWB")
        #expect(MediaAttachment(file.tag) == file)
    }

    @Test("a sound has a language and a shape, a picture people")
    func sounds() throws {
        let key = TestPerson.alice.publicKey
        let sound = try #require(
            MediaAttachment([
                "imeta", "url https://a.example/1", "m audio/mp3", "waveform 0 7 350 x 8", "l EN ISO-639-1 ov",
            ]))
        #expect(sound.waveform == [0, 7, 100, 8] && sound.language == "en" && sound.isOriginalLanguage)
        #expect(sound.medium == .audio)
        let picture = try #require(
            MediaAttachment([
                "imeta", "url https://a.example/1.jpg", "annotate-user \(key.hex):10:20", "annotate-user x:1:2",
                "annotate-user \(key.hex):-1:2", "annotate-user \(key.hex):1", "annotate-user \(key.hex):1:2:3",
                "annotate-user \(key.hex):30.5:40.25", "annotate-user \(key.hex):99999999999999999999:1",
            ]))
        let places = [(10, 20), (30, 40)].map { MediaAttachment.PersonInPicture(person: key, x: $0.0, y: $0.1) }
        #expect(picture.people == places)
        let crowd = (0..<100).map { "annotate-user \(key.hex):\($0):1" }
        let party = try #require(MediaAttachment(Tag(["imeta", "url https://a.example/1.jpg"] + crowd)))
        #expect(party.people.count == 20)
    }

    @Test(
        "reads sizes as others write them, and no nonsense",
        arguments: [
            ("640x480", 640, 480), ("640X480", 640, 480), ("640 x 480", 640, 480), ("640×480", 640, 480),
            ("640.0x480.5", 640, 480), ("0x480", 0, 0), ("-1x480", 0, 0), ("640", 0, 0), ("640x480x2", 0, 0),
            ("", 0, 0),
            ("x", 0, 0), ("999999999999x1", 0, 0), ("100001x1", 0, 0), ("٣x٤", 0, 0),
        ])
    func sizes(text: String, width: Int, height: Int) {
        #expect(PixelSize(text) == PixelSize(width: width, height: height))
    }

    @Test(
        "of nonsense nothing stands",
        arguments: [
            "x abc", "ox zz", "size -1", "duration soon", "duration inf", "duration -1", "duration 1e400", "bitrate x",
            "alt", "m", "dim 0x0", "", " ", "waveform",
        ])
    func nonsense(field: String) throws {
        let file = try #require(MediaAttachment(["imeta", field, "url https://a.example/x"]))
        var bare = MediaAttachment(url: "https://a.example/x")
        bare.otherFields = file.otherFields
        #expect(file == bare)
    }

    @Test("a note's files are those its text names, each once")
    func inText() {
        let tags: [Tag] = [
            ["imeta", "url https://a.example/1.jpg", "alt first"],
            ["imeta", "url https://a.example/1.jpg", "alt second"],
            ["imeta", "url https://a.example/2.jpg"], ["imeta", "alt none"], ["imeta"],
            ["x", "url https://a.example/3"],
        ]
        #expect(tags.attachments(in: "See https://a.example/1.jpg").map(\.description) == ["first"])
        #expect(tags.attachments(in: nil).map(\.url) == ["https://a.example/1.jpg", "https://a.example/2.jpg"])
        let many = (0..<500).map { Tag(["imeta", "url https://a.example/\($0)"]) }
        #expect(many.attachments(in: nil).count == MediaAttachment.most)
        #expect(many.attachments { $0.hasSuffix("/255") }.map(\.url) == ["https://a.example/255"])
        #expect(many.attachments { $0.hasSuffix("/256") }.isEmpty)
        let odd: [Tag] = [
            ["imeta", "URL\thttps://a.example/4 ", "urn x"], ["imeta", "url ", "url https://a.example/5"],
        ]
        #expect(odd.attachments(in: nil).map(\.url) == ["https://a.example/4", "https://a.example/5"])
    }

    @Test("a thousand random tags never trap, and what is read is read again")
    func noise() {
        let line =
            "imeta\nurl https://a.example/1.jpg\ndim 1x2\nduration 1.5\nl en ISO ov\nwaveform 1 2\nsize 3\nx \(Self.digest)"
        Noise.run(Array(line.utf8), rounds: 1_000) { bytes in
            let elements = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            let event = TestPerson.alice.event("x", kind: 20, tags: [Tag(elements), ["segment", line, line, line]])
            _ = (PicturePost(event), event.tags.attachments(in: nil).map(\.tag))
            let film = TestPerson.alice.event("x", kind: 21, tags: [Tag(elements), Tag(["segment"] + elements)])
            _ = VideoPost(film)
            if let file = MediaAttachment(Tag(elements)) { #expect(MediaAttachment(file.tag)?.url == file.url) }
        }
    }

    @Test("a post of pictures has only pictures, and is read as it was written")
    func pictures() throws {
        var files = ["a.png", "b.jpg", "c"].map { MediaAttachment(url: "https://a.example/\($0)") }
        files[0].type = "image/png"
        files[0].hash = Self.digest
        files[1].type = "image/svg+xml"
        let draft = PicturePost.draft(title: "Three", text: "Look", pictures: files, createdAt: moment)
        #expect(draft.tags.contains(["m", "image/png"]) && draft.tags.contains(["x", Self.digest]))
        let event = TestPerson.alice.event(draft.content, kind: draft.kind, tags: draft.tags)
        let post = try #require(PicturePost(event))
        #expect(post.title == "Three" && post.text == "Look")
        #expect(post.pictures.map(\.url) == ["https://a.example/a.png", "https://a.example/c"])
        #expect(PicturePost(TestPerson.alice.event("x")) == nil)
    }

    @Test("a film has forms, sounds, captions and parts; an addressable one an address")
    func films() throws {
        let tags: [Tag] = [
            ["d", "harbour"], ["title", "The harbour"], ["published_at", "1700000000"], ["alt", "Waves"],
            ["imeta", "url https://a.example/1.mp4", "m video/mp4", "duration 29.2"],
            ["imeta", "url https://a.example/1.m3u8", "m application/x-mpegURL"],
            ["imeta", "url https://a.example/en.mp3", "m audio/mp3", "l en ISO-639-1 ov"],
            ["text-track", "https://a.example/en.vtt", "captions", "en"], ["text-track"],
            ["segment", "00:00:05.500", "00:01:00", "Out"], ["segment", "1:05", "", "In"],
            ["segment", "soon", "", "x"], ["origin", "youtube", "dQw4", "https://y.example/dQw4", "{}"], ["r"],
            ["r", "https://a.example/more"],
        ]
        let film = try #require(VideoPost(TestPerson.alice.event("About", kind: 34_235, tags: tags)))
        #expect(film.variants.count == 2 && film.sounds.count == 1 && !film.isShort)
        #expect(film.address?.identifier == "harbour" && film.publishedAt?.seconds == 1_700_000_000)
        #expect(film.duration == .milliseconds(29_200) && film.textTracks.count == 1)
        #expect(film.origin == VideoPost.Origin(platform: "youtube", address: "https://y.example/dQw4"))
        #expect(film.references == ["https://a.example/more"] && film.sounds.first?.isOriginalLanguage == true)
        #expect(film.segments.map(\.start) == [.milliseconds(5_500), .seconds(65)])
        #expect(VideoPost(TestPerson.alice.event("x", kind: 22, tags: []))?.isShort == true)
        let draft = VideoPost.draft(
            title: "T", text: "x", isShort: true, variants: film.variants, createdAt: moment)
        #expect(draft.kind == 22 && draft.tags.firstValue("published_at") == String(moment.seconds))
    }
}

@Suite("placeholders")
struct PlaceholderTests {
    /// Samples of the reference implementation, a row after the other.
    private static let wolt: [[[Int]]] = [
        [[135, 164, 177], [161, 173, 177], [181, 180, 171], [160, 172, 174]],
        [[124, 154, 169], [148, 148, 154], [164, 145, 134], [146, 152, 155]],
        [[124, 144, 154], [144, 134, 132], [163, 130, 104], [148, 140, 134]],
    ]

    @Test("a BlurHash is drawn as others draw it")
    func blur() throws {
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        #expect(hash.across == 4 && hash.down == 3)
        let image = hash.drawn(width: 4, height: 3)
        expect(image, is: Self.wolt.flatMap { $0 })
        let plain = try #require(BlurHash("00OZZy")).drawn(width: 2, height: 1)
        expect(plain, is: [[213, 30, 120], [213, 30, 120]])
    }

    private func expect(_ image: PixelImage, is colours: [[Int]]) {
        let samples = image.samples.map(Int.init)
        #expect(samples.count == colours.count * 4)
        for (place, colour) in colours.enumerated() where place * 4 + 3 < samples.count {
            let drawn = Array(samples[place * 4..<place * 4 + 3])
            #expect(zip(drawn, colour).allSatisfy { abs($0 - $1) <= 1 }, "\(drawn) is not \(colour)")
        }
    }

    @Test(
        "a ThumbHash is drawn as others draw it",
        arguments: [
            ("1QcSHQRnh493V4dIh4eXh1h4kJUI", 23, 32, [64, 78, 113, 255], [0, 4, 40, 255]),
            ("zOcFFIIKmXdCinaXaHcmcHUFSA==", 32, 18, [0, 21, 57, 255], [24, 32, 31, 255]),
            ("zOcFFIIKmXgzmWaXWIcmcFQEGA", 32, 18, [0, 24, 58, 255], [21, 33, 32, 255]),
        ])
    func thumb(text: String, width: Int, height: Int, first: [Int], last: [Int]) throws {
        let image = try #require(ThumbHash(text)).drawn()
        #expect(image.width == width && image.height == height)
        let samples = image.samples.map(Int.init)
        #expect(zip(samples.prefix(4), first).allSatisfy { abs($0 - $1) <= 1 }, "\(samples.prefix(4))")
        #expect(zip(samples.suffix(4), last).allSatisfy { abs($0 - $1) <= 1 }, "\(samples.suffix(4))")
    }

    /// A picture that others have computed codes of.
    private func picture(width: Int, height: Int, isTransparent: Bool = false) -> PixelImage {
        var image = PixelImage(width: width, height: height)
        for y in 0..<height {
            for x in 0..<width {
                func part(_ value: Int) -> UInt8 { UInt8(value & 255) }
                image.set(
                    x, y, red: part(x * 16), green: part(y * 21), blue: part((x + y) * 9),
                    opacity: isTransparent ? part(x * 15) : 255)
            }
        }
        return image
    }

    @Test("codes are written as others write them")
    func writes() {
        // By the packages blurhash 1.1.5 and thumbhash-python 1.0.1.
        let wide = picture(width: 16, height: 12)
        #expect(BlurHash(wide).text == "LsGup}2*wyoyqKR.jue:f}fkfQfj")
        #expect(BlurHash(picture(width: 12, height: 16)).text == "LeCHo{Bxn~o|mRWGjujFdMerfQeq")
        #expect(ThumbHash.bytes(of: wide).map { ThumbHash.text(of: $0) } == "HQgODZpwd3dxeHiHiHiHiI6ACPeH")
        let black = PixelImage(width: 1, height: 1, samples: [0, 0, 0, 255])
        #expect(black.map { BlurHash($0).text } == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
        #expect(black.flatMap { ThumbHash.bytes(of: $0) } == [0, 8, 2, 7] + [UInt8](repeating: 0, count: 20))
    }

    @Test("what is written can be read, with what can be seen through, whatever the sides")
    func codesReadBack() throws {
        for (width, height) in [(1, 1), (100, 1), (1, 100), (100, 100), (3, 7), (64, 48)] {
            for isTransparent in [false, true] {
                let image = picture(width: width, height: height, isTransparent: isTransparent)
                let bytes = try #require(ThumbHash.bytes(of: image))
                #expect(bytes.count <= 25 && ThumbHash(ThumbHash.text(of: bytes)) == ThumbHash(bytes))
                let blur = BlurHash(image, across: 9, down: 9)
                #expect(BlurHash(blur.text)?.text == blur.text)
            }
        }
        #expect(ThumbHash.bytes(of: PixelImage(width: 101, height: 1)) == nil)
        #expect(PixelImage(width: 2, height: 1, samples: [0, 0, 0, 0]) == nil)
    }

    @Test(
        "what is no code is none",
        arguments: ["", "L", "LEHV6n", "LEHV6nWB2yk8pyo0adR*.7kCMdnjX", "é0OZZy", "~0OZZy", "00OZZ", "00O ZZy"])
    func refused(text: String) {
        #expect(BlurHash(text) == nil)
    }

    @Test("damaged codes never trap")
    func noise() {
        for text in ["LEHV6nWB2yk8pyo0adR*.7kCMdnj", "1QcSHQRnh493V4dIh4eXh1h4kJUI"] {
            Noise.run(Array(text.utf8), rounds: 1_000) { bytes in
                let text = String(decoding: bytes, as: UTF8.self)
                _ = (BlurHash(text)?.drawn(width: 3, height: 3), ThumbHash(text)?.drawn(), ThumbHash(bytes)?.drawn())
            }
        }
    }

    @Test("a picture is a PNG file with its size, and the same each time")
    func png() throws {
        var image = PixelImage(width: 2, height: 1)
        image.set(0, 0, red: 255, green: 0, blue: 0)
        image.set(1, 0, red: 0, green: 255, blue: 0)
        image.set(7, 7, red: 1, green: 1, blue: 1)
        let file = image.png
        #expect(Array(file.prefix(8)) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // The header with its checksum, then the end of every PNG file.
        #expect(Array(file[8..<25]) == [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 2, 0, 0, 0, 1, 8])
        #expect(Array(file.suffix(12)) == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])
        #expect(file == image.png)
        #expect(PixelImage(width: -4, height: 0).png.count > 40)
    }
}
