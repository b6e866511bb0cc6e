public import NostrCore

/// Something somebody did that concerns the account.
public struct AccountNotification: Hashable, Sendable, Identifiable {
    /// What it is.
    public enum Sort: String, CaseIterable, Hashable, Sendable {
        /// An answer to something the account wrote.
        case reply
        /// A note that quotes something of the account's.
        case quote
        /// A note that names the account.
        case mention
        /// A like or an emoji under something of the account's.
        case reaction
        /// Something of the account's, passed on.
        case repost
        /// A payment to the account, from a receipt that counts.
        case zap
        /// A vote in a poll of the account's.
        case vote
        /// A line in a live stream's chat that answers one of the account's, or names it.
        case chat
        /// Somebody began to follow the account.
        case follow
    }

    /// The event that says so; of a zap, the receipt; `nil` of somebody who follows the account, whose list says no
    /// more and may be as long as a message can be.
    public let event: Event?
    /// The event that said so first: a list of follows is replaced by every change of it, and what was told stays told.
    public let id: EventID
    /// When it happened, as that event said.
    public let moment: Timestamp
    /// What it is.
    public let sort: Sort
    /// Who did it; `nil` for somebody who paid without saying who they are.
    public let person: PublicKey?
    /// What it is about, where that is one event; mentions are about nothing.
    public let target: EventID?
    /// Of a zap, the payment.
    public let zap: Zap?

    /// Something whose facts are known; without a zap, its author did it.
    public init(_ event: Event, _ sort: Sort, about target: EventID?, zap: Zap? = nil) {
        self.event = event
        (id, moment) = (event.id, event.createdAt)
        self.sort = sort
        self.target = target
        self.zap = zap
        person = if let zap { zap.isAnonymous ? nil : zap.sender } else { event.pubkey }
    }

    /// Somebody follows the account.
    ///
    /// - Parameters:
    ///   - person: who.
    ///   - first: the list by which that was noticed.
    ///   - moment: when.
    public init(follower person: PublicKey, since moment: Timestamp, by first: EventID) {
        event = nil
        (id, self.moment) = (first, moment)
        sort = .follow
        (target, zap) = (nil, nil)
        self.person = person
    }

    /// Where it stands among others.
    var cursor: TimelineCursor { TimelineCursor(createdAt: moment, id: id) }
}

/// A stretch of what concerns the account.
public struct NotificationPage: Hashable, Sendable {
    /// What happened, grouped by what it is about, the newest first.
    public var groups: [NotificationGroup]
    /// Which of it came after the account last read.
    public var unread: Set<EventID>
    /// What it is about, as far as that is here.
    public var targets: [EventID: Event]
    /// Everybody who did something, as far as known.
    public var people: [PublicKey: Person]
    /// Where the next page starts; `nil` at the end of what is here.
    public var next: TimelineCursor?
    /// Up to when it is read once the person says so.
    public var readThrough: Timestamp

    /// So many people of a group are named; the others are counted.
    public static let mostNamed = 5

    /// A page of what was found.
    public init(
        groups: [NotificationGroup] = [], unread: Set<EventID> = [], targets: [EventID: Event] = [:],
        people: [PublicKey: Person] = [:], next: TimelineCursor? = nil, readThrough: Timestamp
    ) {
        self.groups = groups
        self.unread = unread
        self.targets = targets
        self.people = people
        self.next = next
        self.readThrough = readThrough
    }
}

/// What concerned the account within a span of time, in numbers.
public struct NotificationSummary: Hashable, Sendable {
    /// How often each sort of thing happened; what did not is not there.
    public var counts: [AccountNotification.Sort: Int]
    /// What was paid, in thousandths of a satoshi.
    public var millisatoshis: Int64
    /// Whether there was more than was counted.
    public var isPartial: Bool

    /// Counts what happened.
    public init(_ notifications: [AccountNotification] = [], isPartial: Bool = false) {
        counts = notifications.reduce(into: [:]) { $0[$1.sort, default: 0] += 1 }
        millisatoshis = ZapTally(notifications.compactMap(\.zap)).millisatoshis
        self.isPartial = isPartial
    }
}
