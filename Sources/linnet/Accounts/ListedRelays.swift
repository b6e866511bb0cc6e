import NostrClient
import NostrCore
import NostrRelay
import Synchronization

/// The relays that an account's person named, on its lists or by typing them, for what is made before the account is.
final class ListedRelays: Sendable {
    private let account = Mutex<LiveAccount?>(nil)

    /// Tells whose relays count; before that, none do.
    func serve(_ account: LiveAccount) {
        self.account.withLock { $0 = account }
    }

    /// Whether a relay is on one of the account's own lists, or was typed for it.
    func contains(_ relay: RelayURL) -> Bool {
        guard let gossip = account.withLock({ $0 })?.services.gossip else { return false }
        return gossip.isOwn(relay) || gossip.isChosen(relay)
    }

    /// Whether a relay may learn who the account is.
    func consent(for relay: RelayURL) -> AuthenticationConsent {
        account.withLock { $0 }?.services.gossip.authenticationConsent(for: relay) ?? .never
    }

    /// How often the person decided about a relay since the start.
    func decisions(about relay: RelayURL) -> Int {
        account.withLock { $0 }?.services.gossip.consentDecisions(about: relay) ?? 0
    }
}
