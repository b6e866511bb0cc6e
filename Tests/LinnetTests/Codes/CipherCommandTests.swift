import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@Suite("linnet encrypt, decrypt, gift")
struct CipherCommandTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    private func environment(_ person: TestPerson) -> [String: String] { ["NOSTR_SECRET_KEY": person.secretHex] }

    @Test("what encrypt prints decrypt reads, on both sides", arguments: [[], ["--nip04"]])
    func roundTrip(flags: [String]) throws {
        let made = try Program.run(
            ["encrypt", "grüße 🦜", "-p", bob.publicKey.npub] + flags, environment: environment(alice))
        #expect(made.status == 0)
        for (reader, other) in [(bob, alice), (alice, bob)] {
            let read = try Program.run(
                ["decrypt", "-p", other.publicKey.hex, made.line] + flags, environment: environment(reader))
            #expect(read.line == "grüße 🦜")
        }
        let wrong = try Program.run(
            ["decrypt", "-p", alice.publicKey.hex, made.line] + flags, environment: environment(.eve))
        #expect(wrong.status == 1 && wrong.output.isEmpty)
        #expect(wrong.errors == "Error: It was encrypted with another key, or it is damaged.\n")
    }

    @Test("many texts come by lines, white space kept; as JSON one may have line feeds")
    func lines() throws {
        let made = try Program.run(
            ["encrypt", "--json", "-p", bob.publicKey.hex], input: "\"a\\nb\"\n\"  c \"\n",
            environment: environment(alice))
        let read = try Program.run(
            ["decrypt", "--json", "-p", alice.publicKey.hex], input: made.output, environment: environment(bob))
        #expect(read.output == "\"a\\nb\"\n\"  c \"\n")
        let plain = try Program.run(
            ["decrypt", "-p", alice.publicKey.hex], input: made.output + "nonsense\n", environment: environment(bob))
        #expect(plain.output == "a\nb\n  c \n")
        #expect(plain.status == 1)
        #expect(plain.errors == "Error: line 3: This is not an encrypted text, or a part of it is missing.\n")
        let mixed = try Program.run(
            ["encrypt", "-p", bob.publicKey.hex], input: "\nx\n", environment: environment(alice))
        #expect(mixed.status == 1 && mixed.errors == "Error: line 1: There is nothing to encrypt.\n")
    }

    @Test("the key comes first on standard input only where it is said so")
    func keyOnInput() throws {
        let said = try Program.run(
            ["encrypt", "-p", bob.publicKey.hex, "--sec-file", "-"], input: "\(alice.secretHex)\nhello\n")
        #expect(said.output.split(separator: "\n").count == 1)
        let read = try Program.run(
            ["decrypt", "-p", alice.publicKey.hex], input: said.output, environment: environment(bob))
        #expect(read.line == "hello")
        let alone = try Program.run(["encrypt", "hello", "-p", bob.publicKey.hex], input: alice.secretHex + "\n")
        #expect(alone.status == 0)
    }

    @Test("secrets among the arguments are refused and not repeated", arguments: [["encrypt"], ["decrypt"]])
    func secretArguments(verb: [String]) throws {
        let nsec = alice.secretKey.exportNsec()
        for arguments in [[nsec, "-p", bob.publicKey.hex], ["x", "-p", bob.publicKey.hex, "--sec", alice.secretHex]] {
            let run = try Program.run(verb + arguments, environment: environment(alice))
            #expect(run.status == 1 && run.output.isEmpty)
            #expect(run.errors.contains("never belongs on the command line"))
            #expect(!run.errors.contains(nsec) && !run.errors.contains(alice.secretHex))
        }
    }

    @Test("a text above 65535 bytes needs leave")
    func long() throws {
        let text = String(repeating: "a", count: 70_000)
        let refused = try Program.run(
            ["encrypt", "-p", bob.publicKey.hex], input: text + "\n", environment: environment(alice))
        #expect(refused.status == 1 && refused.errors == "Error: line 1: The text is longer than 65535 bytes.\n")
        let made = try Program.run(
            ["encrypt", "--long", "-p", bob.publicKey.hex], input: text + "\n", environment: environment(alice))
        let read = try Program.run(
            ["decrypt", "-p", alice.publicKey.hex], input: made.output, environment: environment(bob))
        #expect(read.line == text)
    }

    // MARK: gifts

    @Test("a wrap for each recipient holds one and the same event")
    func gifts() throws {
        let event = #"{"kind":14,"created_at":1700000000,"tags":[["p","\#(bob.publicKey.hex)"]],"content":"hi"}"#
        let made = try Program.run(
            ["gift", "wrap", "-p", bob.publicKey.npub, "-p", alice.publicKey.hex], input: event + "\n",
            environment: environment(alice))
        #expect(made.status == 0)
        let wraps = made.output.split(separator: "\n").map { Array($0.utf8) }
        #expect(wraps.count == 2)
        for wrap in wraps { _ = try Event(verifying: UnverifiedEvent(json: wrap)) }
        let rumors = try [bob, alice].map { person in
            let read = try Program.run(["gift", "unwrap"], input: made.output, environment: environment(person))
            // The other's wrap is told and does not stop this one.
            #expect(read.status == 1 && read.errors.contains(": not for this key, or damaged\n"))
            return try Rumor(json: read.line)
        }
        #expect(rumors[0] == rumors[1])
        #expect(rumors[0].pubkey == alice.publicKey && rumors[0].content == "hi")
        #expect(rumors[0].createdAt == Timestamp(seconds: 1_700_000_000))
    }

    @Test("every line that is not believed is told with its number")
    func badWraps() throws {
        var random = SeededRandom(seed: 1)
        let rumor = Rumor(
            EventDraft(kind: 14, content: "hi", createdAt: Timestamp(seconds: 1_700_000_000)), author: alice.publicKey)
        let good = try GiftWrap.make(
            rumor, by: alice.secretKey, for: bob.publicKey, now: Timestamp(seconds: 1_700_000_000), using: &random)
        let lines = [
            "nonsense", String(decoding: good.json, as: UTF8.self),
            String(decoding: alice.event("a note").json, as: UTF8.self),
        ]
        let file = try Program.temporaryFile(lines.joined(separator: "\n"))
        defer { try? FileManager.default.removeItem(at: file) }
        let run = try Program.run(["gift", "unwrap", file.path], environment: environment(bob))
        #expect(run.line == rumor.json)
        #expect(run.errors == "1: not the JSON of an event (at byte 0)\n3: no gift wrap\n")
        #expect(run.status == 1)
    }

    @Test(
        "what cannot be wrapped is told and nothing printed",
        arguments: [
            ("nonsense", "not the JSON object"), ("{}", "not the JSON object"),
            (#"{"kind":1,"tags":[["a",1]]}"#, "not the JSON object"),
            (#"{"kind":1,"pubkey":"\#(TestPerson.eve.publicKey.hex)"}"#, "another key"),
            (#"{"kind":1,"content":"\#(String(repeating: "a", count: 50_000))"}"#, "longer than 40960 bytes"),
        ])
    func badEvents(line: String, reason: String) throws {
        let run = try Program.run(
            ["gift", "wrap", "-p", bob.publicKey.hex], input: line + "\n", environment: environment(alice))
        #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(reason))
    }
}
