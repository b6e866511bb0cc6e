import ArgumentParser
import Logging
import NostrCore
import NostrStore
import RelayServer
import SQLiteStorage
import ServiceLifecycle
import WebSocketNIO

/// `linnet relay`: a relay alone.
struct RelayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Run a relay alone.",
        discussion: """
            Keeps events in DIR and serves NIP-01, 09, 11, 40, 42, 45, 50 and 70 until it is told to stop. It prints its \
            address and which rules are in force: who may write (everybody, unless you name people), who may read what, \
            and how fast one client may publish and ask.
            """)

    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.") var port = 4869
    @Option(help: "The name in the relay's information document.") var name = "Linnet relay"
    @Option(
        name: .customLong("url"),
        help: "An address by which clients know this relay, as wss://host; may be given again. For authentication.")
    var urls: [String] = []
    @OptionGroup var rules: RelayRules
    @OptionGroup var proxies: ProxyOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    }

    func run() async throws {
        let log = try logging.start()
        let directory = data.directory()
        try await PortSentences(host: host, port: port, program: "a relay").speaking {
            try directory.prepare()
            let lock = try DirectoryLock(directory)
            defer { _ = lock }
            let store = try SQLiteEventStore(path: directory.events, now: { .current })
            try await OpenFiles([store.close]).closing { try await serve(store, log: log) }
        }
    }

    private func serve(_ store: SQLiteEventStore, log: Logger) async throws {
        let writers = try rules.writers()
        let relay = LocalRelay(
            store: store, name: name, addresses: try urls.map(Reading.relay), hosts: [], origins: [],
            policies: rules.policies(writers), isRestricted: writers != nil, now: { .current }, log: log)
        let document = relay.server.document
        let server = try await WebSocketServer.bind(
            WebSocketServer.Configuration(
                host: host, port: port,
                connections: ConnectionLimits().fitting(descriptors: Descriptors.raise()),
                proxies: try proxies.proxies()), logger: log,
            respond: { request in
                guard request.request.header("accept")?.contains("application/nostr+json") == true else {
                    return PlainResponse(
                        status: request.request.target == "/healthz" ? 200 : 426,
                        headers: [("Content-Type", "text/plain; charset=utf-8"), ("Upgrade", "websocket")],
                        body: Array("This is a Nostr relay; connect with a WebSocket.\n".utf8))
                }
                return PlainResponse(
                    status: 200,
                    headers: [("Content-Type", "application/nostr+json"), ("Access-Control-Allow-Origin", "*")],
                    body: document)
            })
        relay.server.isKnown(
            as: LocalRelay.addresses(hosts: [host, "localhost", "127.0.0.1", "[::1]"], port: server.port))
        Output.line("relay ws://\(host.contains(":") ? "[\(host)]" : host):\(server.port)")
        for line in rules.lines { Output.line(line) }
        try await serve(relay, server, writers, store: store, log: log)
    }

    private func serve(
        _ relay: LocalRelay, _ server: WebSocketServer, _ writers: Writers?, store: SQLiteEventStore, log: Logger
    ) async throws {
        var services = [
            BackgroundService("relay") { await relay.server.run() },
            BackgroundService("memory") { try await FreedMemory.run { store.releaseIdleMemory() } },
        ]
        if let writers, rules.follower != nil {
            services.append(BackgroundService("follow list") { try await writers.run(store) })
        }
        services += [
            BackgroundService("sockets", stop: { server.beginShutdown() }) {
                await server.run { await relay.serve($0) }
            },
            BackgroundService("expiry") { try await Housekeeping(store: store, log: log).run() },
        ]
        try await ServiceGroup(configuration: .program(services: services, log: log)).run()
    }
}
