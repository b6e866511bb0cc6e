import NostrCore
import NostrRelay
import NostrSigner

/// Authenticates (NIP-42) to the account's own relays only, and to no relay while the key is locked.
///
/// A relay of somebody else's list that asks for it learns nothing: what it holds counts as not readable.
struct OwnRelaysOnly: RelayAuthenticator {
    private let signer: any EventSigner
    private let own: ListedRelays

    init(signer: any EventSigner, own: ListedRelays) {
        self.signer = signer
        self.own = own
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        own.contains(relay) ? .allow : .never
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A locked key is the one reason not to sign; the relay is then left unanswered.
        try? await signer.sign(draft)
    }
}
