import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("linnet key, encode, decode")
struct KeyCommandTests {
    private let alice = TestPerson.alice

    @Test("generate into a pipe prints hex that public understands")
    func generate() throws {
        let made = try Program.run(["key", "generate"])
        #expect(made.status == 0)
        let key = try SecretKey(hex: made.line)
        #expect(made.errors == key.publicKey.npub + "\n")
        #expect(try Program.run(["key", "public"], input: made.output).line == key.publicKey.hex)
    }

    @Test("the key comes from standard input, a file or the environment, as hex or nsec")
    func sources() throws {
        let nsec = alice.secretKey.exportNsec()
        let file = try Program.temporaryFile(nsec + "\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let expected = alice.publicKey.npub
        let ways: [(arguments: [String], input: String, environment: [String: String])] = [
            ([], nsec, [:]), ([], alice.secretHex + "\n", [:]), (["--sec-file", file.path], "", [:]),
            (["--sec-file", "-"], nsec, ["NOSTR_SECRET_KEY": TestPerson.bob.secretHex]),
            ([], "", ["NOSTR_SECRET_KEY": nsec]),
        ]
        for way in ways {
            let run = try Program.run(
                ["key", "public", "--npub"] + way.arguments, input: way.input, environment: way.environment)
            #expect(run.line == expected, "\(way.arguments)")
        }
    }

    @Test(
        "a secret in the arguments is refused, named and not repeated",
        arguments: [
            ["key", "public"], ["key", "public", "--sec"], ["key", "encrypt"], ["key", "decrypt"], ["encode", "nsec"],
            ["encode", "npub"], ["encode", "note"], ["encode", "nevent"], ["decode"],
        ])
    func refusesSecretArguments(verb: [String]) throws {
        let nsec = alice.secretKey.exportNsec()
        let run = try Program.run(verb + [nsec])
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("never belongs on the command line"))
        #expect(!run.errors.contains(nsec) && !run.errors.contains(alice.secretHex))
    }

    @Test("encrypt and decrypt are each other's way back")
    func encryption() throws {
        let environment = ["NOSTR_SECRET_KEY": alice.secretHex, "LINNET_PASSWORD": "pässword"]
        let encrypted = try Program.run(["key", "encrypt", "--log-n", "2"], environment: environment)
        #expect(encrypted.line.hasPrefix("ncryptsec1"))
        let file = try Program.temporaryFile("pässword\nsecond line\n")
        defer { try? FileManager.default.removeItem(at: file) }
        let byArgument = try Program.run(["key", "decrypt", encrypted.line, "--password-file", file.path])
        #expect(byArgument.line == alice.secretHex)
        let byInput = try Program.run(["key", "decrypt"], input: encrypted.output, environment: environment)
        #expect(byInput.line == alice.secretHex)
        let made = try Program.run(["key", "generate", "--log-n", "2", "--password-file", file.path])
        #expect(made.line.hasPrefix("ncryptsec1"))
    }

    @Test("failures end with 1 and one plain sentence")
    func failures() throws {
        var random = SeededRandom(seed: 1)
        let encrypted = try EncryptedSecretKey(
            encrypting: alice.secretKey, passphrase: "right", logN: 2, handling: .unknown, using: &random)
        let cases: [(arguments: [String], password: String, expected: String)] = [
            (["key", "decrypt", "\(encrypted)"], "wrong", "Error: Wrong passphrase.\n"),
            (["key", "decrypt", "ncryptsec1x"], "p", "Error: This is not an encrypted key, or it is damaged.\n"),
            (
                ["key", "public"], "p",
                "Error: No secret key was given; use --sec-file, NOSTR_SECRET_KEY, standard input or a terminal.\n"
            ),
            (
                ["key", "public", "--sec-file", "/nowhere"], "p",
                "Error: /nowhere cannot be read: there is no such file.\n"
            ),
            (["decode", "npub1x"], "p", "Error: 'npub1x' cannot be decoded. This is not a Nostr code.\n"),
        ]
        for (arguments, password, expected) in cases {
            let run = try Program.run(arguments, environment: ["LINNET_PASSWORD": password])
            #expect(run.status == 1, "\(arguments)")
            #expect(run.errors == expected)
            #expect(run.output.isEmpty)
        }
    }

    @Test("a passphrase is not taken from the arguments, and never without a terminal from nowhere")
    func passphrases() throws {
        let run = try Program.run(["key", "decrypt", "ncryptsec1x", "secretword"])
        #expect(run.status == 1)
        #expect(!run.errors.contains("secretword"))
    }

    @Test("decode shows what encode wrote, and encode takes it back")
    func roundTrip() throws {
        let (key, id) = (alice.publicKey.hex, alice.event().id.hex)
        let forms: [(arguments: [String], json: String)] = [
            (["npub", key], #"{"pubkey":"\#(key)"}"#), (["note", id], #"{"id":"\#(id)"}"#),
            (
                ["nprofile", key, "-r", "wss://r.example.com"],
                #"{"pubkey":"\#(key)","relays":["wss://r.example.com"]}"#
            ),
            (
                ["nevent", id, "--author", key, "--kind", "1"],
                #"{"id":"\#(id)","author":"\#(key)","kind":1,"relays":[]}"#
            ),
            (
                ["naddr", "-k", "30023", "-p", key, "-d", "a\"b"],
                #"{"pubkey":"\#(key)","kind":30023,"identifier":"a\"b","relays":[]}"#
            ),
        ]
        for (arguments, json) in forms {
            let code = try Program.run(["encode"] + arguments)
            #expect(code.status == 0, "\(arguments)")
            let decoded = try Program.run(["decode", "nostr:\(code.line)"])
            #expect(decoded.line == json)
            if arguments[0].hasPrefix("n") && !["npub", "note"].contains(arguments[0]) {
                #expect(try Program.run(["encode"], input: decoded.output).line == code.line)
            }
        }
    }

    @Test("goes on after a bad line and ends with 1")
    func manyLines() throws {
        let run = try Program.run(
            ["encode", "npub"], input: "\(alice.publicKey.hex)\nnonsense\n\n\(alice.publicKey.npub)\n")
        #expect(run.status == 1)
        #expect(run.output == "\(alice.publicKey.npub)\n\(alice.publicKey.npub)\n")
        #expect(run.errors.contains("nonsense"))
    }

    @Test("an nsec is decoded from standard input only when asked to show it")
    func nsec() throws {
        let nsec = try Program.run(["encode", "nsec"], input: alice.secretHex).line
        #expect(nsec == alice.secretKey.exportNsec())
        let hidden = try Program.run(["decode"], input: nsec)
        #expect(hidden.status == 1 && hidden.output.isEmpty && !hidden.errors.contains(nsec))
        let shown = try Program.run(["decode", "--show-secret"], input: nsec)
        #expect(shown.line == #"{"private_key":"\#(alice.secretHex)"}"#)
    }
}
