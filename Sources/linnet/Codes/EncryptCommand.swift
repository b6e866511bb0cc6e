import ArgumentParser
import NostrCore
import NostrNIPs
import ViewModels

/// What `encrypt` and `decrypt` have in common.
struct CipherOptions: ParsableArguments {
    @Flag(name: .customLong("nip04"), help: "Use NIP-04, which is legacy: nothing protects it from being changed.")
    var isLegacy = false
    @Flag(name: .customLong("json"), help: "Texts are JSON strings, so that one with line feeds stays one line.")
    var isJSON = false
    @OptionGroup var secret: SecretSource

    /// Hands over one text after the other, as they are.
    func forEach(_ text: String?, _ body: (String) throws -> Void) throws {
        var lines = InputLines(arguments: text.map { [$0] } ?? [])
        lines.areVerbatim = true
        try lines.forEach { line in
            do {
                try body(line)
            } catch let error as PayloadError {
                throw CommandFailure(error.sentence)
            }
        }
    }

    /// The key with another person, for many texts.
    func conversation(_ key: borrowing SecretKey, _ other: PublicKey) throws -> ConversationKey {
        do { return try ConversationKey(between: key, and: other) } catch {
            throw CommandFailure(PayloadError.notAPublicKey.sentence)
        }
    }
}

/// `linnet encrypt`: encrypts texts for another person, or for yourself.
struct EncryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encrypt", abstract: "Encrypt a text for another person (NIP-44, or NIP-04).",
        discussion: """
            Prints one line of Base64 per text. Only this key and the recipient's can decrypt it. An argument can be read \
            by every program of this machine: give what is private on standard input, a text per line.
            """)

    @Argument(help: "The text; left out or - reads standard input, a text per line.") var text: String?
    @Option(
        name: [
            .customShort("p"), .customLong("recipient-pubkey"), .customLong("to"), .customLong("pubkey"),
            .customLong("target"), .customLong("tgt"),
        ], help: ArgumentHelp("Who is to read it.", valueName: "key"))
    var recipient: String
    @Flag(help: "Take texts of more than 65535 bytes; few programs can read them yet.") var long = false
    @OptionGroup var cipher: CipherOptions

    func run() throws {
        try Secrets.refuse(in: [text ?? "", recipient])
        let other = try Reading.key(recipient)
        let key = try cipher.secret.secretKey(
            inputIsTaken: InputLines(arguments: text.map { [$0] } ?? []).isStandardInput)
        let conversation = try cipher.conversation(key, other)
        let limit = long ? Int(UInt32.max) : ConversationKey.compatibleLength
        var random = SystemRandomNumberGenerator()
        try cipher.forEach(text) { line in
            let plain = cipher.isJSON ? try Self.unquoted(line) : line
            let payload =
                try cipher.isLegacy
                ? LegacyEncryption.encrypt(plain, between: key, and: other, using: &random)
                : conversation.encrypt(plain, limit: limit, using: &random)
            Output.line(payload)
        }
    }

    private static func unquoted(_ line: String) throws -> String {
        // What is no JSON gets the same sentence as what is another kind of JSON.
        guard let text = (try? JSONValue(Array(line.utf8)))?.string else {
            throw CommandFailure("This is not a JSON string.")
        }
        return text
    }
}

/// `linnet decrypt`: decrypts what another person, or you yourself, encrypted.
struct DecryptCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decrypt", abstract: "Decrypt a text from another person (NIP-44, or NIP-04).",
        discussion: """
            Prints the text. Where many are decrypted, --json keeps each on a line of its own. A text that cannot be \
            decrypted is told on standard error, and the exit status is then 1.
            """)

    @Argument(help: "The encrypted text; left out or - reads standard input, one per line.") var payload: String?
    @Option(
        name: [
            .customShort("p"), .customLong("sender-pubkey"), .customLong("from"), .customLong("pubkey"),
            .customLong("source"), .customLong("src"), .customLong("recipient-pubkey"),
        ], help: ArgumentHelp("Who encrypted it, or for whom this key did.", valueName: "key"))
    var sender: String
    @OptionGroup var cipher: CipherOptions

    func run() throws {
        try Secrets.refuse(in: [payload ?? "", sender])
        let other = try Reading.key(sender)
        let key = try cipher.secret.secretKey(
            inputIsTaken: InputLines(arguments: payload.map { [$0] } ?? []).isStandardInput)
        let conversation = try cipher.conversation(key, other)
        try cipher.forEach(payload) { line in
            let text =
                try cipher.isLegacy
                ? LegacyEncryption.decrypt(line, between: key, and: other)
                : conversation.decrypt(line, limit: Int(UInt32.max))
            Output.line(cipher.isJSON ? quotedJSON(text) : text)
        }
    }
}
