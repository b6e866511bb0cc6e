public import NostrClient
public import NostrCore

/// Reactions to a note that mean the same, as a screen shows them.
public struct ReactionLine: Hashable, Sendable, Identifiable {
    /// What they mean.
    public let emoji: EmojiItem
    /// The text all of them carry.
    public let content: String
    /// How many people reacted so.
    public let count: Int
    /// Some of them, those the account follows first.
    public let people: [PersonItem]
    /// Who they are, in one line.
    public let words: String
    /// Whether the account is one of them.
    public let isOwn: Bool

    public var id: String {
        if case .picture(_, let address) = emoji { content + " " + address } else { content }
    }

    /// Reads a group.
    public init(_ group: ReactionGroup) {
        emoji = EmojiItem(group.meaning)
        content = group.content
        count = group.count
        people = group.people.map(PersonItem.init)
        words = ReactionWords.people(people.map(\.name), of: group.count)
        isOwn = group.isOwn
    }

    /// Whether anybody can react so too: a picture is known by its name alone to those who have it.
    public var canBeJoined: Bool {
        switch emoji {
        case .picture: false
        case .character(let text): text == content && EmojiItem.content(written: text) != nil
        case .like, .dislike: true
        }
    }
}

extension ReactionLine {
    /// How people reacted to a note; nothing where that cannot be read now.
    public static func load(to id: EventID, of account: any Account) async -> [ReactionLine] {
        // A conversation without them is better than none.
        let groups = (try? await account.reactions?.reactions(to: id)) ?? []
        return groups.map(ReactionLine.init)
    }

    /// Reacts to a note with what was picked or written.
    public static func react(
        with text: String, to id: EventID, of account: any Account
    ) async throws(Trouble) {
        guard let content = EmojiItem.content(written: text) else { throw Trouble(ReactionWords.notOneEmoji) }
        try await troubled { _ = try await account.publishing.react(to: id, with: content) }
    }

    /// Takes back one reaction of the account's own; one that is gone already is nothing to complain about.
    public static func takeBack(
        _ content: String, from id: EventID, of account: any Account
    ) async throws(Trouble) {
        guard let reactions = account.reactions else { throw Trouble(ReactionWords.notHere, canRetry: false) }
        try await troubled {
            do { _ = try await reactions.takeBack(content, from: id) } catch let refusal as AccountError
                where refusal.code == .unknownEvent
            {}
        }
    }
}
