package import NostrCore
internal import NostrNIPs

/// What the `search` of a filter asks a store for: events that hold every word.
///
/// A word that ends in `*` stands for every word that begins like it. NIP-50 extensions are ignored, as the NIP asks of
/// whoever has none. A search without any word finds nothing. Each word counts once, and of very many the first ones do,
/// which finds more rather than less.
package struct SearchTerms: Hashable, Sendable {
    /// The most words and beginnings of words that are looked for; each costs a walk through the index.
    package static let most = 32

    /// Words that must be there whole.
    package let words: [String]
    /// Beginnings of words that must be there.
    package let prefixes: [String]

    /// Reads the text of a filter's `search`.
    package init(_ text: String) {
        var words: [String] = []
        var prefixes: [String] = []
        for part in SearchQuery(text).words.split(separator: " ") where words.count + prefixes.count < Self.most {
            var found = searchWords(in: String(part))
            let last = part.hasSuffix("*") ? found.popLast() : nil
            // So few that looking through them costs less than a set.
            for word in found where words.count + prefixes.count < Self.most && !words.contains(word) {
                words.append(word)
            }
            if let last, words.count + prefixes.count < Self.most, !prefixes.contains(last) { prefixes.append(last) }
        }
        self.words = words
        self.prefixes = prefixes
    }

    /// How many words and beginnings of words are looked for.
    package var count: Int { words.count + prefixes.count }

    /// Whether nothing can match.
    package var isEmpty: Bool { words.isEmpty && prefixes.isEmpty }

    /// Whether an event holds all of it.
    package func match(_ event: Event) -> Bool {
        guard !isEmpty, let text = event.searchableText else { return false }
        let held = Set(searchWords(in: text))
        return words.allSatisfy(held.contains)
            && prefixes.allSatisfy { prefix in held.contains { $0.hasPrefix(prefix) } }
    }
}

extension Event {
    /// The text a search looks through; `nil` for kinds that hold no text for people, and where there is none.
    ///
    /// Of a profile the names and what it says about the person; of an article also its title and summary.
    package var searchableText: String? {
        let parts: [String?]
        switch kind {
        case 0:
            guard let profile = ProfileMetadata(self) else { return nil }
            parts = [profile.name, profile.displayName, profile["nip05"], profile.about]
        case 1, 11, 1111, 9802:
            parts = [content]
        case 20, 21, 22, 30_023, 30_818:
            parts = [tags.firstValue("title"), tags.firstValue("summary"), content]
        default:
            return nil
        }
        let text = parts.compactMap(\.self).joined(separator: "\n")
        return text.isEmpty ? nil : text
    }
}
