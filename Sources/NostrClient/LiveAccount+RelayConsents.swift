internal import AsyncPrimitives
public import NostrCore

extension LiveAccount: RelayConsentKeeping {
    public var consents: (any RelayConsentKeeping)? { canSign ? self : nil }

    public func relayConsents() async throws -> [RelayConsentEntry] {
        try await services.gossip.consents.load()
        return services.gossip.consents.entries
    }

    public func answer(_ consent: RelayConsent, for relay: RelayURL) async throws {
        try await services.gossip.consents.load()
        try await services.gossip.consents.set(consent, for: relay)
        await consentDidChange(for: relay)
        context.changes.send(.connection)
    }

    public func revokeConsent(for relay: RelayURL) async throws {
        try await services.gossip.consents.load()
        try await services.gossip.consents.revoke(relay)
        await consentDidChange(for: relay)
        context.changes.send(.connection)
    }

    /// The key has come: relays that may know the account and could not be answered are answered now.
    func answerAllowedRelays() async {
        for entry in services.gossip.consents.entries where entry.answer == .always || entry.answer == .once {
            await consentDidChange(for: entry.relay)
        }
    }

    private func consentDidChange(for relay: RelayURL) async {
        await context.network.refreshConsent(of: relay)
        await services.publishing.relayIsBack(relay)
        await services.delivery.relayIsBack(relay)
        await unlocked?.consentDidChange(for: relay)
    }
}
