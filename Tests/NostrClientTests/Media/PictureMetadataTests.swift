import NostrTesting
import Testing

@testable import NostrClient

/// What pictures tell besides the picture is left out before they are sealed.
@Suite struct PictureMetadataTests {
    private func segment(_ mark: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        let head: [UInt8] = [0xFF, mark, UInt8(length >> 8), UInt8(length & 0xFF)]
        return head + data
    }

    private let frame: [UInt8] = [8, 0, 96, 0, 128, 1, 1, 0x11, 0]
    private let dots: [UInt8] = [1, 0xFF, 0, 2, 0xFF, 0xD0, 3]

    private func jpeg(_ segments: [[UInt8]], behind: [UInt8] = []) -> [UInt8] {
        var file: [UInt8] = [0xFF, 0xD8]
        for one in segments { file += one }
        file += segment(0xC0, frame)
        file += segment(0xDA, [1, 1, 0, 0, 63, 0])
        file += dots
        file += [0xFF, 0xD9]
        return file + behind
    }

    @Test("a photo loses place, words and what is behind its end, and keeps its colours and how it is turned")
    func photo() throws {
        var exif = Array("Exif\0\0II*\0".utf8)
        exif += [8, 0, 0, 0, 2, 0]
        exif += [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
        exif += [0x25, 0x88, 4, 0, 1, 0, 0, 0, 9, 9, 9, 9]
        exif += [0, 0, 0, 0]
        exif += Array("GPS 52.5N".utf8)
        let colours = segment(0xE2, Array("ICC_PROFILE\0 colours".utf8))
        let photo = jpeg(
            [
                segment(0xE0, Array("JFIF\0".utf8)), segment(0xE1, exif),
                segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<gps/>".utf8)),
                segment(0xE2, Array("MPF\0 another".utf8)), colours, segment(0xED, Array("city".utf8)),
                segment(0xFE, Array("words".utf8)),
            ], behind: Array("another photo, GPS 52.5N".utf8))
        let plain = try PictureMetadata.removed(from: photo)
        var turned = Array("Exif\0\0MM\0*".utf8)
        turned += [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0]
        #expect(plain == jpeg([segment(0xE0, Array("JFIF\0".utf8)), segment(0xE1, turned), colours]))
        #expect(try PictureMetadata.removed(from: plain) == plain)
    }

    @Test("a drawing loses its words, and a WebP what it announces of its camera")
    func others() throws {
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let length: [UInt8] = [0, 0, 0, UInt8(data.count)]
            let sum: [UInt8] = [1, 2, 3, 4]
            return length + Array(name.utf8) + data + sum
        }
        let start = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        let (head, end) = (chunk("IHDR", [1, 2]), chunk("IEND", []))
        let dots = chunk("IDAT", [9])
        let words = chunk("tEXt", [7]) + chunk("eXIf", [8])
        let behind: [UInt8] = [5, 5]
        let plain: [UInt8] = start + head + dots + end
        #expect(try PictureMetadata.removed(from: start + head + words + dots + end + behind) == plain)

        func part(_ name: String, _ data: [UInt8]) -> [UInt8] {
            let length: [UInt8] = [UInt8(data.count), 0, 0, 0]
            let filling: [UInt8] = data.count % 2 == 1 ? [0] : []
            return Array(name.utf8) + length + data + filling
        }
        func webp(_ parts: [UInt8]) -> [UInt8] {
            let length: [UInt8] = [UInt8(parts.count + 4), 0, 0, 0]
            return Array("RIFF".utf8) + length + Array("WEBP".utf8) + parts
        }
        let whole = webp(part("VP8X", [0x1C, 0]) + part("VP8 ", [1, 2, 3]) + part("EXIF", [4]) + part("XMP ", [5]))
        #expect(try PictureMetadata.removed(from: whole) == webp(part("VP8X", [0x10, 0]) + part("VP8 ", [1, 2, 3])))
    }

    @Test("what is no picture, or ends too soon, stays as it is, and noise never traps")
    func noise() throws {
        let whole = jpeg([segment(0xE1, Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 255, 255])])
        #expect(try PictureMetadata.removed(from: Array("words".utf8)) == Array("words".utf8))
        #expect(try PictureMetadata.removed(from: []) == [])
        for length in whole.indices { _ = try? PictureMetadata.removed(from: Array(whole.prefix(length))) }
        Noise.run(whole, rounds: 3_000) { _ = try? PictureMetadata.removed(from: $0) }
        var webp = Array("RIFF".utf8)
        webp += [4, 0, 0, 0]
        webp += Array("WEBPVP8X".utf8)
        webp += [255, 255, 255, 255, 0]
        Noise.run(webp, rounds: 3_000) { _ = try? PictureMetadata.removed(from: $0) }
        var png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        png += [255, 255, 255, 255]
        png += Array("IHDR".utf8)
        Noise.run(png, rounds: 3_000) { _ = try? PictureMetadata.removed(from: $0) }
    }

    @Test("a picture that cannot be followed to its end, or of a format not known well enough, is not sent")
    func unsure() {
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 1, 2, 0xFF, 0xDA, 0, 2, 9, 9]
        let heic = [0, 0, 0, 24] + Array("ftypheic".utf8) + [UInt8](repeating: 0, count: 12)
        let avif = [0, 0, 0, 24] + Array("ftypavif".utf8) + [UInt8](repeating: 0, count: 12)
        for file in [jpeg, heic, avif] {
            #expect(throws: SealedFileError.tellsTooMuch) { try PictureMetadata.removed(from: file) }
        }
    }
}
