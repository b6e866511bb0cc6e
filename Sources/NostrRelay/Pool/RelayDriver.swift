import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import Synchronization

/// Does for one relay what its session decides: opens the socket, sends, reads, waits, and tells the readers.
///
/// Most of its properties are one connection and whoever reads over it, which come and go together.
actor RelayDriver {
    /// What takes time and runs as a task of its own.
    private enum Work: Sendable {
        case hold
        case close(any RelayConnection)
        case ping(any RelayConnection)
        case sign(challenge: String)
        case learn
        case wake(at: Duration)
    }

    /// Whoever gives a question no more time than this may be waiting for its answer; what is gathered has more.
    private static let littleTime: Duration = .seconds(10)
    /// So long before its end a question with more time is urgent, too.
    private static let lastMoments: Duration = .seconds(5)

    nonisolated let relay: RelayURL
    /// What the session remembers of the relay, for whoever looks: every page does, and a turn in which thousands of
    /// events are handed out, or thousands of authors asked for, is long.
    private nonisolated let shown: Mutex<RelayStatistics>
    private let context: PoolContext
    private var session: RelaySession
    private let work: AsyncStream<Work>
    private let assign: AsyncStream<Work>.Continuation
    private var sinks: [QueryID: any QuerySink] = [:]
    /// From when on each question that ends is urgent.
    private var urgentFrom: [QueryID: Duration] = [:]
    private var offers: [PublishID: CheckedContinuation<PublishOutcome, Never>] = [:]
    private var counts: [QueryID: CheckedContinuation<Int?, Never>] = [:]
    private var connection: (any RelayConnection)?
    private var outgoing: AsyncStream<ClientMessage>.Continuation?
    private var inbox: BoundedQueue<ReceivedFrame>?
    private var armed: Duration?
    private var hasLearned = false
    /// What it last said of itself.
    private var information: RelayInformation?
    /// Whether it was asked what work it wants, and did not answer.
    private var saysNothing = false

    init(relay: RelayURL, context: PoolContext, isExpected: Bool) {
        self.relay = relay
        self.context = context
        session = RelaySession(relay: relay, settings: context.settings, random: context.random)
        _ = session.block(context.blocked.contains(relay), now: context.now)
        session.expect(isExpected)
        shown = Mutex(session.statistics)
        (work, assign) = AsyncStream.makeStream(of: Work.self)
    }

    /// Works until cancelled, then ends all queries.
    func run() async {
        await withDiscardingTaskGroup { group in
            for await item in work { group.addTask { await self.do(item) } }
            shutDown()
            group.cancelAll()
        }
    }

    /// Ends all queries and refuses new ones.
    func shutDown() { perform(session.shutDown()) }

    // MARK: What the pool asks

    func fetch(_ id: QueryID, _ filters: [Filter], within deadline: Duration, into sink: any QuerySink) {
        applyBlock()
        sinks[id] = sink
        let end = context.time.uptime() + deadline
        urgentFrom[id] = end - (deadline <= Self.littleTime ? deadline : Self.lastMoments)
        perform(session.open(id, filters, .once(until: end), now: context.now))
    }

    func subscribe(_ id: QueryID, _ filters: [Filter], into sink: any QuerySink) {
        applyBlock()
        sinks[id] = sink
        perform(session.change(id, filters, now: context.now))
    }

    func cancel(_ id: QueryID) {
        sinks[id] = nil
        urgentFrom[id] = nil
        perform(session.cancel(id, now: context.now))
    }

    func publish(_ id: PublishID, _ event: Event, within deadline: Duration) async -> PublishOutcome {
        applyBlock()
        return await withCheckedContinuation { offer in
            offers[id] = offer
            perform(session.publish(id, event, until: context.time.uptime() + deadline, now: context.now))
        }
    }

    func count(_ id: QueryID, _ filters: [Filter], within deadline: Duration) async -> Int? {
        applyBlock()
        return await withCheckedContinuation { count in
            counts[id] = count
            perform(session.open(id, filters, .count(until: context.time.uptime() + deadline), now: context.now))
        }
    }

    func expect(_ expected: Bool) {
        session.expect(expected)
        showStatistics()
    }

    func retryNow() { perform(session.retryNow(now: context.now)) }

    /// Looks again whether contact is forbidden: a question can be here before the news of a change that allows it.
    func applyBlock() { perform(session.block(context.blocked.contains(relay), now: context.now)) }

    func closeIfIdle() { perform(session.closeIfIdle()) }

    func refreshConsent() async {
        guard let authenticator = context.authenticator else { return }
        let consent = await authenticator.consent(for: relay)
        perform(session.consents(consent, now: context.now))
    }

    /// Whether somebody may be waiting for what comes, or its time runs out: for the answer to a question that was given
    /// little time or has little left, for a count, or for what becomes of a note.
    ///
    /// Then nothing of it is checked on threads that give way: there it would stand behind all that is gathered from
    /// everywhere, and beside other programs hardly get its turn.
    var isWaitedFor: Bool {
        let now = context.time.uptime()
        return !counts.isEmpty || !offers.isEmpty || urgentFrom.values.contains { $0 <= now }
    }

    /// What is known of the relay; a look that waits for no turn.
    nonisolated var statistics: RelayStatistics { shown.withLock { $0 } }

    private func showStatistics() {
        let statistics = session.statistics
        shown.withLock { $0 = statistics }
    }

    // MARK: Doing

    private func perform(_ actions: [SessionAction]) {
        // Before readers are told, who may look at once.
        showStatistics()
        for action in actions {
            switch action {
            case .connect: assign.yield(.hold)
            case .disconnect: if let connection { assign.yield(.close(connection)) }
            case .send(let message): outgoing?.yield(message)
            case .ping: if let connection { assign.yield(.ping(connection)) }
            case .sign(let challenge): assign.yield(.sign(challenge: challenge))
            case .deliver: break
            case .live(let id): sinks[id]?.notice(.live, from: relay)
            case .interrupted(let id, let ending): sinks[id]?.notice(.interrupted(ending), from: relay)
            case .ended(let id, let ending):
                urgentFrom[id] = nil
                sinks.removeValue(forKey: id)?.notice(.ended(ending), from: relay)
            case .counted(let id, let number): counts.removeValue(forKey: id)?.resume(returning: number)
            case .published(let id, let outcome): offers.removeValue(forKey: id)?.resume(returning: outcome)
            }
        }
        makeRoom()
        arm()
    }

    /// Closes a socket that has just become unused when another relay waits for its permit.
    private func makeRoom() {
        guard !session.isWanted, context.permits.isCrowded else { return }
        for case .disconnect in session.closeIfIdle() { if let connection { assign.yield(.close(connection)) } }
    }

    /// Sees to it that the session is woken at its next deadline.
    private func arm() {
        guard let due = session.nextDeadline, armed.map({ due < $0 }) ?? true else { return }
        armed = due
        assign.yield(.wake(at: due))
    }

    private func `do`(_ item: Work) async {
        switch item {
        case .hold: await hold()
        case .close(let connection): await connection.close()
        case .ping(let connection): await ping(connection)
        case .sign(let challenge): await sign(challenge)
        case .learn: await learn()
        case .wake(let due): await wake(at: due)
        }
    }

    private func wake(at due: Duration) async {
        do { try await context.time.sleep(for: due - context.time.uptime()) } catch { return }
        if armed == due { armed = nil }
        perform(session.tick(now: context.now))
    }

    private func ping(_ connection: any RelayConnection) async {
        // While readers are behind, the socket is not read, and no pong could be seen.
        if inbox?.isFull == true { return session.didPong(now: context.now) }
        do {
            try await connection.ping(deadline: context.settings.connections.pingDeadline)
            session.didPong(now: context.now)
        } catch {
            if inbox?.isFull != true { await connection.close() }
        }
    }

    private func sign(_ challenge: String) async {
        let draft = RelayAuthentication.draft(relay: relay, challenge: challenge, createdAt: context.time.now())
        let event = await context.authenticator?.answer(draft, for: relay)
        perform(session.didSign(event, challenge: challenge, now: context.now))
    }

    private func learn() async {
        guard let information = await askForInformation(within: context.settings.connections.deadline) else { return }
        perform(session.learn(StatedLimits(information), now: context.now))
    }

    /// What the relay says of itself; `nil` where it says nothing in time, and is used with careful guesses.
    private func askForInformation(within deadline: Duration) async -> RelayInformation? {
        let said = await context.information(of: relay, within: deadline)
        if let said { information = said }
        return said
    }

    /// What the relay said of itself last, at each connection; else it is asked now.
    ///
    /// - Returns: `nil` where it says nothing in time.
    func information(within deadline: Duration) async -> RelayInformation? {
        if let information { return information }
        applyBlock()
        return session.isBlocked ? nil : await askForInformation(within: deadline)
    }

    /// How much work (NIP-13) an event must carry here, in bits, by the relay's own word (NIP-11); 0 where it says nothing
    /// in time, which is not asked again.
    func requiredWork(within deadline: Duration) async -> Int {
        if information == nil, !saysNothing {
            saysNothing = await information(within: deadline) == nil && !session.isBlocked
        }
        return max(0, information?.limitation.minPowDifficulty ?? 0)
    }

    // MARK: The socket

    /// Holds one connection from its permit to its end.
    private func hold() async {
        let use = session.isStanding ? ConnectionPermits.Use.standing : .oneShot
        guard await context.permits.acquire(use) else {
            return perform(session.didFailToConnect(.io("cancelled"), now: context.now))
        }
        defer { context.permits.release(use) }
        applyBlock()
        let isToConnect = session.startConnecting()
        showStatistics()
        guard isToConnect else { return }
        if let authenticator = context.authenticator { session.consent = await authenticator.consent(for: relay) }
        do {
            let connection = try await context.transport.connect(
                to: relay, deadline: context.settings.connections.deadline)
            let failure = await exchange(connection)
            await connection.close()
            context.logger.debug(
                "relay disconnected", metadata: ["relay": "\(relay)", "why": "\(failure ?? .closed(code: nil))"])
            perform(session.didDisconnect(failure, now: context.now))
        } catch {
            let failure = TransportFailure(error)
            // Blocked while it was being dialled: what waits ends as blocked, not as failed.
            applyBlock()
            context.logger.debug("relay not reached", metadata: ["relay": "\(relay)", "why": "\(failure)"])
            perform(session.didFailToConnect(failure, now: context.now))
        }
    }

    /// Sends and reads until the socket closes; `nil` for a clean end.
    private func exchange(_ connection: any RelayConnection) async -> TransportFailure? {
        let inbox = BoundedQueue<ReceivedFrame>(capacity: 1 << 20)
        let (messages, outgoing) = AsyncStream.makeStream(of: ClientMessage.self)
        self.connection = connection
        self.outgoing = outgoing
        self.inbox = inbox
        perform(session.didConnect(now: context.now))
        if !hasLearned {
            hasLearned = true
            assign.yield(.learn)
        }
        async let processed: Void = process(inbox)
        async let written = write(messages, to: connection)
        let failure = await read(connection, into: inbox, context.memory)
        inbox.finish()
        await processed
        self.connection = nil
        self.outgoing = nil
        self.inbox = nil
        outgoing.finish()
        return await written ?? failure
    }

    private func process(_ inbox: BoundedQueue<ReceivedFrame>) async {
        while let batch = await inbox.receive(atMost: 256) {
            let frames = await JudgedFrame.judge(batch, context.memory, givesWay: !isWaitedFor)
            for message in apply(frames) { await pass(message) }
        }
    }

    /// What goes to a reader: events of one query that follow each other together, in order with the notices.
    private enum ReaderMessage {
        case events(QueryID, [Event])
        case notice(SessionAction)
    }

    /// Tells the session of a batch and does at once what concerns the relay; what concerns readers may have to wait.
    private func apply(_ frames: [JudgedFrame]) -> [ReaderMessage] {
        let now = context.now
        var messages: [ReaderMessage] = []
        var events: [Event] = []
        var reader: QueryID?
        func flush() {
            if let reader, !events.isEmpty { messages.append(.events(reader, events)) }
            events = []
        }
        for frame in frames {
            for action in judge(frame, now) {
                switch action {
                case .deliver(let id, let event):
                    if id != reader { flush() }
                    reader = id
                    events.append(event)
                case .live, .interrupted, .ended:
                    flush()
                    messages.append(.notice(action))
                default: perform([action])
                }
            }
        }
        flush()
        arm()
        showStatistics()
        return messages
    }

    private func judge(_ frame: JudgedFrame, _ now: Moment) -> [SessionAction] {
        switch frame {
        case .event(let subscription, let event, let known):
            session.didReceive(event, for: subscription, known: known, now: now)
        case .forged: session.didReceiveForged(now: now)
        case .message(let message): session.didReceive(message, now: now)
        case .unreadable: session.didReceiveUnreadable(now: now)
        }
    }

    private func pass(_ message: ReaderMessage) async {
        switch message {
        case .events(let id, let events): await sinks[id]?.events(events, from: relay)
        case .notice(let action): perform([action])
        }
    }
}

/// Reads frames and looks at each, away from the actor; how the socket ended.
@concurrent
private func read(
    _ connection: any RelayConnection, into inbox: BoundedQueue<ReceivedFrame>, _ memory: RecentEvents
) async -> TransportFailure? {
    do {
        for try await frame in connection.incoming {
            await inbox.send(ReceivedFrame(frame, memory), weight: frame.count)
        }
        return nil
    } catch {
        return TransportFailure(error)
    }
}

/// Sends messages in order; a failure closes the socket, so that reading ends too.
@concurrent
private func write(
    _ messages: AsyncStream<ClientMessage>, to connection: any RelayConnection
) async -> TransportFailure? {
    for await message in messages {
        do {
            try await connection.send(message.json)
        } catch {
            await connection.close()
            return TransportFailure(error)
        }
    }
    return nil
}

extension TransportFailure {
    fileprivate init(_ error: any Error) {
        self = error as? TransportFailure ?? .io("\(type(of: error))")
    }
}
