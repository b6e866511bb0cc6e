public import NostrClient
public import NostrCore

extension FakeAccount: RelayConsentKeeping {
    public func relayConsents() async throws -> [RelayConsentEntry] { consentEntries }

    public func answer(_ consent: RelayConsent, for relay: RelayURL) async throws {
        let reasons = consentEntries.first { $0.relay == relay }?.reasons ?? []
        consentEntries.removeAll { $0.relay == relay }
        consentEntries.append(RelayConsentEntry(relay: relay, answer: consent, reasons: reasons))
    }

    public func revokeConsent(for relay: RelayURL) async throws {
        consentEntries.removeAll { $0.relay == relay }
    }

    /// Lets a relay ask.
    public func ask(from relay: RelayURL, for reason: RelayConsentReason) {
        consentEntries.append(RelayConsentEntry(relay: relay, answer: nil, reasons: [reason]))
    }
}
