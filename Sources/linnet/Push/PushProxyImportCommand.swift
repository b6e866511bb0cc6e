import ArgumentParser
import Foundation
import NostrCore
import NostrStore
import PushProxy

/// `linnet push-proxy import`: takes over what Clave's proxy remembers.
struct PushProxyImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take over the devices and pairings that Clave's proxy kept.",
        discussion: """
            Reads the files tokens.json and clients.json of relay-proxy; what is there already stays, what cannot be read \
            is counted and left out. Run it while this push proxy does not run, or with the database it uses.
            """)

    @Option(help: ArgumentHelp("The file of devices.", valueName: "tokens.json")) var tokens: String?
    @Option(help: ArgumentHelp("The file of paired apps.", valueName: "clients.json")) var clients: String?
    @OptionGroup var options: PushProxyOptions
    @OptionGroup var data: DataDirectory.Options

    func validate() throws {
        guard tokens != nil || clients != nil else { throw ValidationError("Give --tokens, --clients or both.") }
    }

    func run() async throws {
        let directory = data.directory()
        try directory.prepare()
        let configuration = PushProxyConfiguration(options: options, environment: try options.environment())
        let registry = try await PushProxyService.registry(configuration, directory)
        do {
            let files = (try tokens.map(Self.bytes), try clients.map(Self.bytes))
            let counts = try await ClaveImport(registry: registry, now: .current).run(tokens: files.0, clients: files.1)
            Output.line(
                "{\"devices\":\(counts.devices),\"pairings\":\(counts.pairings),\"left_out\":\(counts.leftOut)}")
        } catch ClaveImport.Failure.notAList(let name) {
            throw CommandFailure(
                "\(name) is not a list of JSON objects, as Clave's proxy writes it; nothing was taken over.")
        }
    }

    private static func bytes(of file: String) throws -> [UInt8] {
        // Why it cannot be read, the system's error would say in its own way.
        guard let data = FileManager.default.contents(atPath: file) else {
            throw CommandFailure("Cannot read \(file).")
        }
        return Array(data)
    }
}
