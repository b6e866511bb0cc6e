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

    public func didAllow(_ relay: RelayURL) async {
        await context.network.retryNow(relay)
        await relayIsOpen(relay)
        context.changes.send(.connection)
        context.changes.send(.circles)
    }

    /// The key has come, or what signs with it elsewhere: relays that may know the account and could not be answered
    /// are answered now, and what waited for that is offered again.
    func answerAllowedRelays() async {
        for relay in await context.network.statistics().keys { await context.network.refreshConsent(of: relay) }
        await services.publishing.signerDidReturn()
        await services.delivery.signerDidReturn()
        await unlocked?.signerDidReturn()
    }

    private func consentDidChange(for relay: RelayURL) async {
        await context.network.refreshConsent(of: relay)
        await relayIsOpen(relay)
    }

    /// What the person decided about a relay lets what waits for it go on.
    private func relayIsOpen(_ relay: RelayURL) async {
        await services.publishing.relayIsBack(relay)
        await services.delivery.relayIsBack(relay)
        await services.timeline.consentDidChange(for: relay)
        await unlocked?.consentDidChange(for: relay)
    }
}
