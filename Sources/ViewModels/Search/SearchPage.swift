public import NostrClient
public import NostrCore

/// What a search found.
public struct SearchPage: Equatable, Sendable {
    /// Whose account searched.
    public let own: PublicKey
    /// What was searched for, in one line; empty when nothing was.
    public let text: String
    /// The people found.
    public private(set) var people: [PersonItem] = []
    /// The notes found, newest first.
    public private(set) var notes: [NoteItem] = []
    /// Where older notes start; `nil` at the end of what is known.
    public private(set) var next: TimelineCursor?
    /// Whether relays that can search are still being asked.
    public private(set) var isAsking = false
    /// Why nothing was found, when the search did not work.
    public private(set) var trouble: Trouble?

    /// Nothing found yet.
    init(_ text: String, own: PublicKey) {
        self.own = own
        self.text = oneLine(text, limit: 200)
    }

    fileprivate mutating func fill(_ result: SearchResult) {
        people = result.people.map(PersonItem.init)
        notes = result.notes.notes.compactMap { NoteItem($0, own: own) }
        next = result.notes.next
        isAsking = result.notes.isLoadingOlder
    }

    fileprivate mutating func fail(_ error: any Error) { trouble = Trouble(error) }
}

extension SearchPage {
    /// Searches people and notes.
    ///
    /// - Parameter place: where older notes are to start; `nil` for the newest.
    public static func load(
        _ text: String, below place: TimelineCursor?, of account: any Account
    ) async -> SearchPage {
        var page = SearchPage(text, own: account.publicKey)
        guard !page.text.isEmpty else { return page }
        do {
            page.fill(try await account.timeline.search(page.text, before: place, limit: TimelineState.pageSize))
        } catch {
            page.fail(error)
        }
        return page
    }
}
