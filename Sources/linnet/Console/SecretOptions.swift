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
        guard arguments.isEmpty else { throw CommandFailure.secretArgument }
        return try source.secretKey()
    }

    /// Reads what stands for the key, in whatever form.
    ///
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func text() throws -> String {
        guard arguments.isEmpty else { throw CommandFailure.secretArgument }
        return try source.text()
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
        do {
            return try SecretKey.parse(pasted: try text(inputIsTaken: inputIsTaken))
        } catch let error as EntityError {
            throw CommandFailure(error.sentence)
        }
    }

    /// Reads what stands for the key, in whatever form.
    ///
    /// - Throws: ``CommandFailure``, which never carries what was read.
    func text(inputIsTaken: Bool = false) throws -> String {
        guard sec == nil else { throw CommandFailure.secretArgument }
        if let secFile, secFile != "-" { return try SecretFile.read(secFile) }
        if secFile == nil, let set = EnvironmentVariables.value("NOSTR_SECRET_KEY") { return set }
        if Terminal.isInput || (inputIsTaken && secFile == nil) { return try asked() }
        guard let line = readLine(), !line.isEmpty else { throw Self.missing }
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
    /// The first line.
    static func read(_ path: String) throws -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("The file \(path) cannot be read.")
        }
        guard let data = try handle.read(upToCount: 4096) else { throw CommandFailure("The file \(path) is empty.") }
        guard let text = String(validating: data.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self) else {
            throw CommandFailure("The file \(path) is no text.")
        }
        return text
    }
}
