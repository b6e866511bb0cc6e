public import NostrCore

/// Decides which relays may learn who reads them, and signs for those.
public protocol RelayAuthenticator: Sendable {
    /// What this relay may know; by default only the person's own relays should get `.allow`.
    func consent(for relay: RelayURL) async -> AuthenticationConsent

    /// Signs the answer to a challenge, after asking the person where consent is `.ask`; `nil` for no.
    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event?
}

/// Whether a relay may learn who reads it.
///
/// Source: NIP-42.
public enum AuthenticationConsent: Hashable, Sendable {
    /// Never sign its challenges.
    case never
    /// Ask the person each time a relay insists.
    case ask
    /// Sign whenever it asks.
    case allow
}
