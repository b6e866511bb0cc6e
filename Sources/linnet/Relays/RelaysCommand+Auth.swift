import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

extension RelaysCommand {
    /// `linnet relays auth`: which relays may learn who you are (NIP-42).
    struct Auth: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show and change which relays may learn who you are (NIP-42).",
            discussion: """
                Relays on your own lists may, unless you say never. Others may only if you say always; what you send \
                them waits until you answer. Answering signs a proof for that relay, which then knows your public key.
                """,
            subcommands: [List.self, Always.self, Never.self, Revoke.self], defaultSubcommand: List.self)

        /// `linnet relays auth list`.
        struct List: AsyncParsableCommand {
            static let configuration = CommandConfiguration(
                abstract: "Print questions that wait and answers given, one line of JSON each.")

            @OptionGroup var session: AccountSession

            func run() async throws {
                try await session.run { account in
                    for entry in try await account.openConsents().relayConsents() {
                        Output.line(
                            JSONValue.object([
                                JSONMember("relay", .string(entry.relay.text)),
                                JSONMember("answer", entry.answer.map { .string($0.rawValue) } ?? .null),
                                JSONMember("for", .array(entry.reasons.map(\.rawValue).sorted().map { .string($0) })),
                            ]).text)
                    }
                }
            }
        }

        /// `linnet relays auth always`.
        struct Always: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Let relays know who you are.")

            @OptionGroup var relays: Relays
            @OptionGroup var session: AccountSession

            func run() async throws { try await answer(session, relays) { try await $0.answer(.always, for: $1) } }
        }

        /// `linnet relays auth never`.
        struct Never: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Never let relays know who you are.")

            @OptionGroup var relays: Relays
            @OptionGroup var session: AccountSession

            func run() async throws { try await answer(session, relays) { try await $0.answer(.never, for: $1) } }
        }

        /// `linnet relays auth revoke`.
        struct Revoke: AsyncParsableCommand {
            static let configuration = CommandConfiguration(abstract: "Take answers back; relays ask again.")

            @OptionGroup var relays: Relays
            @OptionGroup var session: AccountSession

            func run() async throws { try await answer(session, relays) { try await $0.revokeConsent(for: $1) } }
        }

        private static func answer(
            _ session: AccountSession, _ relays: Relays,
            _ body: @escaping @Sendable (any RelayConsentKeeping, RelayURL) async throws -> Void
        ) async throws {
            let addresses = try relays.addresses.map(Reading.relay)
            try await session.run { account in
                let consents = try account.openConsents()
                for relay in addresses { try await body(consents, relay) }
            }
        }
    }
}

extension Account {
    /// What relays were answered.
    ///
    /// - Throws: a ``CommandFailure``.
    fileprivate func openConsents() throws -> any RelayConsentKeeping {
        guard let consents else { throw CommandFailure("This account has no key to prove to a relay.") }
        return consents
    }
}
