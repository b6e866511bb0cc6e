import Testing

@testable import WebUI

@Suite("QR codes")
struct QRCodeTests {
    @Test("have their three finders, and nothing beside them")
    func finders() throws {
        let code = try #require(DarkModules("linnet"))
        #expect(code.width == 21)
        let dark = Set(code.runs.flatMap { run in (0..<run.length).map { [run.row, run.column + $0] } })
        for corner in [[0, 0], [0, code.width - 7], [code.width - 7, 0]] {
            for row in 0..<7 {
                for column in 0..<7 {
                    let isRing = row == 0 || row == 6 || column == 0 || column == 6
                    let isHeart = (2...4).contains(row) && (2...4).contains(column)
                    #expect(dark.contains([corner[0] + row, corner[1] + column]) == (isRing || isHeart))
                }
            }
        }
        #expect(!dark.contains([7, 7]) && !dark.contains([7, code.width - 8]))
    }

    @Test(
        "grow with the text and end where no code can hold more",
        arguments: [(1, true), (2331, true), (2953, true), (2954, false), (0, false)])
    func sizes(bytes: Int, fits: Bool) {
        #expect((DarkModules(String(repeating: "x", count: bytes)) != nil) == fits)
    }

    @Test("are dark on light with a quiet zone, and say what they are")
    func markup() throws {
        let html = try #require(qrCode("bunker://abc?relay=wss://x&secret=y", title: "A <token>")).text
        #expect(html.contains("role=\"img\"") && html.contains("<title>A &lt;token&gt;</title>"))
        #expect(html.contains("fill=\"#fff\" stroke=\"none\"/><path fill=\"#000\" stroke=\"none\" d=\"M4 4h7v1h-7z"))
        #expect(!html.contains("bunker"))
    }
}
