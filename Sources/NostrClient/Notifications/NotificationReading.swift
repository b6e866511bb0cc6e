public import NostrCore

/// What a person may want to see or not.
public enum NotificationFilter: String, CaseIterable, Hashable, Sendable {
    case replies, mentions, reactions, reposts, zaps, votes, chats, followers
    /// Conversations with something unread, what there is to decide in circles, and requests that wait in the signer: what
    /// other services tell, and screens put beside the rest.
    case messages, circles, requests

    /// The sorts of events it lets through.
    public var sorts: Set<AccountNotification.Sort> {
        switch self {
        case .replies: [.reply]
        case .mentions: [.quote, .mention]
        case .reactions: [.reaction]
        case .reposts: [.repost]
        case .zaps: [.zap]
        case .votes: [.vote]
        case .chats: [.chat]
        case .followers: [.follow]
        case .messages, .circles, .requests: []
        }
    }
}

/// What concerns the account, as screens need it; implemented by ``Notifications``.
public protocol NotificationReading: Sendable {
    /// A stretch of what concerns the account, the newest first.
    ///
    /// - Parameters:
    ///   - sorts: which; `nil` for those the person wants to see.
    ///   - since: nothing older.
    ///   - limit: how much happened, before it is grouped.
    func page(
        _ sorts: Set<AccountNotification.Sort>?, before cursor: TimelineCursor?, since: Timestamp?, limit: Int
    ) async throws -> NotificationPage
    /// How much came that was not read yet, of the sorts that are shown; 100 stands for that and more.
    func unread() async throws -> Int
    /// What happened from a moment on, in numbers.
    func summary(since moment: Timestamp) async throws -> NotificationSummary
    /// What is shown.
    func shown() async throws -> Set<NotificationFilter>
    /// Shows this from now on.
    func show(_ filters: Set<NotificationFilter>) async throws
    /// Of what browsers are told while no page is open.
    func waking() async throws -> NotificationWaking
    /// Has them told of this from now on.
    func setWaking(_ waking: NotificationWaking) async throws
    /// All up to a moment is read; without one, all there is now.
    func markRead(through moment: Timestamp?) async throws
    /// When the newest of what came since the program began is dated; `nil` when nothing came.
    var newest: Timestamp? { get }
    /// Whether receipts of payments are still being checked that a page asked for.
    var isChecking: Bool { get }
}

extension NotificationReading {
    /// Nothing came.
    public var newest: Timestamp? { nil }
}

extension Notifications: NotificationReading {}
