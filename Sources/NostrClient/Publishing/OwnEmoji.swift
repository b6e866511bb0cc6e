package import NostrCore
package import NostrNIPs
internal import NostrStore

/// The emoji an account writes and reacts with: those of its list (kind 10030), and those of the packs on it (kind 30030).
package struct OwnEmoji: Sendable {
    /// More packs than these are not looked into.
    static let mostPacks = 50

    /// Emoji that stand on the list themselves.
    let loose: [CustomEmoji]
    /// The packs on the list, in its order.
    let adopted: [EventAddress]
    /// Those of them that are here, in the same order.
    let packs: [EmojiSet]

    /// All of them in order; of several by one name the first, since a text names an emoji by its name alone.
    package var all: [CustomEmoji] {
        var seen: Set<String> = []
        return (loose + packs.flatMap(\.emoji)).filter { seen.insert($0.shortcode).inserted }
    }

    /// The emoji that is meant by `:name:` in a reaction.
    ///
    /// - Parameters:
    ///   - picture: the address of the picture that was pressed; where it is of neither the account's own nor of those
    ///     that stand there, the first of the name is meant.
    ///   - others: those of reactions that stand there and are shown.
    package func meant(
        by content: String, showing picture: String?, among others: [CustomEmoji]
    ) -> CustomEmoji? {
        let known = loose + packs.flatMap(\.emoji) + others
        let named = known.filter { ":\($0.shortcode):" == content }
        return named.first { $0.url == picture } ?? named.first
    }

    /// The tags of those that a text names; where it can name none, nothing is read.
    package static func tags(namedIn text: String, of context: AccountContext) async throws -> [Tag] {
        guard CustomEmoji.canBeNamed(in: text) else { return [] }
        return try await OwnEmoji(context).all.tags(namedIn: text)
    }

    /// Reads them from the store: one question for the list, one for all packs.
    package init(_ context: AccountContext) async throws {
        let tags = try await context.storedVersion(at: context.ownAddress(.emojiList))?.tags ?? []
        loose = tags.customEmoji
        let addresses = tags.named("a").compactMap { $0.address(at: 1) }.filter { $0.kind == .emojiSets }
        adopted = Array(addresses.uniqued().prefix(Self.mostPacks))
        packs = try await Self.packs(at: adopted, in: context.store)
    }

    /// The packs at these addresses that are in the store, in their order.
    static func packs(at addresses: [EventAddress], in store: any EventStore) async throws -> [EmojiSet] {
        guard !addresses.isEmpty else { return [] }
        let found = try await store.query(addresses.map(\.filter)).compactMap(EmojiSet.init)
        let sets = Dictionary(found.map { ($0.address, $0) }) { first, _ in first }
        return addresses.compactMap { sets[$0] }
    }
}
