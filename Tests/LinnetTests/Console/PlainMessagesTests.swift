import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import linnet

/// What a new user gets to read who types, pipes and quotes as people do.
@Suite("plain messages")
struct PlainMessagesTests {
    private static let alice = TestPerson.alice
    private static let key = "0000000000000000000000000000000000000000000000000000000000000003"
    private static let ofKey = "f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9"

    /// What a program was given, and what it should say to it.
    struct Case: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        var input = ""
        var status: Int32 = 1
        let errors: String

        var testDescription: String { "\(arguments) \(input.prefix(20))" }
    }

    @Test(
        "a wrong input is named, with its line where there are lines, and the exit status tells",
        arguments: [
            Case(arguments: ["nip05", "no name"], errors: "'no name' is not a name: give name@domain."),
            Case(
                arguments: ["decode", "nonsense"], errors: "'nonsense' cannot be decoded. This is not a Nostr code."),
            Case(arguments: ["decode", ""], errors: "'' cannot be decoded. This is not a Nostr code."),
            Case(
                arguments: ["decode"], input: "\n\u{FEFF}x\r\n",
                errors: "line 2: '\u{FFFD}x' cannot be decoded. This is not a Nostr code."),
            Case(
                arguments: ["decode", key],
                errors: "64 hex characters are not a code: linnet encode npub or encode note makes one of them."),
            Case(
                arguments: ["decode", "--id", alice.publicKey.npub], errors: "There is no event id in this code."),
            Case(
                arguments: ["encode", "npub"], input: "\u{FEFF}\(ofKey)\r\nzz\r\n",
                errors: "line 2: 'zz' is not a public key: give 64 hex characters, npub or nprofile."),
            Case(
                arguments: ["key", "public"], input: alice.publicKey.npub,
                errors:
                    "'\(alice.publicKey.npub.prefix(60))…' is a public key: the secret one begins with nsec1, or is hex."
            ),
            Case(
                arguments: ["key", "public"], input: String(repeating: "f", count: 64),
                errors: "This is not a secret key: it is zero, or above the highest there is."),
            Case(
                arguments: ["key", "public"], input: String(repeating: "0", count: 64),
                errors: "This is not a secret key: it is zero, or above the highest there is."),
            Case(
                arguments: ["key", "public"], input: String(key.dropLast()),
                errors: "This is not a secret key: hex has 64 characters, and these are 63."),
            Case(
                arguments: ["key", "public"], input: "\(key)\n\nmore\n",
                errors: "Standard input holds more than the key: line 3 is not empty."),
            Case(
                arguments: ["help", "nonsense"], status: 64,
                errors: "There is no command 'nonsense': linnet --help lists those there are."),
            Case(
                arguments: ["help", "key", "publik"], status: 64,
                errors: "There is no command 'publik': linnet key --help lists those there are."),
            Case(
                arguments: ["key", "publik"], status: 64,
                errors: "There is no command 'publik': linnet key --help lists those there are."),
            Case(arguments: ["verify", "/"], errors: "/ is a directory: give a file of events."),
            Case(arguments: ["verify", "/nowhere"], errors: "/nowhere cannot be read: there is no such file."),
            Case(arguments: ["import", "/"], errors: "/ is a directory: give a file of events."),
            Case(arguments: ["restore", "/"], errors: "/ is a directory: give the file of a backup."),
            Case(arguments: ["restore", "/nowhere"], errors: "/nowhere cannot be read: there is no such file."),
            Case(
                arguments: ["key", "public", "--sec-file", "/"], errors: "/ is a directory: give a file with one line."),
        ])
    func messages(_ given: Case) throws {
        let run = try Program.run(given.arguments, input: given.input)
        #expect(run.status == given.status)
        // Good lines before a bad one are printed all the same.
        #expect(run.errors == "Error: \(given.errors)\n")
    }

    @Test(
        "what may be a secret is repeated by no message",
        arguments: [
            ["decode"], ["encode", "npub"], ["encode", "note"], ["key", "public"], ["help"], ["key"], [],
        ])
    func secretsStay(verb: [String]) throws {
        let nsec = Self.alice.secretKey.exportNsec()
        let words = "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrongly"
        for secret in [nsec, String(nsec.dropLast()), String(Self.alice.secretHex.dropLast()), words] {
            for run in [try Program.run(verb + [secret]), try Program.run(verb, input: secret + "\n")] {
                #expect(!run.errors.contains(secret) && !run.output.contains(secret), "\(verb) \(run.errors)")
            }
        }
    }

    @Test("a key file may begin with a byte-order mark and end in DOS line ends; a second line is named")
    func keyFiles() throws {
        let cases: [(text: String, errors: String)] = [
            ("\u{FEFF}\(Self.key)\r\n", ""), (Self.key, ""), ("\(Self.key)\n\n \n", ""),
            ("\(Self.key)\nmy old key\n", "FILE holds more than the key: line 2 is not empty."),
            ("\r\n\(Self.key)\r\n", "FILE holds more than the key: line 2 is not empty."),
            ("\n", "The first line of FILE is empty."), ("", "FILE is empty."),
        ]
        for (text, errors) in cases {
            let file = try Program.temporaryFile(text)
            // One of the system's temporary files; leaving it behind does no harm.
            defer { try? FileManager.default.removeItem(at: file) }
            let run = try Program.run(["key", "public", "--sec-file", file.path])
            #expect(
                run.errors.replacingOccurrences(of: file.path, with: "FILE")
                    == (errors.isEmpty ? "" : "Error: \(errors)\n"))
            #expect(run.line == (errors.isEmpty ? Self.ofKey : ""))
            #expect(run.status == (errors.isEmpty ? 0 : 1))
        }
        let wide = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        // As above.
        defer { try? FileManager.default.removeItem(at: wide) }
        try #require(Self.key.data(using: .utf16)).write(to: wide)
        let run = try Program.run(["key", "public", "--sec-file", wide.path])
        #expect(run.status == 1 && run.errors == "Error: \(wide.path) is UTF-16: save it as UTF-8.\n")
    }

    @Test("events in a file with a byte-order mark and DOS line ends are read")
    func eventFiles() throws {
        let line = String(decoding: Self.alice.event("hi").json, as: UTF8.self)
        let run = try Program.run(["verify"], input: "\u{FEFF}\(line)\r\n\(line)\r\n")
        #expect(run.status == 0 && run.output.contains(#""valid":2,"invalid":0"#), "\(run.errors)")
    }

    @Test(
        "standard streams that are closed, a directory or full end a command with a sentence, never with a crash",
        arguments: [
            ("encode npub \(ofKey) >&-", 1, "Error: Standard output could not be written: it was closed."),
            ("encode npub \(ofKey) 2>&-", 0, ofNpub),
            ("encode npub zz 2>&-", 1, ""),
            ("decode <&-", 1, "Error: Standard input cannot be read: it is closed, or a directory."),
            ("decode </", 1, "Error: Standard input cannot be read: it is closed, or a directory."),
            ("key public <&-", 1, "Error: Standard input cannot be read: it is closed, or a directory."),
            ("pow -d 1 </", 1, "Error: Standard input cannot be read: it is closed, or a directory."),
            ("verify </", 1, "Error: Standard input cannot be read, from line 1 on."),
            ("verify <&-", 1, "Error: Standard input cannot be read, from line 1 on."),
        ] as [(String, Int32, String)])
    func streams(line: String, status: Int32, said: String) throws {
        let run = try Self.shell(line)
        #expect(run.status == status)
        #expect(run.output + run.errors == (said.isEmpty ? "" : said + "\n"))
    }

    #if os(Linux)
        @Test("a full disk under standard output is told")
        func fullDisk() throws {
            let run = try Self.shell("encode npub \(Self.ofKey) >/dev/full")
            #expect(run.status == 1)
            #expect(run.errors == "Error: Standard output could not be written: the disk is full.\n")
        }
    #endif

    @Test("a reader that goes away ends a command: by the signal, or with one sentence where that is ignored")
    func brokenPipe() throws {
        let file = try Program.temporaryFile(String(repeating: Self.ofKey + "\n", count: 20_000))
        // One of the system's temporary files; leaving it behind does no harm.
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try Self.shell("encode npub <'\(file.path)' | head -n 1", shell: "/bin/bash")
        // Programs inherit from the tests whether the signal is ignored, and some tests have it so.
        let told = "Error: Standard output could not be written: it was closed.\n"
        #expect(run.status == 0 && ["", told].contains(run.errors), "\(run.errors)")
        #expect(run.line == Self.ofNpub)
    }

    private static let ofNpub = "npub1lycg5qvjtrp3qjf5f7zl382j9x6nrjz9sdhenvyxq8c3808qxmus6gq266"

    private static func shell(_ line: String, shell: String = "/bin/sh") throws -> Program.Result {
        let program = try Program.executable().path
        return try Program.run(["-c", "'\(program)' \(line)"], program: shell)
    }
}
