import ArgumentParser
import AsyncPrimitives
import BlossomServer
import Hummingbird
import Logging
import NIOCore
import NostrCore
import SQLiteStorage
import ServiceLifecycle
import WebSocketNIO

/// `linnet blossom`: a media server alone.
struct BlossomCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "blossom", abstract: "Run a media server (Blossom) alone.",
        discussion: """
            Keeps pictures, films and other files in DIR under the SHA-256 of their bytes, and gives them to whoever asks \
            by that name (BUD-01, 02, 04, 06, 08, 11 and 12), until it is told to stop. Bringing, listing and deleting \
            need a token that the person's key signed. It prints its address and which rules are in force. Where others \
            reach it, say --url: tokens for other domains count nothing. docs/SELF-HOSTING.md leads through it.
            """)

    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.") var port = 4871
    @Option(help: "The name in the server's own document.") var name = "Linnet media server"
    @Option(
        help: ArgumentHelp("The address by which clients know this server, as https://host.", valueName: "url"))
    var url: PublicAddress?
    @OptionGroup var rules: BlossomRules
    @OptionGroup var proxies: ProxyOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
    }

    func run() async throws {
        FreedMemory.reuseLargePieces()
        let log = try logging.start()
        let directory = data.directory()
        let people = try rules.people()
        try await PortSentences(host: host, port: port, program: "a media server").speaking {
            try directory.prepare()
            let lock = try DirectoryLock(directory)
            defer { _ = lock }
            let records = try SQLiteRecordStore(path: directory.blobRecords)
            try await OpenFiles([records.close]).closing {
                let server = try await BlobServer(
                    folder: directory.blobs, records: records, settings: settings,
                    mayBring: { people.isEmpty || people.contains($0) },
                    fetching: rules.mirror ? BlobsOfTheWeb() : nil,
                    time: Time(clock: ContinuousClock(), now: { .current }), log: log)
                try await serve(server, log: log)
            }
        }
    }

    /// What tokens and descriptors go by.
    ///
    /// A server that others reach is not known as `localhost`: a token for somebody's own machine is not for it.
    private var settings: BlobSettings {
        let near: Set<String> = ["localhost", "127.0.0.1", "[::1]", Self.written(host)]
        var settings = rules.settings(domains: url.map { [$0.host] } ?? near, address: url?.text)
        settings.name = name
        return settings
    }

    private func serve(_ server: BlobServer, log: Logger) async throws {
        let proxies = try proxies.proxies()
        let address = "http://\(Self.written(host))"
        let lines = rules.lines
        let application = Application(
            responder: BlossomResponder(server),
            server: .onePort(
                WebSocketUpgrade(proxies: proxies) { _ in false },
                visitors: Visitors(
                    connections: OpenConnections(
                        ConnectionLimits().fitting(descriptors: Descriptors.raise()), proxies: proxies)),
                blobs: { BlobServer.claims($0) }, answersOnEventLoops: true
            ) { _ in },
            configuration: ApplicationConfiguration(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { [port, log] channel in
                // It fails where the port was closed again already, and then needs no care.
                try? await AcceptPause.add(to: channel, logger: log)
                Output.line("blossom \(address):\(channel.localAddress?.port ?? port)")
                for line in lines { Output.line(line) }
            }, logger: log)
        let services: [any Service] = [BackgroundService("blobs") { try await server.run() }, application]
        try await ServiceGroup(configuration: .program(services: services, log: log)).run()
    }

    private static func written(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }
}
