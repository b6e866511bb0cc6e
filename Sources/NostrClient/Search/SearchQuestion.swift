public import NostrCore
public import NostrNIPs

/// What a person searches for, read from a line of text.
///
/// Words are looked for here and on relays. `from:` with a key, `since:` and `until:` with a day (`2025-03-01`) or a moment
/// in seconds narrow both. The extensions of NIP-50 are passed on to relays alone, since nothing here knows of languages
/// or moods.
public struct SearchQuestion: Hashable, Sendable {
    /// What is looked for.
    public enum Sort: String, Hashable, Sendable, CaseIterable {
        /// People and everything written.
        case all
        /// People alone.
        case people
        /// Notes and comments alone.
        case notes
        /// Articles alone.
        case articles
    }

    /// Which relays are asked beside this device.
    public enum Scope: Hashable, Sendable {
        /// The first few search relays of the account, or those of the program where it lists none.
        case usual
        /// Every search relay of the account (kind 10007).
        case listed
        /// None.
        case here
        /// One relay, whatever it is used for otherwise.
        case relay(RelayURL)
    }

    /// What to look for, one space between words.
    public let words: String
    /// What relays may make of it; passed on.
    public let extensions: [SearchQuery.Extension]
    /// Whose notes.
    public let author: PublicKey?
    /// Since when, inclusive.
    public let since: Timestamp?
    /// Until when, inclusive.
    public let until: Timestamp?
    /// Parts such as `since:yesterday` that could not be read, and are left out.
    public let unread: [String]
    /// What is looked for.
    public let sort: Sort
    /// Which relays are asked.
    public let scope: Scope

    /// The extensions of NIP-50.
    private static let passedOn: Set = ["include", "domain", "language", "sentiment", "nsfw"]
    /// The longest text that is read, in characters.
    private static let longest = 1200

    /// Reads what a person typed; never fails.
    public init(_ text: String, sort: Sort = .all, scope: Scope = .usual) {
        let query = SearchQuery(String(text.prefix(Self.longest)))
        var words = query.words.split(separator: " ").map(Self.plain)
        var extensions: [SearchQuery.Extension] = []
        var unread: [String] = []
        var author: PublicKey?
        var (since, until): (Timestamp?, Timestamp?) = (nil, nil)
        for pair in query.extensions {
            switch pair.key {
            case "from": author = ProfilePointer(pasted: pair.value)?.key
            case "since": since = Self.moment(pair.value, isEnd: false)
            case "until": until = Self.moment(pair.value, isEnd: true)
            case let key where Self.passedOn.contains(key): extensions.append(pair)
            // As in `re:invent`: nobody's extension, so two words.
            default: words.append("\(pair.key) \(pair.value)")
            }
            let isRead = ["from": author != nil, "since": since != nil, "until": until != nil][pair.key] ?? true
            if !isRead { unread.append("\(pair.key):\(pair.value)") }
        }
        self.words = words.filter { !$0.isEmpty }.joined(separator: " ")
        (self.extensions, self.unread) = (extensions, unread)
        (self.author, self.since, self.until) = (author, since, until)
        (self.sort, self.scope) = (sort, scope)
    }

    /// Whether there is too little to look for.
    public var isTooShort: Bool { words.utf8.count < 2 && author == nil }

    /// What this search is known by: the words alone for one without anything else.
    public var key: String {
        var parts = words.isEmpty ? [] : [words]
        parts += extensions.map { "\($0.key):\($0.value)" }
        if let author { parts.append("from:\(author.hex)") }
        if let since { parts.append("since:\(since.seconds)") }
        if let until { parts.append("until:\(until.seconds)") }
        if sort != .all { parts.append("sort:\(sort.rawValue)") }
        switch scope {
        case .usual: break
        case .listed: parts.append("at:listed")
        case .here: parts.append("at:here")
        case .relay(let relay): parts.append("at:\(relay.text)")
        }
        return parts.joined(separator: " ")
    }

    /// The `@` before a name is how it is mentioned, not part of it.
    private static func plain(_ word: Substring) -> String {
        String(word.drop { $0 == "@" })
    }

    /// A day (the beginning or the end of it, in UTC), or seconds since 1970.
    private static func moment(_ text: String, isEnd: Bool) -> Timestamp? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            return Int64(text).flatMap { (100_000_000...1 << 40).contains($0) ? Timestamp(seconds: $0) : nil }
        }
        let numbers = parts.compactMap { $0.count <= 4 ? Int64($0) : nil }
        guard numbers.count == 3, let day = dayNumber(numbers[0], numbers[1], numbers[2]) else { return nil }
        return Timestamp(seconds: day * 86_400 + (isEnd ? 86_399 : 0))
    }

    /// Days from 1970 to a date, by the civil-to-days algorithm over 400-year eras; `nil` for what is no date.
    private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
        // Years begin in March here, so that a leap day is the last of one.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension SearchQuestion {
    /// The kinds of what was written; none where only people are looked for.
    private var kinds: Set<Kind>? {
        switch sort {
        case .all: [1, 1111, 30_023]
        case .people: nil
        case .notes: [1, 1111]
        case .articles: [30_023]
        }
    }

    /// Whether people are looked for by their names.
    var wantsPeople: Bool { (sort == .all || sort == .people) && author == nil && words.utf8.count >= 2 }

    /// What is asked of the store, whose index knows words alone; `nil` where only people are looked for.
    var here: Filter? {
        // A colon would make a pair of two words.
        let plain = words.replacing(":", with: " ")
        return filter(search: plain.isEmpty ? nil : plain)
    }

    /// What is asked of relays.
    var there: [Filter] {
        let text = SearchQuery(words: words, extensions: extensions).text
        var filters: [Filter] = []
        if var written = filter(search: text.isEmpty ? nil : text) {
            written.limit = 50
            filters.append(written)
        }
        if wantsPeople { filters.append(Filter(kinds: [ProfileMetadata.kind], limit: 20, search: text)) }
        return filters
    }

    private func filter(search: String?) -> Filter? {
        kinds.map {
            Filter(authors: author.map { [$0] }, kinds: $0, since: since, until: until, search: search)
        }
    }

    /// The event that a pasted code names.
    var named: NostrEntity? {
        let code = words.lowercased().hasPrefix("nostr:") ? String(words.dropFirst(6)) : words
        guard !code.contains(" ") else { return nil }
        // Whatever does not decode is words.
        switch try? NostrEntity(code) {
        case .note(let id): return .note(id)
        case .nevent(let pointer): return .nevent(pointer)
        case .naddr(let pointer): return .naddr(pointer)
        default: return nil
        }
    }
}
