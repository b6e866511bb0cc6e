internal import AsyncPrimitives
internal import Logging
public import NostrCore
public import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// The first run of an account: what was found for it, how far the person has come, and what they chose.
///
/// Searches begin when the key is made and run beside the person's reading, so that a page seldom waits for them. They ask
/// over connections that no key answers for.
public actor FirstRun: FirstRunKeeping {
    /// The `d` tag and the title of the set of interests.
    private static let interests = (identifier: "interests", title: "Interests")

    private let context: AccountContext
    private let services: Services
    private let bell = Doorbell()
    private var waiting: [FirstRunProgress.Effect] = []
    private var known: FirstRunProgress?
    private var isAnnouncing = false
    private var isLoaded = false
    private var relaySearch: RelaySearch?
    private var peopleSearch = PeopleSearch()
    private var topicSearch = TopicSearch()

    /// The services below that it leads through.
    struct Services: Sendable {
        let gossip: Gossip
        let replaceable: ReplaceableEvents
        let publishing: Publishing
        let people: People
        let profile: Profile
        let follows: Follows
        let ownRelays: OwnRelays
        /// Whether relays were asked for what the account wrote.
        let ownIsGathered: CurrentValue<Bool>
    }

    init(_ context: AccountContext, _ services: Services) {
        self.context = context
        self.services = services
    }

    // MARK: - How far it has come

    public func progress() async -> FirstRunProgress? {
        await load()
        return known
    }

    public func begin(name: String) async throws {
        await load()
        try await keep(FirstRunProgress(name: name, began: context.time.now()))
        try await apply(.resumed)
    }

    @discardableResult
    public func apply(_ input: FirstRunProgress.Input) async throws -> FirstRunProgress? {
        await load()
        guard var changed = known else { return nil }
        let effects = changed.apply(input)
        try await keep(changed)
        waiting += effects
        bell.ring()
        return changed
    }

    public func search(_ effect: FirstRunProgress.Effect) async {
        waiting.append(effect)
        bell.ring()
    }

    private func keep(_ progress: FirstRunProgress) async throws {
        know(progress)
        try await context.records.put(try progress.encoded(), for: FirstRunProgress.record, in: FirstRunProgress.table)
    }

    private func know(_ progress: FirstRunProgress) {
        known = progress
        services.replaceable.keyIsNew { [time = context.time] in progress.isKeyNew(at: time.now()) }
    }

    /// Reads from disk how far it has come; does nothing the second time.
    func load() async {
        guard !isLoaded else { return }
        do {
            let bytes = try await context.records.value(FirstRunProgress.record, in: FirstRunProgress.table)
            guard !isLoaded else { return }
            isLoaded = true
            guard var progress = bytes.flatMap(FirstRunProgress.init) else { return }
            waiting += progress.apply(.resumed)
            know(progress)
        } catch {
            context.report("how far the first run has come could not be read from disk", error)
        }
    }

    /// Does what is to be done beside the pages, until cancelled.
    func run() async {
        await load()
        await withDiscardingTaskGroup { group in
            var isWaitedFor = false
            while !Task.isCancelled {
                if !isWaitedFor, let known {
                    isWaitedFor = true
                    group.addTask { await self.waitForPerson(known) }
                }
                for effect in next() { group.addTask { await self.perform(effect) } }
                await bell.wait()
            }
        }
    }

    /// Publishes what makes the person findable once the key is not new any more, should the steps be open still.
    private func waitForPerson(_ begun: FirstRunProgress) async {
        let end = begun.began + FirstRunProgress.novelty
        await context.time.pause(for: .seconds(max(0, end.seconds - context.time.now().seconds)))
        guard !Task.isCancelled, var progress = known else { return }
        waiting += progress.apply(.waited)
        bell.ring()
    }

    private func next() -> [FirstRunProgress.Effect] {
        defer { waiting = [] }
        return waiting.uniqued()
    }

    private func perform(_ effect: FirstRunProgress.Effect) async {
        switch effect {
        case .findRelays: await findRelays()
        case .findPeople: await findPeople()
        case .findTopics: await findTopics()
        case .announce: await announce()
        }
    }

    /// Publishes what nobody chose: where the account writes and reads, without which nobody on other relays finds it, and
    /// the name the key was made with.
    ///
    /// Relays that are slow to say that they have none must not cost the name: they are asked again for a while.
    private func announce() async {
        guard !isAnnouncing else { return }
        isAnnouncing = true
        defer { isAnnouncing = false }
        var pauses = [2, 5, 15, 60, 300, 900][...]
        while !Task.isCancelled {
            do {
                try await announceRelays()
                if let name = known?.name, !name.isEmpty, known?.outcomes[.profile] != .done,
                    try await services.replaceable.newest(ProfileMetadata.kind) == nil
                {
                    _ = try await services.profile.update(["name": name])
                }
                try await apply(.announced)
                return
            } catch  where Self.passes(error) {
                await context.time.pause(for: .seconds(pauses.popFirst() ?? 3600))
            } catch { break }
        }
        if Task.isCancelled { return }
        context.log.notice(
            "the new account's relays and profile were not published; the relays page and the profile offer it again")
    }

    /// Relays that others cannot reach are not announced; the relays page says that there is no list.
    private func announceRelays() async throws {
        do {
            _ = try await services.ownRelays.begin()
        } catch let error as AccountError where error.code == .noPublicRelay {
            context.log.notice("no relay list was published: others cannot reach the relays in use")
        }
    }

    /// Whether it may go another time: relays answer again, a key is unlocked.
    private static func passes(_ error: any Error) -> Bool {
        (error as? AccountError)?.code == .newestUnknown || error as? SigningFailure == .locked
    }

    // MARK: - What is found

    public func relays() async -> RelaySearch? { relaySearch }
    public func people() async -> PeopleSearch { peopleSearch }
    public func topics() async -> TopicSearch { topicSearch }

    private var reader: KeylessReader { KeylessReader(network: context.keyless, time: context.time) }
    private var sources: FirstRunSources {
        var sources = context.configuration.firstRun
        let blocked = services.gossip.router.blocked
        sources.relayLists.removeAll { blocked.contains($0) }
        sources.usualRelays.removeAll { blocked.contains($0) }
        sources.activePeople.removeAll { blocked.contains($0) }
        sources.topicLists.removeAll { blocked.contains($0.relay) }
        return sources
    }

    private func findRelays() async {
        let gossip = services.gossip
        let finder = RelayFinder(
            network: context.keyless, sources: sources, time: context.time, random: context.random
        ) { [routing = context.configuration.routing] in gossip.router.trusts($0) && routing.othersReach($0) }
        _ = await finder.find { await self.found($0) }
    }

    private func found(_ search: RelaySearch) {
        relaySearch = search
    }

    private func findPeople() async {
        peopleSearch.isOver = false
        var found = PeopleSearch()
        let now = context.time.now()
        let notes = await reader.read(
            Filter(kinds: [1], limit: ActiveAuthors.notes), from: sources.activePeople,
            deadline: context.configuration.deadlines.discovery)
        var active = ActiveAuthors(own: context.publicKey, now: now)
        for (_, events) in notes { active.count(events) }
        var random = context.random.generator
        let drawn = active.draw(using: &random).filter { !sources.creators.contains($0) }
        await services.gossip.discover(Set(drawn + sources.creators))
        do {
            let persons = try await services.people.persons(Set(drawn + sources.creators))
            // A stranger without a name is nobody to decide about.
            found.active = drawn.compactMap { persons[$0] }.filter { !$0.fields.isEmpty }
            found.active = Array(found.active.prefix(ActiveAuthors.most))
            found.creators = sources.creators.compactMap { persons[$0] }
        } catch {
            context.report("people to follow could not be read from disk", error)
        }
        found.isOver = true
        peopleSearch = found
    }

    private func findTopics() async {
        topicSearch.isOver = false
        var offered = OfferedTopics()
        await withTaskGroup(of: (Int, [Event]).self) { [reader, sources, context] group in
            for (place, list) in sources.topicLists.enumerated() {
                group.addTask {
                    let filter = Filter(kinds: [.interestSets], tags: ["d": [list.identifier]], limit: 1)
                    let deadline = context.configuration.deadlines.discovery
                    return (place, await reader.read(filter, from: [list.relay], deadline: deadline).flatMap(\.1))
                }
            }
            var lists: [Int: [Event]] = [:]
            for await (place, events) in group { lists[place] = events }
            for place in sources.topicLists.indices {
                for list in (lists[place] ?? []).compactMap(PublicList.init) { offered.add(list) }
            }
        }
        offered.add(sources.usualTopics)
        topicSearch.topics = offered.topics
        topicSearch.isOver = true
    }

    // MARK: - What is chosen

    public func publish(relays usages: [RelayURL: RelayList.Usage]) async throws {
        var all = usages
        for entry in try await services.ownRelays.current().entries where all[entry.relay] == nil {
            all[entry.relay] = []
        }
        _ = try await services.ownRelays.set(all)
        let inbox = InboxList(
            context, gossip: services.gossip, publishing: services.publishing, replaceable: services.replaceable)
        let read = usages.filter { $0.value.contains(.read) }.keys.sorted()
        _ = try await inbox.set(Array(read.prefix(3)))
    }

    public func relayReceipts() async throws -> [PublishReceipt] {
        var found: [PublishReceipt] = []
        for kind in [RelayList.kind, .directMessageRelays] {
            guard let event = try await context.storedVersion(at: context.ownAddress(kind)) else { continue }
            found += try await services.publishing.receipts(for: event.id)
        }
        return found
    }

    public func follow(_ people: [PublicKey]) async throws -> Event {
        try await services.follows.follow(people.filter { $0 != context.publicKey })
    }

    public func publish(topics: [String]) async throws -> Event {
        let address = context.ownAddress(.interestSets, Self.interests.identifier)
        return try await services.replaceable.change {
            let newest = try await services.replaceable.newest(at: address)
            var list =
                newest.flatMap(PublicList.init)
                ?? PublicList(kind: .interestSets, identifier: Self.interests.identifier)
            if list.title == nil { list.rename(title: Self.interests.title, summary: "") }
            for topic in topics { list.append(.hashtag(topic)) }
            if let newest, list.difference.isEmpty { return try await services.replaceable.adopt(newest) }
            return try await services.publishing.send(list.draft(now: context.time.now()))
        }
    }

    // MARK: - A key that was brought

    public func arrival() async throws -> ArrivalReport {
        let gossip = services.gossip
        let own = try await context.store.query([
            Filter(authors: [context.publicKey], kinds: PublicList.kinds.union([0, 3, RelayList.kind]))
        ])
        let kinds = Set(own.map(\.kind))
        let router = gossip.router
        var report = ArrivalReport()
        report.isLookedUp = gossip.hasLookedForOwn
        report.hasProfile = kinds.contains(ProfileMetadata.kind)
        report.hasRelays = kinds.contains(RelayList.kind)
        report.hasInbox = kinds.contains(.directMessageRelays)
        report.follows = gossip.followed.count
        report.relayLists = gossip.followed.count { router.lists[$0] != nil }
        report.lookedUp = gossip.followed.count { gossip.isLookedUp($0) }
        report.lists = own.count { ![0, 3, RelayList.kind, .directMessageRelays].contains($0.kind) }
        report.awaitsNotes = !services.ownIsGathered.value
        report.notes = try await context.store.count([
            Filter(authors: [context.publicKey], kinds: NoteKinds.timelines)
        ])
        return report
    }
}
