import ArgumentParser
import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// Files on media servers and in private places.
///
/// A server that nobody runs here; what one does with files is tested in ``FilesNearTests``.
@Suite("files by name, over a real relay", .timeLimit(.minutes(10)))
struct FileCommandTests {
    /// A server of this machine that does not answer.
    private static let server = "https://localhost:9"
    private static let hash = String(repeating: "ab", count: 32)

    @Test("servers are published; what no server does is said for each; no message goes out without its file")
    func servers() async throws {
        let file = try Program.temporaryFile(shortSound)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withCommandPeople(2) { people in
            let (ana, ben) = (people[0], people[1])
            let set = try ana.run(["files", "servers", "--set", Self.server])
            #expect(set.status == 0, "\(set.errors)")
            #expect(try object(set.line)["kind"] == .number("10063"))
            let own = try object(try ana.run(["files", "servers"]).line)
            #expect(own["server"]?.string == Self.server && own["published"] == .bool(true))

            let uploaded = try ana.run(["files", "upload", file.path, "--alt", "A greeting"])
            #expect(uploaded.status == 1, "\(uploaded.errors)")
            let place = try object(uploaded.line)["servers"]?.elements.first
            #expect(place?["problem"]?.string == "unreachable", "\(uploaded.line)")
            for verb in [["list"], ["delete", Self.hash], ["mirror", Self.hash]] {
                let refused = try ana.run(["files"] + verb)
                #expect(refused.status == 1 && refused.output.isEmpty && !refused.errors.isEmpty, "\(verb)")
            }
            let nowhere = try ana.run(["files", "upload", "/nowhere/weir.jpg"])
            #expect(nowhere.status == 1 && nowhere.errors.contains("'/nowhere/weir.jpg' cannot be read"))

            let sent = try ana.run(["dm", "send", "--to", ben.key.npub, "--file", file.path, "See this"])
            #expect(sent.status == 1 && sent.output.isEmpty && !sent.errors.isEmpty, "\(sent.errors)")
            #expect(try ana.run(["dm", "read", ben.key.npub, "--offline"]).output.isEmpty)
            let saved = try ana.run(["dm", "save", Self.hash, "--with", ben.key.npub, "-o", file.path + "-saved"])
            #expect(saved.status == 1 && saved.errors.contains("This message is not here."), "\(saved.errors)")

            #expect(try ana.run(["circle", "create", "The weir", "--relay", ana.relay]).status == 0)
            let shared = try ana.run(["circle", "send", "The weir", "--file", file.path])
            #expect(shared.status == 1 && shared.output.isEmpty && !shared.errors.isEmpty, "\(shared.errors)")
            let opened = try ana.run(["circle", "save", "The weir", Self.hash, "-o", file.path + "-saved"])
            #expect(opened.status == 1 && opened.output.isEmpty && !opened.errors.isEmpty, "\(opened.errors)")
            #expect(!FileManager.default.fileExists(atPath: file.path + "-saved"))
        }
    }

    @Test("a file that is sent is read with its name; without words only the file goes")
    func sealed() throws {
        let file = try Program.temporaryFile("hello")
        defer { try? FileManager.default.removeItem(at: file) }
        let argument = try SealedFileArgument.parse(["--file", file.path])
        let read = try #require(try argument.read())
        #expect(read.bytes == Array("hello".utf8) && read.name == file.lastPathComponent)
        let (alone, beside) = (try argument.text(nil), try argument.text("See this"))
        #expect(alone == "" && beside == "See this")
        let none = try SealedFileArgument.parse([]).read()
        #expect(none == nil)
    }

    @Test("an opened file is written where it was asked for, and never over another")
    func opened() throws {
        let target = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: target) }
        let file = OpenedFile(Array("hello".utf8))
        let argument = try OpenedFileArgument.parse(["-o", target])
        try argument.write(file)
        #expect(FileManager.default.contents(atPath: target) == Data("hello".utf8))
        #expect(throws: CommandFailure.self) { try argument.write(OpenedFile([1])) }
        #expect(FileManager.default.contents(atPath: target) == Data("hello".utf8))
    }
}
