import ArgumentParser
import BlossomServer
import Foundation
import NostrCore
import NostrTesting
import Testing

@testable import linnet

@Suite("linnet blossom", .serialized, .timeLimit(.minutes(10)))
struct BlossomCommandTests {
    private let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
    private let alice = TestPerson.alice.publicKey.hex
    private let name = String(repeating: "ab", count: 32)

    @Test(
        "sizes are read as people write them",
        arguments: [
            ("0", 0), ("700", 700), ("10kb", 10_000), ("500MB", 500_000_000), ("2G", 2_000_000_000), ("7b", 7),
            ("", nil), ("MB", nil), ("-1", nil), ("1.5GB", nil), ("1 GB", nil), ("10TB", nil), ("99999999999G", nil),
        ] as [(String, Int?)])
    func sizes(text: String, bytes: Int?) {
        #expect(ByteSize(argument: text)?.bytes == bytes)
    }

    @Test("says which rules are in force")
    func rules() throws {
        #expect(
            try BlossomRules.parse([]).lines == [
                "bringing: everybody with a key; reading: everybody",
                "files: every type, at most 100MB each, as many as fit",
                "lists: their owner; copying from other servers: yes",
            ])
        let rules = try BlossomRules.parse([
            "--allow", alice, "--allow", alice, "--max-size", "2GB", "--quota", "10GB", "--type", "image/*",
            "--open-lists",
            "--no-mirror",
        ])
        #expect(
            rules.lines == [
                "bringing: 1 named; reading: everybody", "files: image/*, at most 2GB each, 10GB of each person",
                "lists: everybody; copying from other servers: no",
            ])
        let settings = rules.settings(domains: ["cdn.example.com"], address: "https://cdn.example.com")
        #expect(settings.blobSize == 2_000_000_000 && settings.quota == 10_000_000_000 && settings.writers == .named)
        #expect(throws: CommandFailure.self) { try BlossomRules.parse(["--allow", "somebody"]).people() }
        #expect(throws: (any Error).self) { try BlossomRules.parse(["--type", "pictures"]) }
    }

    @Test("a home takes what was chosen, within what a home takes at all, and says so")
    func homeRules() throws {
        let usual = try HomeBlobRules(BlossomRules.parse([]))
        #expect(usual.lines.first == "media server: /blossom says what it takes")
        #expect(usual.lines.contains("bringing: people with an account here; reading: everybody"))
        #expect(usual.people.isEmpty && usual.copies)
        let chosen = try HomeBlobRules(
            BlossomRules.parse([
                "--allow", alice, "--max-size", "5MB", "--quota", "1GB", "--type", "image/*", "--type", "video/mp4",
                "--open-lists", "--no-mirror",
            ]))
        let settings = chosen.settings(domains: ["home.example"], address: nil)
        #expect(settings.blobSize == 5_000_000 && settings.quota == 1_000_000_000 && settings.hasOpenLists)
        // Of pictures those that run nothing.
        #expect(settings.types.contains("image/png") && settings.types.contains("video/mp4"))
        #expect(!settings.types.contains("image/*") && !settings.types.contains("audio/*"))
        #expect(chosen.people == [TestPerson.alice.publicKey] && !chosen.copies)
        #expect(chosen.lines.contains("bringing: people with an account here, and 1 named; reading: everybody"))
        for type in ["text/html", "image/svg+xml"] {
            #expect(throws: CommandFailure.self) { try HomeBlobRules(BlossomRules.parse(["--type", type])) }
        }
        #expect(try HomeBlobRules(BlossomRules.parse(["--type", "*/*"])).lines == usual.lines)
    }

    @Test("what the media server of a home takes is chosen only where there is one")
    func chosenInVain() throws {
        #expect(throws: (any Error).self) { try ServeCommand.parse(["--quota", "1GB"]) }
        let command = try ServeCommand.parse(["--blossom", "--quota", "1GB"])
        #expect(command.blobs.quota?.bytes == 1_000_000_000)
    }

    @Test("runs until it is told to stop, says what it is, and knows only its own paths")
    func runs() async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["blossom", "--port", "0", "--data", data])
        let line = program.line()
        let port = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        #expect(line.hasPrefix("blossom http://127.0.0.1:"))
        #expect(program.line() == "bringing: everybody with a key; reading: everybody")
        for (path, status, words) in [
            ("/", "200", "\"buds\":[1,2,4,6,8,11,12]"), ("/\(name).png", "404", "There is no such blob here."),
            ("/list/\(alice)", "401", "This needs a token"), ("/blobs.sqlite", "404", "There is nothing here."),
        ] {
            let answer = await (try await TextReader.get(path, port: port, host: "127.0.0.1:\(port)")).whole()
            #expect(answer.hasPrefix("HTTP/1.1 \(status)") && answer.contains(words), "\(path)")
            #expect(answer.lowercased().contains("access-control-allow-origin: *"))
        }
        #expect(program.end(by: SIGTERM).status == 0)
    }

    @Test("a home is a media server on its port when it is asked to be", arguments: [false, true])
    func served(isMediaServer: Bool) async throws {
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(
            ["serve", "--port", "0", "--data", data] + (isMediaServer ? ["--blossom", "--max-size", "7MB"] : []))
        let link = try #require(program.line().split(separator: " ").dropFirst().first)
        let port = try #require(URLComponents(string: String(link))?.port)
        let own = await (try await TextReader.get("/\(name)", port: port, host: "127.0.0.1:\(port)")).whole()
        #expect(own.contains("There is no such blob here.") == isMediaServer)
        let document = await (try await TextReader.get("/blossom", port: port, host: "127.0.0.1:\(port)")).whole()
        #expect(document.contains("\"blob_bytes\":7000000") == isMediaServer)
        let strange = await (try await TextReader.get("/\(name)", port: port, host: "strange.example")).whole()
        #expect(strange.hasPrefix("HTTP/1.1 421"))
        let page = await (try await TextReader.get("/", port: port, host: "127.0.0.1:\(port)")).whole()
        #expect(!page.contains("\"buds\""))
        withExtendedLifetime(program) {}
    }
}
