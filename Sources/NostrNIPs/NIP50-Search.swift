/// What a person searches for: words, and `key:value` pairs that ask a relay for more.
///
/// Source: NIP-50.
public struct SearchQuery: Hashable, Sendable {
    /// One `key:value` pair.
    public struct Extension: Hashable, Sendable {
        /// The part before the colon: lowercase letters.
        public let key: String
        /// The part after it; holds no white space.
        public let value: String

        /// `nil` when it could not be told from words, as a key with other letters, or an address.
        public init?(key: String, value: String) {
            guard !key.isEmpty, key.utf8.allSatisfy({ (0x61...0x7A).contains($0) }), !value.isEmpty,
                !value.contains(where: \.isWhitespace), !value.hasPrefix("//")
            else { return nil }
            self.key = key
            self.value = value
        }
    }

    /// What to look for, one space between words.
    public var words: String
    /// The pairs, in order.
    public var extensions: [Extension]

    /// A search for words, narrowed by extensions that a relay may not know.
    public init(words: String, extensions: [Extension] = []) {
        self.words = words
        self.extensions = extensions
    }

    /// Parses the text of a filter's `search`; never fails.
    ///
    /// A word such as `12:30` or `https://…` is no pair: keys are lowercase letters, and no value begins with `//`.
    public init(_ text: String) {
        var words: [Substring] = []
        var extensions: [Extension] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2, let pair = Extension(key: String(parts[0]), value: String(parts[1])) {
                extensions.append(pair)
            } else {
                words.append(word)
            }
        }
        self.words = words.joined(separator: " ")
        self.extensions = extensions
    }

    /// The text for a filter's `search`.
    public var text: String {
        ([words].filter { !$0.isEmpty } + extensions.map { "\($0.key):\($0.value)" }).joined(separator: " ")
    }
}
