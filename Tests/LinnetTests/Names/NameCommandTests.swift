import ArgumentParser
import NostrCore
import NostrNIPs
import NostrTesting
import Synchronization
import Testing
import WebTesting

@testable import linnet

/// `linnet nip05` and a domain over a real socket.
@Suite("names by name", .timeLimit(.minutes(5)))
struct NameCommandTests {
    private static let host = "names.example"
    private let bob = TestPerson.bob.publicKey
    private let carol = TestPerson.carol.publicKey

    private var document: String {
        #"{"names":{"bob":"\#(bob.hex)","_":"\#(carol.hex)"},"relays":{"\#(bob.hex)":["wss://hint.example","x"]}}"#
    }

    /// What it prints, and what it says where it fails.
    private func ask(
        _ arguments: String..., patience: Duration = .seconds(60)
    ) async throws -> (lines: [String], failure: String?, questions: [String]) {
        let certificate = try TestCertificate(for: Self.host)
        let command = try NameCommand.parse(arguments)
        return try await NamesServer.with(certificate, document: document) { server in
            let domains = NamesOfTheWeb(web: try NamesServer.client(certificate), deadline: patience) { identifier in
                "https://\(identifier.domain):\(server.port)/.well-known/nostr.json?name=\(identifier.local)"
            }
            var lines: [String] = []
            var failure: String?
            do {
                try await command.ask(domains) { lines.append($0) }
            } catch let error as CommandFailure {
                failure = error.description
            }
            return (lines, failure, NamesServer.questions(to: server))
        }
    }

    @Test("a name leads to its key and the relays its domain gives; a domain alone stands for itself")
    func right() async throws {
        let bobs = try await ask("Bob@\(Self.host)", "--key", bob.npub)
        #expect(bobs.failure == nil)
        #expect(
            bobs.lines == [
                #"{"name":"bob@names.example","pubkey":"\#(bob.hex)","relays":["wss://hint.example"]}"#
            ])
        let own = try await ask(Self.host)
        #expect(own.lines == [#"{"name":"names.example","pubkey":"\#(carol.hex)","relays":[]}"#])
        #expect(own.questions == ["_"])
    }

    @Test("a name that is somebody else's is printed, and is a failure")
    func wrong() async throws {
        let found = try await ask("bob@\(Self.host)", "--key", carol.npub)
        #expect(found.lines.count == 1)
        #expect(found.failure == "bob@names.example is somebody else's, not \(carol.npub).")
    }

    @Test(
        "whatever else a domain does is said in a sentence, and no second question is asked",
        arguments: [
            ("nobody", "names.example knows nobody called nobody."),
            ("elsewhere", "names.example sends elsewhere, which names may not (NIP-05)."),
            ("missing", "names.example has no list of names (HTTP 404)."),
            ("page", "names.example answers with something that is not a list of names."),
            ("huge", "names.example answers with more than a megabyte."),
        ])
    func others(name: String, sentence: String) async throws {
        let found = try await ask("\(name)@\(Self.host)")
        #expect(found.lines.isEmpty)
        #expect(found.failure == sentence)
        #expect(found.questions == [name])
    }

    @Test("one that says nothing is not waited for")
    func slow() async throws {
        let found = try await ask("slow@\(Self.host)", patience: .seconds(1))
        #expect(found.failure == "names.example did not answer in time.")
    }

    @Test("what is no name is not asked, and no secret is")
    func noName() throws {
        for text in ["bob@", "bob@localhost", "bob smith@names.example", "bob@127.0.0.1"] {
            let run = try Program.run(["nip05", text])
            #expect(run.status == 1 && run.output.isEmpty, "\(text)")
            #expect(run.errors.contains("is not a name: give name@domain."), "\(text): \(run.errors)")
        }
        let secret = try Program.run(["nip05", try nsec(of: .bob)])
        #expect(secret.status == 1 && secret.errors.contains("never belongs on the command line"))
    }

    private func nsec(of person: TestPerson) throws -> String { try SecretKey(hex: person.secretHex).exportNsec() }
}
