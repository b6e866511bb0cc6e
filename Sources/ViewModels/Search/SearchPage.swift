public import NostrClient
public import NostrCore
internal import NostrNIPs

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
    /// Why the name at a domain that was searched for leads to nobody, if so.
    public private(set) var nameProblem: String?
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

    /// Puts whom a name at a domain leads to before all others.
    fileprivate mutating func fill(named person: Person) {
        let item = PersonItem(person)
        people.removeAll { $0.key == item.key }
        people.insert(item, at: 0)
    }

    fileprivate mutating func fail(nameOf identifier: InternetIdentifier, _ failure: NameFailure) {
        let domain = oneLine(identifier.domain, limit: 60)
        nameProblem =
            failure == .nobody ? ProfileWords.nobody(identifier.local, at: domain) : ProfileWords.noAnswer(domain)
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
            // A name at a domain leads to one person, whatever others call themselves.
            if place == nil, page.text.contains("@"), let identifier = InternetIdentifier(page.text) {
                do throws(NameFailure) {
                    page.fill(named: try await account.named(identifier))
                } catch {
                    page.fail(nameOf: identifier, error)
                }
            }
        } catch {
            page.fail(error)
        }
        return page
    }
}

extension Account {
    /// Whom a name at a domain leads to; any other failure than the name's own counts as no answer.
    fileprivate func named(_ identifier: InternetIdentifier) async throws(NameFailure) -> Person {
        do { return try await people.named(identifier) } catch { throw error as? NameFailure ?? .unreachable }
    }
}
