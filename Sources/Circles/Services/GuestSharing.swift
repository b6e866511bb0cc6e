internal import AsyncPrimitives
internal import Location
internal import Logging
internal import Marmot
public import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// Guest links: our own place, as one circle may know it, for people without an account, until a moment.
///
/// Guests are told what the circle is told and when: by its blur, its pauses and its intervals. What changes is durable
/// before anything of it is done. Every call throws ``CircleError`` or what the disk throws.
public actor GuestSharing {
    /// How long a relay has to answer.
    private static let answer: Duration = .seconds(10)
    /// How long after a relay did not answer it is asked again to delete.
    private static let retry: Duration = .seconds(60)
    /// The longest sleep: after it the clock is looked at again, which may have been set.
    private static let longestRest: Duration = .seconds(300)
    /// The longest note; unit: characters.
    private static let longestNote = 80

    private let context: UnlockedContext
    private let store: CircleStore
    private let sharing: PlaceSharing
    private let gate = SerialGate()
    private let due = Doorbell()
    private var links = GuestLinks()
    private var random: RandomSource.Generator
    private var isWiped = false

    private var account: AccountContext { context.account }
    private var now: Timestamp { context.account.time.now() }

    init(_ context: UnlockedContext, store: CircleStore, sharing: PlaceSharing) {
        (self.context, self.store, self.sharing) = (context, store, sharing)
        random = context.account.random.generator
    }

    /// Reads which links there are; before that nobody is told anything.
    func load() async throws {
        let found = try await context.sealed.values(in: CircleTable.guests) { GuestLinkRecord.record($0) }
        if found.contains(where: { $0 == nil }) { account.log.error("a guest link could not be read back") }
        guard !isWiped else { return }
        links = GuestLinks(found.compactMap(\.self))
    }

    func wipe() {
        isWiped = true
        links = GuestLinks()
    }

    /// Deletes at relays what is over, until cancelled.
    func run() async {
        while !Task.isCancelled {
            var rest = Self.retry
            do { rest = try await close() } catch {
                if !(error is CircleError) { account.report("a guest link could not be ended", error) }
            }
            await due.wait(atMost: rest, on: account.time.clock)
        }
    }

    // MARK: - As a person sees it

    /// The guest links of a circle, the one that ends first before the others; also those taken back that some relay
    /// has not deleted yet.
    public func links(in id: CircleID) async throws -> [GuestLinkState] {
        _ = try await store.find(id)
        return links.shown(in: id, at: now).compactMap { GuestLinkState($0) }
    }

    /// Makes a link that shows where we are for a while, and sends our place anew if it is shared now.
    ///
    /// - Parameters:
    ///   - lifetime: held in ``GuestLink/lifetimes``.
    ///   - note: whom it is for; stays here.
    ///   - page: the page it opens; see ``GuestLink/isPage(_:)``.
    @discardableResult
    public func make(
        in id: CircleID, for lifetime: Duration, note: String, page: String
    ) async throws -> GuestLinkState {
        _ = try await store.member(of: id)
        guard GuestLink.isPage(page) else { throw CircleError(.noGuestPage) }
        let relays = await store.relays(of: id)
        let lifetime = min(max(lifetime, GuestLink.lifetimes.lowerBound), GuestLink.lifetimes.upperBound)
        let now = now
        let record = GuestLinkRecord(
            id: encodeHex(account.random.bytes(4)), circle: id.hex, secret: encodeHex(account.random.bytes(32)),
            // All but one of 2^128 draws is a key; for that one there is no link, and a person asks again.
            signing: encodeHex(account.random.bytes(32)), relays: relays.map(\.text), madeAt: now.seconds,
            endsAt: (now + lifetime).seconds, note: String(note.prefix(Self.longestNote)), page: page)
        guard let state = GuestLinkState(record) else { throw CircleError.noRelay }
        try await change { links throws(CircleError) in try links.add(record, at: now) }
        account.changes.send(.circle(id))
        due.ring()
        try await greet(in: id)
        return state
    }

    /// Takes a link back: nobody is told anything from now on, and relays are asked to delete what they have.
    ///
    /// - Parameter link: its ``GuestLinkState/id``; nothing happens for one there is not.
    public func revoke(_ link: String, in id: CircleID) async throws {
        let now = now
        try await change { links throws(CircleError) in
            if links.records[link]?.circle == id.hex { links.revoke(link, at: now) }
        }
        account.changes.send(.circle(id))
        due.ring()
    }

    /// Tells guests of a new link how it stands: by a place made anew, since one the circle had before may have been
    /// blurred less than is wanted now.
    private func greet(in id: CircleID) async throws {
        let state = try await sharing.state(in: id)
        guard state.isOn else { return }
        switch state.settings.pause {
        case .none: try await sharing.sendNow(in: id)
        case .untilResumed: await publish(.paused(until: nil, at: now), in: id)
        case .until(let moment): await publish(.paused(until: moment, at: now), in: id)
        }
    }

    // MARK: - Telling

    /// Tells guests what the circle is told.
    func show(_ place: SharedPlace, in id: CircleID) async {
        guard let report = GuestReport(place) else { return }
        await publish(report, in: id)
    }

    private func publish(_ report: GuestReport, in id: CircleID) async {
        do {
            let events = try await makeEvents(report, in: id)
            var shown: Set<String> = []
            // A relay that does not answer for one link must not keep the guests of another waiting.
            await withTaskGroup(of: String?.self) { group in
                for (event, record) in events {
                    group.addTask {
                        let took = await self.offer([event], to: record.relays) { $0.isAcceptance }
                        return took.isEmpty ? nil : record.id
                    }
                }
                for await one in group { if let one { shown.insert(one) } }
            }
            guard case .place = report, !shown.isEmpty else { return }
            let now = now
            try await change { [shown] links throws(CircleError) in
                for link in shown { links.noteShown(link, at: now) }
            }
            account.changes.send(.circle(id))
        } catch {
            // What was begun before the account was locked or the circle was left is no failure.
            if !(error is CircleError) { account.report("a place could not be shown to guests", error) }
        }
    }

    /// The events that tell the guests of every live link; their moments are kept before any of them leaves.
    private func makeEvents(_ report: GuestReport, in id: CircleID) async throws -> [(Event, GuestLinkRecord)] {
        let now = now
        var made: [(EventDraft, GuestLinkRecord)] = []
        guard !links.live(in: id, at: now).isEmpty else { return [] }
        let random = account.random
        try await change { links throws(CircleError) in
            for record in links.live(in: id, at: now) {
                guard let link = record.link, let moment = links.drawMoment(for: record.id, at: now),
                    // A key and a nonce that were made here encrypt.
                    let draft = try? link.draft(report, at: moment, nonce: random.bytes(12))
                else { continue }
                made.append((draft, record))
            }
        }
        return made.compactMap { draft, record in record.sign(draft, using: &self.random).map { ($0, record) } }
    }

    /// Offers events to relays, in their order.
    ///
    /// - Returns: the relays of which every answer counts.
    private func offer(
        _ events: [Event], to relays: [String], counts: @escaping @Sendable (PublishOutcome) -> Bool
    ) async -> Set<String> {
        let gossip = context.gossip
        return await withTaskGroup(of: String?.self) { group in
            for text in relays {
                // What was kept as a relay's address is one.
                guard let relay = try? RelayURL(text) else { continue }
                group.addTask {
                    for event in events {
                        guard counts(await gossip.offer(event, to: relay, deadline: Self.answer)) else { return nil }
                    }
                    return text
                }
            }
            return await group.reduce(into: []) { answered, relay in if let relay { answered.insert(relay) } }
        }
    }

    // MARK: - Ending

    /// Deletes what is over at relays; gives how long nothing is to be done.
    private func close() async throws -> Duration {
        let (now, circles) = (now, try await store.current().circles)
        var over: [GuestLinkRecord] = []
        try await change { links throws(CircleError) in
            over = links.close(at: now) { PlaceSharing.mayShare(in: circles[$0]) }
        }
        for record in over {
            guard let link = record.link else { continue }
            let drafts = try record.closingDrafts(of: link, now: now, nonce: account.random.bytes(12))
            let answered = await offer(
                drafts.compactMap { record.sign($0, using: &random) }, to: record.unanswered ?? record.relays
            ) { $0.isFinal }
            try await change { links throws(CircleError) in links.noteClosed(record.id, at: answered) }
            if let id = CircleID(hex: record.circle) { account.changes.send(.circle(id)) }
        }
        if links.records.values.contains(where: { !$0.isLive(at: now) }) { return Self.retry }
        guard let end = links.nextEnd(after: now) else { return Self.longestRest }
        return min(max(.seconds(end.seconds - now.seconds), .seconds(1)), Self.longestRest)
    }

    /// Changes the links: durable before anything of it is done.
    private func change(_ change: (inout GuestLinks) throws(CircleError) -> Void) async throws {
        try await gate.run {
            guard !isWiped else { throw CircleError.locked }
            var next = links
            try change(&next)
            try await context.sealed.apply(try next.takeChanges(context.sealed))
            guard !isWiped else { throw CircleError.locked }
            links = next
        }
    }
}

extension PublishOutcome {
    fileprivate var isAcceptance: Bool { if case .accepted = self { true } else { false } }

    /// Whether the relay's answer would be the same the next time.
    fileprivate var isFinal: Bool {
        switch self {
        case .accepted, .rejected, .tooLong, .blocked: true
        case .unauthenticated, .timedOut, .failed, .shuttingDown: false
        }
    }
}
