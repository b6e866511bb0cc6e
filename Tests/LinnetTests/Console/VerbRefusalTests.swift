import ArgumentParser
import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// What verbs say to what they cannot do, before an account is opened: in this process, since nothing is printed.
@Suite("verbs that are given what is wrong")
struct VerbRefusalTests {
    /// What was given, the exit status, and what stands in the sentence.
    struct Case: Sendable, CustomTestStringConvertible {
        let line: String
        let status: Int32
        let words: String

        init(_ line: String, _ status: Int32, _ words: String) {
            (self.line, self.status, self.words) = (line, status, words)
        }

        var testDescription: String { line }
    }

    private static let person = TestPerson.alice.publicKey.npub
    private static let id = String(repeating: "ab", count: 32)

    private static let reading = [
        Case("article show x", 1, "'x' is not an article: give naddr1"),
        Case("article list x", 1, "'x' is not a public key"),
        Case("notes --feed birds", 64, "'birds' is not a feed"), Case("notes -l 0", 64, "A limit is 1 to 200."),
        Case("trending --by likes", 64, "reactions, replies, reposts or zaps"),
        Case("trending --within 1y", 64, "today, 7d, 30d"), Case("trending --server x", 1, "'x' is not a relay"),
        Case("poll results x", 1, "'x' is not a note"), Case("search x", 1, "at least two letters"),
        Case("search birds --kind films", 64, "people, notes, articles or all"),
        Case("search birds --relay x", 1, "'x' is not a relay"),
        Case("search birds --here --listed", 64, "exclude each other"),
        Case("search birds from:x", 1, "cannot be read"), Case("status show x", 1, "'x' is not a public key"),
        Case("streams show x", 1, "'x' is not a live stream"),
        Case("streams list --status on", 64, "live, planned or ended"),
        Case("streams list --wait=-1", 64, "--wait takes 0 to 3600 seconds, not -1."),
        Case("streams chat x --wait 99999999", 64, "--wait takes 0 to 3600 seconds"),
        Case("dm list --wait=-1", 64, "--wait takes 0 to 3600 seconds"),
        Case("circle list --wait 3601", 64, "--wait takes 0 to 3600 seconds"),
        Case("notifications -l 0", 64, "--limit takes a number above 0."),
        Case("notifications --wait=-5", 64, "--wait takes 0 to 3600 seconds"), Case("relays heard x", 64, "Unexpected"),
    ]

    private static let writing = [
        Case("article publish /nowhere.md", 1, "/nowhere.md cannot be read: there is no such file."),
        Case("post note Hi --file ftp://a.example/b", 1, "'ftp://a.example/b': This is not a web address"),
        Case("post note Hi --alt Weir", 1, "more --alt than files"), Case("post picture Hi", 1, "--file https://"),
        Case("post film Hi", 64, "--title"), Case("post note nsec1abc", 1, "never belongs on the command line"),
        Case("poll create Which? -o A -o B --hours 0", 64, "1 to 87600"),
        Case("poll create Which? -o A -o B --relay x", 1, "'x' is not a relay"),
        Case("poll vote x 1", 1, "'x' is not a note"),
        Case("react x", 1, "'x' is not a note"), Case("react \(id) hello", 64, "'hello' is not a reaction"),
        Case("react nsec1abc", 1, "(not shown: it may be a secret) is not a note"),
        Case("emoji adopt x", 1, "'x' is not an emoji pack"), Case("emoji leave \(person)", 1, "is not an emoji pack"),
        Case("status set Here --lasts week", 64, "'week' is not a span"), Case("status set Here --type odd", 64, "odd"),
        Case("streams say x Hi --reply y", 1, "not 'y'"),
        Case("trending --what stars", 64, "--what takes notes, topics or people"),
        Case("forget x", 1, "'x' is not a public key"),
        Case("report list x", 1, "'x' is not an event id"),
        Case("report person x --reason spam", 1, "'x' is not a public key"),
        Case("report person \(person) --reason odd", 1, "'odd' is not a reason"),
    ]

    private static let files = [
        Case("files upload a.jpg --server x", 1, "'x': This is not the address of a server"),
        Case("files upload a.jpg --alt A --alt B", 1, "more --alt than files"),
        Case("files delete x", 1, "'x' does not name a file"), Case("files mirror x", 1, "'x' does not name a file"),
        Case("files mirror \(id) --to x", 1, "'x': This is not the address of a server"),
        Case("files servers --set x", 1, "'x': This is not the address of a server"),
        Case("dm send Hi", 64, "Say to whom"), Case("dm send --to x Hi", 1, "'x' is not a public key"),
        Case("dm send --to \(person) --file /nowhere", 1, "/nowhere cannot be read"),
        Case("dm save x --with \(person) -o y", 1, "'x' is not an event id"), Case("dm save \(id)", 64, "output"),
        Case("circle send Weir Hi --reply x", 1, "'x' is not an event id"),
        Case("circle send Weir --file /nowhere", 1, "/nowhere cannot be read"),
        Case("circle save Weir x -o y", 1, "'x' is not an event id"),
        Case("circle save Weir \(id) --number 0 -o y", 64, "--number takes a number above 0."),
    ]

    @Test(
        "a wrong input is named in a plain sentence, and the exit status tells a wrong use from what is not there",
        arguments: reading + writing + files)
    func refused(_ wrong: Case) async {
        let refusal = await Self.refusal(wrong.line.split(separator: " ").map(String.init))
        #expect(refusal?.status == wrong.status)
        #expect(refusal?.words.contains(wrong.words) == true, "\(refusal?.words ?? "nothing was refused")")
    }

    @Test("a status of nothing but spaces is none")
    func emptyStatus() async {
        let refusal = await Self.refusal(["status", "set", " "])
        #expect(refusal?.status == 64 && refusal?.words.contains("linnet status clear") == true)
    }

    @Test("without an account with a key there is one sentence, whatever was asked for")
    func noAccount() throws {
        let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let lines = [
            "article list", "notes", "post note Hi", "poll create Which? -o A -o B", "react \(Self.id)", "emoji list",
            "search birds --here", "status show", "streams list", "trending", "files list", "dm save \(Self.id) -o y",
            "circle send Weir Hi", "relays heard", "notifications", "report list \(Self.id)",
        ]
        for line in lines {
            let refused = try Program.run(
                line.split(separator: " ").map(String.init),
                environment: ["LINNET_DATA": data, "LINNET_INDEXERS": "ws://127.0.0.1:9"])
            #expect(refused.status == 1 && refused.output.isEmpty, "\(line)")
            #expect(refused.errors.contains("There is no account with a key here yet"), "\(line): \(refused.errors)")
        }
    }

    /// Runs a line to where it is refused; `nil` where it is not.
    private static func refusal(_ arguments: [String]) async -> (status: Int32, words: String)? {
        do {
            guard var command = try Linnet.parseAsRoot(arguments) as? any AsyncParsableCommand else { return nil }
            try await command.run()
            return nil
        } catch {
            return (Linnet.exitCode(for: error).rawValue, Linnet.message(for: error))
        }
    }
}
