import ArgumentParser
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet decode`: shows what is in a code.
struct DecodeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode",
        abstract: "Show what is in an npub, note, nprofile, nevent, naddr, nostr: address, invoice or LNURL.",
        discussion: """
            Prints one line of JSON per code. Codes that cannot be read are told on standard error, and the exit status is \
            then 1. An nsec is decoded from standard input only, and only with --show-secret.
            """)

    @Argument(help: "Codes; left out or - reads standard input.") var codes: [String] = []
    @Flag(name: [.customShort("e"), .customLong("id")], help: "Print the event id alone, where there is one.")
    var id = false
    @Flag(name: [.customShort("p"), .customLong("pubkey")], help: "Print the public key alone, where there is one.")
    var pubkey = false
    @Flag(help: "Print the secret key in an nsec.") var showSecret = false

    func run() throws {
        try Secrets.refuse(in: codes)
        try InputLines(arguments: codes).forEach { Output.line(try decode($0)) }
    }

    private func decode(_ text: String) throws -> String {
        let code = text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text
        do {
            if Secrets.isSecret(code) { return try secret(code) }
            if InvoiceJSON.isInvoice(code) { return try InvoiceJSON.text(of: code) }
            let entity = try NostrEntity(code)
            if id || pubkey { return try part(of: entity) }
            return PointerJSON.text(of: entity)
        } catch let error as EntityError {
            throw CommandFailure(sentence(for: error, code))
        }
    }

    private func sentence(for error: EntityError, _ code: String) -> String {
        guard !Secrets.isSecret(code) else { return error.sentence }
        let isHex = code.count == 64 && code.allSatisfy(\.isHexDigit)
        return isHex
            ? "64 hex characters are not a code: linnet encode npub or encode note makes one of them."
            : "\(Shown.text(code)) cannot be decoded. \(error.sentence)"
    }

    private func secret(_ code: String) throws -> String {
        guard showSecret else {
            throw CommandFailure(
                "That is a secret key; linnet key public gives its public key, --show-secret shows it.")
        }
        let key = try SecretKey.parse(nsec: code)
        return JSONValue.object([JSONMember("private_key", .string(key.exportHex()))]).text
    }

    private func part(of entity: NostrEntity) throws -> String {
        if id {
            switch entity {
            case .note(let id): return id.hex
            case .nevent(let pointer): return pointer.id.hex
            default: throw CommandFailure("There is no event id in this code.")
            }
        }
        guard let author = entity.author else { throw CommandFailure("There is no public key in this code.") }
        return author.hex
    }
}

/// Entities as JSON, with the names other tools use.
enum PointerJSON {
    /// One line for an entity.
    static func text(of entity: NostrEntity) -> String {
        var members: [JSONMember] = []
        switch entity {
        case .npub(let key): members = [JSONMember("pubkey", .string(key.hex))]
        case .note(let id): members = [JSONMember("id", .string(id.hex))]
        case .nprofile(let pointer): members = [JSONMember("pubkey", .string(pointer.key.hex))]
        case .nevent(let pointer):
            members = [JSONMember("id", .string(pointer.id.hex))]
            if let author = pointer.author { members.append(JSONMember("author", .string(author.hex))) }
            if let kind = pointer.kind { members.append(JSONMember("kind", .number("\(kind.rawValue)"))) }
        case .naddr(let pointer):
            members = [
                JSONMember("pubkey", .string(pointer.address.author.hex)),
                JSONMember("kind", .number("\(pointer.address.kind.rawValue)")),
                JSONMember("identifier", .string(pointer.address.identifier)),
            ]
        case .nrelay: break
        }
        switch entity {
        case .npub, .note: break
        default: members.append(JSONMember("relays", .array(entity.relays.map { .string($0.text) })))
        }
        return JSONValue.object(members).text
    }

    /// The entity one line of JSON stands for.
    static func entity(of line: String) throws -> NostrEntity {
        // What is no JSON gets the sentence at the end.
        let value = (try? JSONValue(Array(line.utf8))) ?? .null
        let relays = try (value["relays"]?.elements ?? []).compactMap(\.string).map(Reading.relay)
        let kind = value["kind"]?.integer.flatMap(UInt16.init(exactly:)).map { Kind($0) }
        if let id = value["id"]?.string {
            let author = try (value["author"]?.string ?? value["pubkey"]?.string).map(Reading.key)
            return .nevent(EventPointer(id: try Reading.eventID(id), relays: relays, author: author, kind: kind))
        }
        guard let pubkey = value["pubkey"]?.string else {
            throw CommandFailure("This is not a JSON object with an id or a pubkey.")
        }
        let key = try Reading.key(pubkey)
        guard let kind else { return .nprofile(ProfilePointer(key: key, relays: relays)) }
        let address = EventAddress(kind: kind, author: key, identifier: value["identifier"]?.string ?? "")
        return .naddr(AddressPointer(address: address, relays: relays))
    }
}
