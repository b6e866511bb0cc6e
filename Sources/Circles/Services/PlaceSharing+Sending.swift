internal import AsyncPrimitives
internal import Location
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// Sends our place to circles.
extension PlaceSharing {
    /// How long a relay has to take a place.
    private static let placeAnswer: Duration = .seconds(10)

    /// Sends a place to the relays of a circle; one that takes it is enough.
    ///
    /// What no relay takes is kept with the sharing, and offered again when that wants it sent again.
    func send(_ place: SharedPlace, number: UInt64, in id: CircleID) async {
        guard let record = entries[id]?.record else { return }
        var unsent = record.unsent
        let settings = record.sharing.settings
        do {
            let isTaken = try await send(place, in: id, &unsent) {
                await self.answer(.sent(number), in: id, settings, unsent: nil)
            }
            if !isTaken { await answer(.failed(number), in: id, settings, unsent: unsent) }
        } catch {
            await answer(.failed(number), in: id, settings, unsent: unsent)
            // What was begun before the account was locked or the circle was left is no failure.
            if !(error is CircleError) { account.report("a place could not be sent", error) }
        }
    }

    /// Sends a place with as few new events as can be: see ``UnsentPlace``.
    ///
    /// - Returns: whether a relay took all of it.
    private func send(
        _ place: SharedPlace, in id: CircleID, _ unsent: inout UnsentPlace?, whenTaken: () async -> Void
    ) async throws -> Bool {
        let epoch = try await store.member(of: id).1.epoch
        let relays = await store.relays(of: id)
        var told = entries[id]?.record.sharing.lastSent
        var events: [Event] = []
        if unsent?.epoch != epoch { unsent = nil }
        if let earlier = unsent, let made = earlier.events {
            if earlier.tells(place) {
                events = made
            } else if !earlier.mayGiveWay(now: account.time.now()) {
                guard await offer(made, to: relays) else { return false }
                (unsent, told) = (nil, earlier.place)
            }
        }
        let drafts = place.drafts(
            endsSilence: told?.why != nil && place.why == nil, now: await momentOfNextNotice(in: id))
        if events.isEmpty {
            // Where nothing was taken, one event shows whether that has changed.
            events = try await make(unsent == nil ? drafts : Array(drafts.prefix(1)), in: id)
        }
        let rest = Array(drafts.dropFirst(events.count))
        var isTaken = await offer(events, to: relays) { if rest.isEmpty { await whenTaken() } }
        if isTaken, !rest.isEmpty {
            let more = try await make(rest, in: id)
            events += more
            isTaken = await offer(more, to: relays, whenTaken: whenTaken)
        }
        unsent =
            isTaken
            ? nil : UnsentPlace(place, epoch: epoch, events: events, now: account.time.now(), after: unsent)
        return isTaken
    }

    /// Encrypts what is to be said.
    private func make(_ drafts: [EventDraft], in id: CircleID) async throws -> [Event] {
        var events: [Event] = []
        for draft in drafts {
            let (_, event, tasks) = try await store.send(draft, in: id, isOffered: false)
            await work.plan(tasks)
            events.append(event)
        }
        return events
    }

    /// When to date what is told of the sharing next: of two words of one second nobody could tell which is the last.
    func momentOfNextNotice(in id: CircleID) async -> Timestamp {
        let now = account.time.now()
        guard let last = await store.circles[id]?.record.members.sharing[account.publicKey.hex]?.sentAt else {
            return now
        }
        let next = Timestamp(seconds: last) + .seconds(1)
        // A clock that was fast once must not date everything after it.
        return next > now + MemberPlace.skew ? now : max(now, next)
    }

    private func answer(
        _ input: LocationSharing.Input, in id: CircleID, _ settings: SharingSettings, unsent: UnsentPlace?
    ) async {
        do {
            try await change { places, now in
                places.keep(unsent, by: settings, in: id)
                return places.receive(input, in: id, now: now)
            }
            account.changes.send(.circle(id))
        } catch {
            // It counts as on its way, and is sent again after a while.
            if !(error is CircleError) { account.report("how sending a place went could not be kept", error) }
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
            let outcome = await context.gossip.offer(event, to: relay, deadline: Self.placeAnswer)
            guard case .accepted = outcome else { return false }
        }
        return !events.isEmpty
    }
}

extension SharedPlace {
    /// What is said in the circle: earlier positions first, the place, and why nothing newer follows.
    ///
    /// - Parameter endsSilence: whether the circle was told a reason that holds no more.
    func drafts(endsSilence: Bool, now: Timestamp) -> [EventDraft] {
        var drafts = trail.compactMap { LocationPayload($0) }.map { CircleMessage.location($0) }
        if !isKnown, let place = LocationPayload(fix, sentAt: sentAt, interval: interval, isStationary: isStationary) {
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
