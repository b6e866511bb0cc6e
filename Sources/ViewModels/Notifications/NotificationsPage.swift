public import NostrClient
public import NostrCore
public import NostrSigner

/// What concerns an account, and what waits for its person.
public struct NotificationsPage: Equatable, Sendable {
    /// Something that waits elsewhere, with a way there.
    public enum Waiting: Hashable, Sendable {
        /// A conversation with something unread.
        case conversation(ConversationItem)
        /// Something about a circle.
        case circle(CircleAlert)
        /// A circle with something unread.
        case talk(CircleItem)
        /// Requests that wait in the signer.
        case requests(BacklogItem)
    }

    /// A choice of what is shown.
    public struct Filter: Hashable, Sendable, Identifiable {
        /// What it lets through.
        public let filter: NotificationFilter
        /// What it is called.
        public let title: String
        /// Whether it is shown where all is.
        public let isShown: Bool

        /// Its name in addresses and forms.
        public var id: String { filter.rawValue }
        /// Whether it can be looked at alone.
        public var isAlone: Bool { !filter.sorts.isEmpty }
    }

    /// What waits, on the first page alone.
    public let waiting: [Waiting]
    /// What happened, the newest first.
    public let rows: [NotificationRow]
    /// Where the next page starts; `nil` at the end of what is here.
    public let next: TimelineCursor?
    /// What can be chosen.
    public let filters: [Filter]
    /// The one that is looked at alone.
    public let only: NotificationFilter?
    /// How much is unread.
    public let unread: Int
    /// Up to when all is read once the person says so, in seconds.
    public let readThrough: Timestamp
    /// What happened within a day, in a sentence; `nil` where nothing did.
    public let summary: String?
    /// Whether payments are still being checked.
    public let isChecking: Bool
    /// Of what browsers are told while no page is open.
    public let waking: NotificationWaking

    /// So many conversations and circles are shown.
    private static let mostWaiting = 8
    private static let pageSize = 100

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - only: the name of a filter to be looked at alone; all that is shown for any other text.
    ///   - place: where it starts; `nil` for the newest.
    ///   - signer: the account's signer, where it has one.
    ///   - now: the date.
    public static func load(
        only: String = "", below place: TimelineCursor? = nil, of account: any Account, signer: AccountSigner? = nil,
        now: Timestamp
    ) async throws(Trouble) -> NotificationsPage {
        try await troubled {
            let reader = try openNotifications(account)
            let shown = try await reader.shown()
            let only = NotificationFilter(rawValue: only).flatMap { $0.sorts.isEmpty ? nil : $0 }
            let page = try await reader.page(only?.sorts, before: place, since: nil, limit: pageSize)
            let names = Dictionary(page.people.map { (shownName(of: $0.value), $0.key) }) { first, _ in first }
            let isFirst = place == nil && only == nil
            let waiting = isFirst ? await self.waiting(shown, account, signer) : []
            let summary = isFirst ? try await reader.summary(since: now - .seconds(86_400)) : NotificationSummary()
            return NotificationsPage(
                waiting: waiting, rows: page.groups.map { NotificationRow($0, in: page, names: names) },
                next: page.next,
                filters: NotificationFilter.allCases.map {
                    Filter(filter: $0, title: NotificationWords.title($0), isShown: shown.contains($0))
                },
                only: only, unread: try await reader.unread(), readThrough: page.readThrough,
                summary: NotificationWords.summary(summary), isChecking: reader.isChecking,
                waking: try await reader.waking())
        }
    }

    private static func waiting(
        _ shown: Set<NotificationFilter>, _ account: any Account, _ signer: AccountSigner?
    ) async -> [Waiting] {
        var waiting: [Waiting] = []
        if shown.contains(.requests), let signer {
            let backlog = await BacklogItem.load(of: signer)
            if backlog.count > 0 { waiting.append(.requests(backlog)) }
        }
        if shown.contains(.circles) {
            waiting += await CircleAlert.load(of: account).prefix(mostWaiting).map(Waiting.circle)
            let open = await CirclesView.load(of: account).circles.filter { $0.unread > 0 }
            waiting += open.prefix(mostWaiting).map(Waiting.talk)
        }
        if shown.contains(.messages) {
            let open = await ConversationsView.load(of: account).conversations.filter { $0.unread > 0 }
            waiting += open.prefix(mostWaiting).map(Waiting.conversation)
        }
        return waiting
    }
}

/// What a person does about notifications.
public struct NotificationActions: Sendable {
    private let account: any Account

    /// Those of an account.
    public init(of account: any Account) {
        self.account = account
    }

    /// How much is unread; `nil` for an account without notifications.
    public func unread() async -> Int? {
        guard let reader = account.notifications else { return nil }
        // A page without a badge is better than no page.
        return (try? await reader.unread()) ?? 0
    }

    /// When the newest of what came since the program began is dated; `nil` when nothing came.
    public var newest: Timestamp? { account.notifications?.newest }

    /// All up to a moment is read.
    ///
    /// - Parameter seconds: the moment, as a form hands it back; all there is now for what is no number.
    public func markRead(through seconds: String) async throws(Trouble) {
        try await troubled {
            try await openNotifications(account).markRead(through: Int64(seconds).map { Timestamp(seconds: $0) })
        }
    }

    /// Has browsers told of what these names stand for while no page is open.
    ///
    /// - Parameters:
    ///   - from: when they are told nothing from, as `22:30`; empty, or no time of day, for never.
    ///   - until: when they are told again.
    public func wake(of names: [String], quietFrom from: String, until: String) async throws(Trouble) {
        let filters = Set(names.compactMap(NotificationFilter.init(rawValue:)))
        let waking = NotificationWaking(
            filters: filters.intersection(NotificationWaking.choices), quiet: QuietHours(from: from, until: until))
        try await troubled { try await openNotifications(account).setWaking(waking) }
    }

    /// How a browser that was pushed tells of a request to the signer.
    public enum RequestNotice: String, Sendable {
        case told = ""
        /// In quiet hours, without a sound.
        case quiet
        /// Not at all: the person left requests out.
        case off
    }

    /// How a request to the signer is told now.
    ///
    /// - Parameter minute: the minute of the day.
    public func requestNotice(at minute: Int) async -> RequestNotice {
        // What cannot be read was not chosen.
        let waking = (try? await account.notifications?.waking()) ?? NotificationWaking()
        guard waking.filters.contains(.requests) else { return .off }
        return waking.quiet?.contains(minute) == true ? .quiet : .told
    }

    /// Shows what these names stand for from now on; names that are none are passed over.
    public func show(_ names: [String]) async throws(Trouble) {
        try await troubled {
            try await openNotifications(account).show(Set(names.compactMap(NotificationFilter.init(rawValue:))))
        }
    }
}

/// The notifications of an account.
func openNotifications(_ account: any Account) throws -> any NotificationReading {
    guard let reader = account.notifications else { throw Trouble(NotificationWords.none, canRetry: false) }
    return reader
}
