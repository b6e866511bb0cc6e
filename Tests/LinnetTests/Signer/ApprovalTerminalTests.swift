import Foundation
import Logging
import NostrNIPs
import NostrSigner
import NostrTesting
import Synchronization
import Testing

@testable import linnet

@Suite("Asking about requests in a terminal", .timeLimit(.minutes(10)))
struct ApprovalTerminalTests {
    /// What the signer was told and the person was shown.
    private final class Seen: Sendable {
        let verbs = Mutex<[ControlOrder.Verb]>([])
        let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var text: String { lines.withLock { $0.joined(separator: "\n") } }
    }

    private func typing(_ lines: [String]) -> TypedLines {
        TypedLines(
            AsyncStream { feed in
                for line in lines { feed.yield(line) }
                feed.finish()
            })
    }

    private func request(_ json: String) throws -> JSONValue { try JSONValue(Array(json.utf8)) }

    private static func says(
        _ allows: Bool, always: Bool = false, loss: Bool? = nil
    ) -> ControlOrder.Verb {
        .decide(
            .these(["ab"]), verdict: SpokenVerdict(allows: allows, isAlways: always), knowingLoss: loss ?? !allows)
    }

    @Test(
        "does what is typed, and asks again for what it does not know",
        arguments: [
            (["y"], [says(true)]), (["YES "], [says(true)]), (["n"], [says(false)]),
            (["a"], [says(true, always: true)]), (["v"], [says(false, always: true)]),
            (["s", "n"], [.show(id: "ab"), says(false)]), (["what", "y"], [says(true)]), (["l", "y"], []), ([""], []),
            ([], []), (["what"], []),
        ])
    func answers(typed: [String], verbs: [ControlOrder.Verb]) async throws {
        let seen = Seen()
        let prompt = RequestPrompt(say: seen.add) { order, answer in
            seen.verbs.withLock { $0.append(order.verb) }
            try await answer("{\"decided\":true}")
        }
        try await prompt.ask(about: try request(#"{"what":"Publishes a note"}"#), "ab", typing(typed))
        #expect(seen.verbs.withLock { $0 } == verbs)
        #expect(seen.text.contains("Publishes a note") && seen.text.contains("[y]es"))
    }

    @Test("what loses entries is done only after a second, longer answer")
    func secondStep() async throws {
        for (typed, count) in [(["y", "yes, lose them"], 2), (["y", "y", "n"], 3)] {
            let seen = Seen()
            let prompt = RequestPrompt(say: seen.add) { order, _ in
                seen.verbs.withLock { $0.append(order.verb) }
                guard case .decide(_, let verdict, let knowingLoss) = order.verb, !verdict.allows || knowingLoss else {
                    throw CommandFailure("One request still waits.")
                }
            }
            try await prompt.ask(about: try request(#"{"needs_second_step":true}"#), "ab", typing(typed))
            #expect(seen.verbs.withLock { $0 }.count == count)
            #expect(seen.text.contains("yes, lose them") && seen.text.contains("One request still waits."))
        }
    }

    @Test("the passphrase is asked for where the signer asks for it, and again when it was wrong")
    func passphrase() async throws {
        let seen = Seen()
        let given = Mutex<[String?]>([])
        let typed = Mutex(["wrong", "correct horse"])
        let prompt = RequestPrompt(say: seen.add, passphrase: { typed.withLock { $0.removeFirst() } }) { order, _ in
            given.withLock { $0.append(order.passphrase) }
            switch order.passphrase {
            case nil: throw SigningServiceError(.passphraseNeeded)
            case "correct horse": break
            default: throw SigningServiceError(.wrongPassphrase)
            }
        }
        try await prompt.ask(
            about: try request(#"{"needs_passphrase":true}"#), "ab", typing(["y", "y", "n"]))
        #expect(given.withLock { $0 } == [nil, "wrong", nil, "correct horse"])
        #expect(seen.text.contains("Wrong passphrase") && !seen.text.contains("horse"))
    }

    @Test("a failure that nothing can be done about ends the question")
    func failure() async throws {
        let seen = Seen()
        let prompt = RequestPrompt(say: seen.add) { _, _ in throw CommandFailure("Unlock the account first.") }
        try await prompt.ask(about: try request("{}"), "ab", typing(["y", "y"]))
        #expect(seen.text.hasSuffix("Unlock the account first."))
    }

    @Test("marks what an app says of itself, names what it asks for, and lets nothing move the cursor")
    func sentence() throws {
        let sentence = RequestPrompt.sentence(
            try request(
                #"""
                {"title":"App\u001b[2J\n","title_is_claimed":true,"what":"Wants in","method":"get_public_key","kind":5,
                "why":"notPaired","asks_for":["sign_event:1","nip44_decrypt"]}
                """#))
        #expect(sentence.hasPrefix("App[2J (as it calls itself): Wants in [get_public_key, kind 5; notPaired]"))
        #expect(sentence.hasSuffix("sign_event:1 nip44_decrypt"))
        #expect(RequestPrompt.sentence(try request("{}")).hasPrefix("An app:"))
    }

    @Test("the running signer is asked what waits, and each request is asked about once")
    func running() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "a\(UInt32.random(in: 0...UInt32.max))")
        let directory = DataDirectory(path: folder.path)
        try directory.prepare()
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await ControlServer.bind(
            directory, log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let seen = Seen()
        let (lists, listed) = AsyncStream.makeStream(of: [String].self)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await server.run { order, answer in
                    if case .list(let unlike, _) = order.verb {
                        listed.yield(unlike ?? [])
                        for id in ["ab", "cd"] { try await answer(#"{"id":"\#(id)","what":"Signs \#(id)"}"#) }
                    } else {
                        seen.verbs.withLock { $0.append(order.verb) }
                    }
                }
            }
            group.addTask {
                try await ApprovalTerminal(
                    client: ControlClient(directory: directory), typed: typing(["y", "l", "y", "y"]), say: seen.add
                ).run()
            }
            for await unlike in lists where unlike == ["ab", "cd"] { break }
            group.cancelAll()
        }
        #expect(seen.verbs.withLock { $0 } == [Self.says(true)])
        #expect(seen.text.components(separatedBy: "Signs cd").count == 2)
    }
}
