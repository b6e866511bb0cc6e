import ArgumentParser
import Foundation
import NostrCore
import NostrNIPs
import ViewModels

/// Where a secret key comes from: never from the argument list.
struct SecretOptions: ParsableArguments {
    @OptionGroup var source: SecretSource
    // Caught only to be refused with a reason, and without being repeated in an error.
    @Argument(help: .hidden) var arguments: [String] = []

    /// Reads the key.
    ///
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func secretKey() throws -> SecretKey {
        try refuseArguments()
        return try SecretSource.key(in: try source.text(isAlone: true))
    }

    /// Reads what stands for the key, in whatever form.
    ///
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func text() throws -> String {
        try refuseArguments()
        return try source.text(isAlone: true)
    }

    private func refuseArguments() throws {
        guard let first = arguments.first else { return }
        // What everybody may know is no secret that was given away.
        guard SecretSource.isPublic(first) else { throw CommandFailure.secretArgument }
        throw CommandFailure(
            "\(Shown.text(first)) is a public key already: a secret one is wanted, and not as an argument.")
    }
}

/// Where a secret key comes from, for commands that have arguments of their own.
struct SecretSource: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file that holds the secret key as nsec or hex; - is standard input, its first line.",
            discussion: """
                Without it the key is read from NOSTR_SECRET_KEY, else from standard input where nothing else is read from \
                there, at a terminal by a prompt that does not show it.
                """, valueName: "file"))
    var secFile: String?

    // Caught only to be refused with a reason, and without being repeated in an error.
    @Option(help: .hidden) var sec: String?

    /// Reads the key.
    ///
    /// - Parameter inputIsTaken: whether standard input holds what the command works on; then its first line is the key
    ///   only where `--sec-file -` says so.
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func secretKey(inputIsTaken: Bool = false) throws -> SecretKey {
        try Self.key(in: try text(inputIsTaken: inputIsTaken))
    }

    /// The key a text stands for.
    ///
    /// - Throws: a ``CommandFailure``, which carries the text only where it is public.
    static func key(in text: String) throws -> SecretKey {
        let code = text.trimmingCharacters(in: .whitespacesAndNewlines)
        do {
            return try SecretKey.parse(pasted: code)
        } catch {
            if isPublic(code) {
                throw CommandFailure(
                    "\(Shown.text(code)) is a public key: the secret one begins with nsec1, or is hex.")
            }
            throw CommandFailure(sentence(for: error, code))
        }
    }

    /// Whether a text names a person for everybody.
    static func isPublic(_ text: String) -> Bool {
        // What is no code is something else.
        switch try? NostrEntity(text.lowercased().hasPrefix("nostr:") ? String(text.dropFirst(6)) : text) {
        case .npub, .nprofile: true
        default: false
        }
    }

    private static func sentence(for error: EntityError, _ code: String) -> String {
        if code.lowercased().hasPrefix("ncryptsec1") {
            return "This is an encrypted key: linnet key decrypt opens it."
        }
        guard code.allSatisfy(\.isHexDigit) else { return error.sentence }
        return code.count == 64
            ? "This is not a secret key: it is zero, or above the highest there is."
            : "This is not a secret key: hex has 64 characters, and these are \(code.count)."
    }

    /// Reads what stands for the key, in whatever form.
    ///
    /// - Parameters:
    ///   - inputIsTaken: as above.
    ///   - isAlone: whether standard input holds the key and nothing else; it is read to its end then.
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func text(inputIsTaken: Bool = false, isAlone: Bool = false) throws -> String {
        guard sec == nil else { throw CommandFailure.secretArgument }
        if let secFile, secFile != "-" { return try SecretFile.read(secFile, alone: "the key") }
        if secFile == nil, let set = EnvironmentVariables.value("NOSTR_SECRET_KEY") { return set }
        if Terminal.isInput || (inputIsTaken && secFile == nil) { return try asked() }
        guard let line = try StandardInput.firstLine(), !line.isEmpty else { throw Self.missing }
        if isAlone { try StandardInput.refuseFurtherLines(after: "the key") }
        return line
    }

    private func asked() throws -> String {
        guard Terminal.isThere else { throw Self.missing }
        return try Terminal.ask("Secret key (nsec or hex): ")
    }

    private static let missing = CommandFailure(
        "No secret key was given; use --sec-file, NOSTR_SECRET_KEY, standard input or a terminal.")
}

/// Where a passphrase comes from: never from the argument list.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase.",
            discussion: "Without it the passphrase is read from LINNET_PASSWORD, else asked for at the terminal.",
            valueName: "file"))
    var passwordFile: String?

    /// Reads the passphrase.
    ///
    /// - Parameter isNew: whether to ask for it twice at a terminal.
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func passphrase(isNew: Bool) throws -> String {
        let text = try given() ?? asked(isNew: isNew)
        guard !text.isEmpty else { throw CommandFailure(EncryptedKeyError.emptyPassphrase.sentence) }
        return text
    }

    private func given() throws -> String? {
        if let passwordFile { return try SecretFile.read(passwordFile) }
        return EnvironmentVariables.value("LINNET_PASSWORD")
    }

    private func asked(isNew: Bool) throws -> String {
        let text = try Terminal.ask(isNew ? "New passphrase: " : "Passphrase: ")
        if isNew, try Terminal.ask("Again: ") != text { throw CommandFailure("The two passphrases are not the same.") }
        return text
    }
}

/// A small file whose first line is a secret.
enum SecretFile {
    private static let longest = 4096

    /// The first line.
    ///
    /// - Parameter what: what must be alone in the file, such as "the key"; `nil` where further lines are notes.
    static func read(_ path: String, alone what: String? = nil) throws -> String {
        let handle = try Reading.open(path, "a file with one line")
        let data: Data?
        do { data = try handle.read(upToCount: longest) } catch { throw CommandFailure("\(path) cannot be read.") }
        guard let data, !data.isEmpty else { throw CommandFailure("\(path) is empty.") }
        let text = try ByteOrderMark.text(data, of: path)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let further = lines.indices.dropFirst().first { !lines[$0].allSatisfy(\.isWhitespace) }
        if let what, let further {
            throw CommandFailure("\(path) holds more than \(what): line \(further + 1) is not empty.")
        }
        guard let first = lines.first, !first.allSatisfy(\.isWhitespace) else {
            throw CommandFailure("The first line of \(path) is empty.")
        }
        return String(first)
    }
}
