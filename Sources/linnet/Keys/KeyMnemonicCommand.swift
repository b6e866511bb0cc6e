import ArgumentParser
import NostrCore
import NostrNIPs
import ViewModels

extension KeyCommand {
    /// `linnet key mnemonic`.
    struct MnemonicWords: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "mnemonic", abstract: "Restore a secret key from its words (NIP-06, BIP-39).",
            discussion: """
                Reads 12 to 24 words in any of the languages of BIP-39, by a prompt that does not show them, from \
                --words-file or standard input, never as an argument. What it prints is as for `linnet key generate`, \
                whose --mnemonic makes such words.
                """)

        @Option(
            help: ArgumentHelp("A file whose first line is the words; - is standard input.", valueName: "file"))
        var wordsFile: String?
        @Option(help: ArgumentHelp("Which of the keys that the words stand for, 0 is the first.", valueName: "number"))
        var account: UInt32 = 0
        @Option(
            help: ArgumentHelp(
                "A file whose first line is the further word some people add to theirs.",
                discussion: "LINNET_MNEMONIC_PASSPHRASE sets it too. Another one gives another key; none is wrong.",
                valueName: "file"))
        var mnemonicPassphraseFile: String?

        @Flag(help: "Encrypt the key, also into a pipe; --password-file means this too.") var encrypt = false
        @Flag(help: "Print the key as hex, also on a terminal.") var print = false
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var cost: Cost
        // Caught only to be refused with a reason, and without being repeated in an error.
        @Argument(help: .hidden) var arguments: [String] = []

        func validate() throws {
            if encrypt && print { throw ValidationError("Use --encrypt or --print, not both.") }
        }

        func run() throws {
            guard arguments.isEmpty else {
                throw CommandFailure(
                    """
                    The words never belong on the command line, where every program of this machine and the shell's \
                    history can read them; give them by prompt, --words-file or standard input.
                    """)
            }
            do {
                let key = try Mnemonic(try text()).secretKey(account: account, passphrase: try further())
                let plain = print || (!encrypt && passphrase.passwordFile == nil && !Terminal.isOutput)
                Output.line(plain ? key.exportHex() : try encrypted(key, passphrase, cost, handling: .unknown))
                Output.error("\(key.publicKey.npub)\n")
            } catch let error as MnemonicError {
                throw CommandFailure(error.sentence)
            }
        }

        private func text() throws -> String {
            if let wordsFile, wordsFile != "-" { return try SecretFile.read(wordsFile, alone: "the words") }
            if wordsFile == nil, Terminal.isInput { return try Terminal.ask("Words: ") }
            guard let line = try StandardInput.firstLine(), !line.isEmpty else {
                throw CommandFailure("No words were given; use --words-file, standard input or a terminal.")
            }
            return line
        }

        private func further() throws -> String {
            if let mnemonicPassphraseFile { return try SecretFile.read(mnemonicPassphraseFile) }
            return EnvironmentVariables.value("LINNET_MNEMONIC_PASSPHRASE") ?? ""
        }
    }
}

/// How words are drawn for a new key.
struct NewMnemonicOptions: ParsableArguments {
    @Flag(help: "Print words to copy onto paper (NIP-06) instead of a key; linnet key mnemonic makes the key of them.")
    var mnemonic = false
    @Option(help: ArgumentHelp("How many words: 12, 15, 18, 21 or 24.", valueName: "number")) var words = 12
    @Option(
        help: ArgumentHelp("The language of the words: \(languages).", valueName: "name"), transform: language(named:))
    var language = Mnemonic.Language.english

    private static var languages: String { Mnemonic.Language.allCases.map(\.rawValue).joined(separator: ", ") }

    private static func language(named text: String) throws -> Mnemonic.Language {
        guard let language = Mnemonic.Language(rawValue: text.lowercased()) else {
            throw ValidationError("There are no words in '\(text)': use \(languages).")
        }
        return language
    }

    /// Draws words and the key they stand for.
    ///
    /// - Throws: ``CommandFailure`` for another number of words.
    func generate() throws -> (phrase: String, npub: String) {
        var random = SystemRandomNumberGenerator()
        do throws(MnemonicError) {
            let drawn = try Mnemonic.generate(words: words, language: language, using: &random)
            return (drawn.phrase(), try drawn.secretKey().publicKey.npub)
        } catch {
            throw CommandFailure(error.sentence)
        }
    }
}
