internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import ServiceLifecycle
internal import ViewModels

/// What the composition root gave the face, from which each controller is given what it needs; controllers never see it.
///
/// One property for each thing given: the root of a face with many parts has many, and nothing else is done with them.
struct FaceServices: Sendable {
    let configuration: WebFace.Configuration
    let opening: any AccountOpening
    let settings: any SettingsKeeping
    /// What the person of each account chose.
    let personal: any PersonalSettingsKeeping
    /// The keys of this machine; `nil` where their page is not shown.
    let keys: (any KeyKeeping)?
    /// The signers of this machine; `nil` where their pages are not shown.
    let signers: (any SignerHosting)?
    /// The keys that are elsewhere; `nil` where none can be.
    let elsewhere: (any SigningElsewhere)?
    /// Signer links that were handed in; `nil` where their pages are not shown.
    let links: SignerLinks?
    /// Signers of the person's own device; `nil` where none can be asked.
    let device: DeviceSigners?
    /// Has browsers woken; `nil` where no push proxy is known.
    let waking: (any BrowserWaking)?
    /// Pictures for maps; `nil` where maps are drawn without.
    let tiles: (any MapPictures)?
    /// What reads this machine's place; `nil` where its page is not shown.
    let place: (any MachinePlace)?
    let probes: WebFace.Probes
    let time: Time<Timestamp>
    let logger: Logger
    let sessions: Sessions
    let outgoing: OutgoingNotes
    let handed: HandedAddresses

    init(
        configuration: WebFace.Configuration, opening: any AccountOpening, settings: any SettingsKeeping,
        personal: any PersonalSettingsKeeping,
        keys: (any KeyKeeping)?, signers: (any SignerHosting)?, elsewhere: (any SigningElsewhere)?, links: SignerLinks?,
        device: DeviceSigners?, waking: (any BrowserWaking)?, tiles: (any MapPictures)?, place: (any MachinePlace)?,
        probes: WebFace.Probes,
        time: Time<Timestamp>, logger: Logger
    ) {
        self.configuration = configuration
        self.opening = opening
        self.settings = settings
        self.personal = personal
        self.keys = keys
        self.signers = signers
        self.elsewhere = elsewhere
        self.links = links
        self.device = device
        self.waking = waking
        self.tiles = tiles
        self.place = place
        self.probes = probes
        self.time = time
        self.logger = logger
        handed = HandedAddresses(time: time)
        sessions = Sessions(
            time: time, tokenLifetime: configuration.loginLifetime, opening: opening,
            keeping: configuration.sessions, cookies: SessionCookies(secureHosts: configuration.secureHosts))
        outgoing = OutgoingNotes(time: time, name: { randomWord(bytes: 16) })
    }

    /// Publishes held notes as they fall due, and the rest when the program shuts down.
    func runOutgoing() async {
        await cancelWhenGracefulShutdown { [outgoing] in await outgoing.run() }
        // Whoever ends the pages may cancel this task; what was written goes out all the same, so it gets a task that
        // nobody cancels, awaited here.
        await Task { [outgoing] in await outgoing.publishAll() }.value
    }
}

extension FaceServices {
    /// Draws whole pages.
    var pages: PageRenderer {
        PageRenderer(
            isDemo: configuration.isDemo, pictureHosts: configuration.pictureHosts, opening: opening, keys: keys,
            signers: signers, elsewhere: elsewhere, outgoing: outgoing, time: time)
    }
}
