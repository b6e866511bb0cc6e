import NostrTesting
import Testing

@testable import MapTiles

/// A JPEG as far as its frame: a comment, bytes that fill up, then the size.
func jpeg(_ width: Int, _ height: Int, frame: UInt8 = 0xC0) -> [UInt8] {
    func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] }
    return [0xFF, 0xD8, 0xFF, 0xFE, 0, 4, 1, 2, 0xFF, 0xFF, frame, 0, 11, 8] + two(height) + two(width) + [1, 1, 17, 0]
}

/// A WebP of one chunk.
func webp(_ chunk: String, _ data: [UInt8]) -> [UInt8] {
    Array("RIFF....WEBP\(chunk)".utf8) + [UInt8(data.count), 0, 0, 0] + data + [0, 0, 0, 0, 0]
}

private func png(_ width: [UInt8], _ height: [UInt8]) -> [UInt8] {
    PNGChunks.signature + [0, 0, 0, 13] + Array("IHDR".utf8) + width + height + [8, 6, 0, 0, 0, 0, 0, 0, 0]
}

@Suite("How large pictures say they are") struct PictureDimensionsTests {
    @Test(
        "is read from the beginning of the file",
        arguments: [
            (png([0, 0, 1, 0], [0, 0, 2, 1]), [256, 513]), (jpeg(300, 200), [300, 200]),
            (jpeg(9, 7, frame: 0xC2), [9, 7]),
            (webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0x00, 0x41, 0x02, 0xC1]), [256, 258]),
            (webp("VP8L", [0x2F, 0xFF, 0xC0, 0x7F, 0x00]), [256, 512]),
            (webp("VP8X", [0, 0, 0, 0, 0xFF, 0, 0, 0xFF, 3, 0]), [256, 1024]),
        ] as [([UInt8], [Int])])
    func sizes(file: [UInt8], size: [Int]) {
        #expect(PictureDimensions(file).map { [$0.width, $0.height] } == size)
    }

    @Test(
        "a small file that says it is enormous, or nothing, is no tile",
        arguments: [
            png([0, 0, 0x40, 0], [0, 0, 1, 0]), png([0xFF, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF]),
            png([0, 0, 0, 0], [0, 0, 1, 0]), jpeg(1025, 1), jpeg(1, 0xFFFF), jpeg(256, 0), jpeg(256, 256, frame: 0xDA),
            webp("VP8X", [0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0]), webp("VP8L", [0x2F, 0xFF, 0xFF, 0xFF, 0xFF]),
            webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0xFF, 0xFF, 0xFF, 0xFF]),
            webp("ALPH", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        ])
    func enormous(file: [UInt8]) {
        #expect(TilePicture(file) == nil)
    }

    @Test("noise and cut-off files never trap")
    func noise() {
        var random = SeededBytes(seed: 7)
        let files = [png([0, 0, 1, 0], [0, 0, 1, 0]), jpeg(256, 256), webp("VP8X", Array(repeating: 0, count: 10))]
        for _ in 0..<2000 {
            for file in files {
                var file = file
                file[Int.random(in: 0..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
                _ = PictureDimensions(Array(file.prefix(Int.random(in: 0...file.count, using: &random))))
            }
        }
    }
}
