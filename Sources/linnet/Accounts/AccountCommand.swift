import ArgumentParser
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import SQLiteStorage

/// `linnet account`: the accounts of this machine.
struct AccountCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "account", abstract: "List, add, check, export and remove the accounts of this machine.",
        discussion: """
            Secrets come by prompt, --sec-file, NOSTR_SECRET_KEY or standard input, passphrases by prompt, --password-file \
            or LINNET_PASSWORD; never as arguments. Every line of output is one JSON object.
            """,
        subcommands: [
            List.self, Add.self, Announce.self, Connect.self, Remove.self, Unlock.self, Export.self,
        ])

    /// Which accounts.
    struct AccountOptions: ParsableArguments {
        @OptionGroup var keys: KeystoreOptions
        @OptionGroup var data: DataDirectory.Options

        /// The account a person named.
        func account(_ text: String, in keystore: any Keystore) async throws -> KeystoreAccount {
            try Secrets.refuse(in: [text])
            let key = try Reading.key(text)
            guard let found = try await keystore.accounts().first(where: { $0.key == key }) else {
                throw CommandFailure("There is no account \(key.npub) here.")
            }
            return found
        }
    }

    /// `linnet account list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the accounts, the one used last first.")

        @OptionGroup var options: AccountOptions

        func run() async throws {
            do {
                let keystore = options.keys.keystore(in: options.data.directory())
                for account in try await keystore.accounts() {
                    let words = try await keystore.sealedWords(of: account.key) != nil
                    try Output.json(AccountLine(account, hasWords: words))
                }
            } catch {
                throw CommandFailure.speaking(error)
            }
        }
    }

    /// `linnet account add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep a secret key on this machine, or make one.",
            discussion: """
                Takes an nsec, 64 hex characters, an ncryptsec or the words of NIP-06. With --generate it makes twelve \
                words and the key they stand for, and keeps both: linnet account export --words shows them. Nothing is \
                sent meanwhile: linnet account announce lets others find the new account, as does anything else that \
                first works with its key. With \
                --read-only it takes a public key to read along with. A bunker:// token, given as a secret is, pairs with \
                the signer that gave it out; the passphrase then encrypts what that signer will know this Linnet by.
                """)

        @Flag(help: "Make a new key.") var generate = false
        @Option(help: ArgumentHelp("How many words to make it from: 12, 15, 18, 21 or 24.", valueName: "count"))
        var words = 12
        @Option(help: ArgumentHelp("Only read along with this person.", valueName: "npub")) var readOnly: String?
        @Option(help: "What to call the account.") var name = ""
        @Flag(help: "Keep the key in the system's keyring, where your session opens it without a passphrase.")
        var keyring = false
        @OptionGroup var secret: SecretOptions
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var network: NetworkOptions
        @OptionGroup var options: AccountOptions

        func run() async throws {
            do {
                let directory = options.data.directory()
                try directory.prepare()
                let keystore = options.keys.keystore(in: directory, keyring: keyring)
                let key = try await add(to: keystore)
                let words = try await keystore.sealedWords(of: key) != nil
                for account in try await keystore.accounts() where account.key == key {
                    try Output.json(AccountLine(account, hasWords: words))
                }
                if generate, readOnly == nil { Output.error(await noteNew(key, in: directory) + "\n") }
            } catch {
                throw CommandFailure.speaking(error)
            }
        }

        /// Has the first start with a new key publish where it writes and what it is called.
        ///
        /// - Returns: what the person should know about it.
        private func noteNew(_ key: PublicKey, in directory: DataDirectory) async -> String {
            do {
                let lock = try DirectoryLock(directory)
                defer { _ = lock }
                let records = try SQLiteRecordStore(path: directory.account(key.hex))
                try await FirstRunProgress.noteNewKey(name: name, in: records, now: .current)
                try records.close()
                return """
                    Nobody can find this account yet. Its list of relays and its name are published when Linnet first \
                    runs with its key; linnet account announce does it now.
                    """
            } catch {
                // The key is kept all the same, and what was not noted can be asked for.
                return """
                    Nobody can find this account yet. Publish its list of relays on the relays page of the Linnet that \
                    is running, or stop that and run linnet account announce.
                    """
            }
        }

        private func add(to keystore: any Keystore) async throws -> PublicKey {
            if let readOnly {
                try Secrets.refuse(in: [readOnly])
                return try await keystore.addReadOnly(try Reading.key(readOnly), name: name).key
            }
            let intake = SecretIntake(keystore: keystore)
            if generate {
                return try await intake.generate(words: words, name: name, passphrase: newPassphrase()).publicKey
            }
            let text = try secret.text()
            if text.lowercased().hasPrefix("bunker:") {
                let pairing = PairingSession(keystore: keystore, network: network)
                return try await pairing.run(token: text, name: name, passphrase: try newPassphrase())
            }
            let isOwn = text.lowercased().hasPrefix("ncryptsec1")
            return try await intake.keep(text, name: name, passphrase: newPassphrase(isNew: !isOwn, isNeeded: isOwn))
                .publicKey
        }

        /// A passphrase, unless the key goes where none is asked for.
        private func newPassphrase(isNew: Bool = true, isNeeded: Bool = false) throws -> String {
            guard isNeeded || !(keyring || options.keys.isKeyring) else { return "" }
            return try passphrase.passphrase(isNew: isNew)
        }
    }

    /// `linnet account remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove an account with everything it left on this machine.",
            discussion: """
                Deletes its key and words, messages, drafts, queue and settings, every version of its own events, its own \
                events, and private messages to it. What other people published stays. Without a backup nothing of it \
                comes back. Asks for the account's passphrase; an account without one needs --yes. Stop linnet serve \
                first, or burn the account there.
                """)

        @Argument(help: ArgumentHelp("Whose: npub or hex.", valueName: "npub")) var account: String
        @Flag(help: "Remove an account that has no passphrase.") var yes = false
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var options: AccountOptions
        @OptionGroup var logging: LoggingOptions

        func run() async throws {
            do {
                let log = try logging.start()
                let directory = options.data.directory()
                try directory.prepare()
                let lock = try DirectoryLock(directory)
                defer { _ = lock }
                let keystore = options.keys.keystore(in: directory)
                let kept = try await options.account(account, in: keystore)
                if kept.asksForPassphrase {
                    try await keystore.check(passphrase.passphrase(isNew: false), of: kept)
                } else if !yes {
                    throw CommandFailure("This account has no passphrase to ask for; say --yes to remove it.")
                }
                let store = try SQLiteEventStore(path: directory.events, now: { .current })
                let burning = Burning(directory: directory, keystore: keystore, store: store, log: log)
                try burning.begin(kept.key)
                try await burning.finish(kept.key)
                try store.close()
                try Output.json(["npub": kept.key.npub, "outcome": "removed"])
            } catch {
                throw CommandFailure.speaking(error)
            }
        }
    }

    /// `linnet account unlock`.
    struct Unlock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Check that a passphrase opens an account.",
            discussion: """
                Opens the key, compares it with the account, and forgets it again. A running linnet serve has locks of its \
                own, which are opened in the browser: this does not unlock it.
                """)

        @Argument(help: ArgumentHelp("Whose: npub or hex.", valueName: "npub")) var account: String
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var options: AccountOptions

        func run() async throws {
            do {
                let keystore = options.keys.keystore(in: options.data.directory())
                let kept = try await options.account(account, in: keystore)
                let text = try kept.asksForPassphrase ? passphrase.passphrase(isNew: false) : ""
                try await keystore.check(text, of: kept)
                try Output.json(["npub": kept.key.npub, "outcome": "opens"])
            } catch {
                throw CommandFailure.speaking(error)
            }
        }
    }

    /// `linnet account export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the encrypted key of an account (ncryptsec), or the words it was made from.",
            discussion: """
                The encrypted key opens with the account's passphrase only. Whoever sees the words can write in this \
                person's name: they are printed only after the passphrase was given again.
                """)

        @Argument(help: ArgumentHelp("Whose: npub or hex.", valueName: "npub")) var account: String
        @Flag(help: "Print the words instead.") var words = false
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var options: AccountOptions

        func run() async throws {
            do {
                let keystore = options.keys.keystore(in: options.data.directory())
                let kept = try await options.account(account, in: keystore)
                guard words else { return Output.line(try await keystore.export(kept.key).description) }
                let text = try kept.asksForPassphrase ? passphrase.passphrase(isNew: false) : ""
                guard let found = try await keystore.words(of: kept.key, passphrase: text) else {
                    throw CommandFailure("This key was not made from words, or they are not kept here.")
                }
                Output.line(found)
            } catch {
                throw CommandFailure.speaking(error)
            }
        }
    }
}

/// An account as `linnet account` prints it.
struct AccountLine: Encodable {
    let npub: String
    let pubkey: String
    let name: String
    let kind: String
    let words: Bool
    let added: Int64
    let lastUsed: Int64

    enum CodingKeys: String, CodingKey {
        case npub, pubkey, name, kind, words, added
        case lastUsed = "last_used"
    }

    init(_ account: KeystoreAccount, hasWords: Bool) {
        npub = account.key.npub
        pubkey = account.key.hex
        name = account.name
        kind = account.kind.rawValue
        words = hasWords
        added = account.added.seconds
        lastUsed = account.lastUsed.seconds
    }
}
