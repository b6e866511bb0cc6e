public import NostrCore

/// What holds for the whole program, whoever is logged in.
public struct Settings: Hashable, Sendable {
    /// How pages look before anybody is logged in.
    public var look: Look
    /// Addresses of relays in private networks that others named and that may be contacted from this machine.
    public var allowedRelays: Set<String>
    /// What the settings of an account begin with.
    ///
    /// There was once one set for all accounts; what was chosen then stays here, so that none loses it.
    public var first: PersonalSettings

    /// What holds before a person chose.
    public init(
        look: Look = Look(), allowedRelays: Set<String> = [], first: PersonalSettings = PersonalSettings()
    ) {
        self.look = look
        self.allowedRelays = allowedRelays
        self.first = first
    }

    /// What holds for pages while no account is open.
    package var withoutAccount: PersonalSettings {
        var settings = first
        settings.look = look
        return settings
    }
}

extension Settings: Codable {
    /// What accounts begin with stands under the names of when it held for all of them.
    private enum CodingKeys: String, CodingKey {
        case theme, remoteMedia, mapSource, placeSource, allowedRelays, look
    }

    /// Reads what was kept, also by a version that knew less.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        let scheme = try kept.decodeIfPresent(Look.Scheme.self, forKey: .theme)
        let first = PersonalSettings(
            look: Look(scheme: scheme ?? .system),
            remoteMedia: try kept.decodeIfPresent(PersonalSettings.RemoteMedia.self, forKey: .remoteMedia) ?? .follows,
            mapSource: try kept.decodeIfPresent(MapSource.self, forKey: .mapSource),
            placeSource: try kept.decodeIfPresent(PlaceSource.self, forKey: .placeSource))
        self.init(
            look: try kept.decodeIfPresent(Look.self, forKey: .look) ?? first.look,
            allowedRelays: try kept.decodeIfPresent(Set<String>.self, forKey: .allowedRelays) ?? [], first: first)
    }

    /// Writes them so that the version before reads them too.
    public func encode(to encoder: any Encoder) throws {
        var kept = encoder.container(keyedBy: CodingKeys.self)
        try kept.encode(first.look.scheme, forKey: .theme)
        try kept.encode(first.remoteMedia, forKey: .remoteMedia)
        try kept.encodeIfPresent(first.mapSource, forKey: .mapSource)
        try kept.encodeIfPresent(first.placeSource, forKey: .placeSource)
        try kept.encode(allowedRelays, forKey: .allowedRelays)
        try kept.encode(look, forKey: .look)
    }
}

/// Where settings rest between two runs.
public protocol SettingsKeeping: Sendable {
    /// What was kept last, or the defaults.
    func settings() async -> Settings
    /// What was kept last, or the defaults where nothing was: for who keeps it changed, so that what cannot be read just
    /// now is not replaced.
    ///
    /// - Throws: ``Trouble``.
    func kept() async throws -> Settings
    /// Keeps them.
    func keep(_ settings: Settings) async throws
}

/// Keeps settings for one run only.
public actor SettingsInMemory: SettingsKeeping, PersonalSettingsKeeping {
    private var current: Settings
    private var personal: [PublicKey: PersonalSettings] = [:]

    /// Starts with some settings.
    public init(_ settings: Settings = Settings()) {
        current = settings
    }

    /// What was kept last.
    public func settings() -> Settings { current }

    /// What was kept last.
    public func kept() -> Settings { current }

    /// Keeps them for this run.
    public func keep(_ settings: Settings) { current = settings }

    /// What was kept last for an account.
    public func settings(of account: PublicKey) -> PersonalSettings { personal[account] ?? current.first }

    /// Keeps an account's for this run.
    public func keep(_ settings: PersonalSettings, of account: PublicKey) { personal[account] = settings }
}
