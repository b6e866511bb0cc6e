import ArgumentParser
import NostrCore
import NostrSigner

extension AccountCommand {
    /// `linnet account connect`.
    struct Connect: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Wait for a signer elsewhere that takes an invitation.",
            discussion: """
                Prints a nostrconnect:// line on standard error and waits up to ten minutes for the signer that reads it. \
                The line holds a secret that works once: show it to your signer and to nobody else. With a bunker:// \
                token use linnet account add.
                """)

        @Option(
            name: .customLong("relay"),
            help: ArgumentHelp(
                "A relay to meet the signer on; may be given again.",
                discussion: "Without it, the relays used where somebody has no relay list.", valueName: "url"))
        var relays: [String] = []
        @Option(help: "What to call the account.") var name = ""
        @Flag(help: "Keep the pairing's key in the system's keyring, where your session opens it without a passphrase.")
        var keyring = false
        @OptionGroup var passphrase: PassphraseOptions
        @OptionGroup var network: NetworkOptions
        @OptionGroup var options: AccountOptions

        func run() async throws {
            do {
                let directory = options.data.directory()
                try directory.prepare()
                let keystore = options.keys.keystore(in: directory, keyring: keyring)
                let text = keyring || options.keys.isKeyring ? "" : try passphrase.passphrase(isNew: true)
                let pairing = PairingSession(keystore: keystore, network: network)
                let key = try await pairing.run(
                    invitingOver: try relays.map(Reading.relay), name: name, passphrase: text)
                for account in try await keystore.accounts() where account.key == key {
                    try Output.json(AccountLine(account, hasWords: false))
                }
            } catch {
                throw CommandFailure.speaking(error)
            }
        }
    }
}
