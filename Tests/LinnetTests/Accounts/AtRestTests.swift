import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing
import ViewModels

@testable import linnet

@Suite("What rests on the disk and what others can see", .timeLimit(.minutes(10)))
struct AtRestTests {
    private static let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"
    private static let passphrase = "planted passphrase 7419"
    private static let nextPassphrase = "planted second passphrase 8520"

    /// Everything of these tests that only its owner may know.
    private static func secrets() throws -> PlantedSecrets {
        let key = try Mnemonic(words).secretKey()
        let split = words.split(separator: " ")
        var secrets = [
            PlantedSecrets.Secret("the passphrase", passphrase),
            .init("the second passphrase", nextPassphrase),
            .init("the secret key", key.withBytes { span in span.indices.map { span[$0] } }),
            .init("the hex key's text", key.exportHex()), .init("the nsec's text", key.exportNsec()),
            .init("the text of what was sent", Planted.sent), .init("the text of what came", Planted.received),
            .init("the draft", Planted.draft), .init("the private list's word", Planted.muted),
            .init("the subject", Planted.subject),
            .init("the private follow", Array(Planted.bookmarked.bytes.array)),
        ]
        for start in 0...(split.count - 3) {
            secrets.append(.init("words", split[start..<start + 3].joined(separator: " ")))
        }
        try secrets.append(
            .init("the words' bits", Mnemonic(words).withEntropy { span in span.indices.map { span[$0] } }))
        return PlantedSecrets(secrets)
    }

    private enum Planted {
        static let sent = "planted sent text 1962", received = "planted received text 2073"
        static let draft = "planted draft text 3184", muted = "plantedmutedword4295", subject = "planted subject 5306"
        static let bookmarked = TestPerson.eve.event("planted bookmark").id
    }

    @Test("the search finds each secret in each form, in files, names, and beside other bytes")
    func wouldFind() throws {
        let secrets = try Self.secrets()
        let home = try AccountHome()
        var random = SeededRandom(seed: 5)
        let planted = PlantedSecrets.forms(of: Array(Planted.sent.utf8))
        #expect(planted.count == 14)
        for (form, bytes) in planted {
            let noise = randomBytes(1_000, using: &random)
            let file = "\(home.directory.path)/planted-\(UUID().uuidString)"
            try Data(noise + bytes + noise).write(to: URL(filePath: file))
            #expect(try secrets.found(below: home.directory.path).contains { $0.hasSuffix(", \(form)") }, "\(form)")
            try FileManager.default.removeItem(atPath: file)
        }
        #expect(try secrets.found(below: home.directory.path) == [])
        for before in 0..<5 {
            let text = Data([UInt8](repeating: 7, count: before) + Array(Planted.received.utf8) + [9, 9])
            #expect(!secrets.found(in: Data(text.base64EncodedString().utf8)).isEmpty)
            let entity = try bech32Text(Array(text))
            #expect(!secrets.found(in: Data(entity.utf8)).isEmpty)
        }
        let key = try Mnemonic(Self.words).secretKey()
        #expect(secrets.found(in: Data(key.exportNsec().utf8)).contains("the secret key, bech32 at 0"))
    }

    @Test("an account's whole private life leaves no secret on the disk, open or closed")
    func privateLife() async throws {
        let home = try AccountHome()
        let secrets = try Self.secrets()
        let store = try home.store()
        let host = home.host(store)
        try await home.atWork(host) {
            let key = try await host.importMnemonic(Self.words, passphrase: Self.passphrase, name: "Ana")
            let account = try await host.open(key)
            try await live(account, store: store)
            #expect(try await host.exportMnemonic(key, passphrase: Self.passphrase) == Self.words)
            try await host.changePassphrase(of: key, from: Self.passphrase, to: Self.nextPassphrase)
            try await host.setAutoLock(.seconds(60), of: key)
            await host.lock(key)
            _ = try await host.unlock(key, passphrase: Self.nextPassphrase)
            #expect(try secrets.found(below: home.directory.path) == [])
            let backup = try await host.backup(key, passphrase: Self.passphrase)
            #expect(secrets.found(in: Data(backup)) == [])
            await host.lock(key)
        }
        try store.close()
        #expect(try home.files().contains { $0.hasSuffix(".words") })
        #expect(try secrets.found(below: home.directory.path) == [])
    }

    @Test("neither logs at their loudest nor the list of processes show a secret")
    func processesAndLogs() throws {
        let home = try AccountHome()
        let secrets = try Self.secrets()
        let passphrase = try Program.temporaryFile(Self.passphrase + "\n")
        defer { try? FileManager.default.removeItem(at: passphrase) }
        let common = ["--data", home.directory.path, "--password-file", passphrase.path]
        let environment = ["LINNET_LOG_LEVEL": "trace"]
        let adding = try HeldProgram(["account", "add", "--name", "Ana"] + common, environment: environment)
        adding.write(Self.words)
        #expect(secrets.found(inProcess: adding.id) == [])
        let added = adding.end()
        #expect(added.status == 0, "\(added.errors)")
        let npub = try Mnemonic(Self.words).secretKey().publicKey.npub
        for verb in [["account", "list"], ["account", "unlock", npub], ["account", "export", npub]] {
            let options = verb == ["account", "list"] ? Array(common.prefix(2)) : common
            let run = try Program.run(verb + options, environment: environment)
            #expect(run.status == 0, "\(verb) \(run.errors)")
            #expect(secrets.found(in: Data((run.output + run.errors).utf8)) == [], "\(verb)")
        }
        let wrong = try Program.run(
            ["account", "add"] + common, input: Self.words + " zoo\n", environment: environment)
        #expect(wrong.status == 1)
        for run in [added, wrong] { #expect(secrets.found(in: Data((run.output + run.errors).utf8)) == []) }
        let shown = try Program.run(["account", "export", "--words", npub] + common)
        #expect(shown.line == Self.words)
        #expect(try secrets.found(below: home.directory.path) == [])
    }

    @Test("two people who write to each other over a relay leave nothing readable, here, there or in their logs")
    func overARelay() throws {
        let secrets = try Self.secrets()
        let (relayHome, anas, bens) = (try AccountHome(), try AccountHome(), try AccountHome())
        let relay = try RunningProgram(["relay", "--port", "0", "--data", relayHome.directory.path])
        let address = try #require(relay.line().split(separator: " ").last.map(String.init))
        let file = try Program.temporaryFile(Self.passphrase + "\n")
        defer { try? FileManager.default.removeItem(at: file) }
        var logs = ""
        func run(_ home: AccountHome, _ arguments: [String], input: String = "") throws -> String {
            let run = try Program.run(
                arguments + ["--data", home.directory.path, "--password-file", file.path], input: input,
                environment: ["LINNET_LOG_LEVEL": "trace", "LINNET_INDEXERS": address])
            #expect(run.status == 0, "\(arguments.prefix(2)): \(run.errors.suffix(500))")
            logs += run.errors
            return run.output
        }
        let (ana, ben) = (try Mnemonic(Self.words).secretKey().publicKey.npub, TestPerson.bob.publicKey.npub)
        _ = try run(anas, ["account", "add"], input: Self.words)
        _ = try run(bens, ["account", "add"], input: TestPerson.bob.secretHex)
        // Once here, one has said where one wants messages.
        _ = try run(anas, ["dm", "list"])
        _ = try run(bens, ["dm", "send", "--to", ana], input: Planted.received)
        #expect(try run(anas, ["dm", "read", ben]).contains(Planted.received))
        _ = try run(anas, ["dm", "send", "--to", ben, "--subject", Planted.subject], input: Planted.sent)
        #expect(try run(bens, ["dm", "read", ana]).contains(Planted.sent))
        _ = try run(anas, ["list", "add", "mutes", "--private", Planted.muted])
        _ = try run(anas, ["list", "add", "bookmarks", "--private", Planted.bookmarked.note])
        #expect(try run(anas, ["list", "show", "mutes"]).contains(Planted.muted))
        for home in [anas, bens, relayHome] { #expect(try secrets.found(below: home.directory.path) == []) }
        #expect(logs.contains(" trace ") || logs.contains(" debug "))
        #expect(secrets.found(in: Data(logs.utf8)) == [])
    }

    @Test("a disk that takes no more leaves the keys that are there, says so, and leaves nothing half written")
    func fullDisk() throws {
        let home = try AccountHome()
        let file = try Program.temporaryFile(Self.passphrase + "\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let options = "--data \(home.directory.path) --password-file \(file.path)"
        func add(_ limit: String, _ secret: String) throws -> Program.Result {
            try Program.run(
                ["-c", "\(limit) exec \(Program.executable().path) account add \(options)"], input: secret,
                program: "/bin/sh")
        }
        #expect(try add("", TestPerson.alice.secretHex).status == 0)
        let before = try home.files()
        let full = try add("trap '' XFSZ; ulimit -f 0;", TestPerson.bob.secretHex)
        #expect(full.status == 1)
        #expect(full.errors.contains("disk is full"), "\(full.errors)")
        #expect(try home.files() == before)
        // Without the shell's help the system ends the program in the middle of its write.
        #expect(try add("ulimit -f 0;", TestPerson.bob.secretHex).status != 0)
        #expect(try home.files().filter { $0.hasSuffix(".ncryptsec") }.count == 1)
        let opened = try Program.run(
            [
                "account", "unlock", TestPerson.alice.publicKey.npub, "--data", home.directory.path, "--password-file",
                file.path,
            ])
        #expect(opened.status == 0, "\(opened.errors)")
    }

    /// Everything an account does that only its owner should know.
    private func live(_ account: any Account, store: any EventStore) async throws {
        if let messages = account.messages {
            let room = ChatRoom([account.publicKey, TestPerson.bob.publicKey])
            var message = OutgoingMessage(room: room, text: Planted.sent)
            message.subject = Planted.subject
            let sent = try await messages.send(message)
            try await messages.react(to: sent.id, in: room, with: "+")
            #expect(try await messages.search("planted", limit: 10).count == 1)
        }
        if let drafts = account.drafts {
            _ = try await drafts.saveDraft(Composition(text: Planted.draft), id: nil)
            #expect(try await drafts.drafts().count == 1)
        }
    }

    private func bech32Text(_ bytes: [UInt8]) throws -> String {
        // An nsec's own encoder takes 32 bytes; the coordinates of an address take any.
        let pointer = AddressPointer(
            address: EventAddress(
                kind: 30_023, author: TestPerson.alice.publicKey, identifier: String(decoding: bytes, as: UTF8.self)))
        return try NostrEntity.naddr(pointer).encoded()
    }
}

/// A program of ours that waits for its input while the test looks at it.
private final class HeldProgram {
    private let process = Process()
    private let input = Pipe(), output = Pipe(), errors = Pipe()

    init(_ arguments: [String], environment: [String: String]) throws {
        process.executableURL = try Program.executable()
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""].merging(environment) { $1 }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    var id: Int32 { process.processIdentifier }

    func write(_ text: String) { input.fileHandleForWriting.write(Data(text.utf8)) }

    func end() -> Program.Result {
        // The program reads to the end of a line or of the input; closing gives it both.
        try? input.fileHandleForWriting.close()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Program.Result(
            status: process.terminationStatus, output: String(decoding: written, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }
}
