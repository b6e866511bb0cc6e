internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Lists that other people made and show on their pages, read as feeds.
extension Feed {
    /// Opens a list of somebody else's.
    ///
    /// - Throws: ``Trouble`` for one that is not here, is empty, is no feed, or whose owner is muted.
    static func shared(
        _ choice: FeedChoice, _ address: EventAddress, _ account: any Account
    ) async throws(Trouble) -> Feed {
        guard let content = FeedChoice.content(of: address.kind) else {
            throw Trouble(FeedWords.noFeed, canRetry: false, isMissing: true)
        }
        // Relays are asked for what people show when their page is loaded.
        let owner = try await PersonItem.load(address.author, from: account.people)
        guard let list = try await sharedList(address, account) else {
            throw Trouble(FeedWords.notShared(by: owner.name), isMissing: true)
        }
        let title = oneLine(list.title.isEmpty ? address.identifier : list.title, limit: 80)
        let called = title.isEmpty ? ListSort.of(address.kind).title : title
        if content == .relays {
            let relays = Set(list.items.compactMap { if case .relay(let relay) = $0 { relay } else { nil } })
            guard !relays.isEmpty else { throw Trouble(FeedWords.nothingShared, canRetry: false, isMissing: true) }
            let words = FeedWords.fromRelays(RelaysWords.reading(relays.sorted().map { shortAddress($0) }))
            let lead = FeedWords.shared(words, by: owner.name)
            return Feed(choice, title: called, lead: lead, source: .relays(relays), relays: relays)
        }
        // Why it has nothing is said in words for one's own lists.
        guard let source = try? Self.source(of: list.items, content) else {
            throw Trouble(FeedWords.nothingShared, canRetry: false, isMissing: true)
        }
        let lead = FeedWords.shared(FeedWords.lead(source, isOwn: false) ?? "", by: owner.name)
        return Feed(choice, title: called, lead: lead, source: source)
    }

    /// Whether a list of somebody else's is here.
    static func isShared(_ address: EventAddress, _ account: any Account) async -> Bool {
        // What cannot be read now is not led to.
        _ = try? await account.people.person(address.author)
        return (try? await sharedList(address, account)) != nil
    }

    private static func sharedList(
        _ address: EventAddress, _ account: any Account
    ) async throws(Trouble) -> PersonShowcase.SharedList? {
        guard let showcases = account.showcases else { return nil }
        let showcase = try await troubled { try await showcases.showcase(of: address.author, evenMuted: false) }
        return showcase.lists.first { $0.address == address }
    }
}
