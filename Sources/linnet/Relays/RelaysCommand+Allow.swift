import ArgumentParser
import Logging
import NostrCore
import NostrNIPs
import SQLiteStorage
import ViewModels

extension RelaysCommand {
    /// `linnet relays allow`: relays in private networks that others named.
    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let Linnet contact relays in private networks that others named, or no longer.",
            discussion: """
                Relays on this machine or in your own network that a circle, an invitation or a link names are not \
                contacted until you allow each; those on your own lists need no permission. It holds for every \
                account of this machine. Prints a line of JSON for each relay given, or for each that is allowed \
                when none is given.
                """)

        @Argument(
            help: ArgumentHelp(
                "Addresses that begin with wss:// or ws://; without any, those allowed are printed.",
                valueName: "relay"))
        var addresses: [String] = []
        @Flag(help: "Take it back: they are not contacted again unless you allow them.") var revoke = false
        @OptionGroup var data: DataDirectory.Options
        @OptionGroup var logging: LoggingOptions

        func validate() throws {
            guard !revoke || !addresses.isEmpty else { throw ValidationError("Say which relays to take back.") }
        }

        func run() async throws {
            do {
                let relays = try addresses.map(Reading.relay)
                let log = try logging.start()
                let directory = data.directory()
                try directory.prepare()
                let lock = try DirectoryLock(directory)
                defer { _ = lock }
                let program = try SQLiteRecordStore(path: directory.program)
                let settings = SettingsRecords(records: program, log: log)
                for relay in relays {
                    _ = try await AllowedRelays(settings).set(relay.text, !revoke)
                    Output.line(Self.line(of: relay.text, isAllowed: !revoke))
                }
                if relays.isEmpty {
                    for relay in try await settings.kept().allowedRelays.sorted() {
                        Output.line(Self.line(of: relay, isAllowed: true))
                    }
                }
                try program.close()
            } catch {
                throw CommandFailure.speaking(error)
            }
        }

        private static func line(of relay: String, isAllowed: Bool) -> String {
            JSONValue.object([JSONMember("relay", .string(relay)), JSONMember("allowed", .bool(isAllowed))]).text
        }
    }
}
