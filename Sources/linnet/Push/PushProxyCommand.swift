import ArgumentParser
import Foundation
import NostrCore

/// `linnet push-proxy`: wakes signers that sleep.
struct PushProxyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push-proxy", abstract: "Watch relays for requests to sleeping signers and wake their devices.",
        discussion: """
            Signers register a device with a signed request to this program's address; requests for them on the relays \
            then wake it through Apple's push service, a browser's, or UnifiedPush. No key and no text is seen. Every \
            option can stand in the environment instead, as LINNET_PUSH_ and its name in capitals (LINNET_PUSH_RELAYS, \
            separated by spaces), or in a file .env of the folder it is started in. The names of Clave's proxy are read \
            too: PORT, APNS_KEY_ID, APNS_TEAM_ID, APNS_KEY_PATH, APNS_HOST, BUNDLE_ID, RELAY_URL, PUBLIC_RELAY_URL and \
            PUBLIC_PROXY_URL; linnet push-proxy import takes over its files. docs/SELF-HOSTING.md leads through it.
            """,
        subcommands: [PushProxyImportCommand.self])

    @Option(help: "The address to listen on (default: 127.0.0.1).") var host: String?
    @Option(help: "The port to listen on; 0 takes a free one (default: 4870).") var port: Int?
    @OptionGroup var options: PushProxyOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func validate() throws {
        guard (0...65535).contains(port ?? 0) else { throw ValidationError("--port must be between 0 and 65535.") }
    }

    func run() async throws {
        let log = try logging.start()
        let environment = try options.environment()
        let named = port.map(String.init) ?? environment.value("LINNET_PUSH_PORT", "PORT") ?? "4870"
        guard let port = UInt16(named) else { throw ValidationError("LINNET_PUSH_PORT, or PORT, must be a port.") }
        let configuration = PushProxyConfiguration(options: options, environment: environment)
        try await PushProxyService(
            host: host ?? environment.value("LINNET_PUSH_HOST") ?? "127.0.0.1", port: Int(port),
            configuration: configuration, directory: data.directory(), log: log
        ).run()
    }
}

/// What `linnet push-proxy` is told, by flag or environment.
///
/// One property for each option, which is how the command line reads them.
struct PushProxyOptions: ParsableArguments {
    @Option(name: .customLong("relay"), help: "A relay of which every request is read; may be given again.")
    var relays: [String] = []
    @Option(help: ArgumentHelp("The address apps know this proxy by.", valueName: "https://host")) var url: String?
    @Option(
        help: ArgumentHelp(
            "The address by which devices reach the first relay, where you name it by one of this machine.",
            valueName: "wss://host"))
    var publicRelay: String?
    @Option(help: "A file with Apple's signing key (.p8).") var apnsKeyFile: String?
    @Option(help: "The ten characters of that key.") var apnsKeyID: String?
    @Option(help: "The ten characters of the team.") var apnsTeamID: String?
    @Option(help: "The bundle identifier of the app that is woken.") var apnsTopic: String?
    @Option(help: "Apple's push service, if not the usual one.") var apnsURL: String?
    @Option(help: "A file with the key for browsers (VAPID); made when it is not there.") var vapidKeyFile: String?
    @Option(help: "Where push services reach you: mailto:… or https:…") var contact: String?
    @Option(
        help: ArgumentHelp(
            "The SQLite file that holds registrations, or a postgres:// address without a password.",
            discussion: """
                An address with a password belongs into LINNET_PUSH_DATABASE, or the password into PGPASSWORD or \
                ~/.pgpass.
                """))
    var database: String?
    @Option(help: "A PEM file with the certificates to believe instead of the system's.") var trustedRoots: String?
    @Flag(help: "Take relays and endpoints on this machine and private networks; for tests and closed networks.")
    var allowPrivate = false
    @Flag(help: "Believe X-Forwarded-For from this machine and private networks, where a proxy of yours stands.")
    var behindProxy = false
    @Option(
        name: .customLong("trusted-proxy"),
        help: "The address of a proxy of yours whose X-Forwarded-For is believed; may be given again.")
    var trustedProxies: [String] = []
    @Option(help: "How many apps one signer may pair.") var clientLimit: Int?
    @Option(
        help: ArgumentHelp(
            "A file of NAME=value lines, read for what the environment leaves out (default: .env, if it is there).",
            valueName: "file"))
    var envFile: String?

    /// What stands in the environment, and in a file beside it.
    ///
    /// - Throws: a ``CommandFailure`` for a file that was named and cannot be read.
    func environment() throws -> PushEnvironment {
        try PushEnvironment(file: envFile)
    }
}
