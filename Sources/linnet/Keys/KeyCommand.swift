import ArgumentParser
import NostrCore
import NostrNIPs
import ViewModels

/// `linnet key`: makes keys and changes their form.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make a secret key, derive its public key, encrypt it, decrypt it.",
        discussion: """
            Secrets come by prompt, --sec-file, NOSTR_SECRET_KEY or standard input, never as an argument: every program \
            of the machine can read those, and the shell writes them down.
            """,
        subcommands: [Generate.self, Public.self, Encrypt.self, Decrypt.self, MnemonicWords.self])

    /// How much work guessing a passphrase takes.
    struct Cost: ParsableArguments {
        @Option(
            name: [.customLong("log-n"), .customLong("logn")],
            help: ArgumentHelp(
                "The cost of guessing the passphrase: 2 to this power rounds of scrypt, 1 to 22.",
                discussion: """
                    16 takes 64 MiB of memory, 18 takes 256 MiB, 20 takes 1 GiB, 22 takes 4 GiB; as much each time it is \
                    opened, too.
                    """, valueName: "n"))
        var logN: UInt8 = EncryptedSecretKey.defaultLogN

        func validate() throws {
            guard logN >= 1, logN <= EncryptedSecretKey.maxLogN else {
                throw ValidationError("--log-n must be between 1 and \(EncryptedSecretKey.maxLogN).")
            }
        }
    }

    /// `linnet key generate`.
    struct Generate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a secret key.",
            discussion: """
                Into a pipe or a file it prints the key as hex. On a terminal, where it would stay on the screen, it asks \
                for a passphrase and prints the encrypted key (ncryptsec); --print shows it as hex all the same. The \
                public key goes to standard error.
                """)

        @Flag(help: "Encrypt the key, also into a pipe; --password-file means this too.") var encrypt = false
        @Flag(help: "Print the key as hex, also on a terminal.") var print = false
        @OptionGroup var words: NewMnemonicOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var cost: Cost

        func validate() throws {
            if encrypt && print { throw ValidationError("Use --encrypt or --print, not both.") }
            if words.mnemonic && (encrypt || passphrase.passwordFile != nil) {
                throw ValidationError("Words are printed as they are: use --mnemonic or --encrypt, not both.")
            }
        }

        func run() throws {
            if words.mnemonic {
                let (phrase, npub) = try words.generate()
                Output.line(phrase)
                return Output.error("\(npub)\n")
            }
            var random = SystemRandomNumberGenerator()
            let key = SecretKey.generate(using: &random)
            let plain = print || (!encrypt && passphrase.passwordFile == nil && !Terminal.isOutput)
            let text = plain ? key.exportHex() : try encrypted(key, passphrase, cost, handling: .secure)
            Output.line(text)
            Output.error("\(key.publicKey.npub)\n")
        }
    }

    /// `linnet key public`.
    struct Public: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the public key of a secret key.")

        @Flag(help: "Print it as npub instead of hex.") var npub = false
        @OptionGroup var secret: SecretOptions

        func run() throws {
            let key = try secret.secretKey().publicKey
            Output.line(npub ? key.npub : key.hex)
        }
    }

    /// `linnet key encrypt`.
    struct Encrypt: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Encrypt a secret key with a passphrase and print it as ncryptsec (NIP-49).")

        @OptionGroup var secret: SecretOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var cost: Cost

        func run() throws {
            let key = try secret.secretKey()
            Output.line(try encrypted(key, passphrase, cost, handling: .unknown))
        }
    }

    /// `linnet key decrypt`.
    struct Decrypt: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decrypt an ncryptsec (NIP-49) and print the secret key as hex.",
            discussion: "Whoever sees what it prints can write in this person's name.")

        @Argument(help: ArgumentHelp("The encrypted key; left out or - reads standard input.", valueName: "ncryptsec"))
        var code: String?
        // Caught only to be refused with a reason, and without being repeated in an error.
        @Argument(help: .hidden) var further: [String] = []
        @Option(
            help: ArgumentHelp("The highest cost to work through.", valueName: "n")) var maxLogN: UInt8 =
                EncryptedSecretKey.maxLogN
        @OptionGroup var passphrase: PassphraseOptions

        func run() throws {
            guard further.isEmpty else {
                throw CommandFailure(
                    "A passphrase never belongs on the command line; use a prompt, --password-file or LINNET_PASSWORD.")
            }
            let text = try InputLines(arguments: code.map { [$0] } ?? []).single("an encrypted key")
            if Secrets.isSecret(text) { throw CommandFailure.secretArgument }
            do {
                let encrypted = try EncryptedSecretKey(text)
                let key = try encrypted.decrypt(passphrase: passphrase.passphrase(isNew: false), limit: maxLogN)
                Output.line(key.exportHex())
            } catch let error as EncryptedKeyError {
                throw CommandFailure(error.sentence)
            }
        }
    }

    static func encrypted(
        _ key: borrowing SecretKey, _ passphrase: PassphraseOptions, _ cost: Cost,
        handling: EncryptedSecretKey.Handling
    ) throws -> String {
        var random = SystemRandomNumberGenerator()
        let text = try passphrase.passphrase(isNew: true)
        do {
            return try EncryptedSecretKey(
                encrypting: key, passphrase: text, logN: cost.logN, handling: handling, using: &random
            ).description
        } catch {
            throw CommandFailure(error.sentence)
        }
    }
}
