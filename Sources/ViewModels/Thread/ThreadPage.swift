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
    /// The same with what is muted among it.
    public let ancestorRows: [ThreadRow]
    /// The note; `nil` while nobody has it.
    public let focus: NoteItem?
    /// What stands in the place of the note when it is muted.
    public let hiddenFocus: HiddenNoteItem?
    /// What answers it, in the order of the conversation.
    public let replies: [Reply]
    /// The same with what is muted among it.
    public let replyRows: [ThreadRow]
    /// Whether what is muted is shown, since its reader asked for it.
    public let isUnveiled: Bool
    /// The last of these answers when more follow; the next page comes after it.
    public let next: EventID?
    /// Whether these are the first answers.
    public let isStart: Bool
    /// Whether relays are still being asked.
    public let isLoading: Bool
    /// Where the account's own note was offered.
    public private(set) var receipts: [ReceiptItem] = []

    /// How people reacted to the note, by what they mean.
    public private(set) var reactions: [ReactionLine] = []
    /// What people the account follows reported the note for.
    public private(set) var reports: [ReportLine] = []
    /// Apps that say they open the note, where it is of a kind that is not shown here.
    public private(set) var apps: [AppOfferItem] = []

    /// The deepest answers are drawn like these.
    public static let deepest = 5

    /// Reads what a page needs from a conversation.
    ///
    /// - Parameters:
    ///   - thread: the conversation.
    ///   - own: whose account reads.
    ///   - isStart: whether it holds the first answers.
    ///   - isUnveiled: whether what is muted is shown.
    public init(_ thread: NoteThread, own: PublicKey, isStart: Bool = true, isUnveiled: Bool = false) {
        self.isStart = isStart
        self.isUnveiled = isUnveiled
        next = thread.next
        isLoading = thread.isLoading
        var read: [EventID: NoteItem] = [:]
        let above = thread.ancestors.map { NoteItem($0, own: own, read: &read) }
        ancestors = above.compactMap(\.self)
        ancestorRows = threadRows(above.map { ($0, 0) }, thread.hiddenAncestors)
        let focus = thread.focus.flatMap { NoteItem($0, own: own, read: &read) }
        self.focus = focus
        hiddenFocus = thread.hiddenFocus.flatMap { reason in thread.focusID.map { HiddenNoteItem($0, reason) } }
        let below = thread.replies.map { (note: NoteItem($0.note, own: own, read: &read), depth: $0.depth) }
        replies = below.compactMap { reply in
            reply.note.map { Reply(note: $0, depth: min(max(reply.depth, 0), Self.deepest)) }
        }
        replyRows = threadRows(below, thread.hiddenReplies)
    }

    fileprivate mutating func add(_ reactions: [ReactionLine]) { self.reactions = reactions }
    fileprivate mutating func add(_ reports: [ReportLine]) { self.reports = reports }
    fileprivate mutating func add(_ apps: [AppOfferItem]) { self.apps = apps }
    fileprivate mutating func add(_ receipts: [PublishReceipt]) { self.receipts = receipts.map(ReceiptItem.init) }
}

extension ThreadPage {
    /// A note with what was said before and after it.
    ///
    /// - Parameters:
    ///   - id: the note.
    ///   - hints: relays that may have it.
    ///   - reply: the answers that follow this one; `nil` for the first.
    ///   - evenMuted: whether its reader asked to see what is muted.
    ///   - account: whose account reads.
    public static func load(
        _ id: EventID, hints: [RelayURL], after reply: EventID? = nil, evenMuted: Bool = false, of account: any Account
    ) async throws(Trouble) -> ThreadPage {
        let thread = try await troubled {
            try await account.timeline.thread(id, hints: hints, after: reply, evenMuted: evenMuted)
        }
        var page = ThreadPage(thread, own: account.publicKey, isStart: reply == nil, isUnveiled: evenMuted)
        if let focus = page.focus {
            page.add(await ReactionLine.load(to: id, of: account))
            page.add(await AppOfferItem.load(opening: focus, of: account))
            page.add(await ReportLine.load(about: focus.id, by: focus.author.key, of: account))
        }
        if page.focus?.isOwn == true {
            // A conversation without the receipts is better than none.
            page.add((try? await account.publishing.receipts(for: id)) ?? [])
        }
        return page
    }
}
