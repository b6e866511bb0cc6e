public import NostrClient
public import NostrCore
public import NostrNIPs

extension FakeAccount: ArticleKeeping {
    public nonisolated var articles: (any ArticleKeeping)? { self }

    public func article(at pointer: AddressPointer) throws -> Event? {
        if let silence { throw silence }
        return notes.first { $0.event.address == pointer.address }?.event
    }

    public func articles(of author: PublicKey) throws -> [Event] {
        notes.map(\.event).filter { $0.pubkey == author && Article($0) != nil }
    }

    public func publish(_ article: ArticleDraft) throws -> Event {
        if let refusal { throw refusal }
        return FakeAuthor(1).event(
            article.markdown, kind: 30_023, tags: [["d", article.identifier]], at: .init(seconds: 1))
    }
}
