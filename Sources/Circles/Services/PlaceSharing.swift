internal import AsyncPrimitives
public import Location
internal import Logging
internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Our own place, shared with circles: how, when, and what became of it.
///
/// What changes is durable before anything of it is done. Every call throws ``CircleError`` or what the disk throws.
public actor PlaceSharing {
    /// The longest sleep: after it the clock is looked at again, which may have been set.
    private static let longestRest: Duration = .seconds(300)
    /// How long after a failure of the disk is tried again.
    private static let retry: Duration = .seconds(30)
    /// How often trails are looked through for what has grown too old.
    private static let trailTending: Duration = .seconds(6 * 3600)
    /// How long after its end a source is asked again.
    private static let sourceRetry: Duration = .seconds(60)

    nonisolated let context: UnlockedContext
    nonisolated let store: CircleStore
    nonisolated let work: CircleWork
    private nonisolated let source: LocationSourceSetting
    /// One change after the other.
    private let gate = SerialGate()
    private var places = SharedPlaces()
    private var isWiped = false
    /// When trails were last looked through for what has grown too old.
    private var trailsTended: Timestamp?

    nonisolated var account: AccountContext { context.account }
    /// How the place is shared, by circle.
    var entries: [CircleID: SharedPlaces.Entry] { places.entries }

    init(_ context: UnlockedContext, store: CircleStore, work: CircleWork, source: LocationSourceSetting) {
        (self.context, self.store, self.work, self.source) = (context, store, work, source)
    }

    /// Reads how the place is shared; before that nothing is.
    func load() async throws {
        let found = try await context.sealed.values(in: CircleTable.sharing) { SharingRecord.record($0) }
        if found.contains(where: { $0 == nil }) { account.log.error("how a place is shared could not be read back") }
        guard !isWiped else { return }
        places = SharedPlaces(found.compactMap(\.self), now: account.time.now())
    }

    func wipe() {
        isWiped = true
        places = SharedPlaces()
    }

    /// Works until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tend() }
            group.addTask { await self.readSource() }
        }
    }

    // MARK: - As a person sees it

    /// How our place is shared with a circle.
    public func state(in id: CircleID) async throws -> SharingState {
        let circle = try await store.find(id)
        guard let entry = places.entries[id] else { return SharingState(settings: SharingSettings(), isOn: false) }
        let sharing = entry.record.sharing
        var state = SharingState(settings: sharing.settings, isOn: entry.record.isOn)
        state.isBusy = sharing.isSending || sharing.hasWaiting
        state.hasSent = sharing.lastSent != nil
        // A reason that was told later brought no place.
        state.toldAt = sharing.lastSent.flatMap { $0.isKnown ? nil : $0.sentAt }
        state.waiting = sharing.waitingCount
        if state.isOn {
            state.look = entry.look
            state.trouble = await conditions(of: circle).trouble ?? sharing.failure?.trouble
        } else {
            state.settings.pause = .none
        }
        return state
    }

    /// Shares our place with a circle from now on, or shares it differently.
    public func share(_ settings: SharingSettings, in id: CircleID) async throws {
        _ = try await store.member(of: id)
        let secret = await store.drawBytes32()
        try await change { places, now in places.share(settings, in: id, now: now, secret: secret) }
        account.changes.send(.circle(id))
    }

    /// Keeps how our place is shared with a circle, or would be, without beginning or ending that; a pause stays.
    public func configure(_ settings: SharingSettings, in id: CircleID) async throws {
        _ = try await store.member(of: id)
        let secret = await store.drawBytes32()
        try await change { places, now in
            var settings = settings
            settings.pause = places.entries[id]?.record.sharing.settings.pause ?? .none
            return places.configure(settings, in: id, now: now, secret: secret)
        }
        account.changes.send(.circle(id))
    }

    /// Lets sharing rest; the circle is told, if the settings say so.
    ///
    /// - Parameter until: when it goes on by itself; nil for when a person says so.
    public func pause(until: Timestamp?, in id: CircleID) async throws {
        try await set(until.map(SharingPause.until) ?? .untilResumed, in: id)
    }

    /// Goes on sharing.
    public func resume(in id: CircleID) async throws { try await set(.none, in: id) }

    /// Shares no more; the circle is told that it rests, if the settings say so.
    public func stop(in id: CircleID) async throws {
        try await change { places, now in places.stop(id, now: now) }
        account.changes.send(.circle(id))
    }

    /// Sends our place as soon as a fresh one is known, at the latest after a minute; also while sharing rests.
    public func sendNow(in id: CircleID) async throws {
        try await requireSharing(in: id)
        try await change { places, now in places.receive(.sendNow, in: id, now: now) }
    }

    /// Where our device is, or why that is not known, for all circles with which the place is shared.
    ///
    /// It is of use every ``interval()``; more does no harm.
    public func receive(_ reading: LocationReading) async throws {
        try await change { places, now in places.receive(reading, now: now) }
    }

    /// How often a position is of use now for any circle; nil when none is.
    public func interval() -> Duration? { places.look }

    private func set(_ pause: SharingPause, in id: CircleID) async throws {
        try await requireSharing(in: id)
        try await change { places, now in
            guard var settings = places.entries[id]?.record.sharing.settings else { return [] }
            settings.pause = pause
            return places.receive(.settings(settings), in: id, now: now)
        }
        account.changes.send(.circle(id))
    }

    private func requireSharing(in id: CircleID) async throws {
        _ = try await store.member(of: id)
        guard places.entries[id]?.record.isOn == true else { throw CircleError(.notSharing) }
    }

    /// What keeps a circle from being heard, and from hearing.
    func conditions(of circle: Circle) async -> ReadingConditions {
        let relays = circle.session?.roster.relayURLs ?? []
        let connected = await work.connected
        let hasRelay = !connected.isDisjoint(with: relays)
        var hasNetwork = hasRelay || !connected.isEmpty
        if !hasNetwork {
            hasNetwork = await account.network.statistics().values.contains { $0.state == .connected }
        }
        return ReadingConditions(
            hasNetwork: hasNetwork, hasRelay: hasRelay, isInStep: circle.session?.isOutOfStep != true)
    }

    // MARK: - Changes

    /// Changes how the place is shared, and looks when something is to be done for it next.
    func change(_ change: (inout SharedPlaces, Timestamp) -> [CircleEffect]) async throws {
        try await step(change)
        work.surroundings.ring()
    }

    /// Changes how the place is shared: durable before anything of it is done.
    private func step(_ change: (inout SharedPlaces, Timestamp) -> [CircleEffect]) async throws {
        try await gate.run {
            guard !isWiped else { throw CircleError.locked }
            var next = places
            let effects = change(&next, account.time.now())
            try await context.sealed.apply(try next.takeChanges(context.sealed))
            guard !isWiped else { throw CircleError.locked }
            let before = places
            places = next
            if next.look != before.look { source.changed.ring() }
            // Whoever tells where we are goes by it: a page that shares would go on as it was told last.
            for (id, entry) in next.entries where entry.look != before.entries[id]?.look {
                account.changes.send(.circle(id))
            }
            await work.plan(effects)
        }
    }

    /// Forgets a circle that goes, and with it all about places in it.
    func forget(_ id: CircleID, _ body: () async throws -> Void) async throws {
        try await gate.run {
            try await body()
            places.forget(id)
        }
        source.changed.ring()
    }

    // MARK: - Time and relays

    private func tend() async {
        while !Task.isCancelled {
            var rest = Self.retry
            do { rest = try await settle() } catch {
                if !(error is CircleError) { account.report("how a place is shared could not be kept", error) }
            }
            await work.surroundings.wait(atMost: rest, on: account.time.clock)
        }
    }

    /// Tells the sharing what has changed around it; gives how long nothing will.
    private func settle() async throws -> Duration {
        let state = try await store.current()
        try await tendTrails()
        for id in places.entries.keys where !Self.mayShare(in: state.circles[id]) {
            let address = SharedPlaces.address(of: id)
            try await forget(id) { try await context.sealed.apply([state.records.remove(address)]) }
        }
        let connected = await work.connected
        try await step { places, now in
            places.entries.flatMap { id, entry in
                guard let session = state.circles[id]?.session else { return [CircleEffect]() }
                let canSend =
                    session.isMember && !session.isOutOfStep
                    && !connected.isDisjoint(with: session.roster.relayURLs)
                if canSend != entry.isConnected {
                    return places.receive(canSend ? .connected : .disconnected, in: id, now: now)
                }
                return entry.wake.map { $0 <= now } ?? false ? places.receive(.tick, in: id, now: now) : []
            }
        }
        guard let wake = places.wake else { return Self.longestRest }
        return min(max(.seconds(wake.seconds - account.time.now().seconds), .seconds(1)), Self.longestRest)
    }

    /// A circle that cannot be read now may be read again; one that is gone or left is not shared with.
    static func mayShare(in circle: Circle?) -> Bool {
        switch circle?.record.standing {
        case .member, .leaving, .replaced: true
        case .left, .removed, .ending, .vanishing, nil: false
        }
    }

    private func tendTrails() async throws {
        let now = account.time.now()
        if let tended = trailsTended, now < tended + Self.trailTending, now >= tended { return }
        trailsTended = now
        try await store.forgetOldTrails()
    }

    // MARK: - The source

    private func readSource() async {
        while !Task.isCancelled {
            guard let source = source.current, let every = places.look else {
                await self.source.changed.wait()
                continue
            }
            await withTaskGroup { group in
                group.addTask {
                    for await reading in source.readings(every: every) { await self.note(reading) }
                    // A source that has ended is asked again, but not at once.
                    await self.account.time.pause(for: Self.sourceRetry)
                }
                group.addTask { await self.source.changed.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func note(_ reading: LocationReading) async {
        do { try await receive(reading) } catch {
            if !(error is CircleError) { account.report("where the device is could not be kept", error) }
        }
    }
}

/// A place that does not move, for a machine that does not either; it rests encrypted, as all places do.
extension PlaceSharing {
    /// How exactly it counts, in metres.
    private static let fixedAccuracy = 10.0
    private static let fixedRecord = SealedRecords.Address(CircleTable.fixedPlace, "own")

    /// The place a person entered for a machine that does not move; nil for none.
    public func fixedPlace() async throws -> Coordinate? {
        try await context.sealed.value(Self.fixedRecord).flatMap { Fix.record($0) }?.place
    }

    /// Keeps the place of a machine that does not move, or forgets it.
    public func setFixedPlace(_ place: Coordinate?) async throws {
        guard let place else { return try await context.sealed.apply([context.sealed.remove(Self.fixedRecord)]) }
        let fix = try Fix(place: place, accuracy: Self.fixedAccuracy, moment: account.time.now())
        try await context.sealed.apply([try context.sealed.put(try fix.recordBytes(), at: Self.fixedRecord)])
    }
}

extension LocationFailure {
    /// What others are told of it.
    var trouble: SharingTrouble { self == .notAllowed ? .noPermission : .noFix }
}
