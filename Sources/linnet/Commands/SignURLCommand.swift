import ArgumentParser
import NostrNIPs
import NostrSigner

/// `linnet sign-url`: answers one signer link.
struct SignURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-url", abstract: "Answer a signer link (nostrsigner:).",
        discussion: """
            Hands the link to the linnet serve of this directory and opens the page on which you approve or refuse it; from \
            there the answer goes back to the app. Where only linnet signer runs, it asks in its own terminal. What you \
            always allow is answered at once. linnet signer install-handler lets your desktop do this with every such link.
            """)

    @Argument(help: ArgumentHelp("The link; left out or - reads standard input.", valueName: "url")) var link: String?
    @Flag(help: "Wait for the answer and print where it goes instead of opening it.") var print = false
    @Flag(help: "Hand it to the home that runs with --demo.") var demo = false
    @OptionGroup var data: DataDirectory.Options

    func run() async throws {
        let text = try InputLines(arguments: link.map { [$0] } ?? []).single("a signer link")
        if case .notALink = SignerLink.read(text, at: .linnet) {
            throw CommandFailure("This is no signer link: those begin with nostrsigner:")
        }
        let errand = LinkErrand(
            client: ControlClient(directory: demo ? data.directory().demo : data.directory()), prints: print,
            urls: SystemURLs())
        do {
            try await errand.hand(text)
        } catch is ControlClient.NotRunning {
            throw CommandFailure(
                "Nothing runs here that could answer: start linnet serve or linnet signer, then ask again.")
        }
    }
}

/// Hands one link to the running program and sees to its answer.
struct LinkErrand: Sendable {
    let client: ControlClient
    /// Whether the answer is printed; otherwise it is opened.
    let prints: Bool
    let urls: any URLOpening

    /// - Throws: ``ControlClient/NotRunning``, or a ``CommandFailure``.
    func hand(_ text: String) async throws {
        var reply = try await ask(.link(text, isCarriedElsewhere: prints))
        guard case .asks(let id, let page) = reply else { return try await carry(reply) }
        if let page {
            try await urls.open(page)
            // The page takes the answer back itself, unless it is to be printed here.
            guard prints else { return }
        }
        let end = ContinuousClock.now + OpenLinks.lifetime
        while case .asks = reply {
            guard ContinuousClock.now < end else { throw CommandFailure("Nobody answered in time.") }
            reply = try await ask(.linkOutcome(id: id, seconds: 30), else: reply)
        }
        try await carry(reply)
    }

    private func ask(_ verb: ControlOrder.Verb, else standing: LinkReply? = nil) async throws -> LinkReply {
        let items = Items()
        try await client.order(ControlOrder(verb)) { await items.add($0) }
        if let reply = await items.all.first.flatMap({ LinkReply(json: $0.text) }) ?? standing { return reply }
        throw CommandFailure("The running program is of another version of Linnet.")
    }

    private func carry(_ reply: LinkReply) async throws {
        guard case .answered(let open, let copy, let problem) = reply else { return }
        if let open {
            if prints { Output.line(open) } else { try await urls.open(open) }
        }
        if let copy { Output.line(copy) }
        if let problem, prints || open == nil { throw CommandFailure("The link got no result: \(problem)") }
    }
}

extension LinkAddresses {
    /// The schemes this program takes.
    static let linnet = LinkAddresses(schemes: Set(DesktopHandler.schemes))
}
