import ArgumentParser
import NostrClient
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage
import ViewModels
import WebSocketNIO

/// `linnet sign-url`: answers one signer link.
struct SignURLCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-url", abstract: "Answer a signer link (nostrsigner:).",
        discussion: """
            Hands the link to the linnet serve of this directory and opens the page on which you approve or refuse it; from \
            there the answer goes back to the app. Where only linnet signer runs, it asks in its own terminal; where \
            nothing runs, this command opens the account and asks in this one. What you always allow is answered at once. \
            linnet signer install-handler lets your desktop do this with every such link.
            """)

    @Argument(help: ArgumentHelp("The link; left out or - reads standard input.", valueName: "url")) var link: String?
    @Flag(help: "Wait for the answer and print where it goes instead of opening it.") var print = false
    @Flag(help: "Hand it to the home that runs with --demo.") var demo = false
    @OptionGroup var passphrase: PassphraseOptions
    @OptionGroup var keys: KeystoreOptions
    @OptionGroup var network: NetworkOptions
    @OptionGroup var data: DataDirectory.Options
    @OptionGroup var logging: LoggingOptions

    func run() async throws {
        let text = try InputLines(arguments: link.map { [$0] } ?? []).single("a signer link")
        if case .notALink = SignerLink.read(text, at: .linnet) {
            throw CommandFailure("This is not a signer link: those begin with nostrsigner:")
        }
        let directory = demo ? data.directory().demo : data.directory()
        let delivery = LinkDelivery(
            client: ControlClient(directory: directory), prints: print, urls: SystemURLs(directory),
            folder: directory.opened)
        do {
            do {
                try await delivery.hand(text)
            } catch is ControlClient.NotRunning {
                try await delivery.carry(try await answerAlone(text, directory))
            }
        } catch {
            throw CommandFailure.speaking(error)
        }
    }

    /// Answers the link by itself; the directory is held meanwhile.
    private func answerAlone(_ text: String, _ directory: DataDirectory) async throws -> LinkReply {
        let log = try logging.start()
        let keystore = keys.keystore(in: directory)
        guard try await keystore.accounts().contains(where: \.hasKey) else {
            throw CommandFailure("Nothing runs here that could answer, and there is no account with a key here.")
        }
        try directory.prepare()
        let lock = try DirectoryLock(directory)
        defer { _ = lock }
        let configuration = try network.configuration()
        let transport = try NamedRelaysTransport(configuration, in: directory, log: log)
        let signing = try SignerFactory(directory, transport: transport, relays: configuration.signerRelays)
        let host = AccountHost(
            keystore: keystore,
            factory: AccountFactory(
                store: try SQLiteEventStore(path: directory.events, now: { .current }), transport: transport,
                configuration: configuration, directory: directory, log: log, signing: signing),
            demo: nil)
        let isSomebodyThere = Terminal.isInput && Terminal.isErrorOutput && link != nil && link != "-"
        let passphrase = passphrase
        let reply = try await LinkAlone(
            host: host, keystore: keystore, directory: directory, typed: isSomebodyThere ? TypedLines() : nil,
            say: { Output.error($0 + "\n") }, passphrase: { try passphrase.passphrase(isNew: false) }
        ).answer(text)
        try signing.close()
        return reply
    }
}

/// Hands one link to the running program and sees to its answer.
struct LinkDelivery: Sendable {
    let client: ControlClient
    /// Whether the answer is printed; otherwise it is opened.
    let prints: Bool
    let urls: any URLOpening
    /// Where pages rest that post an answer.
    let folder: String

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

    /// Sees to an answer: opens it, or prints it.
    func carry(_ reply: LinkReply) async throws {
        if case .offered(let url, let problem) = reply {
            // Nobody approved this place: it is named, and opened by whoever wants it opened.
            Output.line(url)
            throw CommandFailure("The link got no result: \(problem ?? "refused")")
        }
        if case .posted(let answer) = reply {
            if prints { return Output.line(answer.json) }
            return try await urls.open(try OpenedPage.write(posting: answer, in: folder))
        }
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
    static let linnet = LinkAddresses(schemes: Set(DesktopHandler.Links.signer.schemes))
}
