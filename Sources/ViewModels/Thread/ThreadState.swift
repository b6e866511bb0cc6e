public import NostrClient
public import NostrCore

/// A conversation around one note.
public struct ThreadState: Screen {
    /// A reply and how deep it stands; 0 answers the note itself.
    public struct Reply: Hashable, Sendable {
        /// The reply.
        public let note: NoteItem
        /// Its depth, at most ``ThreadState/deepest``.
        public let depth: Int
    }

    /// Whose account reads.
    public let own: PublicKey
    /// The note asked for.
    public let id: EventID
    /// Relays that may have it.
    public let hints: [RelayURL]
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// From the root down to just above the note.
    public private(set) var ancestors: [NoteItem] = []
    /// The note; `nil` while nobody has it.
    public private(set) var focus: NoteItem?
    /// The replies in reading order.
    public private(set) var replies: [Reply] = []
    /// Whether relays are still being asked.
    public private(set) var isLoading = true
    /// Where one's own note was offered, and what each relay said.
    public private(set) var receipts: [ReceiptItem] = []

    /// Deeper replies are drawn at this depth.
    public static let deepest = 5

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The conversation, as far as known.
        case read(NoteThread)
        /// The receipts of one's own note.
        case receipts([PublishReceipt])
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the conversation.
        case read(EventID, hints: [RelayURL])
        /// Read where one's own note was accepted.
        case readReceipts(EventID)
    }

    /// A conversation not opened yet.
    public init(_ id: EventID, hints: [RelayURL] = [], own: PublicKey) {
        self.id = id
        self.hints = hints
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.read(id, hints: hints)]
        case .read(let thread):
            phase = .ready
            isLoading = thread.isLoading
            ancestors = thread.ancestors.compactMap { NoteItem($0, own: own) }
            focus = thread.focus.flatMap { NoteItem($0, own: own) }
            replies = thread.replies.compactMap { reply in
                NoteItem(reply.note, own: own).map {
                    Reply(note: $0, depth: min(max(reply.depth, 0), Self.deepest))
                }
            }
            return focus?.isOwn == true ? [.readReceipts(id)] : []
        case .receipts(let receipts):
            self.receipts = receipts.map(ReceiptItem.init)
            return []
        case .failed(let trouble):
            isLoading = false
            if focus == nil { phase = .failed(trouble) }
            return []
        }
    }
}

extension ScreenModel where S == ThreadState {
    /// A conversation, read through an account.
    public init(thread id: EventID, hints: [RelayURL] = [], of account: any Account) {
        self.init(ThreadState(id, hints: hints, own: account.publicKey)) { effect in
            do {
                switch effect {
                case .read(let id, let hints): return .read(try await account.timeline.thread(id, hints: hints))
                case .readReceipts(let id): return .receipts(try await account.publishing.receipts(for: id))
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
