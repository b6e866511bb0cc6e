import Testing

@testable import linnet

@Suite("A program that has little to do")
struct QuietTimeTests {
    private let megabyte = 1 << 20

    @Test("lets go of what only its start needed once it is quiet for ten seconds")
    func start() {
        var quiet = QuietTime(worked: .zero)
        func lets(worked: Duration) -> Bool {
            quiet.shouldLetGo(held: 80 * megabyte, worked: worked, after: .seconds(5))
        }
        #expect(!lets(worked: .seconds(2)))
        #expect(!quiet.isBeginning)
        #expect(!lets(worked: .seconds(2) + .milliseconds(250)))
        #expect(quiet.isBeginning)
        // A twentieth and a little more is work, and the quiet begins anew.
        #expect(!lets(worked: .seconds(2) + .milliseconds(501)))
        #expect(!lets(worked: .seconds(2) + .milliseconds(501)))
        #expect(lets(worked: .seconds(2) + .milliseconds(501)))
    }

    @Test("does so again only when much more is held, and nobody came for a minute")
    func again() {
        var quiet = QuietTime(worked: .zero)
        func lets(holding held: Int) -> Bool {
            quiet.shouldLetGo(held: held * megabyte, worked: .zero, after: .seconds(5))
        }
        #expect(!lets(holding: 80))
        #expect(lets(holding: 80))
        quiet.letGo(leaving: 40 * megabyte)
        for _ in 0..<30 { #expect(!lets(holding: 56)) }
        #expect(lets(holding: 57))
        quiet.letGo(leaving: 40 * megabyte)
        for _ in 0..<11 { #expect(!lets(holding: 80)) }
        #expect(lets(holding: 80))
    }

    #if os(Linux)
        @Test("code that was let go of runs as before")
        func code() throws {
            let before = try #require(HeldMemory.now())
            #expect(FreedMemory.letGoOfCode() > megabyte)
            let after = try #require(HeldMemory.now())
            #expect(before.own > 0 && before.all > before.own && after.all > after.own)
            start()
        }
    #endif
}
