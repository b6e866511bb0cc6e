public import AsyncPrimitives
public import NostrClient
public import NostrCore
public import NostrNIPs
import NostrRelay

/// An account that lives in memory: what a test put in is what screens see.
public actor FakeAccount: Account, TimelineReading, PeopleReading, NotePublishing, WorkControl, ProfileEditing,
    Following, OwnRelayKeeping,
    NetworkReporting
{
    public nonisolated var timeline: any TimelineReading { self }
    public nonisolated var people: any PeopleReading { self }
    public nonisolated var publishing: any NotePublishing { self }
    /// Its reactions by what they mean, and its emoji.
    public nonisolated let emoji: FakeReactions
    public nonisolated var reactions: (any ReactionKeeping)? { emoji }
    public nonisolated var mining: any WorkControl { self }
    public nonisolated var profile: any ProfileEditing { self }
    public nonisolated var follows: any Following { self }
    public nonisolated var ownRelays: any OwnRelayKeeping { self }
    public nonisolated var network: any NetworkReporting { self }
    public nonisolated let publicKey: PublicKey
    public nonisolated let canSign: Bool
    public nonisolated let messages: (any Messaging)?
    /// What concerns it; `nil` where a test has none.
    public nonisolated let notifications: (any NotificationReading)?
    /// Its lists and drafts; `nil` for one that only reads.
    public nonisolated let personal: FakeLists?
    /// Its earlier versions; `nil` for one that only reads.
    public nonisolated let past: FakeHistory?
    /// Its live streams.
    public nonisolated let liveStreams: FakeStreams
    public nonisolated var streams: (any LiveStreaming)? { liveStreams }
    public nonisolated var lists: (any ListKeeping)? { personal }
    public nonisolated var drafts: (any DraftKeeping)? { personal }
    public nonisolated var history: (any VersionHistory)? { past }
    /// The sites that notes link to; `nil` where none is asked.
    public nonisolated let sites: FakeSites?
    public nonisolated var previews: (any LinkPreviewing)? { sites }
    /// GIFs; none are looked for before a test puts some in.
    public nonisolated let foundGifs = FakeGifs()
    public nonisolated var gifs: (any GifFinding)? { foundGifs.isThere ? foundGifs : nil }
    public nonisolated var gifHost: (any GifHosting)? { foundGifs.isThere ? foundGifs : nil }
    /// What people show on their pages.
    public nonisolated let shown = FakeShowcases()
    public nonisolated var showcases: (any ShowcaseReading)? { shown }
    /// Topics and people that much is made of.
    public nonisolated let counted = FakeTrends()
    public nonisolated var trends: (any TrendReading)? { counted }
    /// What its machine stores of others.
    public nonisolated let stored = FakeCopies()
    public nonisolated var copies: (any CopyRemoving)? { canSign ? stored : nil }
    /// What was reported.
    public nonisolated let reported = FakeReports()
    public nonisolated var reports: (any ReportReading)? { reported }
    /// Apps for kinds that are not shown.
    public nonisolated let offered = FakeApps()
    public nonisolated var apps: (any AppOffering)? { offered }
    /// Pictures of others.
    public nonisolated let keptPictures = FakePictures()
    public nonisolated var pictures: (any PictureCaching)? { keptPictures }
    /// Films and sounds of others.
    public nonisolated let played = FakeRecordings()
    public nonisolated var recordings: (any RecordingPlaying)? { played }
    /// Every person known.
    public var known: [PublicKey: Person]
    /// Every note known, newest first.
    public var notes: [Note]
    /// How polls stand by the votes of some.
    var curated: [PollVoters: PollTally] = [:]
    /// What stands on home beside notes.
    public private(set) var homeKinds: Set<Kind> = []
    /// Who follows whom, as far as lists of follows are here.
    public var followersByPerson: [PublicKey: Followers] = [:]
    /// What `relays()` answers.
    public var relayReports: [RelayReport] = []
    /// What relays say of themselves.
    var statements: [RelayURL: RelayInformation] = [:]
    /// What `coverage()` answers.
    public var coverages: [AuthorCoverage] = []
    /// What `inbound()` answers.
    var sent: [InboundCoverage] = []
    /// What `current()` answers.
    public var relayList = OwnRelayList(entries: [], isPublished: false)
    /// Thrown by everything that writes, when set.
    public var refusal: (any Error)?
    /// Thrown by everything that reads, when set.
    public var silence: (any Error)?
    /// What was published, in order.
    public private(set) var published: [Composition] = []
    /// How often something was to be published or released, whatever came of it.
    public nonisolated let attempts = CurrentValue(0)
    /// Notes that are held back, and until when.
    public private(set) var held: [EventID: Timestamp] = [:]
    /// Relays that asked who the account is, and the answers.
    public var consentEntries: [RelayConsentEntry] = []
    public nonisolated var consents: (any RelayConsentKeeping)? { canSign ? self : nil }
    /// Notes that wait for their signer, and how they stand.
    var unsignedNotes: [(note: UnsignedNote, standing: UnsignedNote.Standing)] = []
    /// How many notes rest sealed.
    var sealedNotes = 0
    public nonisolated var unsigned: (any UnsignedNoteKeeping)? { canSign ? self : nil }
    /// Reactions, reposts, deletions and follows, in words.
    public private(set) var acts: [String] = []
    /// Whether anything was published from a cancelled task, which a real account may refuse.
    public private(set) var sawCancellation = false
    private var listeners: [AsyncStream<AccountChange>.Continuation] = []
    private let author: FakeAuthor

    /// Takes the people and notes of a world; the first author is oneself.
    public init(
        _ world: FakeWorld, canSign: Bool = true, messages: (any Messaging)? = nil,
        notifications: (any NotificationReading)? = nil, sites: FakeSites? = nil
    ) {
        self.notifications = notifications
        self.messages = messages
        self.sites = sites
        personal = canSign ? FakeLists(world.own) : nil
        emoji = FakeReactions(world.own)
        past = canSign ? FakeHistory() : nil
        liveStreams = FakeStreams(world.own)
        publicKey = world.own.key
        self.canSign = canSign
        author = world.own
        known = world.people
        notes = world.notes
    }

    public func messagingState() async -> MessagingState? { await (messages as? FakeMessaging)?.state() }

    public func setInbox(_ relays: [RelayURL]) async throws -> Event {
        guard let messages = messages as? FakeMessaging else { throw AccountError(.readOnly) }
        return try await messages.setInbox(relays)
    }

    /// How much work it puts into what it publishes.
    public private(set) var work = WorkPolicy()
    /// Work it says is going on.
    public private(set) var atWork: WorkInProgress?
    /// How often work was ended.
    public private(set) var skips = 0

    public func policy() -> WorkPolicy { work }
    public func setPolicy(_ policy: WorkPolicy) { work = policy }
    public func inProgress() -> WorkInProgress? { atWork }
    public func skip() {
        skips += 1
        atWork = nil
        for waiting in waitingForWork { waiting.resume() }
        waitingForWork = []
    }
    /// Waits until publishing waits for the work.
    public func workIsAwaited() async {
        if waitingForWork.isEmpty { await withCheckedContinuation { watchers.append($0) } }
    }
    private func awaitWork() async {
        await withCheckedContinuation { work in
            waitingForWork.append(work)
            for watcher in watchers { watcher.resume() }
            watchers = []
        }
    }
    /// Has publishing wait until the work is ended.
    public func begin(_ work: WorkInProgress) { atWork = work }
    private var waitingForWork: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    var receiptStates: [PublishReceipt.State] = [
        .accepted(Timestamp(seconds: 1)), .accepted(Timestamp(seconds: 2)),
        .waiting(attempts: 2, next: Timestamp(seconds: 60)),
    ]
    /// Sets how every note of the account's own stands at its relays.
    public func answer(with states: [PublishReceipt.State]) { receiptStates = states }

    /// Sets what every writing call throws.
    public func refuse(with error: (any Error)?) { refusal = error }
    /// Sets what every reading call throws.
    public func fall(silent error: (any Error)?) { silence = error }
    /// Replaces what the relays page shows.
    public func show(relays: [RelayReport], coverage: [AuthorCoverage]) {
        relayReports = relays
        coverages = coverage
    }
    /// Adds a note on top and tells everyone.
    public func arrive(_ note: Note) {
        notes.insert(note, at: 0)
        announce(
            .homeNote(
                note.id, author: note.event.pubkey, createdAt: note.event.createdAt,
                reposts: note.reposted.first?.id))
    }
    /// Tells everyone who listens.
    public func announce(_ change: AccountChange) {
        for listener in listeners { listener.yield(change) }
    }

    public func page(
        _ source: TimelineSource, before cursor: TimelineCursor?, limit: Int
    ) throws -> TimelinePage {
        if let silence { throw silence }
        let wanted = notes.filter { note in
            switch source {
            case .home: true
            case .author(let key, let replies):
                note.event.pubkey == key && (replies || !ThreadReferences(note.event.tags).isReply)
            case .hashtag(let tag): note.event.tags.named("t").contains { $0.value == tag }
            case .people(let people): people.contains(note.event.pubkey)
            case .topics(let topics):
                note.event.tags.named("t").contains { $0.value.map(topics.contains) ?? false }
            case .listed(let selection): selection.events.contains { $0.id == note.id }
            case .relays, .trending: true
            }
        }
        let below = wanted.filter { note in
            guard let cursor else { return true }
            let event = note.event
            return event.createdAt < cursor.createdAt || (event.createdAt == cursor.createdAt && cursor.id < event.id)
        }
        let page = Array(below.prefix(limit))
        let last = below.count > limit ? page.last : nil
        return TimelinePage(
            notes: page, next: last.map { TimelineCursor(createdAt: $0.event.createdAt, id: $0.id) },
            isLoadingOlder: false)
    }

    public func thread(_ id: EventID, hints: [RelayURL], after reply: EventID?) throws -> NoteThread {
        if let silence { throw silence }
        let focus = notes.first { $0.id == id }
        var ancestors: [Note] = []
        var above = focus
        while let parent = above.flatMap({ ThreadReferences($0.event.tags).parent?.id }) {
            above = notes.first { $0.id == parent }
            if let above { ancestors.insert(above, at: 0) }
        }
        let all = replies(to: id, depth: 0)
        let start = reply.flatMap { last in all.firstIndex { $0.note.id == last } }.map { $0 + 1 } ?? 0
        let part = all[start...].prefix(Self.repliesAtOnce)
        return NoteThread(
            ancestors: ancestors, focus: focus, replies: Array(part),
            next: part.endIndex < all.endIndex ? part.last?.note.id : nil, isLoading: false)
    }

    /// How many replies a part of a thread has here.
    public static let repliesAtOnce = 20

    private func replies(to id: EventID, depth: Int) -> [NoteThread.Reply] {
        notes.filter { ThreadReferences($0.event.tags).parent?.id == id }.reversed().flatMap { note in
            [NoteThread.Reply(note: note, depth: depth)] + replies(to: note.id, depth: depth + 1)
        }
    }

    public func person(_ key: PublicKey) throws -> Person {
        if let silence { throw silence }
        return known[key] ?? Person(key: key)
    }

    public func matching(_ text: String, limit: Int) -> [Person] {
        let found = known.values.filter { ($0.fields["name"] ?? "").lowercased().hasPrefix(text.lowercased()) }
        return Array(found.sorted { $0.key < $1.key }.prefix(limit))
    }

    /// What was searched for, in order.
    public private(set) var questions: [SearchQuestion] = []

    public func search(_ question: SearchQuestion, before cursor: TimelineCursor?, limit: Int) throws -> SearchResult {
        if let silence { throw silence }
        questions.append(question)
        let text = question.words
        let found = notes.filter { $0.event.content.lowercased().contains(text.lowercased()) }
        var relays: [SearchedRelay] = []
        if case .relay(let relay) = question.scope, relay.isPrivate { relays = [SearchedRelay(relay, .notChosen)] }
        return SearchResult(
            people: matching(text, limit: 5),
            notes: TimelinePage(notes: Array(found.prefix(limit)), next: nil, isLoadingOlder: false), relays: relays)
    }

    public func changes() -> AsyncStream<AccountChange> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountChange.self, bufferingPolicy: .bufferingNewest(64))
        listeners.append(continuation)
        return stream
    }

    public func connection() -> ConnectionSummary { ConnectionSummary(connected: 12, wanted: 14, queued: 0) }

    public func publish(_ composition: Composition) async throws -> Event {
        attempts.set(attempts.value + 1)
        if let refusal { throw refusal }
        if atWork != nil { await awaitWork() }
        sawCancellation = sawCancellation || Task.isCancelled
        published.append(composition)
        var tags: [Tag] = []
        if let parent = composition.replyTo { tags.append(["e", parent.hex, "", "root"]) }
        if let quote = composition.quote { tags.append(["q", quote.hex]) }
        if let warning = composition.contentWarning { tags.append(["content-warning", warning]) }
        let at = (notes.first?.event.createdAt ?? Timestamp(seconds: 0)) + .seconds(1)
        let event = author.event(composition.text, tags: tags, at: at)
        var note = Note(event: event, author: known[publicKey] ?? Person(key: publicKey))
        note.delivery = Note.Acceptance(accepted: 2, asked: 3)
        notes.insert(note, at: 0)
        return event
    }

    public func publish(_ composition: Composition, notBefore moment: Timestamp) async throws -> Event {
        let event = try await publish(composition)
        held[event.id] = moment
        return event
    }

    public func cancel(_ id: EventID) -> Bool {
        guard held.removeValue(forKey: id) != nil else { return false }
        notes.removeAll { $0.id == id }
        published.removeLast()
        return true
    }

    public func release(_ id: EventID) {
        attempts.set(attempts.value + 1)
        held[id] = nil
    }

    public func react(to id: EventID, with content: String) throws -> Event {
        try act("react \(content) \(id.hex)")
        if let index = notes.firstIndex(where: { $0.id == id }) {
            notes[index].ownReaction = content
            notes[index].reactions += 1
        }
        return author.event(content, kind: 7, at: Timestamp(seconds: 1))
    }

    public func repost(_ id: EventID) throws -> Event {
        try act("repost \(id.hex)")
        if let index = notes.firstIndex(where: { $0.id == id }) { notes[index].isRepostedByMe = true }
        return author.event("", kind: 6, at: Timestamp(seconds: 1))
    }

    public func unreact(to id: EventID) throws -> Event {
        try act("unreact \(id.hex)")
        guard let index = notes.firstIndex(where: { $0.id == id && $0.ownReaction != nil }) else {
            throw AccountError(.unknownEvent)
        }
        notes[index].ownReaction = nil
        notes[index].reactions -= 1
        return author.event("", kind: 5, at: Timestamp(seconds: 1))
    }

    public func unrepost(_ id: EventID) throws -> Event {
        try act("unrepost \(id.hex)")
        guard let index = notes.firstIndex(where: { $0.id == id && $0.isRepostedByMe }) else {
            throw AccountError(.unknownEvent)
        }
        notes[index].isRepostedByMe = false
        return author.event("", kind: 5, at: Timestamp(seconds: 1))
    }

    public func report(person key: PublicKey, for reason: Report.Reason, text: String) throws -> Event {
        try act("report \(reason.rawValue) \(text) \(key.hex)")
        return author.event(text, kind: Report.kind, at: Timestamp(seconds: 1))
    }

    public func report(_ id: EventID, for reason: Report.Reason, text: String) throws -> Event {
        try act("report \(reason.rawValue) \(text) \(id.hex)")
        return author.event(text, kind: 1984, at: Timestamp(seconds: 1))
    }

    public func delete(_ ids: [EventID]) throws -> Event {
        try act("delete " + ids.map(\.hex).joined(separator: " "))
        notes.removeAll { ids.contains($0.id) }
        return author.event("", kind: 5, at: Timestamp(seconds: 1))
    }

    public func set(_ key: PublicKey, _ following: Bool) throws -> Event {
        try act((following ? "follow " : "unfollow ") + key.hex)
        known[key]?.isFollowed = following
        return author.event("", kind: 3, at: Timestamp(seconds: 1))
    }

    public func current() throws -> OwnRelayList {
        if let silence { throw silence }
        return relayList
    }

    public func set(_ usages: [RelayURL: RelayList.Usage]) throws -> Event {
        for (relay, usage) in usages { try act("relay \(relay.text) \(usage.rawValue)") }
        return author.event("", kind: 10_002, at: Timestamp(seconds: 1))
    }

    public func begin() throws -> Event? {
        try act("relays")
        return relayList.isPublished ? nil : author.event("", kind: 10_002, at: Timestamp(seconds: 1))
    }

    public func checkName(of key: PublicKey) throws { try act("check name " + key.hex) }

    public func named(_ identifier: InternetIdentifier) throws -> Person {
        if let silence { throw silence }
        guard let person = known.values.first(where: { $0.address?.identifier == identifier }) else {
            throw NameFailure.nobody
        }
        return person
    }

    public func update(_ fields: [String: String]) throws -> Event {
        try act("profile " + fields.keys.sorted().joined(separator: " "))
        known[publicKey]?.fields.merge(fields) { _, new in new }
        return author.event("", kind: 0, at: Timestamp(seconds: 1))
    }

    public func didAllow(_ relay: RelayURL) { acts.append("allow \(relay.text)") }

    private func act(_ words: String) throws {
        if let refusal { throw refusal }
        acts.append(words)
    }

}

extension FakeAccount {
    public func followers(of key: PublicKey) async throws -> Followers { followersByPerson[key] ?? Followers() }

    /// Has people follow somebody.
    public func set(followers: Followers, of key: PublicKey) { followersByPerson[key] = followers }

    public func kindsOnHome() async throws -> Set<Kind> { homeKinds }

    public func setKindsOnHome(_ kinds: Set<Kind>) async throws { homeKinds = kinds }
}
