import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import Testing

@testable import linnet

/// The address of a running media server that is not ours, of this machine, such as `http://127.0.0.1:3000`.
private let foreignServer = ProcessInfo.processInfo.environment["LINNET_FOREIGN_MEDIA_SERVER"]

/// Our client against a media server that nobody here wrote.
///
/// None can be installed as other peers are, so whoever has one runs it and says where; it must take files of anybody.
/// CONTRIBUTING.md says with which ones this was done.
@Suite(
    "our client against a media server that is not ours", .serialized, .timeLimit(.minutes(10)),
    .enabled(
        if: foreignServer != nil,
        "name a running media server of this machine in LINNET_FOREIGN_MEDIA_SERVER to test against it"))
struct ForeignMediaServerTests {
    /// A file that no earlier run brought, and its hash.
    private struct Sound {
        let file: URL
        let bytes: [UInt8]
        var hash: BlobHash { BlobHash(of: bytes) }
        var saved: String { file.path + "-saved" }

        init() throws {
            bytes = Array(shortSound.utf8.dropLast(8)) + Array("\(UUID())".utf8.prefix(8))
            file = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
            try Data(bytes).write(to: file)
        }

        func forget() { for path in [file.path, saved] { try? FileManager.default.removeItem(atPath: path) } }
    }

    private func server() throws -> MediaServer { try #require(foreignServer.flatMap { MediaServer($0) }) }

    /// Runs a test with a file and some people, none of whom has a relay.
    private func withSound(_ count: Int, _ body: (Sound, [CommandPerson]) async throws -> Void) async throws {
        let sound = try Sound()
        defer { sound.forget() }
        var people: [CommandPerson] = []
        defer { people.forEach { $0.forget() } }
        for _ in 0..<count {
            people.append(try await CommandPerson(relay: "ws://127.0.0.1:9", signer: LocalSigner.generate()))
        }
        try await body(sound, people)
    }

    /// Saves what a server has under the hash, and compares it; by somebody who typed where it is, as it is near.
    private func expect(_ sound: Sound, at server: String, by person: CommandPerson) throws {
        try? FileManager.default.removeItem(atPath: sound.saved)
        let kept = try person.run(["files", "save", "blossom:\(sound.hash.hex).bin?xs=\(server)", "-o", sound.saved])
        #expect(kept.status == 0, "\(kept.errors)")
        let bytes = try #require(FileManager.default.contents(atPath: sound.saved))
        #expect(Array(bytes) == sound.bytes)
    }

    /// What it answers to a question about the file's address.
    private func status(of sound: Sound) async throws -> Int {
        let address = try server().address
        let request = BlobRequest(.head, "\(address)/\(sound.hash.hex)")
        return try await MediaOfTheWeb(near: true).send(request) { _ in }.status
    }

    @Test("a file is uploaded, found by its hash with the same bytes, listed without complaint, and deleted")
    func life() async throws {
        let address = try server().address
        let there = ["--server", address]
        try await withSound(1) { sound, people in
            let before = try await status(of: sound)
            #expect(before == 404)
            let uploaded = try people[0].run(["files", "upload", sound.file.path] + there)
            #expect(uploaded.status == 0, "\(uploaded.output)\(uploaded.errors)")
            let line = try object(uploaded.line)
            #expect(line["sha256"]?.string == sound.hash.hex && line["standing"]?.string == "stored")
            #expect(line["url"]?.string?.contains(sound.hash.hex) == true)
            let stored = try await status(of: sound)
            #expect(stored == 200)
            try expect(sound, at: address, by: people[0])
            // Some tell nobody what they keep for whom.
            let listed = try people[0].run(["files", "list"] + there)
            #expect(listed.status == 0, "\(listed.errors)")
            // Deleting what is not there any more is no failure.
            for _ in 0..<2 {
                let deleted = try people[0].run(["files", "delete", sound.hash.hex] + there)
                #expect(deleted.status == 0, "\(deleted.errors)")
                let after = try await status(of: sound)
                #expect(after == 404 || after == 410)
            }
        }
    }

    @Test("a file on a server of ours is copied there, and one from there to ours")
    func copies() async throws {
        let folder = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let program = try RunningProgram(["blossom", "--port", "0", "--data", folder])
        let ours = String(program.line().dropFirst("blossom ".count))
        let theirs = try server().address
        for (from, to) in [(ours, theirs), (theirs, ours)] {
            try await withSound(1) { sound, people in
                let uploaded = try people[0].run(["files", "upload", sound.file.path, "--server", from])
                #expect(uploaded.status == 0, "\(uploaded.output)\(uploaded.errors)")
                let copied = try people[0].run(["files", "mirror", sound.hash.hex, "--to", to, "--server", from])
                #expect(copied.status == 0, "\(copied.output)\(copied.errors)")
                try expect(sound, at: to, by: people[0])
                let deleted = try people[0].run(
                    ["files", "delete", sound.hash.hex, "--server", from, "--server", to])
                #expect(deleted.status == 0 && deleted.errors.isEmpty, "\(deleted.errors)")
            }
        }
        withExtendedLifetime(program) {}
    }

    @Test("nobody but who brought a file deletes it, and the client says that it was refused")
    func stranger() async throws {
        let address = try server().address
        let there = ["--server", address]
        try await withSound(2) { sound, people in
            let uploaded = try people[0].run(["files", "upload", sound.file.path] + there)
            #expect(uploaded.status == 0, "\(uploaded.output)\(uploaded.errors)")
            let refused = try people[1].run(["files", "delete", sound.hash.hex] + there)
            withKnownIssue("khatru says yes and deletes nothing", isIntermittent: true) {
                #expect(refused.status == 1 && !refused.errors.isEmpty, "\(refused.output)")
            }
            try expect(sound, at: address, by: people[0])
            let deleted = try people[0].run(["files", "delete", sound.hash.hex] + there)
            #expect(deleted.status == 0, "\(deleted.errors)")
        }
    }

    @Test(
        "a token that permits something else, another file, or no longer anything brings nothing",
        arguments: ["none", "delete", "another", "expired", "forged"])
    func tokens(fault: String) async throws {
        let sound = try Sound()
        defer { sound.forget() }
        let server = try server()
        let now = Timestamp.current
        let draft = BlobAuthorization.draft(
            fault == "delete" ? .delete : .upload,
            blobs: [fault == "another" ? BlobHash(of: [1]) : sound.hash], servers: [server.domain],
            words: "Upload file", createdAt: now - .seconds(600),
            expiration: fault == "expired" ? now - .seconds(300) : now + .seconds(300))
        let event = try await LocalSigner.generate().sign(draft)
        var headers = ["Content-Type": "audio/wav", "X-SHA-256": sound.hash.hex]
        switch fault {
        case "none": break
        case "forged":
            // Other words than were signed.
            let json = String(decoding: event.json, as: UTF8.self).replacing("Upload file", with: "Upload film")
            headers["Authorization"] = "Nostr " + Data(json.utf8).base64EncodedString()
        default: headers["Authorization"] = BlobAuthorization.header(event)
        }
        let request = BlobRequest(.put, server.address + "/upload", headers: headers, body: .bytes(sound.bytes))
        let answer = try await MediaOfTheWeb(near: true).send(request) { _ in }
        let there = try await status(of: sound)
        let isRefused = (400..<500).contains(answer.status) && there == 404
        if fault == "another" {
            withKnownIssue("khatru takes a token for one file with any other", isIntermittent: true) {
                #expect(isRefused, "\(answer.status)")
            }
        } else {
            #expect(isRefused, "\(answer.status)")
        }
    }
}
