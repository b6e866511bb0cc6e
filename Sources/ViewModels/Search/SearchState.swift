public import NostrClient
public import NostrCore

/// People and notes that match a text.
public struct SearchState: Screen {
    /// Whose account searches.
    public let own: PublicKey
    /// What is searched.
    public private(set) var text = ""
    /// How far it has come; ready with nothing to show before the first search.
    public private(set) var phase: Phase = .ready
    /// The people found, followed ones first.
    public private(set) var people: [PersonItem] = []
    /// The notes found, newest first.
    public private(set) var notes: [NoteItem] = []
    /// Where older notes start.
    public private(set) var next: TimelineCursor?
    /// Whether relays are still being asked.
    public private(set) var isAsking = false

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Search for a text, from the top or below a place.
        case search(String, below: TimelineCursor?)
        /// What came for a text.
        case found(String, SearchResult)
        /// The search failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Search.
        case search(String, below: TimelineCursor?, limit: Int)
    }

    /// A search not begun.
    public init(own: PublicKey) {
        self.own = own
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .search(let text, let place):
            self.text = oneLine(text, limit: 200)
            people = []
            notes = []
            next = nil
            guard !self.text.isEmpty else {
                phase = .ready
                return []
            }
            phase = .loading
            return [.search(self.text, below: place, limit: TimelineState.pageSize)]
        case .found(let text, let result):
            guard text == self.text else { return [] }
            phase = .ready
            people = result.people.map(PersonItem.init)
            notes = result.notes.notes.compactMap { NoteItem($0, own: own) }
            next = result.notes.next
            isAsking = result.notes.isLoadingOlder
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }
}

extension ScreenModel where S == SearchState {
    /// A search through an account.
    public init(searching account: any Account) {
        self.init(SearchState(own: account.publicKey)) { effect in
            switch effect {
            case .search(let text, let place, let limit):
                do {
                    return .found(text, try await account.timeline.search(text, before: place, limit: limit))
                } catch {
                    return .failed(Trouble(error))
                }
            }
        }
    }
}
