import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import Synchronization

/// Authenticates (NIP-42) to the account's own relays only, and to no relay while the key is locked.
///
/// A relay of somebody else's list that asks for it learns nothing: what it holds counts as not readable.
final class OwnRelaysOnly: RelayAuthenticator {
    private let signer: any EventSigner
    private let account = Mutex<LiveAccount?>(nil)

    init(signer: any EventSigner) {
        self.signer = signer
    }

    /// Tells whose relays count; before that, none do.
    func serve(_ account: LiveAccount) {
        self.account.withLock { $0 = account }
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        guard let account = account.withLock({ $0 }) else { return .never }
        return account.services.gossip.isOwn(relay) ? .allow : .never
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A locked key is the one reason not to sign; the relay is then left unanswered.
        try? await signer.sign(draft)
    }
}
