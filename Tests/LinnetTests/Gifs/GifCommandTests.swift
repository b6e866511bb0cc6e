import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// `linnet gif`, as a person uses it.
@Suite("GIFs by name", .timeLimit(.minutes(10)))
struct GifCommandTests {
    private static func line(_ words: String, _ more: [NostrCore.Tag] = []) -> String {
        let event = TestPerson.bob.event(
            words, kind: 1063,
            tags: [["url", "https://a.example/\(words.count).gif"], ["m", "image/gif"], ["alt", words]] + more)
        return String(decoding: event.json, as: UTF8.self)
    }

    @Test("what people published is printed, a line of JSON each; nothing found is said by the status")
    func search() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            let lines = [Self.line("A heron lands", [["dim", "20x10"], ["size", "2000"]]), Self.line("A goat")]
            let imported = try person.run(["import", "-"], input: lines.joined(separator: "\n") + "\n")
            #expect(imported.status == 0, "\(imported.errors)")
            let found = try person.run(["gif", "heron"])
            #expect(found.status == 0, "\(found.errors)")
            let row = try object(found.line)
            #expect(row["url"] == .string("https://a.example/13.gif") && row["alt"] == .string("A heron lands"))
            #expect(row["title"] == .string("A heron lands") && row["dim"] == .string("20x10"))
            #expect(row["size"] == .number("2000") && row["source"] == .string("relays"))
            let none = try person.run(["gif", "search", "walrus"])
            #expect(none.status == 1 && none.output.isEmpty)
        }
    }

    @Test("a key comes from standard input and is never said; a host is not asked without one")
    func key() async throws {
        try await withCommandPeople(1) { people in
            let person = people[0]
            let without = try person.run(["gif", "heron", "--host", "https://host.invalid"])
            #expect(without.status != 0 && without.errors.contains("linnet gif key"))
            let short = try person.run(["gif", "key"], input: "abc\n")
            #expect(short.status != 0 && short.errors.contains("This is not a key"))
            let kept = try person.run(["gif", "key"], input: "planted0key\n")
            #expect(kept.status == 0 && kept.output.isEmpty, "\(kept.errors)")
            let asked = try person.run(["gif", "heron", "--host", "https://host.invalid"])
            #expect(asked.status != 0 && asked.errors.contains("does not answer"))
            #expect(!asked.errors.contains("planted0key"))
            let forgotten = try person.run(["gif", "key", "--forget"])
            #expect(forgotten.status == 0, "\(forgotten.errors)")
            let wrong = try person.run(["gif", "heron", "--host", "http://host.invalid"])
            #expect(wrong.status != 0 && wrong.errors.contains("not the address of a host"))
        }
    }
}
