import ArgumentParser
import Logging
import NostrCore
import ServiceLifecycle

/// `linnet serve`: the whole home.
///
/// One property for each option or group of options, which is how the command line reads them.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Run your home on Nostr and show it in the browser.",
        discussion: """
            Prints a line `open http://…`: follow it within an hour to come in. Its host is a name of this home alone, so \
            that servers on other ports of this machine do not get your session; where a program cannot look that name \
            up, the line `or http://…` leads to the same. The same port is a relay for the other \
            Nostr programs of this machine. Stop it with Ctrl-C; nothing is lost.
            """)

    @Flag(help: "Run inside a simulated Nostr on this machine; nothing leaves it.") var demo = false
    @Option(help: "How large the simulated Nostr of --demo is: town (320 people) or hamlet (60).")
    var world = DemoWorld.town
    @Option(help: "The address to listen on; other than loopback, people on your network reach the login page.")
    var host = "127.0.0.1"
    @Option(help: "The port to listen on; 0 takes a free one.") var port = 4869
    @Option(
        name: .customLong("allow-origin"),
        help: "A site whose pages may use the relay on this port, as https://host; may be given again.")
    var origins: [String] = []
    @Option(name: .customLong("name"), help: "A further host name by which browsers reach this program.")
    var names: [String] = []
    @Option(
        name: .customLong("public-url"),
        help: ArgumentHelp(
            "Where your other devices reach these pages, as https://host; apps are told that you can approve there.",
            valueName: "url"))
    var address: PublicAddress?
    @Option(
        name: .customLong("push-proxy"),
        help: ArgumentHelp(
            "A push proxy that can wake your browsers when a request comes for your signer, as https://host.",
            valueName: "url"))
    var proxy: PublicAddress?
    @Flag(name: .customLong("no-relay"), help: "Do not be a relay for other programs on this port.")
    var hasNoRelay = false
    @Flag(
        name: .customLong("blossom"),
        help: "Be a media server (Blossom) on this port, too: people with an account here may bring files.")
    var isMediaServer = false
    @OptionGroup(title: "What the media server takes, with --blossom") var blobs: BlossomRules
    @Flag(name: .customLong("no-metrics"), help: "Show no counts for operators at /metrics.") var hasNoMetrics = false
    @OptionGroup var proxies: ProxyOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard (0...65535).contains(port) else { throw ValidationError("--port must be between 0 and 65535.") }
        guard isMediaServer || !blobs.isChosen else {
            throw ValidationError("What a media server takes is chosen with --blossom, which makes this one.")
        }
    }

    func run() async throws {
        let log = try logging.start()
        let directory = demo ? data.directory().demo : data.directory()
        let home = Home(
            world: demo ? world : nil,
            serving: ServingConfiguration(
                host: host, port: port, names: names, origins: origins, address: address, isRelay: !hasNoRelay,
                hasMetrics: !hasNoMetrics, mediaServer: isMediaServer ? try HomeBlobRules(blobs) : nil,
                proxies: try proxies.proxies()),
            proxy: proxy,
            configuration: try network.configuration(),
            directory: directory, keystore: keys.keystore(in: directory), log: log)
        try await home.run()
    }
}

extension DemoWorld: ExpressibleByArgument {}
