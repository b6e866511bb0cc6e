import Testing

@testable import linnet

@Suite("QR codes in a terminal")
struct TerminalCodeTests {
    @Test("are square with a quiet zone, two modules in the height of a letter")
    func shape() throws {
        let lines = try #require(TerminalCode.lines("linnet"))
        // Version 1 has 21 modules a side, and four free ones around.
        #expect(lines.count == 15 && lines.allSatisfy { $0.count == 29 })
        #expect(lines[0].allSatisfy { $0 == " " } && lines[1].allSatisfy { $0 == " " })
        #expect(lines.allSatisfy { $0.hasPrefix("    ") && $0.hasSuffix("    ") })
        // The finder's upper edge and what is under it; then its ring and its heart.
        #expect(lines[2].dropFirst(4).prefix(7) == "█▀▀▀▀▀█")
        #expect(lines[3].dropFirst(4).prefix(7) == "█ ███ █")
    }

    @Test("hold every token there is")
    func tokens() throws {
        let relays = String(repeating: "&relay=wss://relay.example", count: 3)
        let token = "bunker://" + String(repeating: "a", count: 64) + relays
        #expect(try #require(TerminalCode.lines(token)).allSatisfy { $0.count <= 80 })
        #expect(TerminalCode.lines("") == nil)
        #expect(TerminalCode.lines(String(repeating: "x", count: 3000)) == nil)
    }
}
