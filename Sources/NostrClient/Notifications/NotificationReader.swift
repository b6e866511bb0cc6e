internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What the account wrote lately that others may answer without naming it.
struct OwnNotes: Hashable, Sendable {
    /// Kinds that others answer, quote and react to.
    static let kinds: Set<Kind> = [1, 20, 21, 22, 1068, 6969, 30_023]
    /// The kinds of polls.
    static let pollKinds: Set<Kind> = [Poll.kind]
    /// The kinds that others repost by their addresses.
    static let addressedKinds = NoteKinds.cited
    /// So many of the newest are looked for; answers to older ones are found when they name the account, as nearly all do.
    static let most = 100

    /// The newest notes.
    var ids: Set<EventID> = []
    /// The newest polls.
    var polls: Set<EventID> = []
    /// The newest lines in chats of live streams.
    var lines: Set<EventID> = []
    /// The newest articles, films and streams, by their addresses.
    var addresses: Set<EventAddress> = []

    /// The addresses as questions name them.
    var askedAddresses: Set<String> { Set(addresses.compactMap(\.asked)) }

    /// Whether they may be others once the account wrote, or deleted, something of a kind.
    static func isChanged(by kind: Kind) -> Bool {
        kinds.contains(kind) || addressedKinds.contains(kind)
            || [DeletionRequest.kind, LiveChatMessage.kind].contains(kind)
    }

    /// Whether an event names one of them by a tag.
    func isNamed(by event: Event) -> Bool {
        if let address = AddressRepost(event)?.target.address { return addresses.contains(address) }
        guard !ids.isEmpty || !polls.isEmpty || !lines.isEmpty else { return false }
        return event.tags.prefix(64).contains { tag in
            guard tag.name == "e" || tag.name == "q", let id = tag.eventID(at: 1) else { return false }
            return ids.contains(id) || polls.contains(id) || lines.contains(id)
        }
    }
}

/// Reads what concerns the account from the store, newest first, a stretch at a time: however much there is, a stretch
/// costs the same.
struct NotificationReader: Sendable {
    /// What was found, and where to go on.
    struct Stretch: Sendable {
        var notifications: [AccountNotification] = []
        /// What they are about, as far as it is here.
        var targets: [EventID: Event] = [:]
        /// The place after the last event that was looked at; `nil` when there is no more.
        var next: TimelineCursor?
    }

    /// Which stretch.
    struct Question: Sendable {
        var sorts: Set<AccountNotification.Sort>
        var before: TimelineCursor?
        /// Nothing older.
        var since: Timestamp?
        /// Nothing newer: a date far ahead would stand on top for good.
        var until: Timestamp
        var limit: Int
    }

    /// How many lists of follows are read in one question.
    static let listsAtOnce = 8
    /// So many addresses that reposts name are looked up; anyone can make up more.
    private static let mostAddresses = 100

    let store: any EventStore
    let account: PublicKey
    let own: OwnNotes
    /// Who began to follow the account, the newest first.
    let followers: [Follower]
    let mutes: Mutes
    /// The payments of receipts that are known to count; asks for the others to be checked.
    let payments: @Sendable ([Event]) -> [EventID: Zap]

    /// At most as many as were asked for.
    func stretch(_ question: Question) async throws -> Stretch {
        let filters = filters(question)
        var stretch = Stretch()
        var before = question.before
        // A receipt or two of a page may not count, and much of what is asked for by its kind may be of another sort.
        var want = question.limit + question.limit / 4 + 1
        for _ in 0..<10 {
            let (events, bottom) = try await batch(filters, after: before, until: question.until, want)
            var end = bottom
            let (follows, last) = try await follows(question, after: before, through: bottom, want)
            // Below where one of both stopped, what it would bring is not known.
            if let last, end.map({ last.isAbove($0) }) ?? true { end = last }
            let found = try await notifications(events)
            stretch.targets.merge(found.targets) { old, _ in old }
            let all = (found.notifications.compactMap(\.self) + follows).sorted { $0.cursor.isAbove($1.cursor) }
            for notification in all where question.sorts.contains(notification.sort) {
                if let end, end.isAbove(notification.cursor) { break }
                stretch.notifications.append(notification)
                guard stretch.notifications.count < question.limit else {
                    stretch.next = notification.cursor
                    return stretch
                }
            }
            guard let end else { return stretch }
            before = end
            want = min(want * 2, 4000)
        }
        stretch.next = before
        return stretch
    }

    /// What events say to the account, in their order; `nil` for those that do not concern it.
    func notifications(
        _ events: [Event]
    ) async throws -> (notifications: [AccountNotification?], targets: [EventID: Event]) {
        guard !events.isEmpty else { return ([], [:]) }
        let named = Set(events.flatMap(NotificationRules.namedEvents))
        let found = named.isEmpty ? [] : try await store.query([Filter(ids: named)])
        let standing = try await versions(repostedBy: events)
        let targets = Dictionary((found + standing.values).map { ($0.id, $0) }) { first, _ in first }
        let rules = NotificationRules(
            account: account, targets: targets, payments: payments(events.filter { $0.kind == ZapReceipt.kind }),
            mutes: mutes, versions: standing.mapValues(\.id))
        return (events.map(rules.notification), targets)
    }

    /// The versions in force of what the account wrote and reposts name by its address alone, as far as they are here.
    private func versions(repostedBy events: [Event]) async throws -> [EventAddress: Event] {
        let named = events.compactMap { AddressRepost($0)?.target.address }.filter { $0.author == account }.uniqued()
        let known = named.filter(own.addresses.contains) + named.filter { !own.addresses.contains($0) }
        guard !known.isEmpty else { return [:] }
        let found = try await store.query(known.prefix(Self.mostAddresses).map(\.filter))
        return found.reduce(into: [:]) { versions, event in
            if let address = event.address, versions[address] == nil { versions[address] = event }
        }
    }

    /// Who began to follow the account after a place and not below another, as far as they still do.
    ///
    /// - Returns: them, and the place they end at; `nil` when there are no more.
    private func follows(
        _ question: Question, after place: TimelineCursor?, through bottom: TimelineCursor?, _ want: Int
    ) async throws -> (follows: [AccountNotification], end: TimelineCursor?) {
        guard question.sorts.contains(.follow) else { return ([], nil) }
        let within = followers.filter { follower in
            if let place, !place.isAbove(follower.cursor) { return false }
            if let bottom, bottom.isAbove(follower.cursor) { return false }
            if let since = question.since, follower.moment < since { return false }
            return follower.moment <= question.until
        }
        // Lists are long: no more are read than can be told.
        let wanted = within.prefix(want)
        return (try await follows(Array(wanted)), wanted.count < within.count ? wanted.last?.cursor : nil)
    }

    /// What is told of these: nothing of those who follow the account no longer, or are muted.
    func follows(_ some: [Follower]) async throws -> [AccountNotification] {
        let shown = some.filter { !mutes.people.contains($0.person) }
        var following: Set<PublicKey> = []
        // A list may be as long as a message can be: only a few are in memory at a time.
        for some in shown.chunked(by: Self.listsAtOnce) {
            let lists = try await store.query([
                Filter(authors: Set(some.map(\.person)), kinds: [FollowList.kind], tags: ["p": [account.hex]])
            ])
            following.formUnion(lists.map(\.pubkey))
        }
        return shown.filter { following.contains($0.person) }.map {
            AccountNotification(follower: $0.person, since: $0.moment, by: $0.id)
        }
    }

    /// The newest events after a place that any of the filters matches, as far as all of them were read.
    ///
    /// - Returns: the events, and the place they end at; `nil` when there are no more.
    private func batch(
        _ filters: [Filter], after cursor: TimelineCursor?, until: Timestamp, _ want: Int
    ) async throws -> (events: [Event], end: TimelineCursor?) {
        var events: [EventID: Event] = [:]
        var end: TimelineCursor?
        for var filter in filters {
            filter.until = min(cursor?.createdAt ?? until, until)
            filter.limit = want
            // Nothing below where another stopped is told of, so it is not read.
            if let end { filter.since = max(filter.since ?? end.createdAt, end.createdAt) }
            let found = try await store.query([filter])
            for event in found where event.isAfter(cursor) { events[event.id] = event }
            guard found.count >= want, let last = found.last else { continue }
            // Below where one filter stopped, what it would bring is not known.
            if end == nil || !last.isAfter(end) { end = last.cursor }
        }
        let sorted = events.values.sorted { $0.isListed(before: $1) }
        guard let end else { return (sorted, nil) }
        return (sorted.filter { !$0.isAfter(end) }, end)
    }

    private func filters(_ question: Question) -> [Filter] {
        var naming: Set<Kind> = []
        var answers: [Character: Set<EventID>] = [:]
        for sort in question.sorts {
            switch sort {
            case .reply:
                naming.formUnion([1, 1111])
                answers["e"] = own.ids
            case .quote:
                naming.formUnion([1, 1111])
                answers["q"] = own.ids
            case .mention: naming.formUnion([1, 1111])
            case .reaction: naming.insert(7)
            case .repost: naming.formUnion([6, 16])
            case .zap: naming.insert(ZapReceipt.kind)
            case .chat: naming.insert(LiveChatMessage.kind)
            case .vote, .follow: break
            }
        }
        var filters: [Filter] = []
        if !naming.isEmpty { filters.append(Filter(kinds: naming, tags: ["p": [account.hex]], since: question.since)) }
        for (name, ids) in answers.sorted(by: { $0.key < $1.key }) where !ids.isEmpty {
            filters.append(Filter(kinds: [1, 1111], tags: [name: Set(ids.map(\.hex))], since: question.since))
        }
        if question.sorts.contains(.chat), !own.lines.isEmpty {
            filters.append(
                Filter(
                    kinds: [LiveChatMessage.kind], tags: ["e": Set(own.lines.map(\.hex))], since: question.since))
        }
        if question.sorts.contains(.repost), !own.askedAddresses.isEmpty {
            filters.append(
                Filter(kinds: [Repost.genericKind], tags: ["a": own.askedAddresses], since: question.since))
        }
        if question.sorts.contains(.vote), !own.polls.isEmpty {
            filters.append(
                Filter(
                    kinds: [PollResponse.kind], tags: ["e": Set(own.polls.map(\.hex))], since: question.since))
        }
        return filters
    }
}

extension TimelineCursor {
    /// Whether it stands before another where the newest come first.
    func isAbove(_ other: TimelineCursor) -> Bool {
        createdAt != other.createdAt ? createdAt > other.createdAt : id < other.id
    }
}
