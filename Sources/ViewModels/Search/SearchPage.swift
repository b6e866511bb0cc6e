public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What a search found.
public struct SearchPage: Equatable, Sendable {
    /// Whose account searched.
    public let own: PublicKey
    /// What was searched for, as it was filled in.
    public let request: SearchRequest
    /// The people found, those followed first.
    public private(set) var people: [PersonItem] = []
    /// People who may be meant by a name behind `from:`, and what to search for when one of them is.
    public private(set) var authors: [Author] = []
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

    /// Somebody whose notes may be meant.
    public struct Author: Equatable, Sendable {
        /// Who.
        public let person: PersonItem
        /// The same search with their key.
        public let text: String
    }

    /// What was searched for, in one line; empty when nothing was.
    public var text: String { request.text }

    /// Nothing found yet.
    init(_ request: SearchRequest, own: PublicKey) {
        self.own = own
        self.request = request
        hints = [request.problem, request.codeProblem].compactMap(\.self)
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

    /// Takes the people a name stands for; those that can be read of it no more are told.
    fileprivate mutating func fill(authors people: [Person]) {
        authors =
            request.author.map { author in
                people.prefix(Self.mostAuthors).map { person in
                    Author(
                        person: PersonItem(person),
                        text: request.text.replacing(author.part, with: "from:\(person.key.npub)", maxReplacements: 1))
                }
            } ?? []
        let unread = request.question.unread.filter { authors.isEmpty || $0 != request.author?.part }
        if !unread.isEmpty { hints.append(SearchWords.unread(unread)) }
    }

    private static let mostAuthors = 10

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
        // Nobody found is as good as a part that cannot be read, which is told.
        page.fill(authors: place == nil ? (try? await authors(request, account)) ?? [] : [])
        guard !page.text.isEmpty, !page.isTooShort else { return page }
        do {
            page.fill(
                try await account.timeline.search(request.question, before: place, limit: TimelineState.pageSize))
        } catch {
            page.fail(error)
        }
        return page
    }

    /// People by the name behind `from:`: those known here, and those that relays found so far.
    private static func authors(_ request: SearchRequest, _ account: any Account) async throws -> [Person] {
        guard let author = request.author else { return [] }
        let question = SearchQuestion(author.name, sort: .people, scope: request.question.scope)
        return try await account.timeline.search(question, before: nil, limit: 1).people
    }
}
