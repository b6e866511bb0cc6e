internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore

/// Gift wraps on their way out: looks up where people read, offers what is due, writes every answer down.
///
/// What is on its way is encrypted and goes on while the account is locked; what relays answer meanwhile is written down
/// when the records are open again (``open(_:)``).
actor WrapDelivery {
    let context: AccountContext
    private let gossip: Gossip
    private let routes: InboxRoutes
    /// Rings when a wrap may be due.
    nonisolated let due = Doorbell()
    var outgoing: OutgoingWraps
    /// Where answers are written down, while the account is unlocked.
    private var sealed: SealedRecords?
    /// Whether what was on its way when the program ended is here.
    private var isLoaded = false
    /// Messages whose state changed while it could not be written down.
    private var unsaved: Set<EventID> = []
    /// Wraps into which more work is being put.
    var atWork: Set<EventID> = []
    /// Wraps in whose place others were put, with their messages, as long as they lie on disk.
    var replaced: [EventID: EventID?] = [:]
    /// All in whose place others were put: what relays still say of them is not written down, or they would be taken up
    /// again after a restart.
    var superseded: Set<EventID> = []

    init(_ context: AccountContext, gossip: Gossip, routes: InboxRoutes) {
        self.context = context
        self.gossip = gossip
        self.routes = routes
        outgoing = OutgoingWraps(patience: context.configuration.patience)
    }

    /// Offers what is due until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = context.time.now()
                let lookups = outgoing.takeLookups(now: now)
                if !lookups.isEmpty { group.addTask { await self.lookUp(lookups) } }
                for offer in outgoing.takeDue(now: now) { group.addTask { await self.make(offer) } }
                let pause = outgoing.nextDue.map { max($0.seconds - now.seconds, 1) } ?? 3600
                await due.wait(atMost: .seconds(pause), on: context.time.clock)
            }
        }
    }

    // MARK: The records

    /// The records are open: takes up what was on its way when the program ended.
    func open(_ records: SealedRecords) async throws {
        sealed = records
        for id in unsaved { for wrap in outgoing.outgoing(of: id) { await keep(wrap) } }
        unsaved = []
        guard !isLoaded else { return due.ring() }
        let found = try await records.values(in: OutgoingWrapRecord.waiting) { bytes in
            // One damaged record must not keep the others.
            try? OutgoingWrapRecord.decode(bytes)
        }
        for case let wrap? in found { outgoing.insert(wrap) }
        if found.contains(where: { $0 == nil }) { context.log.error("a queued message could not be read back") }
        isLoaded = true
        due.ring()
    }

    /// The records are closed.
    func close() { sealed = nil }

    private func keep(_ wrap: OutgoingWrap) async {
        guard let sealed else {
            if let rumor = wrap.rumor { unsaved.insert(rumor) }
            return
        }
        do {
            let old = replaced
            let removals = old.flatMap { OutgoingWrapRecord.removal(of: $0.key, $0.value, in: sealed) }
            try await sealed.apply(try OutgoingWrapRecord.changes(for: wrap, in: sealed) + removals)
            for id in old.keys { replaced.removeValue(forKey: id) }
            let id = wrap.delivery.event.id
            if !atWork.contains(id) { outgoing.forget(id) }
        } catch {
            // Lost is only the answer: after a restart the relay is asked again and says that it has the wrap.
            context.report("a receipt could not be kept", error)
        }
    }

    // MARK: What goes out

    /// Takes wraps that are durable, and offers them.
    func insert(_ wraps: [OutgoingWrap]) {
        for wrap in wraps { outgoing.insert(wrap) }
        due.ring()
    }

    /// A relay has come back: what waits for it is due at once.
    func relayIsBack(_ relay: RelayURL) {
        outgoing.relayIsBack(relay, now: context.time.now(), standing: gossip.consentStanding(of: relay))
        due.ring()
    }

    /// What signs is there again: what waited for it is due at once.
    func signerDidReturn() {
        outgoing.signerDidReturn(now: context.time.now()) { gossip.consentStanding(of: $0) }
        due.ring()
    }

    /// Offers a message again to every relay that does not have it; returns whether there is anything to offer.
    func offerAgain(_ rumor: EventID, in records: SealedRecords) async throws -> Bool {
        for wrap in try await wraps(of: rumor, in: records) { outgoing.insert(wrap) }
        let again = outgoing.offerAgain(rumor, now: context.time.now())
        for wrap in again { try await records.apply(try OutgoingWrapRecord.changes(for: wrap, in: records)) }
        due.ring()
        return !again.isEmpty
    }

    /// The wraps of a message: those on their way, and those that have arrived or were given up.
    func wraps(of rumor: EventID, in records: SealedRecords) async throws -> [OutgoingWrap] {
        let current = outgoing.outgoing(of: rumor)
        let known = Set(current.map(\.delivery.event.id))
        let found = try await records.values(in: OutgoingWrapRecord.settled, group: rumor.hex) { bytes in
            // One damaged receipt must not hide the others.
            try? OutgoingWrapRecord.decode(bytes)
        }
        return current + found.compactMap(\.self).filter { !known.contains($0.delivery.event.id) }
    }

    /// How far a message of the account's own has come: others who have it, of all of them.
    func progress(of rumor: EventID, in records: SealedRecords) async throws -> Note.Acceptance? {
        let all = try await wraps(of: rumor, in: records)
        let others = all.filter { $0.recipient != context.publicKey }
        let meant = others.isEmpty ? all : others
        guard !meant.isEmpty else { return nil }
        return Note.Acceptance(accepted: meant.count { !$0.delivery.accepted.isEmpty }, asked: meant.count)
    }

    /// How many wraps still wait for some relay.
    var waiting: Int { outgoing.waiting }

    /// How many wraps around what is no message no relay has taken yet.
    var waitingBesideMessages: Int {
        outgoing.all.count { $0.rumor == nil && $0.delivery.accepted.isEmpty && !$0.delivery.isSettled }
    }

    // MARK: Offering

    private func make(_ offer: PublishQueue.Offer) async {
        let outcome = await gossip.offer(
            offer.event, to: offer.relay, deadline: context.configuration.deadlines.publish)
        // A shutdown is no answer: the relay is asked again after the restart.
        if Task.isCancelled, outcome == .timedOut { return }
        let wrap = outgoing.record(
            outcome, of: offer, now: context.time.now(), jitter: context.random.fraction(),
            standing: gossip.consentStanding(of: offer.relay))
        if let wrap, !(await didWork(after: outcome, of: offer)) {
            let id = offer.event.id
            // While the relay was asked, another one's answer may have ended the wrap, or put another in its place.
            if !superseded.contains(id) { await settle(outgoing.wrap(id) ?? wrap) }
        }
        due.ring()
    }

    /// Looks up the relays of recipients, all of them together.
    private func lookUp(_ wraps: [OutgoingWrap]) async {
        let people = Set(wraps.map(\.recipient))
        let isCertain = await routes.discover(people)
        if Task.isCancelled { return }
        do {
            let routes = try await routes.routes(to: Array(people))
            await withDiscardingTaskGroup { group in
                for wrap in wraps {
                    let route = routes[wrap.recipient] ?? .unknown
                    // While no relay answers, nobody can say that there is no inbox list.
                    guard isCertain || route.basis == .inbox else { continue }
                    group.addTask { await self.resolve(wrap, route) }
                }
            }
        } catch {
            context.report("inbox relays could not be read from disk", error)
        }
        due.ring()
    }

    /// Where a recipient receives is known: what those relays ask for is done before they are offered anything.
    private func resolve(_ wrap: OutgoingWrap, _ route: InboxRoutes.Route) async {
        let id = await meetDemand(of: route, for: wrap.delivery.event.id)
        if let known = outgoing.resolve(id, route.basis, route.relays, now: context.time.now()) { await settle(known) }
        due.ring()
    }

    func settle(_ wrap: OutgoingWrap) async {
        await keep(wrap)
        guard let rumor = wrap.rumor else {
            // Pages say which requests to join a circle wait, and for what.
            context.changes.send(.circles)
            return
        }
        context.changes.send(.receipt(rumor))
        if let room = wrap.room { context.changes.send(.conversation(room)) }
    }
}
