internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore

/// Articles (NIP-23) of everybody, and publishing the account's own; implemented by ``Articles``.
public protocol ArticleKeeping: Sendable {
    /// The newest version of an article; asks relays first, for a moment, unless that was done just now.
    ///
    /// - Returns: `nil` where neither the store nor a relay asked has one.
    func article(at pointer: AddressPointer) async throws -> Event?
    /// The articles of a person, newest first, drafts (kind 30024) last; asks relays as ``article(at:)``.
    func articles(of author: PublicKey) async throws -> [Event]
    /// Publishes an article, or a new version of the one of the same identifier.
    ///
    /// - Throws: ``AccountError`` with `newestUnknown` where too few relays say what is published there already.
    func publish(_ article: ArticleDraft) async throws -> Event
}

/// Articles: found by their address, and published.
public struct Articles: ArticleKeeping {
    /// How long a page waits for something newer than what is here.
    private static let patience: Duration = .seconds(2)
    private static let mostListed = 200

    private let context: AccountContext
    private let gossip: Gossip
    private let publishing: Publishing
    private let replaceable: ReplaceableEvents

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing, replaceable: ReplaceableEvents) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.replaceable = replaceable
    }

    public func article(at pointer: AddressPointer) async throws -> Event? {
        let address = pointer.address
        guard address.kind == Article.kind || address.kind == Article.draftKind else { return nil }
        try await gossip.load()
        let stored = try await context.storedVersion(at: address)
        guard gossip.shouldAsk(.address(address)) else { return stored }
        await ask([address.filter], author: address.author, hints: pointer.relays, isHere: stored != nil)
        return try await context.storedVersion(at: address)
    }

    public func articles(of author: PublicKey) async throws -> [Event] {
        try await gossip.load()
        let filter = Filter(
            authors: [author], kinds: [Article.kind, Article.draftKind], limit: Self.mostListed)
        if gossip.shouldAsk(.articles(author)) {
            let isHere = try await !context.store.query([filter]).isEmpty
            await ask([filter], author: author, hints: [], isHere: isHere)
        }
        return try await context.store.query([filter]).sorted { a, b in
            a.kind != b.kind ? a.kind < b.kind : (b.createdAt, a.id) < (a.createdAt, b.id)
        }
    }

    public func publish(_ article: ArticleDraft) async throws -> Event {
        guard !article.identifier.isEmpty, !article.markdown.isEmpty else { throw AccountError.empty }
        let words = [article.title, article.summary, article.markdown, article.identifier] + article.hashtags
        guard !words.contains(where: \.holdsSecretKey) else { throw AccountError(.holdsSecretKey) }
        return try await replaceable.change {
            let newest = try await replaceable.newest(at: context.ownAddress(Article.kind, article.identifier))
            return try await publishing.send(article.draft(replacing: newest, now: context.time.now()))
        }
    }

    private func ask(_ filters: [Filter], author: PublicKey, hints: [RelayURL], isHere: Bool) async {
        let relays = gossip.router.relays(holdingWorkOf: author, hints: hints, now: context.time.now())
        await gossip.ask(
            gossip.requests(filters, of: relays),
            deadline: isHere ? Self.patience : context.configuration.deadlines.thread)
    }
}
