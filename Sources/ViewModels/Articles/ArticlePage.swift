public import NostrClient
public import NostrCore
public import NostrNIPs

/// An article with the comments below it.
public struct ArticlePage: Equatable, Sendable {
    /// The event of this version.
    public let id: EventID
    /// Its title and what else stands above it; `nil` where it is muted.
    public let article: ArticleItem?
    /// The article as a note: who wrote it, and how others answered.
    public let note: NoteItem?
    /// The text.
    public let blocks: [ArticleBlock]
    /// The comments below it (NIP-22), and whether relays are still being asked for them.
    public let thread: ThreadPage

    /// Where a page's title comes from when the article is not shown.
    public var title: String { article?.title ?? ArticleWords.untitled }
}

extension ArticlePage {
    /// Reads an article and its comments.
    ///
    /// - Parameters:
    ///   - pointer: its address.
    ///   - reply: the comments that follow this one; `nil` for the first.
    ///   - evenMuted: whether its reader asked to see what is muted.
    ///   - account: whose account reads.
    /// - Returns: `nil` where nobody asked has it.
    public static func load(
        _ pointer: AddressPointer, after reply: EventID? = nil, evenMuted: Bool = false, of account: any Account
    ) async throws(Trouble) -> ArticlePage? {
        let found = try await troubled { try await account.articles?.article(at: pointer) }
        guard let event = found else { return nil }
        let thread = try await troubled {
            try await account.timeline.thread(event.id, hints: pointer.relays, after: reply, evenMuted: evenMuted)
        }
        let names = thread.focus?.mentioned ?? [:]
        let reader = ArticleReader(tags: Array(event.tags.named("emoji").prefix(64))) {
            names[$0].map { PersonItem($0).name }
        }
        let isShown = thread.focus != nil
        return ArticlePage(
            id: event.id, article: isShown ? ArticleItem(event) : nil,
            note: thread.focus.flatMap { NoteItem($0, own: account.publicKey) },
            blocks: isShown ? reader.blocks(MarkdownDocument(event.content).blocks) : [],
            thread: ThreadPage(thread, own: account.publicKey, isStart: reply == nil, isUnveiled: evenMuted))
    }
}
