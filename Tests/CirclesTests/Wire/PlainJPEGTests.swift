import NostrCore
import NostrTesting
import Testing

@testable import Circles

@Suite("What is left of a JPEG before it is shown to a circle") struct PlainJPEGTests {
    private static let plain = jpeg(400)

    /// A segment with its length.
    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
    }

    /// The plain file with something put in behind its beginning.
    private static func holding(_ parts: [UInt8]...) -> [UInt8] {
        Array(plain.prefix(2)) + parts.flatMap(\.self) + Array(plain.dropFirst(2))
    }

    @Test("the picture itself stays as it is, and its sides are read")
    func keeps() throws {
        let read = try PlainJPEG(Self.plain)
        #expect(read.bytes == Self.plain && read.width == 128 && read.height == 96)
    }

    @Test("where and when a photo was taken, thumbnails, comments and what follows the end are left behind")
    func strips() throws {
        let place = Array("GPSLatitude 52.5163".utf8)
        let header = Self.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 0, 0])
        let thumbnail = Self.segment(0xE0, Array("JFIF\0".utf8) + [1, 2, 0, 0, 1, 0, 1, 1, 1] + [9, 9, 9])
        let file =
            Self.holding(
                header, Self.segment(0xE1, Array("Exif\0\0".utf8) + place), thumbnail,
                Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + place),
                Self.segment(0xE2, Array("MPF\0".utf8) + place), Self.segment(0xED, place), Self.segment(0xFE, place),
                Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])) + place + Self.plain
        let read = try PlainJPEG(file)
        #expect(!String(decoding: read.bytes, as: UTF8.self).contains("GPS"))
        let adobe = Self.segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
        #expect(read.bytes == Self.holding(header, adobe))
        #expect(try PlainJPEG(read.bytes) == read)
        let chosen = try CircleImage(chosen: file)
        #expect(chosen.jpeg == read.bytes)
    }

    /// The plain file without the bytes between two places.
    private static func without(_ from: Int, _ to: Int) -> [UInt8] {
        Array(plain.prefix(from)) + Array(plain.dropFirst(to))
    }

    private static let twice: [UInt8] = Array(plain.prefix(15)) + Array(plain.dropFirst(2))
    private static let beginning: [UInt8] = [0xFF, 0xD8]
    private static let lossless: [UInt8] = plain.map { $0 == 0xC0 ? 0xC3 : $0 }

    static let refused: [(what: String, file: [UInt8], why: CircleImageError)] = [
        ("nothing", [], .notJPEG), ("a PNG", [0x89, 0x50, 0x4E, 0x47, 13, 10], .notJPEG),
        ("text", Array("<svg onload=alert(1)>".utf8), .notJPEG),
        ("its beginning only", beginning + [0xFF], .damaged),
        ("cut off", without(398, 400), .damaged), ("cut off in its head", without(9, 400), .damaged),
        ("no picture in it", beginning + [0xFF, 0xD9], .damaged), ("no sides", without(2, 15), .damaged),
        ("sides of two pictures", twice, .damaged),
        ("text for a segment", without(3, 400) + Array("hello".utf8), .damaged),
        ("a segment longer than the file", beginning + [0xFF, 0xE1, 0xFF, 0xFF, 1], .damaged),
        ("a segment shorter than its length", beginning + [0xFF, 0xE1, 0, 1, 1], .damaged),
        ("lossless coding", lossless, .damaged), ("no width", jpeg(400, width: 0), .damaged),
        ("too wide", jpeg(400, width: 129), .tooLarge), ("too high", jpeg(400, height: 129), .tooLarge),
        ("too many bytes", jpeg(12_289), .tooLarge),
        ("far too many bytes", jpeg(256 * 1024 + 1), .tooLarge),
    ]

    @Test("files that are no picture for a circle are refused", arguments: refused)
    func refuses(what: String, file: [UInt8], why: CircleImageError) {
        #expect(throws: why, "\(what)") { try CircleImage(chosen: file) }
    }

    @Test("what others send may be larger than what we send, but never enormous")
    func sides() {
        #expect(CircleImage(jpeg: jpeg(400, width: 512, height: 512)) != nil)
        #expect(CircleImage(jpeg: jpeg(400, width: 513)) == nil)
        #expect(CircleImage(jpeg: jpeg(400, width: 65_535, height: 65_535)) == nil)
    }

    @Test("noise, and a file with any byte changed or cut off anywhere, never traps, and what is taken is taken again")
    func noise() throws {
        var random = SeededRandom(seed: 7)
        let file = Self.holding(Self.segment(0xE1, Array("Exif".utf8)))
        for length in 0...file.count {
            guard let read = try? PlainJPEG(Array(file.prefix(length))) else { continue }
            #expect(try PlainJPEG(read.bytes) == read)
        }
        for _ in 0..<5000 {
            var changed = file
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let read = try? PlainJPEG(changed) else { continue }
            #expect(try PlainJPEG(read.bytes) == read)
        }
    }
}
