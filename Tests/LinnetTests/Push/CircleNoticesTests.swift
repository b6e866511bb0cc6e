import Testing

@testable import linnet

@Suite("what is told of circles while no page is open")
struct CircleNoticesTests {
    @Test("what was there at first is no news; what comes is told once, and what goes is not told")
    func seen() {
        var seen = SeenAlerts()
        let steps: [(Set<String>, Bool)] = [
            (["a"], false), (["a"], false), (["a", "b"], true), (["a", "b"], false), (["b"], false), ([], false),
            (["c"], true), (["a", "c"], true),
        ]
        for (found, isNews) in steps { #expect(seen.note(found) == isNews, "\(found)") }
        var empty = SeenAlerts()
        #expect(!empty.note([]) && empty.note(["a"]))
    }
}
