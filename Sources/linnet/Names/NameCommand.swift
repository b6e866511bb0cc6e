import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs
import OpenWeb

/// `linnet nip05`: whom a name at a domain leads to.
struct NameCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nip05", abstract: "Ask a domain whom one of its names leads to (NIP-05).",
        discussion: """
            Prints the key and the relays the domain gives, one line of JSON. With --key it only says whether the name \
            is this person's, and ends with 1 when it is not. Redirects are not followed, and nothing on this machine \
            or in a private network is asked.
            """)

    @Argument(help: ArgumentHelp("name@domain, or a domain for its own name.", valueName: "name"))
    var name: String
    @Option(help: ArgumentHelp("Check that it leads to this person: npub or hex.", valueName: "npub"))
    var key: String?

    func run() async throws { try await ask(NamesOfTheWeb()) { Output.line($0) } }

    /// Asks, and prints what the domain says.
    func ask(_ domains: any NamesFetching, _ print: (String) -> Void) async throws {
        try Secrets.refuse(in: [name] + [key].compactMap(\.self))
        guard let identifier = InternetIdentifier(name) else {
            throw CommandFailure("\(Shown.text(name)) is not a name: give name@domain.")
        }
        let expected = try key.map(Reading.key)
        let bytes: [UInt8]
        do {
            bytes = try await domains.document(for: identifier)
        } catch let failure as OpenWebClient.Failure {
            throw CommandFailure(Self.words(failure, identifier.domain))
        }
        guard let names = WellKnownNames(json: bytes) else {
            throw CommandFailure("\(identifier.domain) answers with something that is not a list of names.")
        }
        guard let pointer = names.pointer(for: identifier) else {
            throw CommandFailure("\(identifier.domain) knows nobody called \(identifier.local).")
        }
        print(
            JSONValue.object([
                JSONMember("name", .string(identifier.description)), JSONMember("pubkey", .string(pointer.key.hex)),
                JSONMember("relays", .array(pointer.relays.map { .string($0.text) })),
            ]).text)
        if let expected, expected != pointer.key {
            throw CommandFailure("\(identifier.description) is somebody else's, not \(expected.npub).")
        }
    }

    private static func words(_ failure: OpenWebClient.Failure, _ domain: String) -> String {
        switch failure {
        case .notAllowed: "\(domain) is not a domain that can be asked."
        case .privateAddress: "\(domain) leads to this machine or a private network, which is not asked."
        case .unknownHost: "There is no \(domain)."
        case .unreachable: "\(domain) does not answer, or cannot prove that it is \(domain)."
        case .timedOut: "\(domain) did not answer in time."
        case .redirected: "\(domain) sends elsewhere, which names may not (NIP-05)."
        case .status(let number): "\(domain) has no list of names (HTTP \(number))."
        case .tooLong: "\(domain) answers with more than a megabyte."
        case .wrongType: "\(domain) answers with something that is not a list of names."
        }
    }
}
