public import NostrClient

/// The settings of a host of GIFs, as a page shows them.
public struct GifHostPage: Hashable, Sendable {
    /// How the host's key stands.
    public enum Key: Hashable, Sendable {
        /// One is kept.
        case kept
        /// None is.
        case missing
        /// That cannot be seen while the vault is closed.
        case locked
    }

    /// Which host, and for whom its GIFs may be.
    public let choice: GifHostChoice
    /// How its key stands; what it is stays in the vault.
    public let key: Key

    /// Reads them.
    public static func load(_ choice: GifHostChoice, of account: any Account) async -> GifHostPage {
        guard let host = account.gifHost else { return GifHostPage(choice: choice, key: .locked) }
        // What cannot be read now counts as locked: it is not shown to be missing.
        guard let hasKey = try? await host.hasKey() else { return GifHostPage(choice: choice, key: .locked) }
        return GifHostPage(choice: choice, key: hasKey ? .kept : .missing)
    }

    /// Reads what a person chose.
    ///
    /// - Throws: a ``Trouble`` for what is no address.
    public static func choice(address: String, rating: String) throws(Trouble) -> GifHostChoice {
        guard let address = GifHostChoice.address(written: address) else {
            throw Trouble(GifWords.noHost, canRetry: false)
        }
        return GifHostChoice(address: address, rating: GifHostChoice.Rating(rawValue: rating) ?? .g)
    }

    /// Keeps a key in the vault; `nil` forgets it.
    ///
    /// - Throws: a ``Trouble``.
    public static func keep(key: String?, of account: any Account) async throws(Trouble) {
        guard let host = account.gifHost else { throw Trouble(GifWords.locked) }
        try await troubled { try await host.setKey(key) }
    }
}
