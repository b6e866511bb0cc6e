public import NostrClient
public import NostrCore

/// What one wrote and did not publish yet.
public struct DraftsState: Screen {
    /// One draft as a screen shows it.
    public struct Row: Hashable, Sendable, Identifiable {
        /// Its identifier.
        public let id: String
        /// How it begins, in one line; empty for one without words.
        public let text: String
        /// The note it answers.
        public let replyTo: EventID?
        /// The note it quotes.
        public let quote: EventID?
        /// When it was last changed.
        public let changedAt: Timestamp
        /// When relays may drop it.
        public let expires: Timestamp?
        /// Whether it can be taken up again here.
        public let isEditable: Bool

        init(_ draft: NoteDraft) {
            id = draft.id
            text = oneLine(draft.composition.text, limit: 200)
            replyTo = draft.composition.replyTo
            quote = draft.composition.quote
            changedAt = draft.changedAt
            expires = draft.expires
            isEditable = draft.isEditable
        }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The drafts, the one written last first.
    public private(set) var rows: [Row] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The drafts came.
        case read([NoteDraft])
        /// Delete one.
        case delete(String)
        /// Reading or deleting failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the drafts.
        case read
        /// Delete one, then read them.
        case delete(String)
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let drafts):
            phase = .ready
            rows = drafts.map(Row.init)
            return []
        case .delete(let id): return [.delete(id)]
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }
}

extension ScreenModel where S == DraftsState {
    /// The drafts of an account.
    public init(draftsOf account: any Account) {
        self.init(DraftsState()) { effect in
            do {
                guard let lists = account.lists else { throw Trouble.noLists }
                if case .delete(let id) = effect { try await lists.deleteDraft(id) }
                return .read(try await lists.drafts())
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

extension Desk {
    /// The drafts.
    public func drafts() -> ScreenModel<DraftsState> { ScreenModel(draftsOf: account) }

    /// A draft on a page to write on; `nil` when it is gone or is no note.
    public func takeUp(_ id: String) async throws(Trouble) -> (ScreenModel<ComposeState>, ComposeState.Draft)? {
        do {
            guard let lists = account.lists else { throw Trouble.noLists }
            guard let draft = try await lists.drafts().first(where: { $0.id == id }), draft.isEditable else {
                return nil
            }
            let composition = draft.composition
            let model = ScreenModel(
                replyTo: composition.replyTo, quote: composition.quote, keptAs: id, of: account)
            return (model, ComposeState.Draft(text: composition.text, warning: composition.contentWarning))
        } catch {
            throw Trouble(error)
        }
    }

    /// Sets what one is doing now (NIP-38), or clears it with an empty text.
    ///
    /// - Parameter lasts: how long it holds; `nil` until it is changed.
    public func setStatus(
        _ text: String, link: String, lasts: Duration?, now: Timestamp
    ) async throws(Trouble) {
        do {
            guard let lists = account.lists else { throw Trouble.noLists }
            let words = oneLine(text, limit: 140)
            guard !holdsSecretKey(words) else { throw Trouble("This holds a secret key. Take it out.") }
            let address = link.trimmingSpace()
            let target = webAddress(address)
            guard address.isEmpty || target != nil else { throw Trouble("The link begins with https://.") }
            _ = try await lists.setStatus(
                words, link: words.isEmpty ? nil : target, expires: words.isEmpty ? nil : lasts.map { now + $0 })
        } catch {
            throw Trouble(error)
        }
    }
}
