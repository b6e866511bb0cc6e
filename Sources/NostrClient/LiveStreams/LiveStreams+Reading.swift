internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Reading one room from the store.
extension LiveStreams {
    /// A stream and its chat; listens to its relays for a while from now on.
    public func room(_ address: EventAddress, hints: [RelayURL]) async throws -> LiveRoom {
        try await gossip.load()
        look(at: address, hints: hints)
        let mutes = await mutes.upToDate()
        let now = context.time.now()
        let known = state.withLock { $0.rooms[address] }
        var room = LiveRoom(address: address)
        room.isLoading = known?.isLoading ?? true
        room.relays = known?.relays ?? []
        let event = try await context.storedVersion(at: address)
        let activity = event.flatMap(LiveActivity.init)
        let hosts = [address.author, activity?.host]
        if hosts.contains(where: { mutes.verdict(on: $0, in: .timeline) != .shown }) {
            room.isMuted = true
            return room
        }
        let stored = try await context.store.query(Self.shown(of: address))
        let elsewhere = try await context.store.answersElsewhere(among: stored)
        var reading = RoomReading(
            stored, of: event?.id, elsewhere: elsewhere, at: address, account: context.publicKey,
            followed: gossip.followed, mutes: mutes, now: now)
        reading.takePayments(known?.verdicts ?? [:], of: stored)
        reading.addPinned(
            try await pinned(activity?.pinned ?? [], among: stored), named: activity?.pinned ?? [])
        let persons = try await people.persons(reading.people.union(activity.map { Self.people(of: $0) } ?? []))
        reading.fill(&room, persons)
        guard let event, let activity else { return room }
        room.stream = stream(event, activity, persons, chatters: reading.chatters, now: now)
        room.participants = participants(of: activity, persons, mutes)
        room.reactions = reading.reactions
        return room
    }

    private static func shown(of address: EventAddress) -> [Filter] {
        let mark = ["a" as Character: Set([address.description])]
        return [
            Filter(kinds: [LiveChatMessage.kind], tags: mark, limit: 2 * LiveRoom.most),
            Filter(kinds: [Reaction.kind], tags: mark, limit: 1000), receipts(of: address),
        ]
    }

    /// Pinned lines may be older than all that is read of the chat.
    private func pinned(_ ids: [EventID], among stored: [Event]) async throws -> [Event] {
        let missing = Set(ids).subtracting(stored.map(\.id))
        guard !missing.isEmpty else { return stored }
        return try await stored + context.store.query([Filter(ids: missing)])
    }

    private static func people(of activity: LiveActivity) -> Set<PublicKey> {
        Set(activity.participants.map(\.key)).union([activity.host, activity.address.author])
    }

    private func participants(
        of activity: LiveActivity, _ persons: [PublicKey: Person], _ mutes: Mutes
    ) -> [LiveRoom.Participant] {
        let all = activity.participants.filter(\.isHost) + activity.participants.filter { !$0.isHost }
        let shown = all.filter { mutes.verdict(on: $0.key, in: .timeline) == .shown }
        return shown.map { participant in
            LiveRoom.Participant(
                person: persons[participant.key] ?? Person(key: participant.key), role: participant.role,
                hasAgreed: activity.hasAgreed(participant))
        }
    }
}
