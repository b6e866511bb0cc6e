/// What a person chose about how Linnet looks and what it loads.
public struct Settings: Codable, Hashable, Sendable {
    /// Light or dark.
    public enum Theme: String, Codable, Hashable, Sendable, CaseIterable {
        case system, light, dark
    }

    /// Whose pictures and films are loaded from elsewhere; each load shows that server who reads when.
    public enum RemoteMedia: String, Codable, Hashable, Sendable, CaseIterable {
        case never, follows, always
    }

    /// Light or dark.
    public var theme: Theme
    /// Whose media is loaded.
    public var remoteMedia: RemoteMedia
    /// Where the pictures of maps come from; nil for maps without.
    public var mapSource: MapSource?
    /// Where this machine's own place comes from; nil for the browser's page alone.
    public var placeSource: PlaceSource?

    /// Addresses of relays in private networks that others named and that the person lets Linnet contact.
    public var allowedRelays: Set<String>

    /// What holds before a person chose.
    public init(
        theme: Theme = .system, remoteMedia: RemoteMedia = .follows, mapSource: MapSource? = nil,
        placeSource: PlaceSource? = nil, allowedRelays: Set<String> = []
    ) {
        self.theme = theme
        self.remoteMedia = remoteMedia
        self.mapSource = mapSource
        self.placeSource = placeSource
        self.allowedRelays = allowedRelays
    }
}

extension Settings {
    /// Reads what was kept, also by a version that knew less.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            theme: try kept.decode(Theme.self, forKey: .theme),
            remoteMedia: try kept.decode(RemoteMedia.self, forKey: .remoteMedia),
            mapSource: try kept.decodeIfPresent(MapSource.self, forKey: .mapSource),
            placeSource: try kept.decodeIfPresent(PlaceSource.self, forKey: .placeSource),
            allowedRelays: try kept.decodeIfPresent(Set<String>.self, forKey: .allowedRelays) ?? [])
    }
}

/// Where settings rest between two runs.
public protocol SettingsKeeping: Sendable {
    /// What was kept last, or the defaults.
    func settings() async -> Settings
    /// Keeps them.
    func keep(_ settings: Settings) async throws
}

/// Keeps settings for one run only.
public actor SettingsInMemory: SettingsKeeping {
    private var current: Settings

    /// Starts with some settings.
    public init(_ settings: Settings = Settings()) {
        current = settings
    }

    /// What was kept last.
    public func settings() -> Settings { current }

    /// Keeps them for this run.
    public func keep(_ settings: Settings) { current = settings }
}
