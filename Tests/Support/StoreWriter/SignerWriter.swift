import NostrCore
import NostrNIPs
import NostrSigner
import NostrTesting
import SQLiteStorage

/// Takes in requests and settles them, and names each step once it is acknowledged: `admitted ID`, `settled ID`,
/// `waiting ID`.
struct SignerWriter {
    let records: SQLiteSignerRecords
    let seed: UInt64

    /// Three at once, so that commits are shared.
    func run() async throws {
        StoreWriter.printLine("ready")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<3 {
                group.addTask { try await write(writer) }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ writer: Int) async throws {
        let account = TestPerson.alice.publicKey
        for number in 0... {
            let event = TestPerson.bob.event("request \(seed) \(writer) \(number)")
            let request = AdmittedRequest(
                event: event.id, account: account, app: .remote(TestPerson.bob.publicKey),
                id: "\(seed)-\(writer)-\(number)", digest: "asked",
                permission: RemotePermission(.signEvent, kind: 1), raw: "{}", relay: nil,
                received: Timestamp(seconds: 1_700_000_000))
            guard try await records.admit(request) == .new else { continue }
            StoreWriter.printLine("admitted \(event.id.hex)")
            if number % 50 == 7 {
                // More than may wait: then it stays as it was admitted.
                guard (try? await records.wait(request, why: .trust, activity: line(request, .waiting))) != nil else {
                    continue
                }
                StoreWriter.printLine("waiting \(event.id.hex)")
            } else if number % 5 != 0 {
                try await records.settle(request, answer: "answer \(event.id.hex)", activity: line(request, .done))
                StoreWriter.printLine("settled \(event.id.hex)")
            }
        }
    }

    private func line(_ request: AdmittedRequest, _ outcome: ActivityEntry.Outcome) -> ActivityEntry {
        ActivityEntry(
            time: request.received, account: request.account, app: request.app, title: "App", method: "sign_event",
            kind: 1, outcome: outcome, rule: .trust, result: request.event)
    }
}
