import ArgumentParser
import BlossomServer
import Foundation
import Hummingbird
import Logging
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
    var serving: ServingConfiguration
    /// What can wake browsers; `nil` for nothing.
    let proxy: PublicAddress?
    /// How the network is met outside the simulated one.
    let configuration: AccountConfiguration
    let directory: DataDirectory
    let keystore: any Keystore
    let log: Logger

    /// Runs until SIGTERM, SIGINT or SIGHUP.
    ///
    /// - Throws: one plain sentence when the home cannot open.
    func run() async throws {
        try await PortSentences(host: serving.host, port: serving.port, program: "Linnet").speaking {
            try directory.prepare()
            let lock = try DirectoryLock(directory)
            defer { _ = lock }
            var home = self
            if serving.canHaveLoopbackName, LoopbackName.isKnownToBrowsers {
                home.serving.loopbackName = try .kept(in: directory)
            }
            try await home.open()
        }
    }

    private func open() async throws {
        let base = try await HomeBase(self)
        let signing = try await signers(base)
        let accounts = AccountHost(
            keystore: keystore, factory: base.accountFactory(signing: signing), demo: base.play?.person)
        await accounts.finishBurning()
        let links = OpenLinks(.serving(accounts, in: directory), now: { .current })
        let relay = LocalRelay(
            store: base.store, name: "Linnet at home", addresses: [], hosts: serving.hostNames,
            origins: Set(serving.origins), isOpen: serving.isRelay, proxies: serving.proxies, now: { .current },
            log: log)
        let registrar = try PushRegistrar(directory, signers: accounts, log: log)
        let pages = try await HomePages(
            self, base, accounts: accounts, links: links, relay: relay, registrar: registrar)
        let page = PageAddress()
        let blobs = if let rules = serving.mediaServer { try await HomeBlobs(self, rules) } else { nil as HomeBlobs? }
        var services = services(base, accounts: accounts, links: links, relay: relay) + pages.services
        services.append(BackgroundService("push proxies") { await registrar.run() })
        services.append(
            BackgroundService("circle notices") { await CircleNotices(accounts: accounts, registrar: registrar).run() })
        if let blobs { services.append(BackgroundService("blobs") { try await blobs.server.run() }) }
        if let control = await listenForCommands() {
            let orders = SignerControl(
                signers: accounts, now: { .current },
                links: LinkOrders(
                    links: links, page: { id in page.text.map { $0 + pages.face.linkPath(id) } },
                    shown: { address in page.text.map { $0 + pages.face.openPath(address) } }),
                logins: LoginOrders(
                    page: page, addressForDevices: { [serving] in serving.addressForDevices(port: $0) },
                    path: { pages.face.loginPath() }), registrar: registrar,
                sharing: SharingOrders(accounts: accounts))
            services.append(
                BackgroundService("control") { try await control.run { try await orders.perform($0, $1) } })
        }
        services.append(application(relay: relay, pages: pages, blobs: blobs?.server, at: page))
        let group = ServiceGroup(configuration: .program(services: services, log: log))
        var files: [@Sendable () throws -> Void] = [signing.close, base.program.close, base.store.close]
        if let blobs { files.append(blobs.close) }
        try await accounts.closing(files) { try await group.run() }
    }

    /// What makes signers, told where a person approves.
    private func signers(_ base: HomeBase) async throws -> SignerFactory {
        var signing = try SignerFactory(
            directory, transport: base.transport, relays: base.configuration.signerRelays)
        if let address = serving.address {
            signing.configuration.approvalPage = { address.text + "/signer/requests/" + $0.hex }
        }
        if let play = base.play { try await signing.moveToRelays(among: play.relays) }
        return signing
    }

    /// What runs besides the pages; the simulated Nostr comes first, so that it is drained last.
    private func services(
        _ base: HomeBase, accounts: AccountHost, links: OpenLinks, relay: LocalRelay
    ) -> [any Service] {
        var services: [any Service] = []
        if let play = base.play { services.append(BackgroundService("simulated Nostr") { await play.run() }) }
        services += [
            BackgroundService("expiry") { try await Housekeeping(store: base.store, log: log).run() },
            BackgroundService("relay") { await relay.server.run() },
            BackgroundService("memory") { try await FreedMemory.run { base.store.releaseIdleMemory() } },
            BackgroundService("accounts") {
                await withTaskGroup { group in
                    group.addTask { await accounts.run() }
                    group.addTask { await accounts.startSigners() }
                }
            },
            BackgroundService("auto-lock") { try await accounts.lockWhenIdle() },
            BackgroundService("signer links") { await links.run() },
        ]
        if let play = base.play {
            let family = DemoFamily(
                factory: base.accountFactory(store: MemoryEventStore(now: { .current })),
                relays: play.circleRelays, start: play.beganAt, hero: { await accounts.demoAccount }, log: log)
            services.append(BackgroundService("family") { await family.run() })
        }
        return services
    }

    /// The one port: pages, the relay, the relay's document, and the media server.
    private func application(
        relay: LocalRelay, pages: HomePages, blobs: BlobServer?, at page: PageAddress
    ) -> some Service {
        var claims: (@Sendable (String) -> Bool)?
        if blobs != nil { claims = { BlobServer.claims($0) } }
        return Application(
            responder: FrontDoor(
                pages: pages.face.responder, document: serving.isRelay ? relay.server.document : nil, blobs: blobs,
                hosts: serving.hostNames),
            server: .onePort(
                relay.upgrade,
                visitors: Visitors(
                    connections: OpenConnections(
                        ConnectionLimits().fitting(descriptors: Descriptors.raise()), proxies: serving.proxies),
                    isLoggedIn: pages.face.isLoggedIn),
                blobs: claims
            ) { await relay.serve($0) },
            configuration: ApplicationConfiguration(
                address: .hostname(serving.host, port: serving.port), serverName: nil),
            onServerRunning: { [log] channel in
                // It fails where the port was closed again already, and then needs no care.
                try? await AcceptPause.add(to: channel, logger: log)
                let port = channel.localAddress?.port ?? serving.port
                relay.server.isKnown(as: LocalRelay.addresses(hosts: serving.hostNames, port: port))
                if !page.set(serving, port: port, listening: channel.localAddress) {
                    Output.error(ServingConfiguration.sharedName(port: port) + "\n")
                }
                if let exposure = serving.exposure(port: port) { Output.error(exposure + "\n") }
                for line in LoginLinks(page, path: pages.face.loginPath())?.lines ?? [] { Output.line(line) }
                for line in serving.mediaServer?.lines ?? [] { Output.line(line) }
            }, logger: log)
    }

    /// The ear for commands; without one the home works all the same.
    private func listenForCommands() async -> ControlServer? {
        do { return try await ControlServer.bind(directory, log: log) } catch {
            log.warning("\(error)")
            return nil
        }
    }
}
