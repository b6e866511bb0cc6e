public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Replaces `@name` by the person picked for that name, longest name first.
func resolveMentions(_ text: String, _ mentions: [String: PublicKey]) -> String {
    let names = mentions.keys.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    guard !names.isEmpty else { return text }
    var resolved = ""
    var rest = Substring(text)
    var before: Character?
    while let character = rest.first {
        let startsWord = before.map { !$0.isLetter && !$0.isNumber } ?? true
        if character == "@", startsWord, let name = names.first(where: { names in isMention(rest.dropFirst(), names) }),
            let key = mentions[name]
        {
            resolved += nostrURI(key)
            rest = rest.dropFirst(name.count + 1)
            before = name.last
        } else {
            resolved.append(character)
            before = character
            rest = rest.dropFirst()
        }
    }
    return resolved
}

private func isMention(_ text: Substring, _ name: String) -> Bool {
    guard text.hasPrefix(name) else { return false }
    return text.dropFirst(name.count).first.map { !$0.isLetter && !$0.isNumber && $0 != "_" } ?? true
}

/// One thing to pick while writing.
public enum Completion: Hashable, Sendable {
    /// A person, inserted as `@name`.
    case person(PersonItem)
    /// An emoji and its name, inserted as itself.
    case emoji(String, name: String)
    /// An emoji of the account's own or of its packs, inserted as `:name:`.
    case customEmoji(EmojiItem)

    /// What completes the word under the caret: `@…` people, `:…` emoji; at most eight.
    public static func matching(_ word: String, of account: any Account) async -> [Completion] {
        if word.hasPrefix("@") {
            let text = oneLine(String(word.dropFirst()), limit: 50)
            guard !text.isEmpty else { return [] }
            // No answer is no completion; the person types on.
            let people = (try? await account.people.matching(text, limit: 8)) ?? []
            return people.map { .person(PersonItem($0)) }
        }
        if word.hasPrefix(":") {
            let text = word.dropFirst().lowercased()
            guard !text.isEmpty else { return [] }
            let starting = emojiNames.filter { $0.name.hasPrefix(text) }
            let containing = emojiNames.filter { !$0.name.hasPrefix(text) && $0.name.contains(text) }
            let common = (starting + containing).prefix(8).map { Completion.emoji($0.emoji, name: $0.name) }
            return Array((await ownEmoji(text, of: account) + common).prefix(8))
        }
        return []
    }

    /// Emoji of the account's own whose names hold the text, those that begin with it first; half of the room at most.
    private static func ownEmoji(_ text: String, of account: any Account) async -> [Completion] {
        // Without one's own emoji there are still those everybody has.
        let own = (try? await account.reactions?.ownEmoji()) ?? []
        let names = own.map { (emoji: $0, name: $0.shortcode.lowercased()) }
        let starting = names.filter { $0.name.hasPrefix(text) }
        let containing = names.filter { !$0.name.hasPrefix(text) && $0.name.contains(text) }
        return (starting + containing).prefix(4).map { .customEmoji(EmojiItem($0.emoji)) }
    }
}
