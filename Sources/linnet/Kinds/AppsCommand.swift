import ArgumentParser
import NostrClient
import NostrCore
import NostrNIPs

/// `linnet apps`: where an event of a kind that Linnet does not show may be opened.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps", abstract: "Print apps that say they open an event, one per line (NIP-89).",
        discussion: """
            Those that people you follow recommend come first; of strangers' apps a few are printed. Anybody can say that a \
            page of theirs opens a kind, and a site learns what you open there.
            """)

    @OptionGroup var which: NoteCommand.Which

    /// Relays are waited for so long.
    private static let patience: Duration = .seconds(8)

    func run() async throws {
        let pointer = try which.pointer()
        let offers = try await which.session.run { account in
            guard let apps = account.apps else {
                throw CommandFailure("Apps cannot be looked for with this account.")
            }
            let isKnown = try await isTrue(within: .seconds(15)) {
                try await account.timeline.named(pointer.id, hints: pointer.relays) != nil
            }
            guard isKnown else { throw CommandFailure("No relay asked has the note \(pointer.id.hex).") }
            _ = try await isTrue(within: Self.patience) { try await !apps.apps(opening: pointer.id).isEmpty }
            return try await apps.apps(opening: pointer.id)
        }
        for offer in offers { Output.line(Self.text(of: offer)) }
    }

    private static func text(of offer: AppOffer) -> String {
        JSONValue.object([
            JSONMember("name", .string(offer.name)), JSONMember("address", .string(offer.page.address)),
            JSONMember("people", .array(offer.people.map { .string($0.key.hex) })),
        ]).text
    }
}
