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
            separated by spaces); what belongs to Apple is also read from APNS_KEY_FILE, APNS_KEY_ID, APNS_TEAM_ID, \
            APNS_TOPIC and APNS_URL.
            """)

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
        let named = PushProxyOptions.value(port.map(String.init), "LINNET_PUSH_PORT") ?? "4870"
        guard let port = UInt16(named) else { throw ValidationError("LINNET_PUSH_PORT must be a port.") }
        let host = PushProxyOptions.value(host, "LINNET_PUSH_HOST") ?? "127.0.0.1"
        try await PushProxyService(host: host, port: Int(port), options: options, directory: data.directory(), log: log)
            .run()
    }
}

/// What `linnet push-proxy` is told, by flag or environment.
struct PushProxyOptions: ParsableArguments {
    @Option(name: .customLong("relay"), help: "A relay of which every request is read; may be given again.")
    var relays: [String] = []
    @Option(help: ArgumentHelp("The address apps know this proxy by.", valueName: "https://host")) var url: String?
    @Option(help: "The relay that apps should use when they have a choice.") var publicRelay: String?
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

    /// Whether relays and endpoints near us are taken.
    var takesPrivate: Bool { allowPrivate || EnvironmentVariables.value("LINNET_PUSH_ALLOW_PRIVATE") != nil }
    /// Proxies of ours that say where requests come from.
    ///
    /// - Throws: a ``CommandFailure`` for what is no address: a name would trust nobody, without a word.
    func proxies() throws -> TrustedProxies {
        let variable = EnvironmentVariables.value("LINNET_PUSH_TRUSTED_PROXY")?.split(separator: " ").map(String.init)
        return try ProxyOptions.proxies(
            named: trustedProxies.isEmpty ? variable ?? [] : trustedProxies,
            trustsNearby: behindProxy || EnvironmentVariables.value("LINNET_PUSH_BEHIND_PROXY") != nil)
    }

    /// A flag's value, else that of the first of some variables.
    static func value(_ given: String?, _ variables: String...) -> String? {
        given ?? variables.lazy.compactMap { EnvironmentVariables.value($0) }.first
    }

    /// The relays of which everything is read.
    ///
    /// - Throws: a ``CommandFailure`` for an address that is none.
    func primaryRelays() throws -> Set<RelayURL> {
        let named =
            relays.isEmpty
            ? EnvironmentVariables.value("LINNET_PUSH_RELAYS")?.split(separator: " ").map(String.init) ?? [] : relays
        return Set(try named.map(Reading.relay))
    }

    /// Where registrations are kept; `nil` for the usual file.
    ///
    /// - Throws: ``CommandFailure/secretArgument`` for a password that every program of this machine could read.
    func databaseAddress() throws -> String? {
        if let database, Self.isPostgres(database), Self.holdsPassword(database) {
            throw CommandFailure(
                """
                A password never belongs on the command line, where every program of this machine can read it: put the \
                address into LINNET_PUSH_DATABASE, or the password into PGPASSWORD or ~/.pgpass.
                """)
        }
        return Self.value(database, "LINNET_PUSH_DATABASE")
    }

    static func isPostgres(_ address: String) -> Bool {
        address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
    }

    private static func holdsPassword(_ address: String) -> Bool {
        if address.contains("password=") { return true }
        guard let scheme = address.range(of: "://") else { return false }
        let authority = address[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" }
        guard let at = authority.lastIndex(of: "@") else { return false }
        return authority[..<at].contains(":")
    }
}
