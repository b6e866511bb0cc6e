public import NostrCore
public import NostrNIPs
internal import NostrStore

/// What a person does not want to see, ready to be asked about every note.
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

    /// Whether a note, repost, reaction or article is not to be seen.
    ///
    /// A repost goes with what is inside it, also when it only names whose note that is.
    public func hides(_ event: Event) -> Bool {
        guard !isEmpty else { return false }
        if let repost = Repost(event) {
            if hides(anyOf: [repost.target.author, event.tags.last { $0.name == "p" }?.publicKey(at: 1)]) {
                return true
            }
            if threads.contains(repost.target.id) { return true }
            if let inside = repost.embedded, hides(inside) { return true }
        }
        return hides(event.unverified)
    }

    /// Whether a private message is not to be seen.
    public func hides(_ rumor: Rumor) -> Bool {
        !isEmpty && hides(rumor.id, by: rumor.pubkey, tags: rumor.tags, text: rumor.content)
    }

    private func hides(_ event: UnverifiedEvent) -> Bool {
        let text: String
        switch event.kind {
        case 1, 11, 1111: text = event.content
        case 20, 21, 22, 30_023:
            let headings = ["title", "summary"].compactMap { event.tags.firstValue($0) }
            text = (headings + [event.content]).joined(separator: "\n")
        default: text = ""
        }
        return hides(event.id, by: event.pubkey, tags: event.tags, text: text)
    }

    private func hides(_ id: EventID, by author: PublicKey, tags: [Tag], text: String) -> Bool {
        if author == owner { return false }
        if people.contains(author) { return true }
        if !threads.isEmpty, threads.contains(id) || tags.contains(where: namesThread) { return true }
        if !hashtags.isEmpty, tags.contains(where: { $0.name == "t" && hides(topic: $0.value ?? "") }) { return true }
        guard !text.isEmpty, !phrases.isEmpty || !hashtags.isEmpty else { return false }
        if !hashtags.isEmpty, topics(in: text).contains(where: hides(topic:)) { return true }
        return hides(text: text)
    }

    /// Whether a text holds a muted word.
    ///
    /// Words are compared whole and folded: case and the marks of Latin letters do not count, and a word inside another
    /// is not meant. What is no word, such as an emoji, is looked for as it is.
    public func hides(text: String) -> Bool {
        guard !phrases.isEmpty else { return false }
        let words = foldedWords(in: text)
        return phrases.contains { $0.isIn(words, text) }
    }

    private func hides(anyOf keys: [PublicKey?]) -> Bool {
        keys.contains { $0.map(people.contains) ?? false }
    }

    private func hides(topic: String) -> Bool { hashtags.contains(topic.lowercased()) }

    private func namesThread(_ tag: Tag) -> Bool {
        guard tag.name == "e" || tag.name == "E", let id = tag.eventID(at: 1) else { return false }
        return threads.contains(id)
    }

    // Most programs write a `t` tag for each; some do not.
    private func topics(in text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        return text.split(whereSeparator: \.isWhitespace).compactMap { word in
            guard word.first == "#" else { return nil }
            let topic = word.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
            return topic.isEmpty ? nil : String(topic)
        }
    }
}

/// A muted word or several, ready to be looked for.
private struct Phrase: Hashable, Sendable {
    let text: String
    let words: [String]

    init(_ text: String) {
        self.text = text.lowercased()
        words = foldedWords(in: text)
    }

    func isIn(_ held: [String], _ raw: String) -> Bool {
        guard let first = words.first else { return !text.isEmpty && raw.lowercased().contains(text) }
        guard held.count >= words.count else { return false }
        for start in 0...(held.count - words.count) where held[start] == first {
            if held[start..<start + words.count].elementsEqual(words) { return true }
        }
        return false
    }
}
