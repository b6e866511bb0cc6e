internal import GRDB
internal import NostrCore
internal import NostrStore

/// How one filter is answered: which index its candidates come from, and within which keys.
///
/// Candidates are checked against the whole filter after they are read, so a plan may offer too many, never too few.
struct FilterPlan {
    /// More streams than this are not looked at one by one, however few events they have.
    private static let mostStreams = 1 << 17
    /// From so many streams on, walking down the kinds is tried first.
    private static let fewStreams = 32
    /// More kinds than this are not walked down side by side.
    private static let mostWalked = 8
    /// More authors or kinds than this are checked after reading.
    private static let mostListed = 500
    /// As many kinds or authors as SQLite may be handed for all values of a tag together: it takes them in once per value.
    private static let mostHanded = 50_000

    let filter: Filter
    let candidates: CandidateStreams
    let range: ClosedRange<Int64>

    /// Plans a filter; `nil` when nothing can match.
    init?(_ filter: Filter, authors: AuthorNumbers, db: Database) throws {
        guard let range = EventKey.range(since: filter.since, until: filter.until) else { return nil }
        guard let candidates = try Self.candidates(for: filter, authors: authors, db: db) else { return nil }
        self.filter = filter
        self.candidates = candidates
        self.range = range
    }

    private static func candidates(
        for filter: Filter, authors: AuthorNumbers, db: Database
    ) throws -> CandidateStreams? {
        if filter.ids?.isEmpty == true || filter.kinds?.isEmpty == true { return nil }
        if filter.tags.values.contains(where: \.isEmpty) { return nil }
        let authorNumbers = try filter.authors.map { try authors.find($0, in: db) }
        if authorNumbers?.isEmpty == true { return nil }
        if let ids = filter.ids { return byID(ids, filter) }
        if let search = filter.search { return bySearch(SearchTerms(search), filter) }
        let kinds = filter.kinds.map { $0.map { Int64($0.rawValue) } }
        if let tagged = byTag(filter, authors: authorNumbers, kinds: kinds) { return tagged }
        return byAuthorOrKind(authors: authorNumbers, kinds: kinds, isExact: filter.tags.isEmpty)
    }

    private static func byID(_ ids: Set<EventID>, _ filter: Filter) -> CandidateStreams {
        var rest = filter
        rest.ids = nil
        rest.since = nil
        rest.until = nil
        rest.limit = nil
        return CandidateStreams(
            "event WHERE id = ?1", streams: ids.map { .id($0) }, isExact: rest == Filter())
    }

    private static func bySearch(_ terms: SearchTerms, _ filter: Filter) -> CandidateStreams? {
        guard !terms.isEmpty else { return nil }
        var conditions = terms.words.map { "\"\($0)\"" } + terms.prefixes.map { "\"\($0)\"*" }
        let isForPeople = filter.kinds == [profileKind]
        if let kinds = filter.kinds, !isForPeople, !kinds.contains(1), kinds.count <= mostListed {
            conditions.append("(" + kinds.map { "\"\(searchWord(for: $0))\"" }.joined(separator: " OR ") + ")")
        }
        let index = isForPeople ? "profile_search" : "search"
        return CandidateStreams(
            "\(index) WHERE \(index) MATCH ?1", keyColumn: "rowid",
            streams: [.match(conditions.joined(separator: " AND "))],
            isExact: false)
    }

    /// The tag condition with the fewest values; identifiers last, because many events share them.
    private static func byTag(_ filter: Filter, authors: [Int64]?, kinds: [Int64]?) -> CandidateStreams? {
        let usable = filter.tags.filter { $0.key.isASCII && $0.key.isLetter && ($0.key != "d" || authors == nil) }
        guard
            let best = usable.min(by: { a, b in
                (a.key == "d" ? 1 : 0, a.value.count) < (b.key == "d" ? 1 : 0, b.value.count)
            })
        else { return nil }
        var conditions = "tag WHERE letter = ?1 AND value = ?2"
        var isExact = filter.tags.count == 1 && best.value.allSatisfy { $0.utf8.count <= TagIndexEntry.longestValue }
        for (column, allowed) in [("kind", kinds), ("author", authors)] {
            guard let allowed else { continue }
            if allowed.count <= mostListed, allowed.count * best.value.count <= mostHanded {
                conditions += " AND \(column) IN (\(allowed.sorted().map(String.init).joined(separator: ",")))"
            } else {
                isExact = false
            }
        }
        let entries = Set(best.value.compactMap { TagIndexEntry(name: String(best.key), value: $0) })
        return CandidateStreams(
            conditions, streams: entries.map { .tag($0) }, isExact: isExact, mayOverlap: entries.count > 1)
    }

    private static func byAuthorOrKind(authors: [Int64]?, kinds: [Int64]?, isExact: Bool) -> CandidateStreams {
        switch (authors, kinds) {
        case (let authors?, let kinds?) where authors.count * kinds.count <= mostStreams:
            CandidateStreams(
                "event INDEXED BY event_by_author_and_kind WHERE author = ?1 AND kind = ?2",
                streams: authors.flatMap { author in kinds.map { .numbers(author, $0) } },
                after: walk(authors: authors, kinds: kinds), isExact: isExact)
        case (_, let kinds?):
            CandidateStreams(
                "event INDEXED BY event_by_kind WHERE kind = ?1", streams: kinds.map { .number($0) },
                isExact: isExact && authors == nil)
        case (let authors?, nil):
            CandidateStreams(
                "event INDEXED BY event_by_author WHERE author = ?1", streams: authors.map { .number($0) },
                isExact: isExact)
        case (nil, nil):
            CandidateStreams("event NOT INDEXED WHERE 1", streams: [.everything], isExact: isExact)
        }
    }

    /// Tried first where there are many streams and few kinds.
    private static func walk(authors: [Int64], kinds: [Int64]) -> KindWalk? {
        let streams = authors.count * kinds.count
        guard streams > fewStreams, kinds.count <= mostWalked else { return nil }
        return KindWalk(kinds: kinds.sorted(), authors: AuthorSet(authors), streams: streams)
    }
}
