package import NostrCore
internal import NostrNIPs

/// What the `search` of a filter asks a store for: events that hold every word.
///
/// A word that ends in `*` stands for every word that begins like it. NIP-50 extensions are ignored, as the NIP asks of
/// whoever has none. A search without any word finds nothing.
package struct SearchTerms: Hashable, Sendable {
    /// Words that must be there whole.
    package let words: [String]
    /// Beginnings of words that must be there.
    package let prefixes: [String]

    /// Reads the text of a filter's `search`.
    package init(_ text: String) {
        var words: [String] = []
        var prefixes: [String] = []
        for part in SearchQuery(text).words.split(separator: " ") {
            var found = searchWords(in: String(part))
            if part.hasSuffix("*"), let last = found.popLast() { prefixes.append(last) }
            words.append(contentsOf: found)
        }
        self.words = words
        self.prefixes = prefixes
    }

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
