import NostrCore
import NostrRelay
import NostrSigner
import Synchronization

/// Proves whose signer listens (NIP-42) to the relays that requests come by, and to no other.
///
/// Those know the key anyway: every request is addressed to it.
final class SignerRelaysOnly: RelayAuthenticator {
    private let signer: any EventSigner
    private let service = Mutex<(any SigningService)?>(nil)

    init(signer: any EventSigner) {
        self.signer = signer
    }

    /// Tells whose relays count; before that, none do.
    func serve(_ service: any SigningService) {
        self.service.withLock { $0 = service }
    }

    /// Whether the person named a relay for requests to come by.
    func isNamed(_ relay: RelayURL) async -> Bool {
        // Records that cannot be read name no relays.
        guard let service = service.withLock({ $0 }), let settings = try? await service.settings() else { return false }
        return settings.relays.contains(relay)
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        // Records that cannot be read name no relays.
        guard let service = service.withLock({ $0 }), let relays = try? await service.relays() else { return .never }
        return relays.contains { $0.relay == relay } ? .allow : .never
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A locked key is the one reason not to sign; the relay is asked again once it is there.
        try? await signer.sign(draft)
    }
}
