public import NostrClient
public import NostrCore

/// A note with what was said before and after it.
public struct ThreadPage: Equatable, Sendable {
    /// An answer, and how deep it stands.
    public struct Reply: Hashable, Sendable {
        /// The answer.
        public let note: NoteItem
        /// How many answers stand between it and the note, at most ``ThreadPage/deepest``.
        public let depth: Int
    }

    /// What the note answers, the first note first.
    public let ancestors: [NoteItem]
    /// The note; `nil` while nobody has it.
    public let focus: NoteItem?
    /// What answers it, in the order of the conversation.
    public let replies: [Reply]
    /// The last of these answers when more follow; the next page comes after it.
    public let next: EventID?
    /// Whether these are the first answers.
    public let isStart: Bool
    /// Whether relays are still being asked.
    public let isLoading: Bool
    /// Where the account's own note was offered.
    public private(set) var receipts: [ReceiptItem] = []

    /// The deepest answers are drawn like these.
    public static let deepest = 5

    /// Reads what a page needs from a conversation.
    ///
    /// - Parameters:
    ///   - thread: the conversation.
    ///   - own: whose account reads.
    ///   - isStart: whether it holds the first answers.
    public init(_ thread: NoteThread, own: PublicKey, isStart: Bool = true) {
        self.isStart = isStart
        next = thread.next
        isLoading = thread.isLoading
        ancestors = thread.ancestors.compactMap { NoteItem($0, own: own) }
        focus = thread.focus.flatMap { NoteItem($0, own: own) }
        replies = thread.replies.compactMap { reply in
            NoteItem(reply.note, own: own).map {
                Reply(note: $0, depth: min(max(reply.depth, 0), Self.deepest))
            }
        }
    }

    fileprivate mutating func add(_ receipts: [PublishReceipt]) { self.receipts = receipts.map(ReceiptItem.init) }
}

extension ThreadPage {
    /// A note with what was said before and after it.
    ///
    /// - Parameters:
    ///   - id: the note.
    ///   - hints: relays that may have it.
    ///   - reply: the answers that follow this one; `nil` for the first.
    ///   - account: whose account reads.
    public static func load(
        _ id: EventID, hints: [RelayURL], after reply: EventID? = nil, of account: any Account
    ) async throws(Trouble) -> ThreadPage {
        let thread = try await troubled { try await account.timeline.thread(id, hints: hints, after: reply) }
        var page = ThreadPage(thread, own: account.publicKey, isStart: reply == nil)
        if page.focus?.isOwn == true {
            // A conversation without the receipts is better than none.
            page.add((try? await account.publishing.receipts(for: id)) ?? [])
        }
        return page
    }
}
