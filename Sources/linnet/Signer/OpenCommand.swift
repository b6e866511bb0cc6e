import ArgumentParser
import NostrNIPs
import NostrSigner
import ViewModels

/// `linnet open`: shows what an address of Nostr leads to.
struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open an address (nostr:, bunker:, nostrconnect:, whistle:, lightning:) in your browser.",
        discussion: """
            Hands the address to the linnet serve of this directory and opens the page it leads to, which shows something \
            or asks; nothing is done by opening it. linnet signer install-handler lets your desktop do this with every \
            such link.
            """)

    @Argument(help: ArgumentHelp("The address; left out or - reads standard input.", valueName: "url"))
    var address: String?
    @Flag(help: "Print the page's address instead of opening it.") var print = false
    @Flag(help: "Hand it to the home that runs with --demo.") var demo = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        let text = try InputLines(arguments: address.map { [$0] } ?? []).single("an address")
        switch OpenedAddress(text) {
        case .secret: throw CommandFailure("This holds a secret key: nothing was done with it.")
        case .unknown(let scheme): throw CommandFailure("\(scheme): addresses lead nowhere here.")
        case .name, .signer, .app, .circle, .signerLink, .answer, .invoice: break
        }
        let directory = demo ? data.directory().demo : data.directory()
        let items = OpenedPages()
        do {
            try await ControlClient(directory: directory).order(ControlOrder(.open(text))) { await items.add($0) }
        } catch is ControlClient.NotRunning {
            throw CommandFailure("Nothing runs here that could show it: start linnet serve.")
        }
        guard let page = await items.all.first.flatMap({ try? JSONValue(Array($0.utf8), depth: 4) })?["page"]?.string
        else { throw CommandFailure("The running program has no pages.") }
        if print { Output.line(page) } else { try await SystemURLs(directory).open(page) }
    }

    /// What the running program answered.
    private actor OpenedPages {
        private(set) var all: [String] = []

        func add(_ text: String) { all.append(text) }
    }
}
