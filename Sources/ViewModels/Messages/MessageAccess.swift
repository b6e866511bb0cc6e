public import NostrClient

/// Whether a person's messages can be read now, and what to do where they cannot.
public enum MessageAccess: Hashable, Sendable {
    /// They can.
    case open
    /// This account has no key here, so it has no private messages.
    case noKey
    /// The key is locked.
    case locked
    /// They are being decrypted.
    case opening
    /// What is on disk cannot be read; one plain sentence.
    case damaged(String)

    /// Reads it off what an account says; `nil` for an account without a key.
    public init(_ state: MessagingState?) {
        self =
            switch state?.vault {
            case nil: .noKey
            case .locked: .locked
            case .opening: .opening
            case .open: .open
            case .damaged: .damaged(MessagingWords.damagedVault)
            }
    }

    /// One word for it: what an open page compares with what it hears.
    public var word: String {
        switch self {
        case .open: "open"
        case .noKey: "nokey"
        case .locked: "locked"
        case .opening: "opening"
        case .damaged: "damaged"
        }
    }
}

/// How many conversations wait to be read, for every page's navigation.
public struct UnreadItem: Hashable, Sendable {
    /// Whether messages can be read.
    public let access: MessageAccess
    /// Unread conversations with people the account knows.
    public let known: Int
    /// Unread requests from strangers.
    public let requests: Int

    /// Reads it off what an account says.
    public init(_ state: MessagingState?) {
        access = MessageAccess(state)
        known = state?.unread ?? 0
        requests = state?.unreadRequests ?? 0
    }
}
