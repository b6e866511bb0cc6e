import NostrClient
import NostrNIPs
import NostrWorld

/// What the domains of a simulated Nostr say of their names; no socket leaves this machine for it.
struct DemoNames: NamesFetching {
    let names: WorldNames

    /// The domain never answers.
    struct NoAnswer: Error {}

    func document(for identifier: InternetIdentifier) async throws -> [UInt8] {
        guard let text = names.document(of: identifier.local, at: identifier.domain) else { throw NoAnswer() }
        return Array(text.utf8)
    }
}
