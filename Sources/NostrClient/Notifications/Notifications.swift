internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// What concerns the account: who answered it, named it, reacted to it, paid it.
///
/// Nothing is gathered in memory: each page is read from the store. A class over one lock, since every page shows how
/// much is unread.
public final class Notifications: Sendable {
    /// More than this is not counted.
    public static let mostUnread = 100
    /// What a page holds before it is grouped.
    static let pageSize = 100
    /// Clocks differ; what is dated further ahead is not shown before its time.
    private static let ahead: Duration = .seconds(15 * 60)
    private static let mostSummarised = 500
    private static let summaryLifetime: Duration = .seconds(300)

    private struct State {
        /// The account's own notes as they were found last, and of which of ``ownChanges`` they know.
        var own: OwnNotes?
        var ownVersion = 0
        /// Counts what the account wrote.
        var ownChanges = 0
        var marks: NotificationMarks?
        var unread: Int?
        /// What was muted when that was counted.
        var countedWithout = Mutes()
        /// Counts what happened, so that an answer that was found before it is not kept.
        var changes = 0
        /// What happened within a day, with the count of changes and the moment it begins with.
        var summary: (summary: NotificationSummary, changes: Int, since: Timestamp)?
        /// When the newest of what came is dated.
        var newest: Timestamp?
        /// Whether late ones are still to be written down.
        var isUnsaved = false
        /// What pages tell of and is not here.
        var missing: Set<EventID> = []
    }

    let context: AccountContext
    let gossip: Gossip
    private let people: People
    private let mutes: MutesInForce
    private let payments: ReceivedPayments
    let followers: NewFollowers
    private let state = Mutex(State())
    /// Rings when late ones are to be written down.
    private let saving = Doorbell()
    /// What was read is written by one at a time: an older version must not come last.
    private let writing = SerialGate()
    /// Rings when the account's own notes or relays changed.
    let ownChanged = Doorbell()
    /// Rings when pages tell of something that is not here.
    let lacking = Doorbell()

    init(_ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce, zaps: Zaps) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
        payments = ReceivedPayments(context, zaps: zaps)
        followers = NewFollowers(context)
    }

    /// Keeps up with what comes until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.payments.run {
                    self.forgetUnread()
                    self.context.changes.send(.notifications)
                }
            }
            group.addTask { await self.saveLate() }
            group.addTask { await self.followers.run { self.came($0) } }
            group.addTask { await self.followAnswers() }
            group.addTask { await self.fetchTargets() }
        }
    }

    /// Whether receipts are still being checked that a page asked for.
    public var isChecking: Bool { payments.isJudging }

    /// When the newest of what came since the program began is dated; `nil` when nothing came.
    public var newest: Timestamp? { state.withLock { $0.newest } }

    // MARK: - Reading

    /// A stretch of what concerns the account, the newest first.
    ///
    /// - Parameters:
    ///   - sorts: which; `nil` for those the person wants to see.
    ///   - since: nothing older.
    ///   - limit: how much happened, before it is grouped; at most 500.
    public func page(
        _ sorts: Set<AccountNotification.Sort>?, before cursor: TimelineCursor?, since: Timestamp?, limit: Int
    ) async throws -> NotificationPage {
        let marks = try await marks()
        let now = context.time.now()
        let question = NotificationReader.Question(
            sorts: sorts ?? marks.sorts, before: cursor, since: since, until: now + Self.ahead,
            limit: min(max(limit, 1), 500))
        let stretch = try await reader().stretch(question)
        let groups = NotificationGroup.groups(of: stretch.notifications)
        request(Set(groups.compactMap(\.target)).subtracting(stretch.targets.keys))
        // A row names a few people and counts the others.
        let named = Set(groups.flatMap { $0.people.prefix(NotificationPage.mostNamed) })
        return NotificationPage(
            groups: groups, unread: Set(stretch.notifications.filter(marks.isUnread).map(\.id)),
            targets: stretch.targets, people: try await people.persons(named), next: stretch.next,
            readThrough: max(now, stretch.notifications.first?.moment ?? now))
    }

    /// How much came that was not read yet, of the sorts that are shown; ``mostUnread`` stands for that and more.
    public func unread() async throws -> Int {
        let muted = await mutes.upToDate()
        let (known, changes) = state.withLock { ($0.countedWithout == muted ? $0.unread : nil, $0.changes) }
        if let known { return known }
        let marks = try await marks()
        let reader = try await reader()
        let question = NotificationReader.Question(
            sorts: marks.sorts, since: marks.readThrough + .seconds(1), until: context.time.now() + Self.ahead,
            limit: Self.mostUnread)
        var count = try await reader.stretch(question).notifications.count
        if !marks.late.isEmpty, count < Self.mostUnread {
            let late = try await context.store.query([Filter(ids: marks.late)])
            count += try await reader.notifications(late).notifications.count { notification in
                notification.map { marks.sorts.contains($0.sort) } ?? false
            }
            if marks.sorts.contains(.follow) {
                count += try await reader.follows(reader.followers.filter { marks.late.contains($0.id) }).count
            }
        }
        let unread = min(count, Self.mostUnread)
        state.withLock { state in
            guard state.changes == changes else { return }
            (state.unread, state.countedWithout) = (unread, muted)
        }
        return unread
    }

    /// What happened from a moment on, in numbers.
    public func summary(since moment: Timestamp) async throws -> NotificationSummary {
        let (known, changes) = state.withLock { ($0.summary, $0.changes) }
        if let known, known.changes == changes, known.since <= moment, moment < known.since + Self.summaryLifetime {
            return known.summary
        }
        let question = NotificationReader.Question(
            sorts: Set(AccountNotification.Sort.allCases), since: moment, until: context.time.now() + Self.ahead,
            limit: Self.mostSummarised)
        let stretch = try await reader().stretch(question)
        let summary = NotificationSummary(stretch.notifications, isPartial: stretch.next != nil)
        state.withLock { $0.summary = (summary, changes, moment) }
        return summary
    }

    private func reader() async throws -> NotificationReader {
        try await gossip.load()
        let payments = payments
        return NotificationReader(
            store: context.store, account: context.publicKey, own: try await ownNotes(),
            followers: try await followers.all(), mutes: await mutes.upToDate()
        ) { payments.zaps(of: $0) }
    }

    // MARK: - What the person says

    /// What is shown.
    public func shown() async throws -> Set<NotificationFilter> { try await marks().shown }

    /// Shows this from now on, here and in the count of what is unread.
    public func show(_ filters: Set<NotificationFilter>) async throws {
        try await change { $0.hidden = Set(NotificationFilter.allCases).subtracting(filters) }
    }

    /// Of what browsers are told while no page is open.
    public func waking() async throws -> NotificationWaking { try await marks().waking }

    /// Has them told of this from now on.
    public func setWaking(_ waking: NotificationWaking) async throws { try await change { $0.waking = waking } }

    /// All up to a moment is read; without one, all there is now.
    public func markRead(through moment: Timestamp?) async throws {
        let now = context.time.now()
        var read = moment ?? now
        if moment == nil {
            // What is dated a little ahead is shown already.
            let newest = try await page(nil, before: nil, since: now, limit: 1).groups.first?.newest.moment
            read = max(now, newest ?? now)
        }
        let through = min(read, now + Self.ahead)
        try await change { $0.read(through: through) }
    }

    private func change(_ body: @Sendable (inout NotificationMarks) -> Void) async throws {
        _ = try await marks()
        try await writing.run {
            let record = state.withLock { state -> [UInt8]? in
                guard var marks = state.marks else { return nil }
                body(&marks)
                (state.marks, state.unread) = (marks, nil)
                state.changes += 1
                return marks.record
            }
            guard let record else { return }
            try await context.records.put(record, for: NotificationMarks.key, in: NotificationMarks.table)
        }
        context.changes.send(.notifications)
    }

    private func marks() async throws -> NotificationMarks {
        if let marks = state.withLock({ $0.marks }) { return marks }
        let record = try await context.records.value(NotificationMarks.key, in: NotificationMarks.table)
        let marks: NotificationMarks
        if let kept = record.flatMap(NotificationMarks.init(record:)) {
            marks = kept
        } else {
            marks = NotificationMarks(startingAt: context.time.now())
            try await context.records.put(marks.record, for: NotificationMarks.key, in: NotificationMarks.table)
        }
        return state.withLock { state in
            if state.marks == nil { state.marks = marks }
            return state.marks ?? marks
        }
    }
}

// MARK: - What comes

extension Notifications {
    /// An event was stored, by whatever way.
    func stored(_ event: Event) {
        payments.stored(event)
        let isOwn = event.pubkey == context.publicKey
        if isOwn {
            if OwnNotes.isChanged(by: event.kind) { forgetOwnNotes() }
            // It may say where the account is paid.
            if event.kind == ProfileMetadata.kind { forgetUnread() }
            return
        }
        if event.kind == FollowList.kind { followers.stored(event) }
        guard mayConcern(event) else { return }
        note(event.id, at: event.createdAt)
        context.changes.send(.notifications)
    }

    /// Somebody began to follow the account.
    private func came(_ new: [Follower]) {
        for follower in new { note(follower.id, at: follower.moment) }
        context.changes.send(.notifications)
    }

    private func note(_ id: EventID, at moment: Timestamp) {
        let isDue = moment <= context.time.now() + Self.ahead
        let isLate = state.withLock { state in
            if isDue { state.newest = max(state.newest ?? moment, moment) }
            state.unread = nil
            state.changes += 1
            let isLate = state.marks?.receive(id, at: moment) ?? false
            if isLate { state.isUnsaved = true }
            return isLate
        }
        if isLate { saving.ring() }
    }

    /// Something went: what was counted is counted again.
    func forgetUnread() {
        state.withLock { state in
            state.unread = nil
            state.changes += 1
        }
    }

    /// Changes of the store were missed.
    func forgetAll() {
        followers.lookAgain()
        forgetOwnNotes()
        forgetUnread()
    }

    private func forgetOwnNotes() {
        state.withLock { $0.ownChanges += 1 }
        ownChanged.ring()
    }

    /// Whether a page may show it: what it is, its reader decides.
    private func mayConcern(_ event: Event) -> Bool {
        guard NoteKinds.naming.contains(event.kind) || event.kind == PollResponse.kind else {
            return false
        }
        let own = context.publicKey.hex
        if event.tags.contains(where: { $0.name == "p" && $0.value == own }) { return true }
        return state.withLock { $0.own }?.isNamed(by: event) ?? false
    }

    /// Has relays asked for what pages tell of, unless that was done a moment ago.
    private func request(_ ids: Set<EventID>) {
        let open = ids.filter { gossip.shouldAsk(.event($0)) }
        guard !open.isEmpty else { return }
        state.withLock { $0.missing.formUnion(open) }
        lacking.ring()
    }

    /// What pages lacked since the last time.
    func takeMissing() -> Set<EventID> {
        state.withLock { state in
            defer { state.missing = [] }
            return state.missing
        }
    }

    /// The account's newest notes and polls.
    func ownNotes() async throws -> OwnNotes {
        let (known, changes) = state.withLock { ($0.ownVersion == $0.ownChanges ? $0.own : nil, $0.ownChanges) }
        if let known { return known }
        let events = try await context.store.query([
            Filter(authors: [context.publicKey], kinds: OwnNotes.kinds, limit: OwnNotes.most),
            Filter(authors: [context.publicKey], kinds: OwnNotes.pollKinds, limit: OwnNotes.most),
            Filter(authors: [context.publicKey], kinds: [LiveChatMessage.kind], limit: OwnNotes.most),
            Filter(authors: [context.publicKey], kinds: OwnNotes.addressedKinds, limit: OwnNotes.most),
        ])
        func newest(_ kinds: Set<Kind>) -> Set<EventID> {
            Set(events.lazy.filter { kinds.contains($0.kind) }.prefix(OwnNotes.most).map(\.id))
        }
        let own = OwnNotes(
            ids: newest(OwnNotes.kinds), polls: newest(OwnNotes.pollKinds), lines: newest([LiveChatMessage.kind]),
            addresses: Set(
                events.lazy.filter { OwnNotes.addressedKinds.contains($0.kind) }.prefix(OwnNotes.most)
                    .compactMap(\.address)))
        state.withLock { state in
            if state.own == nil || state.ownVersion <= changes { (state.own, state.ownVersion) = (own, changes) }
        }
        return own
    }

    private func putLate() async throws {
        let unsaved = state.withLock { state in
            defer { state.isUnsaved = false }
            return state.isUnsaved ? state.marks : nil
        }
        guard let unsaved else { return }
        try await context.records.put(unsaved.record, for: NotificationMarks.key, in: NotificationMarks.table)
    }

    private func saveLate() async {
        // What comes late is told by them.
        do { _ = try await marks() } catch { context.report("what was read of notifications could not be read", error) }
        while !Task.isCancelled {
            await saving.wait()
            await context.time.pause(for: context.configuration.coalescing)
            do { try await writing.run { try await putLate() } } catch {
                state.withLock { $0.isUnsaved = true }
                context.report("what came late could not be kept", error)
            }
        }
    }
}
