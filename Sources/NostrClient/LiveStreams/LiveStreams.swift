internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Live streams: which there are, and the chats of those that are looked at (NIP-53).
///
/// A class over one lock, since every stored event is held against the rooms that are open. What is shown comes from the
/// store; `run()` asks relays, and keeps a standing subscription for each room as long as somebody looks at it.
public final class LiveStreams: Sendable {
    /// So long after it was last looked at a room is listened to.
    public static let lease: Duration = .seconds(150)
    /// The most rooms that are listened to at once; the one looked at longest ago is left for another.
    static let mostRooms = 4
    /// How long lines count for who is in a chat.
    static let recently: Duration = .seconds(3600)
    /// After so long relays are asked again which streams there are.
    static let pause: Duration = .seconds(60)
    /// Clocks differ; what comes from further ahead would stay at the end for ever.
    static let latest: Duration = .seconds(900)

    /// A room that is open.
    struct Room: Sendable {
        var hints: [RelayURL] = []
        var openUntil: Timestamp
        var relays: [RelayURL] = []
        var isLoading = true
        /// Receipts that were judged.
        var verdicts: [EventID: ZapVerdict] = [:]
        /// Rings when there may be receipts to judge.
        let receipts = Doorbell()
        /// Rings when it is to be left.
        let leaving = Doorbell()
    }

    struct State: Sendable {
        var rooms: [EventAddress: Room] = [:]
        var askedAt: Timestamp?
    }

    /// All that is asked for in one question.
    enum Discovery: Hashable, Sendable { case all }

    let context: AccountContext
    let gossip: Gossip
    let people: People
    let mutes: MutesInForce
    let publishing: Publishing
    let zaps: Zaps
    let state = Mutex(State())
    let discovery: PendingRequests<Discovery>
    let watching: PendingRequests<EventAddress>

    init(
        _ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce, publishing: Publishing,
        zaps: Zaps
    ) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
        self.publishing = publishing
        self.zaps = zaps
        discovery = PendingRequests(context.changes)
        watching = PendingRequests(context.changes)
    }

    /// Asks for what pages look at, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.discovery.serve(atMost: 1) { _ in
                    await self.discover()
                    return .streams
                }
            }
            group.addTask {
                await self.watching.serve(atMost: Self.mostRooms) { address in
                    await self.watch(address)
                    return .stream(address)
                }
            }
        }
    }

    /// The streams that are known here; asks relays for more.
    public func list() async throws -> LiveStreamList {
        try await gossip.load()
        let now = context.time.now()
        if shouldDiscover(now) { discovery.add(.all) }
        let mutes = await mutes.upToDate()
        let events = try await context.store.query([Filter(kinds: [LiveActivity.kind], limit: 300)])
        let chatters = try await chatters(now, mutes)
        let read = events.filter { $0.createdAt <= now + Self.latest }.compactMap { event in
            LiveActivity(event).map { (event, $0) }
        }
        let shown = read.filter { event, activity in
            mutes.verdict(on: event, in: .timeline) == .shown
                && mutes.verdict(on: activity.host, in: .timeline) == .shown
        }
        let persons = try await people.persons(Set(shown.flatMap { [$0.1.host, $0.0.pubkey] }))
        let streams = shown.map { event, activity in
            stream(event, activity, persons, chatters: chatters[activity.address]?.count ?? 0, now: now)
        }
        return LiveStreamList(streams, now: now, isLooking: discovery.contains(.all))
    }

    /// Something was stored: rooms that are open and have to do with it show it.
    func stored(_ event: Event) {
        switch event.kind {
        case LiveActivity.kind:
            if let address = event.address { announce(of: address) }
        case LiveChatMessage.kind, Reaction.kind, ZapReceipt.kind:
            for tag in event.tags.prefix(64) where tag.name == "a" {
                guard let address = tag.address(at: 1), address.kind == LiveActivity.kind else { continue }
                announce(of: address, hasReceipt: event.kind == ZapReceipt.kind)
            }
        case DeletionRequest.kind:
            for address in state.withLock({ Array($0.rooms.keys) }) { context.changes.send(.stream(address)) }
        default: break
        }
    }

    private func announce(of address: EventAddress, hasReceipt: Bool = false) {
        guard let room = state.withLock({ $0.rooms[address] }) else { return }
        if hasReceipt { room.receipts.ring() }
        context.changes.send(.stream(address))
    }

    private func shouldDiscover(_ now: Timestamp) -> Bool {
        state.withLock { state in state.askedAt.map { $0 > now || $0 + Self.pause <= now } ?? true }
    }

    func stream(
        _ event: Event, _ activity: LiveActivity, _ persons: [PublicKey: Person], chatters: Int, now: Timestamp
    ) -> LiveStream {
        func person(_ key: PublicKey) -> Person { persons[key] ?? Person(key: key) }
        return LiveStream(
            activity: activity, event: event.id, status: activity.status(now: now), host: person(activity.host),
            isHostConfirmed: activity.isHostConfirmed, author: person(event.pubkey), chatters: chatters)
    }

    /// Who wrote in which chat within the last hour.
    private func chatters(_ now: Timestamp, _ mutes: Mutes) async throws -> [EventAddress: Set<PublicKey>] {
        let filter = Filter(
            kinds: [LiveChatMessage.kind], since: now - Self.recently, until: now + Self.latest, limit: 2000)
        var chatters: [EventAddress: Set<PublicKey>] = [:]
        for event in try await context.store.query([filter]) where mutes.verdict(on: event, in: .counts) == .shown {
            guard let line = LiveChatMessage(event) else { continue }
            chatters[line.activity.address, default: []].insert(event.pubkey)
        }
        return chatters
    }

    // MARK: - Finding streams

    /// Asks the account's own relays for streams and for what is said in chats; then for the streams that are talked about.
    private func discover() async {
        let now = context.time.now()
        // Before the account's own relays are known others are asked, and these are still to be.
        let isWhole = gossip.hasLookedForOwn
        defer { state.withLock { $0.askedAt = isWhole ? now : nil } }
        let relays = Array(gossip.router.ownRead.prefix(6))
        var filters = [
            Filter(kinds: [LiveActivity.kind], limit: 50),
            Filter(kinds: [LiveChatMessage.kind], since: now - Self.recently, limit: 500),
        ]
        let authors = gossip.follows.prefix(300)
        for start in stride(from: 0, to: authors.count, by: 150) {
            filters.append(
                Filter(authors: Set(authors[start...].prefix(150)), kinds: [LiveActivity.kind], limit: 50))
        }
        let deadline = context.configuration.deadlines.timeline
        await gossip.ask(gossip.requests(filters, of: relays), deadline: deadline)
        let missing = await talkedAbout(now)
        guard !missing.isEmpty else { return }
        await gossip.ask(gossip.requests(missing.map(\.filter), of: relays), deadline: deadline)
    }

    /// Streams that are talked about and not here; the twenty with most people.
    private func talkedAbout(_ now: Timestamp) async -> [EventAddress] {
        do {
            let chatters = try await chatters(now, mutes.current)
            let known = try await context.store.query([Filter(kinds: [LiveActivity.kind], limit: 300)])
            let missing = Set(chatters.keys).subtracting(known.compactMap(\.address))
            return Array(
                missing.sorted { (chatters[$0]?.count ?? 0) > (chatters[$1]?.count ?? 0) }.prefix(20))
        } catch {
            context.report("chats of live streams could not be read", error)
            return []
        }
    }
}
