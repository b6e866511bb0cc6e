import ArgumentParser
import Foundation
import Logging
import NostrCore
import NostrRelay
import NostrTesting
import Testing
import WebSocketNIO

@testable import linnet

@Suite("linnet relay", .serialized, .timeLimit(.minutes(10)))
struct RelayCommandTests {
    private let alice = TestPerson.alice.publicKey.hex

    @Test("says which rules are in force, limits by default")
    func rules() throws {
        let limits =
            "limits: each client 1000 events at once and then 100 a second, 400 questions at once and then 20 a second, "
            + "4000 passing events at once and then 1000 a second"
        let none = "limits: no limit to how fast a client may publish and ask"
        let reading = "reading: everybody; private messages only their parties"
        let cases = [
            ([], ["writing: everybody", reading, limits]),
            (
                ["--allow", alice, "--allow", alice],
                ["writing: 1 named; private messages to them, everybody", reading, limits]
            ),
            (
                ["--follows-of", alice, "--no-rate-limits"],
                ["writing: one person and whom they follow; private messages to them, everybody", reading, none]
            ),
        ]
        for (arguments, lines) in cases {
            let rules = try RelayRules.parse(arguments)
            #expect(rules.lines == lines)
            #expect(try (rules.writers() == nil) == arguments.isEmpty)
        }
        #expect(throws: CommandFailure.self) { try RelayRules.parse(["--allow", "somebody"]).writers() }
    }

    @Test("takes events of the people named and of nobody else, and says so beforehand")
    func allowList() async throws {
        let data = NSTemporaryDirectory() + "linnet-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: data) }
        let program = try RunningProgram(["relay", "--port", "0", "--data", data, "--allow", alice])
        let relay = try RelayURL(String(program.line().dropFirst("relay ".count)))
        #expect(program.line() == "writing: 1 named; private messages to them, everybody")
        let pool = RelayPool(
            transport: try WebSocketTransport(), wall: { .current }, logger: Logger(label: "test"))
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            let (hers, his) = (TestPerson.alice.event("hers"), TestPerson.bob.event("his"))
            #expect(await pool.publish(hers, to: relay, deadline: .seconds(60)) == .accepted(Reason(nil, "")))
            let refusal = Reason(.restricted, "only people on this relay's list may write here")
            #expect(await pool.publish(his, to: relay, deadline: .seconds(60)) == .rejected(refusal))
            group.cancelAll()
        }
    }
}
