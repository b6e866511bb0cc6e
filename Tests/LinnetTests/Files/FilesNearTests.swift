import Foundation
import NostrCore
import NostrNIPs
import NostrSigner
import Testing

@testable import linnet

/// Files on media servers of this machine, run by the program itself: typed by the person, and so let through.
@Suite("files by name, on media servers of one's own", .timeLimit(.minutes(10)))
struct FilesNearTests {
    /// Runs media servers of this machine.
    private func withServers(_ count: Int, _ body: ([String]) async throws -> Void) async throws {
        var folders: [String] = []
        defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
        var programs: [RunningProgram] = []
        var servers: [String] = []
        for _ in 0..<count {
            let folder = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
            folders.append(folder)
            let program = try RunningProgram(["blossom", "--port", "0", "--data", folder])
            programs.append(program)
            servers.append(String(program.line().dropFirst("blossom ".count)))
        }
        try await body(servers)
        withExtendedLifetime(programs) {}
    }

    @Test("a file is uploaded, listed, copied to a second server, and deleted from both")
    func life() async throws {
        let file = try Program.temporaryFile(shortSound)
        defer { try? FileManager.default.removeItem(at: file) }
        let hash = BlobHash(of: Array(shortSound.utf8)).hex
        try await withServers(2) { servers in
            try await withCommandPeople(1) { people in
                let ana = people[0]
                let set = try ana.run(["files", "servers", "--set", servers[0]])
                #expect(set.status == 0, "\(set.errors)")
                let uploaded = try ana.run(["files", "upload", file.path, "--alt", "A greeting"])
                #expect(uploaded.status == 0, "\(uploaded.output)\(uploaded.errors)")
                let line = try object(uploaded.line)
                #expect(line["standing"]?.string == "stored" && line["sha256"]?.string == hash)
                #expect(line["url"]?.string?.hasPrefix(servers[0] + "/" + hash) == true, "\(uploaded.line)")
                #expect(line["imeta"]?.elements.contains(.string("alt A greeting")) == true)

                let list = try ana.run(["files", "list"])
                let listed = try object(list.line)
                #expect(listed["sha256"]?.string == hash && listed["alt"]?.string == "A greeting", "\(list.errors)")
                let copied = try ana.run(["files", "mirror", hash, "--to", servers[1]])
                #expect(copied.status == 0, "\(copied.output)\(copied.errors)")
                let places = try object(copied.line)["servers"]?.elements ?? []
                #expect(places.map { $0["standing"]?.string } == ["there", "there"], "\(copied.line)")
                let both = ["--server", servers[0], "--server", servers[1]]
                let there = try object(try ana.run(["files", "list"] + both).line)
                #expect(there["servers"]?.elements.count == 2)
                let published = try ana.run(["files", "publish", hash, "Words for #birds"])
                #expect(published.status == 0, "\(published.errors)")
                let event = try object(published.line)
                #expect(event["kind"] == .number("1063") && event["content"]?.string == "Words for #birds")
                let tags = event["tags"]?.elements.map { $0.elements.compactMap(\.string) } ?? []
                for tag in [["x", hash], ["alt", "A greeting"], ["t", "birds"]] {
                    #expect(tags.contains(tag), "\(tag)")
                }
                for address in [hash, "blossom:\(hash).bin?as=\(ana.key.hex)&sz=\(shortSound.utf8.count)"] {
                    let saved = file.path + "-saved"
                    defer { try? FileManager.default.removeItem(atPath: saved) }
                    let kept = try ana.run(["files", "save", address, "-o", saved])
                    #expect(kept.status == 0, "\(kept.errors)")
                    #expect(FileManager.default.contents(atPath: saved) == Data(shortSound.utf8))
                }
                let nobodys = String(repeating: "0", count: 64)
                let nowhere = try ana.run(["files", "save", nobodys, "-o", file.path + "-none"])
                #expect(nowhere.status == 1 && nowhere.errors.contains("No server that was asked"), "\(nowhere.errors)")
                let deleted = try ana.run(["files", "delete", hash] + both)
                #expect(deleted.status == 0, "\(deleted.errors)")
                #expect(try ana.run(["files", "list"] + both).output.isEmpty)
            }
        }
    }

    @Test("a file is sent sealed to somebody, who opens it; the server has nothing of it in clear")
    func message() async throws {
        let file = try Program.temporaryFile("hello")
        let saved = file.path + "-saved"
        defer { for path in [file.path, saved] { try? FileManager.default.removeItem(atPath: path) } }
        try await withServers(1) { servers in
            try await withCommandPeople(2) { people in
                let (ana, ben) = (people[0], people[1])
                #expect(try ana.run(["files", "servers", "--set", servers[0]]).status == 0)
                let sent = try ana.run(["dm", "send", "--to", ben.key.npub, "--file", file.path])
                #expect(sent.status == 0, "\(sent.errors)")
                let read = try ben.run(["dm", "read", ana.key.npub])
                let lines = try read.output.split(separator: "\n").map { try object(String($0)) }
                let message = try #require(lines.first { $0["kind"] == .number("15") }, "\(read.errors)")
                let id = try #require(message["id"]?.string)
                #expect(message["content"]?.string?.hasPrefix(servers[0] + "/") == true)
                #expect(message["content"]?.string?.contains(BlobHash(of: Array("hello".utf8)).hex) == false)
                // Ana's word does not have Ben's machine speak with his own network.
                let refused = try ben.run(["dm", "save", id, "--with", ana.key.npub, "-o", saved])
                #expect(refused.status == 1 && !FileManager.default.fileExists(atPath: saved), "\(refused.errors)")
                #expect(try ben.run(["files", "servers", "--set", servers[0]]).status == 0)
                let opened = try ben.run(["dm", "save", id, "--with", ana.key.npub, "-o", saved])
                #expect(opened.status == 0, "\(opened.errors)")
                #expect(FileManager.default.contents(atPath: saved) == Data("hello".utf8))
            }
        }
    }

    @Test("a file in a circle is sent and opened")
    func circle() async throws {
        let file = try Program.temporaryFile("hello")
        let saved = file.path + "-saved"
        defer { for path in [file.path, saved] { try? FileManager.default.removeItem(atPath: path) } }
        try await withServers(1) { servers in
            try await withCommandPeople(1) { people in
                let ana = people[0]
                #expect(try ana.run(["files", "servers", "--set", servers[0]]).status == 0)
                #expect(try ana.run(["circle", "create", "The weir", "--relay", ana.relay]).status == 0)
                let sent = try ana.run(["circle", "send", "The weir", "--file", file.path])
                #expect(sent.status == 0, "\(sent.errors)")
                let read = try ana.run(["circle", "read", "The weir"])
                let lines = try read.output.split(separator: "\n").map { try object(String($0)) }
                let line = try #require(lines.first { $0["files"]?.elements.isEmpty == false }, "\(read.output)")
                let id = try #require(line["id"]?.string)
                let opened = try ana.run(["circle", "save", "The weir", id, "-o", saved])
                #expect(opened.status == 0, "\(opened.errors)")
                #expect(FileManager.default.contents(atPath: saved) == Data("hello".utf8))
            }
        }
    }

    @Test("a list of the person's own that was not made here has this machine speak with nobody near it")
    func listed() async throws {
        let file = try Program.temporaryFile(shortSound)
        defer { try? FileManager.default.removeItem(at: file) }
        try await withServers(1) { servers in
            let signer = LocalSigner.generate()
            let person = try await CommandPerson(relay: "ws://127.0.0.1:9", signer: signer)
            defer { person.forget() }
            let list = try await signer.sign(
                EventDraft(kind: MediaServerList.kind, tags: [["server", servers[0]]], createdAt: .current))
            let imported = try person.run(["import", "-"], input: String(decoding: list.json, as: UTF8.self) + "\n")
            #expect(imported.status == 0, "\(imported.errors)")
            let refused = try person.run(["files", "upload", file.path])
            #expect(refused.status == 1, "\(refused.errors)")
            let place = try object(refused.line)["servers"]?.elements.first
            #expect(place?["problem"]?.string == "notAllowed", "\(refused.line)")
            let named = try person.run(["files", "upload", file.path, "--server", servers[0]])
            #expect(named.status == 0, "\(named.output)\(named.errors)")
        }
    }
}
