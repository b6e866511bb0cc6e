public import NostrClient
public import NostrCore

/// What the person of an account chose about its pages and what they load: one property for each choice.
public struct PersonalSettings: Codable, Hashable, Sendable {
    /// Whose pictures and films are loaded from elsewhere; each load shows that server who reads when.
    public enum RemoteMedia: String, Codable, Hashable, Sendable, CaseIterable {
        case never, follows, always
    }

    /// How pages look.
    public var look: Look
    /// Whose media is loaded.
    public var remoteMedia: RemoteMedia
    /// Whether pictures of people and emoji, and those of notes, are fetched by this machine and kept on it, so that no
    /// server learns of the browser.
    public var fetchesPictures: Bool
    /// Whether short films begin by themselves, without their sound.
    public var autoplay: Bool
    /// Whether a short tone says that something new concerns the account.
    public var sounds: Bool
    /// Whose links are previewed; each preview shows that site the address of this machine.
    public var linkPreviews: RemoteMedia {
        get { chosenPreviews ?? remoteMedia }
        set { chosenPreviews = newValue }
    }
    private var chosenPreviews: RemoteMedia?
    /// Where the pictures of maps come from; nil for maps without.
    public var mapSource: MapSource?
    /// Where the place of this machine comes from for the account's circles; nil for the browser's page alone.
    public var placeSource: PlaceSource?
    /// Where events of kinds that Linnet does not show are opened, to which their code is added; empty for nowhere.
    public var kindHandler: String
    /// The feed that was chosen last.
    public var feed: FeedChoice
    /// A server that counts what is trending.
    public var trendingServer: TrendingServer
    /// Whether how a poll stands is shown only after a vote, or when it has ended.
    public var hidesPollResults: Bool

    /// How long a note can be undone before it leaves; one of ``undoChoices``.
    public var undoTime = Self.usualUndoTime
    /// Whether notes tell that Linnet wrote them.
    public var namesClient = false

    /// How long a note is held where nothing else was chosen.
    public static let usualUndoTime = Duration.seconds(10)
    /// How long a note may be held, zero for not at all.
    public static let undoChoices: [Duration] = [
        .zero, .seconds(5), .seconds(10), .seconds(20), .seconds(30), .seconds(60),
    ]
    /// What wrote a note, where that is told; `nil` where it is not.
    public var client: String? { namesClient ? "Linnet" : nil }

    /// Which host of GIFs is asked, where there is a key for it.
    public var gifs: GifHostChoice

    /// A page that shows events of many kinds.
    public static let usualKindHandler = "https://njump.me/"

    /// What holds before a person chose; links are previewed of whom media is loaded.
    public init(
        look: Look = Look(), remoteMedia: RemoteMedia = .follows, autoplay: Bool = false,
        sounds: Bool = false, linkPreviews: RemoteMedia? = nil, mapSource: MapSource? = nil,
        placeSource: PlaceSource? = nil, feed: FeedChoice = .following,
        trendingServer: TrendingServer = TrendingServer(),
        hidesPollResults: Bool = true, kindHandler: String = PersonalSettings.usualKindHandler,
        gifs: GifHostChoice = GifHostChoice(),
        fetchesPictures: Bool = false
    ) {
        self.gifs = gifs
        self.fetchesPictures = fetchesPictures
        self.kindHandler = kindHandler
        self.look = look
        self.remoteMedia = remoteMedia
        self.autoplay = autoplay
        chosenPreviews = linkPreviews
        self.sounds = sounds
        self.mapSource = mapSource
        self.placeSource = placeSource
        self.feed = feed
        self.trendingServer = trendingServer
        self.hidesPollResults = hidesPollResults
    }
}

extension PersonalSettings {
    /// Reads what was kept, also by a version that knew less.
    public init(from decoder: any Decoder) throws {
        let kept = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            look: try kept.decodeIfPresent(Look.self, forKey: .look) ?? Look(),
            remoteMedia: try kept.decodeIfPresent(RemoteMedia.self, forKey: .remoteMedia) ?? .follows,
            autoplay: try kept.decodeIfPresent(Bool.self, forKey: .autoplay) ?? false,
            sounds: try kept.decodeIfPresent(Bool.self, forKey: .sounds) ?? false,
            linkPreviews: try kept.decodeIfPresent(RemoteMedia.self, forKey: .chosenPreviews),
            mapSource: try kept.decodeIfPresent(MapSource.self, forKey: .mapSource),
            placeSource: try kept.decodeIfPresent(PlaceSource.self, forKey: .placeSource),
            feed: try kept.decodeIfPresent(FeedChoice.self, forKey: .feed) ?? .following,
            trendingServer: try kept.decodeIfPresent(TrendingServer.self, forKey: .trendingServer) ?? TrendingServer(),
            hidesPollResults: try kept.decodeIfPresent(Bool.self, forKey: .hidesPollResults) ?? true,
            kindHandler: try kept.decodeIfPresent(String.self, forKey: .kindHandler) ?? Self.usualKindHandler,
            gifs: try kept.decodeIfPresent(GifHostChoice.self, forKey: .gifs) ?? GifHostChoice(),
            fetchesPictures: try kept.decodeIfPresent(Bool.self, forKey: .fetchesPictures) ?? false)
        let undo = try kept.decodeIfPresent(Duration.self, forKey: .undoTime) ?? Self.usualUndoTime
        undoTime = Self.undoChoices.contains(undo) ? undo : Self.usualUndoTime
        namesClient = try kept.decodeIfPresent(Bool.self, forKey: .namesClient) ?? false
    }

    /// Takes where events of unknown kinds are opened, as it was written.
    ///
    /// - Returns: whether it is an address, or empty for nowhere.
    public mutating func openUnknownKinds(at text: String) -> Bool {
        let text = text.trimmingSpace()
        guard text.isEmpty || webAddress(text) != nil else { return false }
        kindHandler = text.isEmpty ? "" : webAddress(text) ?? ""
        return true
    }
}

/// Where the settings of each account rest between two runs.
public protocol PersonalSettingsKeeping: Sendable {
    /// What the person of an open account chose last; before that ``Settings/first``.
    func settings(of account: PublicKey) async -> PersonalSettings
    /// Keeps them, for this account alone.
    func keep(_ settings: PersonalSettings, of account: PublicKey) async throws
}
