import AsyncPrimitives
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner

/// Authenticates (NIP-42) to the account's own relays and to those the person allowed, and to none while it is locked.
struct RelaysByConsent: RelayAuthenticator {
    /// A person may have to say yes in a signer elsewhere; after this the relay is left unanswered.
    private static let deadline: Duration = .seconds(60)

    private let signer: any EventSigner
    private let relays: ListedRelays
    private let clock: any Clock<Duration>

    init(signer: any EventSigner, relays: ListedRelays, clock: any Clock<Duration>) {
        self.signer = signer
        self.relays = relays
        self.clock = clock
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent { relays.consent(for: relay) }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // The person may have said no since the challenge came.
        guard relays.consent(for: relay) == .allow else { return nil }
        let signer = signer
        // A key that is locked, elsewhere or refused is no failure to report: the relay is left unanswered.
        return try? await withDeadline(Self.deadline, on: clock) { try await signer.sign(draft) }
    }
}
