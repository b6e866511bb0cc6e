public import AsyncPrimitives
public import HTTPTypes
public import Hummingbird
public import Logging
public import NostrCore
public import ViewModels

/// The web face: pages, fragments, live updates and assets behind one responder.
///
/// The composition root puts ``responder`` on its port and keeps ``run()`` running beside it.
public struct WebFace: Sendable {
    /// What the root decides about the face.
    public struct Configuration: Sendable {
        /// Host names a browser may use for this program, on any port; all else is refused (DNS rebinding).
        public var hosts: Set<String>
        /// Those of them that browsers reach by https, through a proxy before this program.
        public var secureHosts: Set<String>
        /// Where pictures may come from although settings load none from elsewhere: `http://host:port` each, for the
        /// simulated network on loopback.
        public var pictureHosts: [String]
        /// How long a login link works.
        public var loginLifetime: Duration
        /// Where sessions rest between two runs.
        public var sessions: any SessionKeeping
        /// Whether the network is simulated; pages say so.
        public var isDemo: Bool
        /// The program's version.
        public var version: String
        /// Where other devices reach the pages, for the port a browser came by; `nil` where only this machine does.
        public var addressForDevices: @Sendable (Int) -> String?

        /// Loopback only, real network.
        public init(
            hosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"], secureHosts: Set<String> = [],
            pictureHosts: [String] = [], loginLifetime: Duration = .seconds(3600),
            sessions: any SessionKeeping = SessionsInMemory(), isDemo: Bool = false, version: String = "",
            addressForDevices: @escaping @Sendable (Int) -> String? = { _ in nil }
        ) {
            self.addressForDevices = addressForDevices
            self.hosts = hosts
            self.secureHosts = secureHosts
            self.sessions = sessions
            self.pictureHosts = pictureHosts
            self.loginLifetime = loginLifetime
            self.isDemo = isDemo
            self.version = version
        }
    }

    /// What the operator may ask without a session.
    public struct Probes: Sendable {
        /// Whether the program is well.
        public var isHealthy: @Sendable () async -> Bool
        /// Metrics in the Prometheus text format; `nil` where there is no page of them.
        public var metrics: (@Sendable () async -> String)?

        /// Probes; without any, the program counts as healthy and has no metrics.
        public init(
            isHealthy: @escaping @Sendable () async -> Bool = { true },
            metrics: (@Sendable () async -> String)? = { "" }
        ) {
            self.isHealthy = isHealthy
            self.metrics = metrics
        }
    }

    let services: FaceServices
    private let assets: Assets

    /// Builds the face; its assets are read here, once.
    ///
    /// - Parameters:
    ///   - settings: what holds for the whole program.
    ///   - personal: what the person of each account chose.
    ///   - keys: locks, changes, exports and burns keys; without it those pages are not there.
    ///   - signers: the signers of the accounts' keys; without it their pages are not there.
    ///   - elsewhere: pairs with signers elsewhere; without it those doors are not there.
    ///   - device: signers of the person's own device; without it they are not asked.
    ///   - links: signer links of other apps; without it their pages are not there.
    ///   - waking: has a push proxy wake browsers; without it pages do not offer that.
    ///   - tiles: pictures for maps; without it maps are drawn without.
    ///   - place: what reads this machine's place; without it its page is not there.
    /// - Throws: when an asset of the program cannot be read.
    public init(
        _ configuration: Configuration = Configuration(), opening: any AccountOpening,
        settings: any SettingsKeeping, personal: any PersonalSettingsKeeping, keys: (any KeyKeeping)? = nil,
        signers: (any SignerHosting)? = nil, elsewhere: (any SigningElsewhere)? = nil, links: SignerLinks? = nil,
        device: DeviceSigners? = nil, waking: (any BrowserWaking)? = nil, tiles: (any MapPictures)? = nil,
        place: (any MachinePlace)? = nil,
        probes: Probes = Probes(), time: Time<Timestamp> = .system, logger: Logger
    ) throws {
        assets = try Assets.installed.get()
        services = FaceServices(
            configuration: configuration, opening: opening, settings: settings, personal: personal, keys: keys,
            signers: signers, elsewhere: elsewhere, links: links, device: device, waking: waking, tiles: tiles,
            place: place, probes: probes,
            time: time, logger: logger)
    }

    /// Answers requests.
    public var responder: RouterResponder<WebContext> { router.buildResponder() }

    /// Makes a login link that works once.
    ///
    /// - Returns: path and query, to be put behind `http://host:port`.
    public func loginPath() -> String { "/login?token=" + services.sessions.makeToken() }

    /// Makes a link to the page of one signer link; it works once, and opens that page alone.
    ///
    /// - Parameter id: the link's.
    /// - Returns: path and query, to be put behind `http://host:port`.
    public func linkPath(_ id: String) -> String {
        "/login?token=" + services.sessions.makeToken(for: .link(id)) + "&to=" + encodePercent("/signer/link/" + id)
    }

    /// Makes a way in to the page that an address leads to, which stays here meanwhile; it works once.
    ///
    /// - Parameter address: what a program of this machine was given to open, for example `nostr:npub1…`.
    /// - Returns: path and query, to be put behind `http://host:port`.
    public func openPath(_ address: String) -> String {
        "/login?token=" + services.sessions.makeToken() + "&to="
            + encodePercent("/open/" + services.handed.keep(address))
    }

    /// Whether a request comes from a browser with an open session; one of an earlier run counts from its first answer on.
    public func isLoggedIn(_ request: HTTPRequest) -> Bool {
        services.sessions.cookies.session(of: request).map(services.sessions.isOpen) ?? false
    }

    /// Publishes what was written once its time to be undone is over; returns when the program shuts down.
    public func run() async throws {
        await services.runOutgoing()
    }

    var router: Router<WebContext> {
        let router = Router(context: WebContext.self)
        let pages = services.pages
        router.addMiddleware {
            PageCompression()
            PageHeaders(settings: services.settings, pictureHosts: services.configuration.pictureHosts)
            HostGuard(hosts: services.configuration.hosts)
            TroublePages(pages: pages, logger: services.logger)
        }
        ProgramController(
            isHealthy: services.probes.isHealthy, readMetrics: services.probes.metrics, assets: assets
        ).addRoutes(to: router)
        LookController().addRoutes(to: router)
        let login = LoginController(
            pages: pages, sessions: services.sessions, opening: services.opening,
            hasLoopbackName: services.configuration.hosts.contains { $0.hasSuffix(".localhost") })
        login.addRoutes(to: router)
        deviceSigners?.addOpenRoutes(to: router)
        GuestController(pages: pages).addRoutes(to: router)
        let session = router.group()
            .add(
                middleware: SessionGuard(
                    sessions: services.sessions, opening: services.opening, keys: services.keys,
                    settings: services.personal, pages: pages)
            )
            // What goes wrong from here on is told in the look of the account.
            .add(middleware: TroublePages(pages: pages, logger: services.logger))
            .add(middleware: FormGuard()).add(middleware: SubmissionAnswers())
        login.addSessionRoutes(to: session)
        FirstRunController(
            pages: pages, opening: services.opening, keys: services.keys, elsewhere: services.elsewhere,
            hasDeviceSigners: services.device != nil, time: services.time
        ).addRoutes(to: session)
        if let elsewhere = services.elsewhere {
            PairingController(pages: pages, elsewhere: elsewhere, opening: services.opening).addRoutes(to: session)
        }
        deviceSigners?.addRoutes(to: session)
        FirstStepsController(pages: pages, keys: services.keys, outgoing: services.outgoing).addRoutes(
            to: session.group().add(middleware: AccountGuard()))
        OpeningController(
            pages: pages, handed: services.handed, links: services.links,
            receiveAnswer: deviceSigners.map { $0.receiveAnswer }
        ).addRoutes(to: session)
        if let links = services.links { SignerLinkController(pages: pages, links: links).addRoutes(to: session) }
        let inside = session.group().add(middleware: AccountGuard())
            .add(middleware: ExtensionForms(elsewhere: services.elsewhere, pages: pages))
        addReading(to: inside)
        addWriting(to: inside)
        addPrivate(to: inside)
        addSigner(to: inside)
        LiveController(opening: services.opening, signers: services.signers, clock: services.time.clock).addRoutes(
            to: inside)
        return router
    }

    /// What asks signers of the person's own device; `nil` where none can be.
    private var deviceSigners: DeviceSignerController? {
        guard let device = services.device, let elsewhere = services.elsewhere else { return nil }
        return DeviceSignerController(
            pages: services.pages, device: device, elsewhere: elsewhere, opening: services.opening,
            keys: services.keys, sessions: services.sessions)
    }

    /// What is read: notes, people, relays.
    private func addReading(to router: some RouterMethods<WebContext>) {
        let pages = services.pages
        HomeController(pages: pages).addRoutes(to: router)
        NotificationsController(pages: pages, signers: services.signers, waking: services.waking)
            .addRoutes(to: router)
        ThreadController(pages: pages).addRoutes(to: router)
        PlaceholderController().addRoutes(to: router)
        ReactionsController(pages: pages).addRoutes(to: router)
        ArticlesController(pages: pages).addRoutes(to: router)
        InvoicesController(pages: pages).addRoutes(to: router)
        PollsController(pages: pages).addRoutes(to: router)
        PeopleController(pages: pages).addRoutes(to: router)
        SearchController(pages: pages).addRoutes(to: router)
        PreviewController(pages: pages).addRoutes(to: router)
        RelaysController(pages: pages, settings: services.settings, opening: services.opening)
            .addRoutes(to: router)
        RelayController(pages: pages).addRoutes(to: router)
        FeedsController(pages: pages, personal: services.personal).addRoutes(to: router)
        TrendsController(pages: pages).addRoutes(to: router)
        StreamsController(pages: pages).addRoutes(to: router)
        RecordingsController(pages: pages).addRoutes(to: router)
        RelayConsentController(pages: pages).addRoutes(to: router)
        HistoryController(pages: pages).addRoutes(to: router)
    }

    /// What is written: notes, drafts, lists; and how the account and this Linnet are kept.
    private func addWriting(to router: some RouterMethods<WebContext>) {
        let pages = services.pages
        ComposeController(pages: pages, outgoing: services.outgoing).addRoutes(to: router)
        FilesController(pages: pages).addRoutes(to: router)
        GifController(pages: pages, personal: services.personal).addRoutes(to: router)
        PicturesController(pages: pages, personal: services.personal).addRoutes(to: router)
        DraftsController(pages: pages).addRoutes(to: router)
        ListsController(pages: pages).addRoutes(to: router)
        MarkingController(pages: pages).addRoutes(to: router)
        EmojiController(pages: pages).addRoutes(to: router)
        PersonReportController(pages: pages).addRoutes(to: router)
        let doors = SettingsDoors(
            hasKeys: services.keys != nil, hasMaps: services.tiles != nil, hasPlace: services.place != nil)
        SettingsController(
            pages: pages, personal: services.personal, settings: services.settings, sessions: services.sessions,
            version: services.configuration.version, doors: doors,
            addressForDevices: services.configuration.addressForDevices
        ).addRoutes(to: router)
        if let keys = services.keys {
            KeysController(pages: pages, keys: keys, opening: services.opening, sessions: services.sessions)
                .addRoutes(to: router)
        }
    }

    /// Messages, circles and places.
    private func addPrivate(to router: some RouterMethods<WebContext>) {
        let pages = services.pages
        MessagesController(pages: pages).addRoutes(to: router)
        CirclesController(pages: pages, cookies: services.sessions.cookies, tiles: services.tiles)
            .addRoutes(to: router)
        if let tiles = services.tiles {
            MapsController(pages: pages, tiles: tiles, settings: services.personal).addRoutes(to: router)
        }
        if let place = services.place {
            PlaceSettingsController(pages: pages, place: place, settings: services.personal).addRoutes(to: router)
        }
    }

    /// The signer for other apps, and what pages do for a signer elsewhere.
    private func addSigner(to router: some RouterMethods<WebContext>) {
        if let signers = services.signers {
            SignerController(pages: services.pages, signers: signers, waking: services.waking).addRoutes(to: router)
        }
        if let elsewhere = services.elsewhere { SigningElsewhereController(elsewhere: elsewhere).addRoutes(to: router) }
    }
}
