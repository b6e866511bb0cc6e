internal import Location
internal import Logging
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Does what sharing one's place asks for: time, relays, the source, and what is sent.
extension LiveAccount {
    /// The longest sleep: after it the clock is looked at again, which may have been set.
    private static let longestSharingRest: Duration = .seconds(300)
    /// How long after a failure of the disk or the source is tried again.
    private static let sharingRetry: Duration = .seconds(30)
    /// How often trails are looked through for what has grown too old.
    private static let trailTending: Duration = .seconds(6 * 3600)

    // MARK: - The vault

    /// Reads how one's place is shared; before that nothing is.
    func openSharing(_ sealed: SealedRecords) async throws {
        try await sharingTurns.take {
            guard !sharingDesk.isOpen else { return }
            let generation = vaultGeneration
            let found = try await sealed.values(in: CircleTable.sharing) { SharingRecord.record($0) }
            if found.contains(where: { $0 == nil }) { log.error("how a place is shared could not be read back") }
            guard generation == vaultGeneration else { return }
            sharingDesk = SharingDesk(found.compactMap(\.self), now: time.now())
        }
        sharingBell.ring()
        sourceBell.ring()
    }

    func closeSharing() {
        sharingDesk = SharingDesk()
        sourceBell.ring()
    }

    /// Changes how the place is shared, and looks when something is to be done for it next.
    func changeSharing(_ change: (inout SharingDesk, Timestamp) -> [CircleEffect]) async throws {
        try await stepSharing(change)
        sharingBell.ring()
    }

    /// Changes how the place is shared: durable before anything of it is done.
    private func stepSharing(_ change: (inout SharingDesk, Timestamp) -> [CircleEffect]) async throws {
        try await sharingTurns.take {
            guard let sealed, sharingDesk.isOpen else { throw CircleError.locked }
            let generation = vaultGeneration
            var desk = sharingDesk
            let tasks = change(&desk, time.now())
            try await sealed.apply(try desk.takeChanges(sealed))
            guard generation == vaultGeneration else { throw CircleError.locked }
            let look = sharingDesk.look
            sharingDesk = desk
            if desk.look != look { sourceBell.ring() }
            plan(tasks)
        }
    }

    /// Takes a circle away, and with it all about places in it.
    func forgetSharing(in id: CircleID, _ body: () async throws -> Void) async throws {
        try await sharingTurns.take {
            try await body()
            sharingDesk.forget(id)
        }
        sourceBell.ring()
    }

    // MARK: - Time and relays

    /// Places can be sent or not, and screens say whether they can be heard.
    func connectionsDidChange(at relay: RelayURL) async {
        sharingBell.ring()
        for id in await circleKeeper.circles(at: relay) { feed.send(.circle(id)) }
    }

    func tendSharing() async {
        while !Task.isCancelled {
            var rest = Self.sharingRetry
            do { rest = try await settleSharing() } catch {
                // Locked just now: there is nothing to do before it is unlocked.
                if !(error is CircleError) { report("how a place is shared could not be kept", error) }
            }
            await sharingBell.wait(atMost: rest, time)
        }
    }

    /// Tells the sharing what has changed around it; gives how long nothing will.
    private func settleSharing() async throws -> Duration {
        guard sharingDesk.isOpen, let opened = await circleKeeper.opened else { return Self.longestSharingRest }
        try await tendTrails()
        for id in sharingDesk.entries.keys where !Self.mayShare(in: opened.seats[id]) {
            let place = SharingDesk.place(of: id)
            try await forgetSharing(in: id) { try await sealed?.apply([opened.records.remove(place)]) }
        }
        let connected = circleDesk.connected
        try await stepSharing { desk, now in
            desk.entries.flatMap { id, entry in
                guard let session = opened.seats[id]?.session else { return [CircleEffect]() }
                let canSend =
                    session.isMember && !session.isOutOfStep
                    && !connected.isDisjoint(with: session.roster.data.relayURLs)
                if canSend != entry.isConnected {
                    return desk.receive(canSend ? .connected : .disconnected, in: id, now: now)
                }
                return entry.wake.map { $0 <= now } ?? false ? desk.receive(.tick, in: id, now: now) : []
            }
        }
        guard let wake = sharingDesk.wake else { return Self.longestSharingRest }
        return min(max(.seconds(wake.seconds - time.now().seconds), .seconds(1)), Self.longestSharingRest)
    }

    /// A circle that cannot be read now may be read again; one that is gone or left is not shared with.
    private static func mayShare(in seat: CircleKeeper.Seat?) -> Bool {
        switch seat?.record.standing {
        case .member, .leaving, .replaced: true
        case .left, .removed, .ending, .vanishing, nil: false
        }
    }

    private func tendTrails() async throws {
        let now = time.now()
        if let tended = trailsTended, now < tended + Self.trailTending, now >= tended { return }
        trailsTended = now
        try await circleKeeper.forgetOldTrails()
    }
}
