import AsyncPrimitives
import MapTiles
import NostrCore
import NostrSigner
import NostrStore
import ServiceLifecycle
import ViewModels
import WebUI

/// The pages of a home, joined with what they show.
struct HomePages: Sendable {
    let face: WebFace
    private let tiles: TileService
    private let fetcher: HTTPTileFetcher

    /// Joins the pages; this machine's place is read from now on as the person of each account chose.
    init(
        _ home: Home, _ base: HomeBase, accounts: AccountHost, links: OpenLinks, relay: LocalRelay,
        registrar: PushRegistrar
    ) async throws {
        let fetcher = HTTPTileFetcher()
        let tiles = try TileService(
            cache: TileCache(folder: home.directory.tiles, now: { .current }), fetching: fetcher,
            time: Time(clock: ContinuousClock(), now: { .current }), agent: "Linnet/\(Version.text)")
        let personal = AccountSettings(host: accounts, program: base.settings, log: home.log)
        let places = MachinePlaces(host: accounts, settings: personal, log: home.log)
        let metrics = Metrics(
            relay: relay.server, accounts: accounts,
            stored: StoredEventCount(base.store, time: Time(clock: ContinuousClock(), now: { .current })))
        let counts: @Sendable () async -> String = { await metrics.text() }
        face = try WebFace(
            WebFace.Configuration(
                hosts: home.serving.hostNames, secureHosts: home.serving.secureHosts,
                pictureHosts: base.play.map { [$0.pictures] + $0.mediaHosts } ?? [],
                sessions: SessionRecords(records: base.program, log: home.log), isDemo: home.world != nil,
                version: Version.text,
                addressForDevices: { [serving = home.serving] in serving.addressForDevices(port: $0) }),
            opening: accounts, settings: base.settings, personal: personal, keys: accounts, signers: accounts,
            elsewhere: accounts, links: SignerLinks(links),
            device: DeviceSigners(opener: SystemURLs(home.directory), now: { .current }),
            waking: home.proxy.map { BrowsersWokenByProxy(proxy: $0, registrar: registrar) },
            tiles: MapTilesOfPages(tiles: tiles, leaflet: LeafletFiles.folder), place: places,
            probes: WebFace.Probes(
                isHealthy: { await Self.answers(base.store) },
                metrics: home.serving.hasMetrics ? counts : nil),
            logger: home.log)
        (self.tiles, self.fetcher) = (tiles, fetcher)
        await places.begin()
    }

    /// What has to run for the pages.
    var services: [any Service] {
        [
            BackgroundService("pages") { try await face.run() },
            BackgroundService("map tiles") {
                await tiles.run()
                try await fetcher.shutDown()
            },
        ]
    }

    private static func answers(_ store: any EventStore) async -> Bool {
        // A store that cannot answer the smallest question is not well, whatever the reason.
        (try? await store.query([Filter(limit: 1)])) != nil
    }
}
