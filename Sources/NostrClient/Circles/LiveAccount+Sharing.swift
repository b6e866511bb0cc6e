public import Location
internal import Marmot
public import NostrCore
internal import NostrRelay
internal import NostrStore

/// One's own place as screens see it.
extension LiveAccount {
    public func sharing(in id: CircleID) async throws -> SharingState {
        let opened = try await openedSharing()
        guard let seat = opened.seats[id] else { throw CircleError.unknownCircle }
        guard let entry = sharingDesk.entries[id] else {
            return SharingState(settings: SharingSettings(), isOn: false)
        }
        let sharing = entry.record.sharing
        var state = SharingState(settings: sharing.settings, isOn: entry.record.isOn)
        state.toldAt = sharing.lastSent?.sentAt
        state.waiting = sharing.waitingCount
        if state.isOn {
            state.look = entry.look
            state.trouble = await readingConditions(of: seat).trouble ?? sharing.failure?.trouble
        } else {
            state.settings.pause = .none
        }
        return state
    }

    public func share(_ settings: SharingSettings, in id: CircleID) async throws {
        _ = try await member(of: id)
        let secret = await circleKeeper.drawBytes32()
        try await changeSharing { desk, now in desk.share(settings, in: id, now: now, secret: secret) }
        feed.send(.circle(id))
    }

    public func pauseSharing(until: Timestamp?, in id: CircleID) async throws {
        try await changePause(until.map(SharingPause.until) ?? .untilResumed, in: id)
    }

    public func resumeSharing(in id: CircleID) async throws {
        try await changePause(.none, in: id)
    }

    public func stopSharing(in id: CircleID) async throws {
        _ = try await openedSharing()
        try await changeSharing { desk, now in desk.stop(id, now: now) }
        feed.send(.circle(id))
    }

    public func sendPlaceNow(in id: CircleID) async throws {
        try await checkSharing(in: id)
        try await changeSharing { desk, now in desk.receive(.sendNow, in: id, now: now) }
    }

    public func read(_ reading: LocationReading) async throws {
        _ = try await openedSharing()
        try await changeSharing { desk, now in desk.read(reading, now: now) }
    }

    public func placeInterval() async throws -> Duration? {
        _ = try await openedSharing()
        return sharingDesk.look
    }

    private func changePause(_ pause: SharingPause, in id: CircleID) async throws {
        try await checkSharing(in: id)
        try await changeSharing { desk, now in
            guard var settings = desk.entries[id]?.record.sharing.settings else { return [] }
            settings.pause = pause
            return desk.receive(.settings(settings), in: id, now: now)
        }
        feed.send(.circle(id))
    }

    private func checkSharing(in id: CircleID) async throws {
        _ = try await member(of: id)
        guard sharingDesk.isOpen else { throw CircleError.locked }
        guard sharingDesk.entries[id]?.record.isOn == true else { throw CircleError.notSharing }
    }

    /// What is open, the sharing with it.
    private func openedSharing() async throws -> CircleKeeper.Opened {
        let opened = try await openedCircles()
        guard sharingDesk.isOpen else { throw CircleError.locked }
        return opened
    }

    /// What keeps a circle from being heard, and from hearing.
    func readingConditions(of seat: CircleKeeper.Seat) async -> ReadingConditions {
        let relays = seat.session?.roster.data.relayURLs ?? []
        let hasRelay = !circleDesk.connected.isDisjoint(with: relays)
        var hasNetwork = hasRelay || !circleDesk.connected.isEmpty
        if !hasNetwork { hasNetwork = await context.network.statistics().values.contains { $0.state == .connected } }
        return ReadingConditions(
            hasNetwork: hasNetwork, hasRelay: hasRelay,
            isInStep: seat.session?.isOutOfStep != true)
    }
}

extension LocationFailure {
    /// What others are told of it.
    var trouble: SharingTrouble { self == .notAllowed ? .noPermission : .noFix }
}
