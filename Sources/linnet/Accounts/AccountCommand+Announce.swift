import ArgumentParser
import Foundation
import NostrClient
import NostrCore
import NostrNIPs
import NostrSigner

extension AccountCommand {
    /// `linnet account announce`.
    struct Announce: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let others find a new account: publish where it writes and reads, and its name.",
            discussion: """
                Publishes the list of relays (NIP-65) that the account uses anyway, if it has published none, and for \
                a key made with linnet account add --generate the name it was made with. Prints both once a relay has \
                them. Relays that others cannot reach, such as those in your own network, are not published beside \
                others; add them to the list yourself with linnet relays add if that is what you want.
                """)

        /// How long relays may take to say what they have.
        private static let patience: Duration = .seconds(60)

        @OptionGroup var session: AccountSession

        func run() async throws {
            try await session.run { account in
                guard let firstRun = account.firstRun else {
                    throw CommandFailure("This account has no key here, so nothing can be published for it.")
                }
                try await publish(account, firstRun)
                try await report(account)
                guard try await account.ownRelays.current().isPublished else { throw AccountError(.noPublicRelay) }
            }
        }

        private func publish(_ account: any Account, _ firstRun: any FirstRunKeeping) async throws {
            guard await firstRun.progress()?.mustAnnounce == true else {
                do {
                    _ = try await account.ownRelays.begin()
                } catch let error as AccountError where error.code == .noPublicRelay {
                    // What was published is printed first.
                }
                return
            }
            // The account does it by itself as soon as it is at work with its key.
            let isDone = try await isTrue(within: Self.patience) { await firstRun.progress()?.mustAnnounce != true }
            guard isDone else {
                throw CommandFailure("It could not be published yet; Linnet tries again when it runs with this key.")
            }
        }

        /// Prints what stands of it now, each once a relay has it.
        private func report(_ account: any Account) async throws {
            for kind in [RelayList.kind, ProfileMetadata.kind] {
                let address = EventAddress(kind: kind, author: account.publicKey, identifier: "")
                let versions = try await account.history?.versions(of: address) ?? []
                if let event = versions.first(where: \.isCurrent)?.event { try await account.report(published: event) }
            }
        }
    }
}
