import Foundation
import NostrTesting
import Testing

@testable import ViewModels

@Suite("colours")
struct ColourTests {
    @Test(
        "are # and six hex digits, in either case",
        arguments: [("#ff9800", "#ff9800"), ("#FF9800", "#ff9800"), ("#000000", "#000000"), ("#00000f", "#00000f")])
    func reads(text: String, written: String) throws {
        #expect(try #require(Colour(text)).text == written)
    }

    @Test(
        "are nothing else, so that no text of a stranger comes into a style sheet",
        arguments: [
            "", "#", "#fff", "ff9800", "#ff98000", "#ff980", "#gg0000", "#+f9800", "#-f9800", "# f9800", "#ff980 ",
            "#fff;}body{", "red", "#ff98\u{0}0", "#ff980\n", "#\u{FF10}\u{FF10}", "#\u{301}f9800", "url(x)",
            "#ff\r\n00",
        ])
    func refuses(text: String) {
        #expect(Colour(text) == nil)
    }

    @Test("of any bytes are refused or written as they were read")
    func noise() {
        var random = SeededRandom(seed: 17)
        for _ in 0..<2000 {
            let bytes = (0..<7).map { _ in UInt8.random(in: 0x20...0x7F, using: &random) }
            let text = "#" + String(decoding: bytes.dropFirst(), as: UTF8.self)
            guard let colour = Colour(text) else { continue }
            #expect(colour.text == text.lowercased())
        }
    }

    @Test(
        "stand apart as WCAG 2 counts it",
        arguments: [
            ("#000000", "#ffffff", 21), ("#ffffff", "#ffffff", 1), ("#777777", "#ffffff", 4.478),
            ("#767676", "#ffffff", 4.542), ("#ff0000", "#ffffff", 3.998), ("#0000ff", "#ffffff", 8.592),
        ])
    func contrast(one: String, two: String, ratio: Double) throws {
        let (one, two) = (try #require(Colour(one)), try #require(Colour(two)))
        #expect(abs(one.contrast(with: two) - ratio) < 0.001)
        #expect(one.contrast(with: two) == two.contrast(with: one))
    }

    @Test("that can be read stay; others move no further than they must")
    func readable() throws {
        let paper = Colour(rgb: 0xF8F3EB)
        #expect(Colour(rgb: 0x7A4324).readable(on: [paper, .white]) == Colour(rgb: 0x7A4324))
        let yellow = Colour(rgb: 0xFFFF00).readable(on: [paper, .white])
        #expect(yellow.contrast(with: paper) >= 4.5 && yellow.contrast(with: paper) < 4.8)
        #expect(yellow.red == yellow.green && yellow.blue == 0)
        let night = Colour(rgb: 0x161210)
        let blue = Colour(rgb: 0x0000FF).readable(on: [night])
        #expect(blue.contrast(with: night) >= 4.5 && blue.contrast(with: night) < 4.8)
        #expect(blue.blue == 0xFF)
        // Nothing stands out that far from black and white at once; what there is does not trap.
        let grey = Colour(rgb: 0x808080).readable(on: [.black, .white], contrast: 7)
        #expect([Colour.black, .white].contains(grey))
        #expect(yellow.readable(on: []) == yellow)
    }

    @Test("are kept as their text, and what is none is not read")
    func kept() throws {
        let colour = Colour(rgb: 0x2E3440)
        let bytes = try JSONEncoder().encode([colour])
        #expect(bytes == Data(##"["#2e3440"]"##.utf8))
        #expect(try JSONDecoder().decode([Colour].self, from: bytes) == [colour])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([Colour].self, from: Data(##"["#fff;}"]"##.utf8))
        }
    }
}
