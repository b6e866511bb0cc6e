public import NostrCore

/// What the person of an account chose about its pages and what they load.
public struct PersonalSettings: Codable, Hashable, Sendable {
    /// Whose pictures and films are loaded from elsewhere; each load shows that server who reads when.
    public enum RemoteMedia: String, Codable, Hashable, Sendable, CaseIterable {
        case never, follows, always
    }

    /// How pages look.
    public var look: Look
    /// Whose media is loaded.
    public var remoteMedia: RemoteMedia
    /// Where the pictures of maps come from; nil for maps without.
    public var mapSource: MapSource?
    /// Where the place of this machine comes from for the account's circles; nil for the browser's page alone.
    public var placeSource: PlaceSource?

    /// What holds before a person chose.
    public init(
        look: Look = Look(), remoteMedia: RemoteMedia = .follows, mapSource: MapSource? = nil,
        placeSource: PlaceSource? = nil
    ) {
        self.look = look
        self.remoteMedia = remoteMedia
        self.mapSource = mapSource
        self.placeSource = placeSource
    }
}

extension PersonalSettings {
    /// Reads what was kept, also by a version that knew less.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            look: try kept.decodeIfPresent(Look.self, forKey: .look) ?? Look(),
            remoteMedia: try kept.decodeIfPresent(RemoteMedia.self, forKey: .remoteMedia) ?? .follows,
            mapSource: try kept.decodeIfPresent(MapSource.self, forKey: .mapSource),
            placeSource: try kept.decodeIfPresent(PlaceSource.self, forKey: .placeSource))
    }
}

/// Where the settings of each account rest between two runs.
public protocol PersonalSettingsKeeping: Sendable {
    /// What the person of an open account chose last; before that ``Settings/first``.
    func settings(of account: PublicKey) async -> PersonalSettings
    /// Keeps them, for this account alone.
    func keep(_ settings: PersonalSettings, of account: PublicKey) async throws
}
