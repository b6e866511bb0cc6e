import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("The command line: pow")
struct PowCommandTests {
    private let alice = TestPerson.alice

    @Test("mines a draft for a key of its own choice, unsigned, with its id")
    func unsigned() throws {
        let run = try Program.run(
            ["pow", "-d", "8", "--pubkey", alice.publicKey.npub, "--keep-time"],
            input: #"{"content":"a \"b\"\n","tags":[["t","x"]],"kind":7,"created_at":1700000000}"#)
        #expect(run.status == 0)
        let read = try #require(try JSONSerialization.jsonObject(with: Data(run.line.utf8)) as? [String: Any])
        let tags = try #require(read["tags"] as? [[String]]).map { NostrCore.Tag($0) }
        #expect(read["sig"] == nil)
        #expect(read["content"] as? String == "a \"b\"\n" && read["kind"] as? Int == 7)
        #expect(read["created_at"] as? Int == 1_700_000_000)
        #expect(tags.count == 2 && tags.last?[2] == "8")
        let draft = EventDraft(
            kind: 7, tags: tags, content: "a \"b\"\n", createdAt: Timestamp(seconds: 1_700_000_000))
        let id = Rumor(draft, author: alice.publicKey).id
        #expect(read["id"] as? String == id.hex)
        #expect(id.difficulty >= 8)
    }

    @Test("signs what it mined where there is a key, and takes finished events as drafts")
    func signed() throws {
        let old = String(decoding: alice.event("hello", tags: [["nonce", "1", "2"]]).json, as: UTF8.self)
        let file = try Program.temporaryFile(alice.secretHex + "\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let ways: [(arguments: [String], environment: [String: String])] = [
            ([], ["NOSTR_SECRET_KEY": alice.secretHex]), (["--sec-file", file.path], [:]),
        ]
        for way in ways {
            let run = try Program.run(
                ["pow", "--difficulty", "6"] + way.arguments, input: old, environment: way.environment)
            #expect(run.status == 0, "\(run.errors)")
            let event = try Event(verifying: UnverifiedEvent(json: Array(run.line.utf8)))
            #expect(event.content == "hello" && event.pubkey == alice.publicKey)
            #expect(ProofOfWork(event).meets(6, commitmentRequired: true))
            #expect(event.tags.named("nonce").count == 1)
            #expect(run.errors.isEmpty)
        }
    }

    @Test("failures end with one plain sentence and repeat nothing of the input")
    func failures() throws {
        let npub = alice.publicKey.npub
        let nobody =
            "Error: Whose event is it? Give --pubkey, a pubkey in the draft, or a key by --sec-file or NOSTR_SECRET_KEY.\n"
        let noJSON = "Error: Standard input holds no JSON object: give a draft such as {\"content\":\"hello\"}.\n"
        let cases: [(arguments: [String], input: String, expected: String)] = [
            (["-d", "4"], "{}", nobody), (["-d", "4", "-p", npub], "", noJSON),
            (["-d", "4", "-p", npub], "[]", noJSON),
            (["-d", "4", "-p", npub], #"{"kind":70000}"#, "Error: The draft's kind is not what it must be.\n"),
            (["-d", "4", "-p", npub], #"{"tags":[["x",1]]}"#, "Error: The draft's tags is not what it must be.\n"),
            (["-d", "4", "-p", npub], #"{"content":5}"#, "Error: The draft's content is not what it must be.\n"),
            (
                ["-d", "4", "-p", npub], #"{"pubkey":"\#(TestPerson.bob.publicKey.hex)"}"#,
                "Error: The key, --pubkey and the pubkey of the draft are not one person's.\n"
            ),
        ]
        for (arguments, input, expected) in cases {
            let run = try Program.run(["pow"] + arguments, input: input)
            #expect(run.status == 1, "\(input)")
            #expect(run.errors == expected)
            #expect(run.output.isEmpty)
        }
        #expect(try Program.run(["pow", "-d", "47", "-p", npub], input: "{}").status == 64)
        let secret = try Program.run(["pow", "-d", "4", alice.secretKey.exportNsec()], input: "{}")
        #expect(secret.status == 1 && !secret.errors.contains(alice.secretHex))
    }

    @Test("an interrupt ends it at once, with nothing on standard output")
    func interrupt() throws {
        let process = Process()
        process.executableURL = try Program.executable()
        process.arguments = ["pow", "-d", "46", "-p", alice.publicKey.hex]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // It reads to the end before it starts to work, so it cannot have finished before.
        input.fileHandleForWriting.write(Data("{}".utf8))
        try input.fileHandleForWriting.close()
        process.interrupt()
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGINT)
        #expect(output.fileHandleForReading.readDataToEndOfFile().isEmpty)
    }
}

@Suite("The command line: mnemonics")
struct MnemonicCommandTests {
    private let words = "leader monkey parrot ring guide accident before fence cannon height naive bean"
    private let hex = "7f7ff03d123792d6ac594bfa67bf6d0c0ab55b6b1fdb6249303fe861f1ccba9a"
    private let npub = "npub1zutzeysacnf9rru6zqwmxd54mud0k44tst6l70ja5mhv8jjumytsd2x7nu"

    @Test("restores the key of the NIP's example from standard input or a file")
    func restore() throws {
        let file = try Program.temporaryFile(words + "\n")
        defer { try? FileManager.default.removeItem(at: file) }
        for (arguments, input) in [([], words), (["--words-file", file.path], ""), (["--words-file", "-"], words)] {
            let run = try Program.run(["key", "mnemonic"] + arguments, input: input)
            #expect(run.status == 0, "\(run.errors)")
            #expect(run.line == hex)
            #expect(run.errors == npub + "\n")
        }
        let second = try Program.run(["key", "mnemonic", "--account", "1"], input: words)
        let further = try Program.run(
            ["key", "mnemonic"], input: words, environment: ["LINNET_MNEMONIC_PASSPHRASE": "x"])
        #expect(Set([hex, second.line, further.line]).count == 3)
        let encrypted = try Program.run(
            ["key", "mnemonic", "--encrypt", "--log-n", "2"], input: words, environment: ["LINNET_PASSWORD": "p"])
        let decrypted = try Program.run(
            ["key", "decrypt"], input: encrypted.output, environment: ["LINNET_PASSWORD": "p"])
        #expect(decrypted.line == hex)
    }

    @Test("makes words that lead to the key it names", arguments: ["12", "15", "18", "21", "24"])
    func generate(count: String) throws {
        let made = try Program.run(["key", "generate", "--mnemonic", "--words", count, "--language", "czech"])
        #expect(made.line.split(separator: " ").count == Int(count))
        let restored = try Program.run(["key", "mnemonic"], input: made.output)
        #expect(restored.errors == made.errors && made.errors.hasPrefix("npub1"))
    }

    @Test("never repeats a word, neither from the input nor from the arguments")
    func failures() throws {
        let wrong = try Program.run(["key", "mnemonic"], input: words.replacing("parrot", with: "parot"))
        #expect(wrong.status == 1 && wrong.output.isEmpty)
        #expect(wrong.errors == "Error: Word 3 has a typo: one letter is wrong.\n")
        let arguments = try Program.run(["key", "mnemonic"] + words.split(separator: " ").map(String.init))
        #expect(arguments.status == 1)
        #expect(arguments.errors.contains("never belong on the command line") && !arguments.errors.contains("monkey"))
        #expect(try Program.run(["key", "generate", "--mnemonic", "--words", "13"]).status == 1)
        #expect(try Program.run(["key", "generate", "--mnemonic", "--encrypt"]).status == 64)
    }
}
