public import Location
internal import Marmot
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// Sends one's place to circles, and reads it from a source.
extension LiveAccount {
    /// How long a relay has to take a place.
    private static let placeAnswer: Duration = .seconds(10)
    /// How long after its end a source is asked again.
    private static let sourceRetry: Duration = .seconds(60)

    // MARK: - Sending

    /// Sends a place to the relays of a circle; one that takes it is enough.
    ///
    /// What no relay takes is kept with the sharing, and offered again when that wants it sent again.
    func tell(_ place: SharedPlace, number: UInt64, in id: CircleID) async {
        guard let record = sharingDesk.entries[id]?.record else { return }
        var untaken = record.untaken
        let settings = record.sharing.settings
        do {
            let isTaken = try await tell(place, in: id, &untaken) {
                await self.answer(.sent(number), in: id, settings, untaken: nil)
            }
            if !isTaken { await answer(.failed(number), in: id, settings, untaken: untaken) }
        } catch {
            await answer(.failed(number), in: id, settings, untaken: untaken)
            // What was begun before the account was locked or the circle was left is no failure.
            if !(error is CircleError) { report("a place could not be told", error) }
        }
    }

    /// Tells a place with as few new events as can be: see ``UntakenPlace``.
    ///
    /// - Returns: whether a relay took all of it.
    private func tell(
        _ place: SharedPlace, in id: CircleID, _ untaken: inout UntakenPlace?, whenTaken: () async -> Void
    ) async throws -> Bool {
        guard let epoch = try await member(of: id).session?.epoch else { throw CircleError.notMember }
        let relays = await circleKeeper.relays(of: id)
        var told = sharingDesk.entries[id]?.record.sharing.lastSent
        var events: [Event] = []
        if untaken?.epoch != epoch { untaken = nil }
        if let earlier = untaken, let made = earlier.events {
            if earlier.tells(place) {
                events = made
            } else if !earlier.mayGiveWay(now: time.now()) {
                guard await offer(made, to: relays) else { return false }
                (untaken, told) = (nil, earlier.place)
            }
        }
        let drafts = place.drafts(
            endsSilence: told?.why != nil && place.why == nil, now: await momentOfNextWord(in: id))
        if events.isEmpty {
            // Where nothing was taken, one event shows whether that has changed.
            events = try await make(untaken == nil ? drafts : Array(drafts.prefix(1)), in: id)
        }
        let rest = Array(drafts.dropFirst(events.count))
        var isTaken = await offer(events, to: relays) { if rest.isEmpty { await whenTaken() } }
        if isTaken, !rest.isEmpty {
            let more = try await make(rest, in: id)
            events += more
            isTaken = await offer(more, to: relays, whenTaken: whenTaken)
        }
        untaken = isTaken ? nil : UntakenPlace(place, epoch: epoch, events: events, now: time.now(), after: untaken)
        return isTaken
    }

    /// Encrypts what is to be said.
    private func make(_ drafts: [EventDraft], in id: CircleID) async throws -> [Event] {
        var events: [Event] = []
        for draft in drafts {
            let (_, event, tasks) = try await circleKeeper.say(draft, in: id, isOffered: false)
            plan(tasks)
            events.append(event)
        }
        return events
    }

    /// When to date what is told of the sharing next: of two words of one second nobody could tell which is the last.
    func momentOfNextWord(in id: CircleID) async -> Timestamp {
        let now = time.now()
        guard let last = await circleKeeper.seats[id]?.record.sharing[publicKey.hex]?.sentAt else { return now }
        let next = Timestamp(seconds: last) + .seconds(1)
        // A clock that was fast once must not date everything after it.
        return next > now + MemberPlace.skew ? now : max(now, next)
    }

    private func answer(
        _ input: LocationSharing.Input, in id: CircleID, _ settings: SharingSettings, untaken: UntakenPlace?
    ) async {
        do {
            try await changeSharing { desk, now in
                desk.keep(untaken, by: settings, in: id)
                return desk.receive(input, in: id, now: now)
            }
            feed.send(.circle(id))
        } catch {
            // It counts as on its way, and is sent again after a while.
            if !(error is CircleError) { report("how sending a place went could not be kept", error) }
        }
    }

    /// Offers events to relays; whether one took them all, which is told as soon as it did.
    private func offer(
        _ events: [Event], to relays: [RelayURL], whenTaken: () async -> Void = {}
    ) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            for relay in relays { group.addTask { await self.offer(events, in: relay) } }
            var isTaken = false
            for await hasAll in group where hasAll && !isTaken {
                isTaken = true
                await whenTaken()
            }
            return isTaken
        }
    }

    private func offer(_ events: [Event], in relay: RelayURL) async -> Bool {
        for event in events {
            guard sealed != nil else { return false }
            let offer = PublishQueue.Offer(event: event, relay: relay)
            guard case .accepted = await publish(offer, deadline: Self.placeAnswer) else { return false }
        }
        return !events.isEmpty
    }

    // MARK: - The source

    /// Reads the device's place from a source while a circle has use for it; nil reads from none.
    ///
    /// Readings that a page pushes count all the same.
    public func setLocationSource(_ source: (any LocationSource)?) {
        locationSource = source
        sourceBell.ring()
    }

    func readSource() async {
        while !Task.isCancelled {
            guard let source = locationSource, let every = sharingDesk.look else {
                await sourceBell.wait()
                continue
            }
            await withTaskGroup { group in
                group.addTask {
                    for await reading in source.readings(every: every) { await self.take(reading) }
                    // A source that has ended is asked again, but not at once.
                    await self.time.pause(Self.sourceRetry)
                }
                group.addTask { await self.sourceBell.wait() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    private func take(_ reading: LocationReading) async {
        do { try await read(reading) } catch {
            if !(error is CircleError) { report("where the device is could not be kept", error) }
        }
    }
}

extension SharedPlace {
    /// What is said in the circle: earlier positions first, the place, and why nothing newer follows.
    ///
    /// - Parameter endsSilence: whether the circle was told a reason that holds no more.
    func drafts(endsSilence: Bool, now: Timestamp) -> [EventDraft] {
        var drafts = trail.compactMap { LocationPayload($0) }.map { CircleMessage.location($0) }
        if !isKnown, let place = LocationPayload(fix, interval: interval, isStationary: isStationary) {
            drafts.append(CircleMessage.location(place))
        }
        if let why {
            drafts.append(CircleMessage.sharing(SharingNotice(why), now: now))
        } else if endsSilence {
            drafts.append(CircleMessage.sharing(.on, now: now))
        }
        return drafts
    }
}
