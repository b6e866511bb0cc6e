import Foundation
import Hummingbird
import Logging
import NIOCore
import NostrCore
import NostrRelay
import NostrStore
import PostgresStorage
import PushProxy
import SQLiteStorage
import ServiceLifecycle
import WebSocketNIO

/// A push proxy: the registry, the relays, the push services and the API, joined.
struct PushProxyService: Sendable {
    let host: String
    let port: Int
    let configuration: PushProxyConfiguration
    let directory: DataDirectory
    let log: Logger

    /// Runs until SIGTERM or SIGINT; what was acknowledged is kept, and what was received is delivered.
    ///
    /// - Throws: one plain sentence when it cannot open.
    func run() async throws {
        try await PortSentences(host: host, port: port, program: "a push proxy").speaking { try await open() }
    }

    private func open() async throws {
        try directory.prepare()
        let keys = PushKeys(configuration: configuration, directory: directory)
        let (metrics, network, vapid) = (PushMetrics(), try keys.network(), try keys.vapid())
        let relays = try configuration.primaryRelays()
        var settings = WakeSettings()
        settings.primaryRelays = Set(relays)
        let registration = try registrationSettings(relays)
        if let relay = relays.first, let known = registration.publicRelay { settings.publicAddresses = [relay: known] }
        let registry = try await Self.registry(configuration, directory)
        // Relays the operator chose are reached wherever they are.
        let (chosen, takesPrivate) = (settings.primaryRelays, configuration.takesPrivate)
        let sockets = try WebSocketTransport(trustedRoots: network.trustedRoots)
        let pool = RelayPool(
            transport: NamedRelaysTransport(sockets) { takesPrivate || chosen.contains($0) }, settings: settings.pool,
            wall: { .current }, logger: log)
        // Last, because a sender that was made must be closed.
        let apns = try keys.apns().map { try APNSSender($0, network: network, metrics: metrics, now: { .current }) }
        let service = WakeService(
            settings: settings, registry: registry, pool: pool, apns: apns,
            web: try WebPushSender(key: vapid, network: network, metrics: metrics, now: { .current }),
            metrics: metrics, now: { .current }, log: log)
        let api = RegistrationAPI(
            settings: registration, registry: registry, service: service, vapid: vapid,
            wakesApple: apns != nil, now: { .current }, log: log)
        let application = Application(
            responder: RegistrationResponder(api),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in
                // What a start runs through is not needed again.
                FreedMemory.letGoOfCode()
                Output.line("push-proxy http://\(host):\(channel.localAddress?.port ?? port)")
            }, logger: log)
        let services: [any Service] = [
            BackgroundService("relays") { await pool.run() },
            BackgroundService("memory") { try await FreedMemory.run {} },
            BackgroundService("wakes", stop: { service.stop() }) { await service.run() }, application,
        ]
        try await ServiceGroup(configuration: .program(services: services, log: log)).run()
    }

    /// What is remembered, opened.
    static func registry(
        _ configuration: PushProxyConfiguration, _ directory: DataDirectory
    ) async throws -> any PushRegistry {
        let address = try configuration.databaseAddress() ?? "\(directory.path)/push.sqlite"
        if PushProxyConfiguration.isPostgres(address) { return try await PostgresPushRegistry(address: address) }
        var options = DatabaseOptions()
        options.writerCache = 8 << 20
        options.readerCache = 2 << 20
        return try SQLitePushRegistry(path: address, options: options)
    }

    /// - Parameter relays: the relays of which everything is read.
    private func registrationSettings(_ relays: [RelayURL]) throws -> RegistrationSettings {
        var settings = RegistrationSettings(publicURL: try configuration.publicURL())
        let named = try configuration.namedPublicRelay()
        settings.publicRelay = named ?? relays.first
        if named == nil, let relay = relays.first, relay.isPrivate {
            log.warning(
                "devices are told to look at a relay that only this network reaches: name its address with --public-relay",
                metadata: ["relay": "\(relay.text)"])
        }
        settings.proxies = try configuration.proxies()
        settings.allowsPrivateAddresses = configuration.takesPrivate
        if let limit = configuration.clientLimit { settings.quota.clients = limit }
        return settings
    }
}
