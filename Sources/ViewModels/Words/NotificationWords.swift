internal import NostrClient
internal import NostrCore

/// Words about what concerns an account.
public enum NotificationWords {
    /// Everything there was has been read.
    public static let allRead = "All notifications are marked as read."
    /// What is shown, or what browsers are told of, was chosen.
    public static let saved = "Saved."
    /// An account that has none.
    static let none = "This account has no notifications."
    /// In place of a note under a content warning.
    static let warned = "Behind a content warning"

    /// Who else did something, after the people who are named.
    ///
    /// - Parameters:
    ///   - count: how many others who say who they are.
    ///   - anonymous: how many who do not.
    ///   - isFirst: whether nobody is named before.
    static func others(_ count: Int, anonymous: Int, isFirst: Bool) -> String {
        if isFirst { return anonymous == 1 ? "Somebody" : "\(anonymous) people" }
        switch count + anonymous {
        case 0: return ""
        case 1: return "and 1 other"
        case let all: return "and \(all) others"
        }
    }

    /// What somebody did, or several.
    ///
    /// - Parameter kind: of what it is about; where that is not known, it is called a note.
    static func deed(
        _ sort: AccountNotification.Sort, about kind: Kind? = nil, hasTarget: Bool, isOne: Bool
    ) -> String {
        switch sort {
        case .reply: "replied to you"
        case .quote: "quoted you"
        case .mention: "mentioned you"
        case .reaction: "reacted to your \(thing(kind))"
        case .repost: "reposted your \(thing(kind))"
        case .zap: hasTarget ? "zapped your \(thing(kind))" : "zapped you"
        case .vote: "voted in your poll"
        case .chat: hasTarget ? "answered you in a live chat" : "mentioned you in a live chat"
        case .follow: isOne ? "follows you" : "follow you"
        }
    }

    private static func thing(_ kind: Kind?) -> String {
        switch kind {
        case 20: "picture"
        case 21, 22, 34_235, 34_236: "film"
        case 1068: "poll"
        case 30_023: "article"
        case 30_030: "emoji pack"
        case 30_311: "live stream"
        default: "note"
        }
    }

    /// What a choice is called.
    static func title(_ filter: NotificationFilter) -> String {
        switch filter {
        case .replies: "Replies"
        case .mentions: "Mentions and quotes"
        case .reactions: "Reactions"
        case .reposts: "Reposts"
        case .zaps: "Zaps"
        case .votes: "Votes"
        case .chats: "Live chats"
        case .followers: "New followers"
        case .messages: "Messages"
        case .circles: "Circles"
        case .requests: "Signer requests"
        }
    }

    /// What happened within a day; `nil` where nothing did.
    static func summary(_ summary: NotificationSummary) -> String? {
        let parts = AccountNotification.Sort.allCases.compactMap { sort -> String? in
            guard let count = summary.counts[sort], count > 0 else { return nil }
            let words = counted(count, sort)
            return sort == .zap ? "\(words) (\(InvoiceWords.amount(summary.millisatoshis)))" : words
        }
        guard !parts.isEmpty else { return nil }
        return "In the last 24 hours\(summary.isPartial ? ", at least" : ""): \(parts.joined(separator: ", "))."
    }

    private static func counted(_ count: Int, _ sort: AccountNotification.Sort) -> String {
        let (one, many) =
            switch sort {
            case .reply: ("reply", "replies")
            case .quote: ("quote", "quotes")
            case .mention: ("mention", "mentions")
            case .reaction: ("reaction", "reactions")
            case .repost: ("repost", "reposts")
            case .zap: ("zap", "zaps")
            case .vote: ("vote", "votes")
            case .chat: ("line to you in a live chat", "lines to you in live chats")
            case .follow: ("new follower", "new followers")
            }
        return "\(count) \(count == 1 ? one : many)"
    }

    /// How many requests wait in the signer.
    public static func requests(_ count: Int) -> String {
        count == 1 ? "1 request waits in the signer" : "\(count) requests wait in the signer"
    }

    /// How many messages of a conversation are unread.
    public static func messages(_ count: Int, from title: String) -> String {
        count == 1 ? "1 unread message: \(title)" : "\(count) unread messages: \(title)"
    }
}
