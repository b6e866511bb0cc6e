import ArgumentParser
import AsyncPrimitives
import Foundation
import Hummingbird
import Logging
import MapTiles
import NIOCore
import NostrClient
import NostrCore
import NostrSigner
import NostrStore
import RelayServer
import SQLiteStorage
import ServiceLifecycle
import ViewModels
import WebSocketNIO
import WebUI

/// One person's home: the store, the accounts, the relay and the pages, joined.
struct Home: Sendable {
    /// The simulated Nostr it runs in; `nil` for the real one.
    let world: DemoWorld?
    let host: String
    let port: Int
    let names: [String]
    let origins: [String]
    /// Where other devices reach the pages; `nil` when nobody has said.
    let address: PublicAddress?
    /// What can wake browsers; `nil` for nothing.
    let proxy: PublicAddress?
    /// How the network is met outside the simulated one.
    let configuration: AccountConfiguration
    let directory: DataDirectory
    let keystore: any Keystore
    let log: Logger

    /// Runs until SIGTERM or SIGINT.
    ///
    /// - Throws: one plain sentence when the home cannot open.
    func run() async throws {
        do {
            try await open()
        } catch let error as StoreError {
            throw CommandFailure(error.sentence)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw CommandFailure("Port \(port) is taken: is Linnet running already? Choose another with --port.")
        } catch let error as IOError where [EADDRNOTAVAIL, EACCES].contains(error.errnoCode) {
            throw CommandFailure("Cannot listen on \(host) port \(port): choose another with --host and --port.")
        }
    }

    private func open() async throws {
        try directory.prepare()
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        let program = try SQLiteRecordStore(path: directory.program)
        let play: DemoPlay? =
            if let world { try await DemoPlay.open(world, in: directory, log: log) } else { nil }
        let store = try SQLiteEventStore(path: directory.events, now: { .current })
        let transport = try WebSocketTransport()
        let network = play?.configuration ?? configuration
        var signing = try SignerWorkshop(directory, transport: transport, relays: network.signerRelays)
        if let address {
            signing.configuration.approvalPage = { address.text + "/signer/requests/" + $0.hex }
        }
        if let play { try await signing.moveToRelays(among: play.relays) }
        let host = AccountHost(
            keystore: keystore,
            workshop: Workshop(
                store: store, transport: transport, configuration: network, directory: directory, log: log,
                signing: signing),
            demo: play?.person)
        await host.finishBurning()
        let control = await listenForCommands()
        let links = OpenLinks(.serving(host), now: { .current })
        let relay = LocalRelay(
            store: store, name: "Linnet at home", addresses: [], hosts: hostNames, origins: Set(origins),
            now: { .current }, log: log)
        let metrics = Metrics(relay: relay.server, accounts: host, store: store)
        let fetcher = HTTPTileFetcher()
        let tiles = try TileService(
            cache: TileCache(folder: directory.tiles, now: { .current }), fetching: fetcher,
            time: Time(clock: ContinuousClock(), now: { .current }), agent: "Linnet/\(Version.text)")
        let settings = SettingsRecords(records: program, log: log)
        let places = MachinePlaces(host: host, log: log)
        let face = try WebFace(
            WebFace.Configuration(
                hosts: hostNames, pictureHosts: play.map { [$0.pictures] } ?? [], isDemo: world != nil,
                version: Version.text),
            opening: host, settings: settings, keys: host, signers: host,
            elsewhere: host, links: SignerLinks(links),
            waking: proxy.map { PushProxyClient(proxy: $0, host: host, log: log) },
            tiles: MapTilesOfPages(tiles: tiles, leaflet: LeafletFiles.folder), place: places,
            probes: WebFace.Probes(isHealthy: { await Self.answers(store) }, metrics: { await metrics.text() }),
            logger: log)
        let address = PageAddress()
        let orders = SignerControl(
            signers: host, now: { .current },
            links: LinkOrders(links: links) { id in address.text.map { $0 + face.loginPath(toLink: id) } })
        await places.use(await settings.settings().placeSource)
        let door = FrontDoor(pages: face.responder, document: relay.server.document)
        var services: [any Service] = [
            Duty("expiry") { try await Housekeeping(store: store, log: log).run() },
            Duty("relay") { await relay.server.run() },
            Duty("accounts") {
                await withTaskGroup { group in
                    group.addTask { await host.run() }
                    group.addTask { await host.startSigners() }
                }
            },
            Duty("auto-lock") { try await host.lockWhenIdle() },
            Duty("signer links") { await links.run() },
            Duty("pages") { try await face.run() },
            Duty("map tiles") {
                await tiles.run()
                try await fetcher.shutDown()
            },
        ]
        if let control {
            services.append(Duty("control") { try await control.run { try await orders.perform($0, $1) } })
        }
        if let play {
            services.insert(Duty("simulated Nostr") { await play.run() }, at: 0)
            let family = DemoFamily(
                workshop: Workshop(
                    store: MemoryEventStore(now: { .current }), transport: transport, configuration: network,
                    directory: directory, log: log),
                relays: play.circleRelays, start: play.beganAt, hero: { await host.demoAccount }, log: log)
            services.append(Duty("family") { await family.run() })
        }
        let application = Application(
            responder: door, server: .onePort(relay.upgrade) { await relay.serve($0) },
            configuration: ApplicationConfiguration(address: .hostname(self.host, port: port), serverName: nil),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? self.port
                relay.server.isKnown(as: LocalRelay.addresses(hosts: hostNames, port: port))
                let pages = "http://\(Self.written(self.host)):\(port)"
                address.set(pages)
                Output.line("open " + pages + face.loginPath())
            }, logger: log)
        services.append(application)
        let group = ServiceGroup(configuration: .program(services: services, log: log))
        try await group.run()
        try signing.close()
    }

    /// The ear for commands; without one the home works all the same.
    private func listenForCommands() async -> ControlServer? {
        do { return try await ControlServer.bind(directory, log: log) } catch {
            log.warning("\(error)")
            return nil
        }
    }

    private var hostNames: Set<String> {
        var hosts = Set(["localhost", "127.0.0.1", "[::1]", Self.written(host)])
        hosts.formUnion(names.map { $0.lowercased() })
        if let address { hosts.insert(address.host) }
        return hosts
    }

    /// An address as a URL writes it: every address this listens on is reached by name through loopback.
    private static func written(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "::": "127.0.0.1"
        default: host.contains(":") ? "[\(host)]" : host
        }
    }

    private static func answers(_ store: any EventStore) async -> Bool {
        // A store that cannot answer the smallest question is not well, whatever the reason.
        (try? await store.query([Filter(limit: 1)])) != nil
    }
}
