import MediaFormats
import NostrTesting
import Testing

@Suite("What a picture's file says of it")
struct PictureHeadTests {
    @Test(
        "size and turn are read without its dots",
        arguments: [
            (SampleMedia.jpeg(), MediaFormat.jpeg, 32, 16, 1), (SampleMedia.jpeg(orientation: 6), .jpeg, 32, 16, 6),
            (SampleMedia.jpeg(orientation: 9), .jpeg, 32, 16, 1), (SampleMedia.png, .png, 4, 2, 1),
            (SampleMedia.webp, .webp, 32, 16, 1),
        ])
    func reads(_ bytes: [UInt8], format: MediaFormat, width: Int, height: Int, orientation: Int) throws {
        let head = try #require(PictureHead(bytes, as: format))
        #expect(head.width == width && head.height == height && head.orientation == orientation)
    }

    @Test("a WebP without a canvas says its size too, packed in either way")
    func plainWebP() {
        let beginning = Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WEBP".utf8)
        let lossy = Array("VP8 ".utf8) + [10, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x00]
        let lossless = Array("VP8L".utf8) + [6, 0, 0, 0, 0x2F, 0x3F, 0xC0, 0x3B, 0x00, 0]
        let heads = [lossy, lossless].map { PictureHead(beginning + $0, as: .webp) }
        #expect(heads.map { $0?.width } == [320, 64] && heads.map { $0?.height } == [240, 240])
    }

    @Test(
        "what is upright and no larger than pictures become is ready; the rest must be drawn anew",
        arguments: [
            (200_000, 640, 480, 1, false, true), (900_000, 2048, 1536, 1, false, true),
            (900_000, 2049, 1536, 1, false, false), (900, 640, 480, 6, false, false),
            (9_000_000, 4000, 3000, 6, true, true),
        ])
    func ready(bytes: Int, width: Int, height: Int, orientation: UInt8, moves: Bool, isReady: Bool) throws {
        var file = SampleMedia.jpeg(orientation: orientation)
        // The size stands in the frame, which is the only one.
        let frame = try #require(file.indices.dropLast(9).first { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
        file.replaceSubrange(
            frame + 5..<frame + 9,
            with: [height >> 8, height & 0xFF, width >> 8, width & 0xFF].map { UInt8($0) })
        let head = try #require(PictureHead(file, as: .jpeg))
        #expect(head.width == width && head.height == height)
        #expect(head.isReady(.jpeg, bytes: bytes, isAnimated: moves) == isReady)
    }

    @Test("what must be written anew, or is cut, has none, and noise never traps")
    func noise() {
        for (type, bytes) in SampleMedia.packed { #expect(PictureHead(bytes, as: .heic) == nil, "\(type)") }
        #expect(PictureHead([], as: .jpeg) == nil && PictureHead([0xFF, 0xD8, 0xFF, 0xC0, 0], as: .jpeg) == nil)
        var random = SeededRandom(seed: 19)
        for (_, sample) in SampleMedia.all {
            for _ in 0..<200 {
                var bytes = Array(sample.prefix(Int.random(in: 0...sample.count, using: &random)))
                if let place = bytes.indices.randomElement(using: &random) {
                    bytes[place] = .random(in: 0...255, using: &random)
                }
                for format in MediaFormat.allCases {
                    if let head = PictureHead(bytes, as: format) { #expect((1...8).contains(head.orientation)) }
                }
            }
        }
    }
}
