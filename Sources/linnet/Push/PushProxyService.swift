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
    let options: PushProxyOptions
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
        let keys = PushKeys(options: options, directory: directory)
        let (metrics, network) = (PushMetrics(), try keys.network())
        let registration = try registrationSettings()
        let (vapid, apple) = (try keys.vapid(), try keys.apns())
        var settings = WakeSettings()
        settings.primaryRelays = try options.primaryRelays()
        let registry = try await registry()
        // Relays the operator chose are reached wherever they are.
        let (chosen, takesPrivate) = (settings.primaryRelays, options.takesPrivate)
        let sockets = try WebSocketTransport(trustedRoots: network.trustedRoots)
        let pool = RelayPool(
            transport: NamedRelaysTransport(sockets) { takesPrivate || chosen.contains($0) }, settings: settings.pool,
            wall: { .current }, logger: log)
        // Last, because a sender that was made must be closed.
        let apns = try apple.map { try APNSSender($0, network: network, metrics: metrics, now: { .current }) }
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
                Output.line("push-proxy http://\(host):\(channel.localAddress?.port ?? port)")
            }, logger: log)
        let group = ServiceGroup(
            configuration: .program(
                services: [
                    BackgroundService("relays") { await pool.run() },
                    BackgroundService("wakes", stop: { service.stop() }) { await service.run() }, application,
                ], log: log))
        try await group.run()
    }

    private func registry() async throws -> any PushRegistry {
        let address = try options.databaseAddress() ?? "\(directory.path)/push.sqlite"
        if PushProxyOptions.isPostgres(address) { return try await PostgresPushRegistry(address: address) }
        var options = DatabaseOptions()
        options.writerCache = 8 << 20
        options.readerCache = 2 << 20
        return try SQLitePushRegistry(path: address, options: options)
    }

    private func registrationSettings() throws -> RegistrationSettings {
        guard let url = PushProxyOptions.value(options.url, "LINNET_PUSH_URL") else {
            throw CommandFailure("Say by which address apps know this proxy: --url https://push.example.com.")
        }
        var settings = RegistrationSettings(publicURL: url.hasSuffix("/") ? String(url.dropLast()) : url)
        settings.publicRelay = try PushProxyOptions.value(options.publicRelay, "LINNET_PUSH_PUBLIC_RELAY")
            .map(Reading.relay)
        settings.proxies = try options.proxies()
        settings.allowsPrivateAddresses = options.takesPrivate
        let limit = PushProxyOptions.value(options.clientLimit.map(String.init), "LINNET_PUSH_CLIENT_LIMIT")
        if let limit = limit.flatMap({ Int($0) }) { settings.quota.clients = limit }
        return settings
    }
}

/// The keys a push proxy shows push services; read from files, never from arguments.
struct PushKeys: Sendable {
    let options: PushProxyOptions
    let directory: DataDirectory

    /// Which certificates are believed, and whether near addresses are called.
    func network() throws -> PushNetwork {
        var network = PushNetwork()
        network.allowsPrivateAddresses = options.takesPrivate
        if let file = PushProxyOptions.value(options.trustedRoots, "LINNET_PUSH_TRUSTED_ROOTS") {
            network.trustedRoots = Array(try Self.text(of: file).utf8)
        }
        return network
    }

    /// Who we are to Apple; `nil` when nothing is said of it.
    func apns() throws -> APNSConfiguration? {
        typealias Options = PushProxyOptions
        guard let file = Options.value(options.apnsKeyFile, "LINNET_PUSH_APNS_KEY_FILE", "APNS_KEY_FILE") else {
            return nil
        }
        guard let keyID = Options.value(options.apnsKeyID, "LINNET_PUSH_APNS_KEY_ID", "APNS_KEY_ID"),
            let team = Options.value(options.apnsTeamID, "LINNET_PUSH_APNS_TEAM_ID", "APNS_TEAM_ID"),
            let topic = Options.value(options.apnsTopic, "LINNET_PUSH_APNS_TOPIC", "APNS_TOPIC")
        else { throw CommandFailure("Apple's key also needs --apns-key-id, --apns-team-id and --apns-topic.") }
        var configuration = APNSConfiguration(
            keyPEM: try Self.text(of: file), keyID: keyID, teamID: team, topic: topic)
        if let url = Options.value(options.apnsURL, "LINNET_PUSH_APNS_URL", "APNS_URL") { configuration.origin = url }
        return configuration
    }

    /// The key for browsers; drawn and kept when there is none.
    func vapid() throws -> VAPIDKey {
        let contact =
            PushProxyOptions.value(options.contact, "LINNET_PUSH_CONTACT")
            ?? PushProxyOptions.value(options.url, "LINNET_PUSH_URL") ?? "mailto:nobody@example.invalid"
        let path =
            PushProxyOptions.value(options.vapidKeyFile, "LINNET_PUSH_VAPID_KEY_FILE")
            ?? "\(directory.path)/push-vapid.pem"
        if FileManager.default.fileExists(atPath: path) {
            do {
                return try VAPIDKey(pem: Self.text(of: path), contact: contact)
            } catch let failure as CommandFailure {
                throw failure
            } catch {
                throw CommandFailure("\(path) holds no key for browsers: it must be a P-256 key in PEM.")
            }
        }
        let key = VAPIDKey(contact: contact)
        let isMade = FileManager.default.createFile(
            atPath: path, contents: Data(key.pem.utf8), attributes: [.posixPermissions: 0o600])
        guard isMade else { throw CommandFailure("Cannot write \(path), which is to hold the key for browsers.") }
        return key
    }

    private static func text(of file: String) throws -> String {
        // Why it cannot be read, the system's error would say in its own way.
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw CommandFailure("Cannot read \(file).")
        }
        return text
    }
}
