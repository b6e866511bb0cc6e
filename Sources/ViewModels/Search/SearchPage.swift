public import NostrClient
public import NostrCore

/// What a search found.
public struct SearchPage: Equatable, Sendable {
    /// Whose account searched.
    public let own: PublicKey
    /// What was searched for, as it was filled in.
    public let request: SearchRequest
    /// The people found, those followed first.
    public private(set) var people: [PersonItem] = []
    /// The notes found, newest first.
    public private(set) var notes: [NoteItem] = []
    /// Where older notes start; `nil` at the end of what is known.
    public private(set) var next: TimelineCursor?
    /// Whether relays that can search are still being asked.
    public private(set) var isAsking = false
    /// How far relays have come, in words; `nil` where none was asked.
    public private(set) var progress: String?
    /// The one relay to ask, where it is in a private network and was not asked before the person allows it.
    public private(set) var unchosenRelay: String?
    /// What of the text was left out or cannot be used, in words.
    public private(set) var hints: [String] = []
    /// Whether there is too little to look for.
    public private(set) var isTooShort = false
    /// Why nothing was found, when the search did not work.
    public private(set) var trouble: Trouble?

    /// What was searched for, in one line; empty when nothing was.
    public var text: String { request.text }

    /// Nothing found yet.
    init(_ request: SearchRequest, own: PublicKey) {
        self.own = own
        self.request = request
        hints = [request.problem, request.codeProblem].compactMap(\.self)
        if !request.question.unread.isEmpty { hints.append(SearchWords.unread(request.question.unread)) }
        isTooShort = request.question.isTooShort
    }

    fileprivate mutating func fill(_ result: SearchResult) {
        people = result.people.map(PersonItem.init)
        notes = result.notes.notes.compactMap { NoteItem($0, own: own) }
        next = result.notes.next
        isAsking = result.notes.isLoadingOlder
        progress = SearchWords.progress(result.relays)
        if let only = result.relays.first, result.relays.count == 1, only.standing == .notChosen {
            unchosenRelay = only.relay.text
        }
    }

    fileprivate mutating func refuse(_ sentence: String) { trouble = Trouble(sentence, canRetry: false) }

    fileprivate mutating func fail(_ error: any Error) { trouble = Trouble(error) }
}

extension SearchPage {
    /// Searches people and notes: what is known here at once, what relays found so far beside it.
    ///
    /// - Parameter place: where older notes are to start; `nil` for the newest.
    public static func load(
        _ request: SearchRequest, below place: TimelineCursor?, of account: any Account
    ) async -> SearchPage {
        var page = SearchPage(request, own: account.publicKey)
        if let warning = request.secretWarning { page.refuse(warning) }
        guard !page.text.isEmpty, !page.isTooShort else { return page }
        do {
            page.fill(
                try await account.timeline.search(request.question, before: place, limit: TimelineState.pageSize))
        } catch {
            page.fail(error)
        }
        return page
    }
}
