public import NostrCore
public import NostrNIPs
internal import NostrStore

/// What a person does not want to see, ready to be asked about everything that is shown.
///
/// One value for every reader: timelines, conversations, searches, messages, circles, quotes, reposts, counts and
/// payments ask it for a ``MuteVerdict``, each for its ``MutePlace``. Taken once per page, so that one page has one
/// answer.
public struct Mutes: Hashable, Sendable {
    /// People: everything of theirs goes, also inside reposts and quotes.
    public var people: Set<PublicKey>
    /// Words, lowercase; a few words together are a phrase.
    public var words: Set<String> {
        didSet { phrases = words.map(Phrase.init).sorted { $0.text < $1.text } }
    }
    /// Topics, lowercase.
    public var hashtags: Set<String>
    /// Conversations, by any event of them.
    public var threads: Set<EventID>
    /// Whose mutes these are: what the account itself wrote is not hidden.
    public var owner: PublicKey?
    private var phrases: [Phrase] = []

    /// Nothing is muted.
    public init() {
        people = []
        words = []
        hashtags = []
        threads = []
    }

    /// What the entries of mute lists say.
    public init(_ items: [ListItem], owner: PublicKey? = nil) {
        self.init()
        self.owner = owner
        var words: Set<String> = []
        for item in items {
            switch item {
            case .person(let pointer, _) where pointer.key != owner: people.insert(pointer.key)
            case .word(let word): words.insert(word.lowercased())
            case .hashtag(let topic): hashtags.insert(topic.lowercased())
            case .event(let pointer): threads.insert(pointer.id)
            default: break
            }
        }
        // Set once, outside of any loop: each change prepares all words anew.
        self.words = words
        phrases = words.map(Phrase.init).sorted { $0.text < $1.text }
    }

    /// Whether nothing is muted.
    public var isEmpty: Bool { people.isEmpty && words.isEmpty && hashtags.isEmpty && threads.isEmpty }

    /// What becomes of an event in a place; the one question that every reader asks.
    ///
    /// A repost goes with what is inside it, also when it only names whose note that is.
    public func verdict(on event: Event, in place: MutePlace) -> MuteVerdict {
        guard !isEmpty, let reason = reason(event.unverified, depth: 0) else { return .shown }
        return place.verdict(reason)
    }

    /// What becomes of something of which only the author is known.
    public func verdict(on author: PublicKey?, in place: MutePlace) -> MuteVerdict {
        guard let author, author != owner, people.contains(author) else { return .shown }
        return place.verdict(.person)
    }

    /// What becomes of something that was said in private, where its text is not all of its content.
    ///
    /// - Parameter text: what of it people read.
    public func verdict(on rumor: Rumor, saying text: String, in place: MutePlace) -> MuteVerdict {
        guard !isEmpty, let reason = reason(rumor.id, by: rumor.pubkey, tags: rumor.tags, text: text) else {
            return .shown
        }
        return place.verdict(reason)
    }

    /// Whether a note, repost, reaction or article is left out of timelines.
    public func hides(_ event: Event) -> Bool { verdict(on: event, in: .timeline) != .shown }

    /// Whether a private message is not to be seen.
    public func hides(_ rumor: Rumor) -> Bool {
        !isEmpty && reason(rumor.id, by: rumor.pubkey, tags: rumor.tags, text: rumor.content) != nil
    }

    /// A repost of a repost is looked into, and one of that; deeper ones are nobody's.
    private static let deepestRepost = 3

    private func reason(_ event: UnverifiedEvent, depth: Int) -> MuteReason? {
        if event.pubkey == owner, event.kind != Repost.noteKind, event.kind != Repost.genericKind { return nil }
        if event.pubkey != owner, people.contains(event.pubkey) { return .person }
        if event.kind == Repost.noteKind || event.kind == Repost.genericKind {
            if let reason = reasonInside(event, depth: depth) { return reason }
        }
        return reason(event.id, by: event.pubkey, tags: event.tags, text: MutableText(event).text)
    }

    /// Why a repost goes with what is inside it: whoever any part of it names as the author of that counts, since any of
    /// them may be who is shown.
    private func reasonInside(_ repost: UnverifiedEvent, depth: Int) -> MuteReason? {
        let target = repost.tags.last { $0.name == "e" && $0.eventID(at: 1) != nil }
        let named = [target?.publicKey(at: 3), repost.tags.last { $0.name == "p" }?.publicKey(at: 1)]
        if named.contains(where: { verdict(on: $0, in: .timeline) != .shown }) { return .reposted }
        if let id = target?.eventID(at: 1), threads.contains(id) { return .conversation }
        // What is no event is as good as nothing: the tags say what is reposted.
        guard depth < Self.deepestRepost, repost.content.utf8.first == UInt8(ascii: "{"),
            let inside = try? UnverifiedEvent(json: Array(repost.content.utf8)),
            let reason = reason(inside, depth: depth + 1)
        else { return nil }
        return reason == .person ? .reposted : reason
    }

    private func reason(_ id: EventID, by author: PublicKey, tags: [Tag], text: String) -> MuteReason? {
        if author == owner { return nil }
        if people.contains(author) { return .person }
        if hides(text: text) { return .word }
        if !threads.isEmpty, threads.contains(id) || tags.contains(where: namesThread) { return .conversation }
        guard !hashtags.isEmpty else { return nil }
        let isAbout =
            tags.contains { $0.name == "t" && hides(topic: $0.value ?? "") }
            || topics(in: text).contains(where: hides(topic:))
        return isAbout ? .topic : nil
    }

    /// Whether a text holds a muted word.
    ///
    /// Words are compared whole and folded: case, width and the marks of Latin letters do not count, nor do characters that
    /// nobody sees, and a word inside another is not meant. What is no word, such as an emoji, is looked for as it is.
    public func hides(text: String) -> Bool {
        guard !phrases.isEmpty, !text.isEmpty else { return false }
        let folded = widthFolded(text)
        let words = foldedWords(in: folded)
        let lowered = phrases.contains(where: \.isNoWord) ? folded.lowercased() : ""
        return phrases.contains { $0.isIn(words, lowered) }
    }

    private func hides(topic: String) -> Bool { hashtags.contains(topic.lowercased()) }

    private func namesThread(_ tag: Tag) -> Bool {
        guard tag.name == "e" || tag.name == "E", let id = tag.eventID(at: 1) else { return false }
        return threads.contains(id)
    }

    // Most programs write a `t` tag for each; some do not.
    private func topics(in text: String) -> [String] {
        var topics: [String] = []
        var rest = text[...]
        // From sign to sign: walking over all characters costs far more.
        while let sign = rest.utf8.firstIndex(of: UInt8(ascii: "#")) {
            let before = text[..<sign].unicodeScalars.last
            let word = text[sign...]
            rest = word.dropFirst()
            guard word.first == "#", before?.properties.isWhitespace != false else { continue }
            let topic = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            if !topic.isEmpty { topics.append(String(topic)) }
        }
        return topics
    }
}

/// A muted word or several, ready to be looked for.
private struct Phrase: Hashable, Sendable {
    let text: String
    let words: [String]

    init(_ text: String) {
        let folded = widthFolded(text)
        self.text = folded.lowercased()
        words = foldedWords(in: folded)
    }

    /// Whether it is looked for as it is.
    var isNoWord: Bool { words.isEmpty }

    func isIn(_ held: [String], _ lowered: String) -> Bool {
        guard let first = words.first else { return !text.isEmpty && lowered.contains(text) }
        guard held.count >= words.count else { return false }
        for start in 0...(held.count - words.count) where held[start] == first {
            if held[start..<start + words.count].elementsEqual(words) { return true }
        }
        return false
    }
}
