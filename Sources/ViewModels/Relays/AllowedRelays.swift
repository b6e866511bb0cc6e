internal import NostrCore

/// Relays in private networks that others named: contacted once a person allows them, one by one.
public struct AllowedRelays: Sendable {
    private let settings: any SettingsKeeping
    /// More than a house has.
    private static let most = 64

    /// Keeps them among the settings.
    public init(_ settings: any SettingsKeeping) {
        self.settings = settings
    }

    /// Lets Linnet contact a relay, or no longer.
    ///
    /// - Throws: ``Trouble``.
    public func set(_ address: String, _ isAllowed: Bool) async throws(Trouble) {
        try await troubled {
            var chosen = await settings.settings()
            if isAllowed {
                guard let relay = try? RelayURL(address) else { throw Trouble(RelaysWords.notAnAddress) }
                guard chosen.allowedRelays.count < Self.most else { throw Trouble(RelaysWords.tooManyAllowed) }
                chosen.allowedRelays.insert(relay.text)
            } else {
                chosen.allowedRelays.remove(address)
            }
            try await settings.keep(chosen)
        }
    }
}
