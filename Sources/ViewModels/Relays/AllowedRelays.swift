internal import NostrCore

/// Relays in private networks that others named: contacted once a person allows them, one by one.
public struct AllowedRelays: Sendable {
    private let settings: any SettingsKeeping
    private let accounts: (any AccountOpening)?
    /// More than a house has.
    private static let most = 64

    /// Keeps them among the settings.
    ///
    /// - Parameter accounts: told of what is allowed; `nil` where none is at work.
    public init(_ settings: any SettingsKeeping, for accounts: (any AccountOpening)? = nil) {
        self.settings = settings
        self.accounts = accounts
    }

    /// Lets Linnet contact a relay, which every account at work that wants it tries at once, or no longer.
    ///
    /// - Returns: what was done, in a sentence.
    /// - Throws: ``Trouble``.
    public func set(_ address: String, _ isAllowed: Bool) async throws(Trouble) -> String {
        try await troubled {
            var chosen = try await settings.kept()
            guard isAllowed else {
                chosen.allowedRelays.remove(address)
                try await settings.keep(chosen)
                return RelaysWords.allowed(oneLine(address, limit: 120), false)
            }
            guard let relay = try? RelayURL(address) else { throw Trouble(RelaysWords.notAnAddress) }
            guard chosen.allowedRelays.contains(relay.text) || chosen.allowedRelays.count < Self.most else {
                throw Trouble(RelaysWords.tooManyAllowed)
            }
            chosen.allowedRelays.insert(relay.text)
            try await settings.keep(chosen)
            await accounts?.didAllow(relay)
            return RelaysWords.allowed(oneLine(relay.text, limit: 120), true)
        }
    }
}
