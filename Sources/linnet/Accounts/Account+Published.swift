import ArgumentParser
import NostrClient
import NostrCore

extension Account {
    /// Prints an event that was published, and waits a moment for a relay to have it.
    ///
    /// - Throws: a failure, said on standard error, when no relay has it yet.
    func report(published event: Event) async throws {
        Output.line(String(decoding: event.json, as: UTF8.self))
        let stored = try await isTrue(within: .seconds(15)) {
            let receipts = try await publishing.receipts(for: event.id)
            return receipts.isEmpty || receipts.contains { if case .accepted = $0.state { true } else { false } }
        }
        guard stored else {
            Output.error("No relay has it yet; it stays queued and goes out when Linnet runs again.\n")
            throw ExitCode.failure
        }
    }
}
