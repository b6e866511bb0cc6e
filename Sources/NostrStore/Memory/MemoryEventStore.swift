internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs

/// An event store that forgets when the program ends: for tests, previews and simulated relays.
public actor MemoryEventStore: EventStore, EventRemoval {
    private struct Kept {
        let event: Event
        var relays: Set<RelayURL>
    }

    /// A position in the one order in which events are listed.
    fileprivate struct Position {
        let createdAt: Timestamp
        let id: EventID

        init(_ event: Event) {
            createdAt = event.createdAt
            id = event.id
        }

        func comes(before other: Position) -> Bool {
            createdAt != other.createdAt ? createdAt > other.createdAt : id < other.id
        }
    }

    let now: @Sendable () -> Timestamp
    private let changeFeed = Broadcast<StoreChange>(missed: .missed)
    private var kept: [EventID: Kept] = [:]
    /// All kept events, newest first.
    private var order: [Position] = []
    /// The same of each kind: most questions are about kinds of which a store has few.
    private var ofKind: [Kind: [Position]] = [:]
    /// The same of each group (tag `h`): what is said in a group is asked for by that alone.
    private var ofGroup: [String: [Position]] = [:]
    private var newest: [EventAddress: EventID] = [:]
    private var references: [EventID: Set<EventID>] = [:]
    private var deletions = Deletions()
    var versioned: Set<PublicKey> = []
    var versions: [EventID: Event] = [:]

    /// An empty store that judges expiration by a clock.
    public init(now: @escaping @Sendable () -> Timestamp) {
        self.now = now
    }

    /// Keeps events by the rules of NostrStore; never fails.
    public func save(_ events: [Event], from relay: RelayURL?) -> [SaveOutcome] {
        var changes: [StoreChange] = []
        let outcomes = events.map { save($0, from: relay, changes: &changes) }
        changeFeed.send(contentsOf: changes)
        return outcomes
    }

    /// The events any of the filters matches, in listing order.
    public func query(_ filters: [Filter]) -> [Event] {
        let now = now()
        // What one filter matches is in order as it is found, and each once.
        if filters.count == 1, let filter = filters.first { return matches(filter, limit: filter.limit, now: now) }
        var found: [EventID: Event] = [:]
        for filter in filters {
            for event in matches(filter, limit: filter.limit, now: now) { found[event.id] = event }
        }
        return found.values.sorted { $0.isListed(before: $1) }
    }

    /// How many distinct events the filters match.
    public func count(_ filters: [Filter]) -> Int {
        let now = now()
        return filters.reduce(into: Set<EventID>()) { found, filter in
            found.formUnion(matches(filter, limit: nil, now: now).lazy.map(\.id))
        }.count
    }

    /// How many events of each kind refer to each id by an `e` tag.
    public func referenceCounts(to ids: Set<EventID>, kinds: Set<Kind>) -> [EventID: [Kind: Int]] {
        let now = now()
        var counts: [EventID: [Kind: Int]] = [:]
        for id in ids {
            for referrer in references[id] ?? [] {
                guard let event = kept[referrer]?.event, kinds.contains(event.kind), !event.tags.isExpired(now: now)
                else { continue }
                counts[id, default: [:]][event.kind, default: 0] += 1
            }
        }
        return counts
    }

    /// Which relays an event was seen on.
    public func relays(of id: EventID) -> Set<RelayURL> {
        kept[id]?.relays ?? []
    }

    /// Every change from now on.
    public func changes() -> AsyncStream<StoreChange> {
        changeFeed.listen()
    }

    /// Drops what has expired; returns how many.
    public func dropExpired(now: Timestamp) -> Int {
        let expired = kept.values.filter { $0.event.tags.isExpired(now: now) }.map(\.event)
        for event in expired { remove(event) }
        versions = versions.filter { !$0.value.tags.isExpired(now: now) }
        changeFeed.send(contentsOf: expired.map { .removed($0.id) })
        return expired.count
    }

    /// Drops every event any of the filters matches; returns how many.
    public func forget(_ filters: [Filter]) -> Int {
        let events = query(filters)
        for event in events { remove(event) }
        changeFeed.send(contentsOf: events.map { .removed($0.id) })
        return events.count
    }

    // MARK: - Saving

    private func save(_ event: Event, from relay: RelayURL?, changes: inout [StoreChange]) -> SaveOutcome {
        if let outcome = event.outcomeWithoutStore(now: now()) {
            if outcome == .ephemeral { changes.append(.added(event)) }
            return outcome
        }
        if event.hasVersions, versioned.contains(event.pubkey) { versions[event.id] = event }
        if kept[event.id] != nil {
            if let relay { kept[event.id]?.relays.insert(relay) }
            return .duplicate
        }
        if deletions.cover(event) { return .deleted }
        if let address = event.address, let id = newest[address], let older = kept[id]?.event {
            guard event.replaces(older) else { return .superseded }
            remove(older)
            changes.append(.removed(older.id))
        }
        insert(event, from: relay)
        changes.append(.added(event))
        if let request = DeletionRequest(event) { obey(request, changes: &changes) }
        return .stored
    }

    private func obey(_ request: DeletionRequest, changes: inout [StoreChange]) {
        deletions.record(request)
        let targets = request.events + request.addresses.compactMap { newest[$0] }
        for id in targets {
            guard let event = kept[id]?.event, deletions.cover(event) else { continue }
            remove(event)
            changes.append(.removed(id))
        }
    }

    private func insert(_ event: Event, from relay: RelayURL?) {
        kept[event.id] = Kept(event: event, relays: relay.map { [$0] } ?? [])
        let place = Position(event)
        order.add(place)
        ofKind[event.kind, default: []].add(place)
        for group in event.groups { ofGroup[group, default: []].add(place) }
        if let address = event.address { newest[address] = event.id }
        for id in event.referencedEvents { references[id, default: []].insert(event.id) }
    }

    private func remove(_ event: Event) {
        kept[event.id] = nil
        let place = Position(event)
        order.remove(place)
        ofKind[event.kind]?.remove(place)
        for group in event.groups {
            ofGroup[group]?.remove(place)
            if ofGroup[group]?.isEmpty == true { ofGroup[group] = nil }
        }
        if let key = event.address, newest[key] == event.id { newest[key] = nil }
        for id in event.referencedEvents {
            references[id]?.remove(event.id)
            if references[id]?.isEmpty == true { references[id] = nil }
        }
    }

    // MARK: - Finding

    private func matches(_ filter: Filter, limit: Int?, now: Timestamp) -> [Event] {
        let limit = limit ?? .max
        guard limit > 0 else { return [] }
        let search = filter.search.map(SearchTerms.init)
        var found: [Event] = []
        for place in candidates(for: filter) {
            guard let event = kept[place.id]?.event, filter.matches(event), search?.match(event) != false,
                !event.tags.isExpired(now: now)
            else { continue }
            found.append(event)
            if found.count == limit { break }
        }
        return found
    }

    /// Places to look at, newest first: those asked for, or all from `until` back to `since`.
    private func candidates(for filter: Filter) -> ArraySlice<Position> {
        if let ids = filter.ids {
            return ids.compactMap { kept[$0].map { Position($0.event) } }.sorted { $0.comes(before: $1) }[...]
        }
        if let groups = filter.tags["h"] {
            let found = groups.flatMap { ofGroup[$0]?.between(filter.until, filter.since) ?? [] }
            guard groups.count > 1 else { return found[...] }
            // One event may be in several.
            var seen: Set<EventID> = []
            return found.filter { seen.insert($0.id).inserted }.sorted { $0.comes(before: $1) }[...]
        }
        guard let kinds = filter.kinds, kinds.reduce(0, { $0 + (ofKind[$1]?.count ?? 0) }) < order.count / 2 else {
            return order.between(filter.until, filter.since)
        }
        let found = kinds.flatMap { ofKind[$0]?.between(filter.until, filter.since) ?? [] }
        return kinds.count == 1 ? found[...] : found.sorted { $0.comes(before: $1) }[...]
    }
}

extension [MemoryEventStore.Position] {
    /// Those from one moment back to another, the newest first.
    fileprivate func between(_ until: Timestamp?, _ since: Timestamp?) -> ArraySlice<Element> {
        let first = until.map { until in partitioningIndex { $0.createdAt <= until } } ?? 0
        let end = since.map { since in partitioningIndex { $0.createdAt < since } } ?? count
        return self[first..<Swift.max(first, end)]
    }

    fileprivate mutating func add(_ place: Element) {
        insert(place, at: partitioningIndex { !$0.comes(before: place) })
    }

    fileprivate mutating func remove(_ place: Element) {
        let index = partitioningIndex { !$0.comes(before: place) }
        if index < count, self[index].id == place.id { remove(at: index) }
    }
}

extension Array {
    /// The first index from which on a condition holds, in an array where it never ceases once it holds.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Event {
    /// The groups it is said in.
    fileprivate var groups: Set<String> { Set(tags.named("h").compactMap(\.value)) }
}
