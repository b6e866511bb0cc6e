import ArgumentParser
import NostrCore
import NostrNIPs

/// `linnet encode`: writes keys, ids and addresses as people share them.
struct EncodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Write keys, ids and addresses as npub, note, nprofile, nevent, naddr or nsec.",
        discussion: """
            Without a form it reads what `linnet decode` prints, one JSON object a line: {"pubkey":…,"relays":[…]}, \
            {"id":…,"relays":[…],"author":…} or {"pubkey":…,"kind":…,"identifier":…}.
            """,
        subcommands: [Npub.self, Note.self, Nprofile.self, Nevent.self, Naddr.self, Nsec.self])

    func run() throws {
        // At a terminal without a form there is nothing to read: the help says what to do.
        if Terminal.isInput { throw CleanExit.helpRequest(self) }
        try InputLines(arguments: []).forEach { Output.line(try PointerJSON.entity(of: $0).text()) }
    }

    /// Relays to put into a code.
    struct Relays: ParsableArguments {
        @Option(name: .shortAndLong, help: ArgumentHelp("A relay that has it; may be repeated.", valueName: "url"))
        var relay: [String] = []

        func urls() throws -> [RelayURL] {
            try relay.map(Reading.relay)
        }
    }

    /// `linnet encode npub`.
    struct Npub: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Public keys as npub.")
        @Argument(help: "Public keys; left out or - reads standard input.") var keys: [String] = []

        func run() throws {
            try Secrets.refuse(in: keys)
            try InputLines(arguments: keys).forEach { Output.line(try Reading.key($0).npub) }
        }
    }

    /// `linnet encode note`.
    struct Note: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Event ids as note.")
        @Argument(help: "Event ids; left out or - reads standard input.") var ids: [String] = []

        func run() throws {
            try Secrets.refuse(in: ids)
            try InputLines(arguments: ids).forEach { Output.line(try Reading.eventID($0).note) }
        }
    }

    /// `linnet encode nprofile`.
    struct Nprofile: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Public keys with relays as nprofile.")
        @Argument(help: "Public keys; left out or - reads standard input.") var keys: [String] = []
        @OptionGroup var relays: Relays

        func run() throws {
            try Secrets.refuse(in: keys)
            let urls = try relays.urls()
            try InputLines(arguments: keys).forEach {
                let pointer = ProfilePointer(key: try Reading.key($0), relays: urls)
                Output.line(try NostrEntity.nprofile(pointer).text())
            }
        }
    }

    /// `linnet encode nevent`.
    struct Nevent: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Event ids with relays, author and kind as nevent.")
        @Argument(help: "Event ids; left out or - reads standard input.") var ids: [String] = []
        @Option(name: .shortAndLong, help: ArgumentHelp("The event's author.", valueName: "key")) var author: String?
        @Option(name: .shortAndLong, help: ArgumentHelp("The event's kind.", valueName: "number")) var kind: UInt16?
        @OptionGroup var relays: Relays

        func run() throws {
            try Secrets.refuse(in: ids + [author ?? ""])
            let urls = try relays.urls()
            let key = try author.map(Reading.key)
            try InputLines(arguments: ids).forEach {
                let pointer = EventPointer(
                    id: try Reading.eventID($0), relays: urls, author: key, kind: kind.map { Kind($0) })
                Output.line(try NostrEntity.nevent(pointer).text())
            }
        }
    }

    /// `linnet encode naddr`.
    struct Naddr: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "The address of a replaceable or addressable event as naddr.")
        @Argument(help: ArgumentHelp("The identifier, as --identifier.", valueName: "identifier")) var given: String?
        @Option(name: [.customShort("d"), .customLong("identifier")], help: "The value of the d tag.") var identifier:
            String?
        @Option(
            name: [.customShort("p"), .customLong("pubkey"), .customShort("a"), .customLong("author")],
            help: "The author's key.")
        var pubkey: String
        @Option(name: .shortAndLong, help: ArgumentHelp("The kind.", valueName: "number")) var kind: UInt16
        @OptionGroup var relays: Relays

        func run() throws {
            try Secrets.refuse(in: [given ?? "", identifier ?? "", pubkey])
            let text = identifier ?? given ?? ""
            switch Kind(kind).retention {
            case .addressable: break
            case .replaceable where text.isEmpty: break
            case .replaceable: throw CommandFailure("Events of kind \(kind) have no identifier.")
            case .regular, .ephemeral: throw CommandFailure("Events of kind \(kind) have no address; use nevent.")
            }
            let address = EventAddress(kind: Kind(kind), author: try Reading.key(pubkey), identifier: text)
            let pointer = AddressPointer(address: address, relays: try relays.urls())
            Output.line(try NostrEntity.naddr(pointer).text())
        }
    }

    /// `linnet encode nsec`.
    struct Nsec: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "A secret key as nsec.",
            discussion: "Whoever sees what it prints can write in this person's name.")
        @OptionGroup var secret: SecretOptions

        func run() throws {
            Output.line(try secret.secretKey().exportNsec())
        }
    }
}
