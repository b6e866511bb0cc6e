internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What people show on their pages beside their notes: read from the store; `People` asks relays for it.
extension Timeline: ShowcaseReading {
    private static let mostPinned = 20
    private static let mostLists = 24
    private static let mostEvents = 300

    /// What a person shows, as it is known here; nothing of one who is muted, unless their reader asked for exactly them.
    public func showcase(of key: PublicKey, evenMuted: Bool) async throws -> PersonShowcase {
        try await gossip.load()
        var mutes = await mutesNow()
        if mutes.verdict(on: key, in: .timeline) != .shown {
            guard evenMuted else { return PersonShowcase() }
            mutes.people.remove(key)
        }
        let filter = Filter(authors: [key], kinds: PersonShowcase.kinds, limit: Self.mostEvents)
        let events = try await context.store.query([filter]).filter { !mutes.hides($0) }
        let now = context.time.now()
        let statuses = events.compactMap(UserStatus.init).filter { status in
            [UserStatus.general, UserStatus.music].contains(status.type)
                && status.expires.map { $0 > now } ?? true && status.text.contains { !$0.isWhitespace }
        }
        return PersonShowcase(
            statuses: statuses.sorted { $0.type < $1.type },
            pinned: try await pinned(by: key, events.first { $0.kind == .pinnedNotes }, mutes),
            lists: shared(events))
    }

    private func pinned(by key: PublicKey, _ list: Event?, _ mutes: Mutes) async throws -> [Note] {
        let items = list.flatMap { PublicList($0) }?.items ?? []
        let pins = items.compactMap { if case .event(let pointer) = $0 { pointer } else { nil } }
        let pointers: [EventPointer] = pins.suffix(Self.mostPinned).reversed()
        guard !pointers.isEmpty else { return [] }
        let ids = Set(pointers.map(\.id))
        let found = try await context.store.query([Filter(ids: ids)])
        // Only their own notes stand on somebody's page: a pin says nothing in another's name.
        let shown = found.filter { $0.pubkey == key && !mutes.hides($0) }
        let order = Dictionary(pointers.enumerated().map { ($0.element.id, $0.offset) }) { first, _ in first }
        let sorted = shown.sorted { (order[$0.id] ?? 0) < (order[$1.id] ?? 0) }
        request(pointers.filter { pointer in !found.contains { $0.id == pointer.id } }, by: key)
        return try await notes(for: sorted, mutes)
    }

    /// Pinned notes that are not here are asked for where their author writes.
    private func request(_ pointers: [EventPointer], by key: PublicKey) {
        var parts = MissingParts()
        for pointer in pointers where gossip.shouldAsk(.event(pointer.id)) {
            var pointer = pointer
            pointer.author = key
            parts.events[pointer.id] = (pointer, [pointer.id])
        }
        guard !parts.isEmpty else { return }
        missing.merge(parts)
        missingBell.ring()
    }

    private func shared(_ events: [Event]) -> [PersonShowcase.SharedList] {
        let lists = events.compactMap { event -> PersonShowcase.SharedList? in
            guard PersonShowcase.listKinds.contains(event.kind), let list = PublicList(event),
                let address = event.address,
                !list.items.isEmpty
            else { return nil }
            return PersonShowcase.SharedList(
                address: address, title: list.title ?? "", summary: list.summary ?? "", items: list.items)
        }
        let sorted = lists.sorted {
            ($0.address.kind, $0.title, $0.address.identifier) < ($1.address.kind, $1.title, $1.address.identifier)
        }
        return Array(sorted.prefix(Self.mostLists))
    }
}
