public import NostrCore

/// Things of one sort about one event, told together: "A, B and 3 others reacted".
///
/// Answers, quotes, mentions and lines of a chat say something each, so each of them is a group of its own. Who began to
/// follow the account is told in one line.
public struct NotificationGroup: Hashable, Sendable, Identifiable {
    /// What they are.
    public let sort: AccountNotification.Sort
    /// What they are about, where that is one event.
    public let target: EventID?
    /// The newest of them, which says where the group stands.
    public let newest: AccountNotification
    /// All of them, the newest first.
    public private(set) var members: [AccountNotification]

    /// The id of the newest.
    public var id: EventID { newest.id }

    private init(_ first: AccountNotification) {
        (sort, target, newest, members) = (first.sort, first.target, first, [first])
    }

    /// Groups what is listed newest first; nothing is left out, and nothing stands in two groups.
    public static func groups(of notifications: [AccountNotification]) -> [NotificationGroup] {
        var groups: [NotificationGroup] = []
        var places: [Key: Int] = [:]
        var seen: Set<EventID> = []
        for notification in notifications where seen.insert(notification.id).inserted {
            let key = Key(notification)
            if let place = places[key] {
                groups[place].members.append(notification)
            } else {
                places[key] = groups.count
                groups.append(NotificationGroup(notification))
            }
        }
        return groups
    }

    /// What makes things one group.
    private struct Key: Hashable {
        let sort: AccountNotification.Sort
        let subject: EventID?

        init(_ notification: AccountNotification) {
            sort = notification.sort
            subject =
                switch notification.sort {
                case .reply, .quote, .mention, .chat: notification.id
                case .reaction, .zap, .vote: notification.target
                // Of what is not here, it is not known that two are about the same.
                case .repost: notification.target ?? notification.id
                case .follow: nil
                }
        }
    }
}

extension NotificationGroup {
    /// Who they are by, each once, the newest first.
    public var people: [PublicKey] {
        var seen: Set<PublicKey> = []
        return members.compactMap(\.person).filter { seen.insert($0).inserted }
    }

    /// How many of them are by people who do not say who they are.
    public var anonymous: Int { members.count { $0.person == nil } }

    /// How much was paid, in thousandths of a satoshi.
    public var millisatoshis: Int64 { ZapTally(members.compactMap(\.zap)).millisatoshis }
}
