import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import SQLiteStorage
import Synchronization
import Testing

@testable import linnet

@Suite("A signer link where nothing runs", .timeLimit(.minutes(10)))
struct LinkAloneTests {
    private static let passphrase = "correct horse"
    private let home: AccountHome
    private let host: AccountHost
    private let records: SignerFactory
    private let said = Said()

    private final class Said: Sendable {
        let lines = Mutex<[String]>([])
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
    }

    init() throws {
        home = try AccountHome()
        records = try SignerFactory(home.directory, transport: ScriptedTransport(), relays: [])
        host = AccountHost(
            keystore: home.keystore,
            factory: AccountFactory(
                store: try home.store(), transport: ScriptedTransport(),
                configuration: AccountConfiguration(routing: RoutingPolicy(), searchRelays: []),
                directory: home.directory, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                signing: records),
            demo: nil)
    }

    private func add(_ person: TestPerson, _ name: String) async throws {
        _ = try await home.keystore.add(
            LocalSigner(person.secretKey), name: name, passphrase: Self.passphrase, handling: .secure)
    }

    /// - Parameter typed: what the person types; `nil` where there is none.
    private func answer(_ link: String, typing typed: [String]?, passphrase: String = passphrase) async throws
        -> LinkReply
    {
        let lines = typed.map { typed in
            TypedLines(
                AsyncStream { feed in
                    for line in typed { feed.yield(line) }
                    feed.finish()
                })
        }
        let said = said
        return try await LinkAlone(
            host: host, keystore: home.keystore, directory: home.directory, typed: lines,
            say: { line in said.lines.withLock { $0.append(line) } },
            passphrase: { passphrase }
        ).answer(link)
    }

    private func key(_ id: Int, _ rest: String = "") -> String {
        "nostrsigner://get_public_key?x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr&id=\(id)\(rest)"
    }

    private func sign(_ id: Int, _ content: String = "hello") -> String {
        let event = PercentEncoding.encode(#"{"kind":1,"content":"\#(content)","tags":[],"created_at":5}"#)
        return "nostrsigner://sign_event?event=\(event)&x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr&id=\(id)"
    }

    @Test("is asked about in the terminal, and what is always allowed is answered without anybody")
    func asks() async throws {
        try await add(.alice, "Alice")
        let alice = TestPerson.alice.publicKey.hex
        let first = try await answer(key(1), typing: ["y"])
        #expect(first == .answered(open: "myapp://ok?pubkey=\(alice)&package=linnet&id=1", copy: nil, problem: nil))
        #expect(said.text.contains("myapp:") && said.text.contains("[y]es"))
        guard case .answered(let url?, _, nil) = try await answer(sign(2), typing: ["always"]) else {
            Issue.record("not signed")
            return
        }
        #expect(url.hasPrefix("myapp://ok?result="))
        // From here on nobody has to be there.
        guard case .answered(let again?, _, nil) = try await answer(sign(3), typing: nil) else {
            Issue.record("not signed by the choice")
            return
        }
        #expect(again.hasPrefix("myapp://ok?result="))
    }

    @Test("without anybody to ask it says so, tells the app nothing and pairs nobody")
    func nobody() async throws {
        try await add(.alice, "Alice")
        await #expect(throws: CommandFailure.self) { try await answer(key(1), typing: nil) }
        await #expect(throws: CommandFailure.self) { try await answer(key(2), typing: ["l"]) }
        await #expect(throws: CommandFailure.self) { try await answer(key(3), typing: []) }
        #expect(try await records.records.clients(of: TestPerson.alice.publicKey).isEmpty)
    }

    @Test("a no goes back to the app, and what cannot be read needs no passphrase")
    func refuses() async throws {
        try await add(.alice, "Alice")
        let refused = try await answer(key(1), typing: ["n"])
        guard case .answered(let url?, _, _?) = refused else {
            Issue.record("\(refused)")
            return
        }
        #expect(url.hasPrefix("myapp://err?code=user_cancelled"))
        let broken = "nostrsigner://sign_event?event=5&x-success=myapp%3A%2F%2Fok&x-error=myapp%3A%2F%2Ferr&id=9"
        guard case .answered(_, _, _?) = try await answer(broken, typing: nil, passphrase: "wrong") else {
            Issue.record("nothing was said to what is broken")
            return
        }
    }

    @Test("where there are several accounts the person chooses one, and whoever is not there gets the one in use")
    func chooses() async throws {
        try await add(.alice, "Ali\u{1B}ce")
        try await add(.bob, "Bob")
        let accounts = try await home.keystore.accounts()
        let reply = try await answer(key(1), typing: ["9", "2", "y"])
        guard case .answered(let url?, _, nil) = reply else {
            Issue.record("\(reply)")
            return
        }
        #expect(url.contains("pubkey=\(accounts[1].key.hex)"))
        #expect(said.text.contains("1  ") && said.text.contains("Bob") && !said.text.contains("\u{1B}"))
        await #expect(throws: CommandFailure.self) {
            try await answer(key(2, "&x-source=y").replacing("myapp", with: "yourapp"), typing: [""])
        }
    }

    @Test("a wrong passphrase is said, and nothing else is")
    func wrongPassphrase() async throws {
        try await add(.alice, "Alice")
        await #expect(throws: (any Error).self) { try await answer(key(1), typing: ["y"], passphrase: "wrong") }
        #expect(!said.text.contains("wrong"))
    }
}
