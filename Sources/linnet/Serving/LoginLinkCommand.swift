import ArgumentParser
import NostrNIPs

/// `linnet login-link`: a new way in.
struct LoginLinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login-link", abstract: "Make a new login link for the home that runs here.",
        discussion: """
            Prints a link that works once, within the hour. Where other devices reach the home (linnet serve --host or \
            --public-url), a second link is for them, with a QR code for a phone in the house.
            """)

    @Flag(help: "For the home that runs with --demo.") var demo = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        let directory = demo ? data.directory().demo : data.directory()
        let items = Items()
        do {
            try await ControlClient(directory: directory).order(ControlOrder(.loginLink)) { await items.add($0) }
        } catch is ControlClient.NotRunning {
            throw CommandFailure("Nothing runs here: start linnet serve, which prints a login link.")
        }
        guard let links = await items.all.first.flatMap({ LoginLinks(json: $0.text) }) else {
            throw CommandFailure("What runs here has no pages.")
        }
        for line in links.lines { Output.line(line) }
        guard let there = links.there else {
            Output.error("No other device reaches this home: see --host, --name and --public-url of linnet serve.\n")
            return
        }
        Output.line("elsewhere " + there)
        TerminalCode.show(there)
    }
}
