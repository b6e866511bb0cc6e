import NostrClient
import NostrNIPs
import NostrWorld

/// What the places of payment of a simulated Nostr say of themselves; no socket leaves this machine for it.
struct DemoPayees: PayeeFetching {
    let payees: WorldPayees

    /// Nobody is paid there.
    struct NoAnswer: Error {}

    func document(at place: LightningPlace) async throws -> [UInt8] {
        guard let address = place.address, let text = payees.document(of: address.local, at: address.domain) else {
            throw NoAnswer()
        }
        return Array(text.utf8)
    }
}
