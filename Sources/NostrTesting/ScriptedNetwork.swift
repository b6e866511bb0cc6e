internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
public import NostrRelay
import Synchronization

/// Relays without sockets: each is a set of events and a way to behave.
///
/// Its methods are those of `NostrClient.RelayNetwork`; the tests of that target declare the conformance.
public final class ScriptedNetwork: Sendable {
    /// How a relay behaves.
    public enum Behaviour: Hashable, Sendable {
        /// Answers at once and takes every event.
        case answers
        /// No connection comes up.
        case dead
        /// No connection comes up: it is in a private network, and nobody here named it.
        case unnamed
        /// Never answers; whoever asks waits for the deadline.
        case silent
        /// Never answers, and does not even keep to the deadline.
        case stuck
        /// Refuses questions and events for this reason.
        case refuses(Reason)
        /// Answers questions, refuses events for this reason.
        case readOnly(Reason)
        /// Answers questions, takes events only from somebody it knows, and nothing signs for it who offers them.
        case asksWho
    }

    /// One question to one relay.
    public struct Question: Hashable, Sendable {
        /// The relay.
        public let relay: RelayURL
        /// What was asked.
        public let filters: [Filter]
    }

    /// One event offered to one relay.
    public struct Offer: Hashable, Sendable {
        /// The relay.
        public let relay: RelayURL
        /// The event.
        public let event: Event
    }

    private struct Listener {
        var requests: [RelayURL: [Filter]]
        let continuation: AsyncStream<LiveUpdate>.Continuation
    }

    private struct State {
        var events: [RelayURL: [Event]] = [:]
        var behaviours: [RelayURL: Behaviour] = [:]
        var statistics: [RelayURL: RelayStatistics] = [:]
        var works: [RelayURL: Int] = [:]
        var leastWorks: [RelayURL: (bits: Int, words: String)] = [:]
        var delays: [RelayURL: @Sendable () -> Bool] = [:]
        var questions: [Question] = []
        var offers: [Offer] = []
        var refreshed: Set<RelayURL> = []
        var retried: [RelayURL] = []
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var cancelled = 0
    }

    private let state = Mutex(State())
    /// Counts what happens, for those who wait for something.
    private let happened = CurrentValue(0)
    private let clock: any Clock<Duration>

    /// No relays; an unknown relay answers and is empty.
    ///
    /// - Parameter clock: what silent relays wait on.
    public init(clock: any Clock<Duration>) {
        self.clock = clock
    }

    /// Lets a relay say that it asks for work, in bits.
    public func require(work bits: Int, at relay: RelayURL) {
        state.withLock { $0.works[relay] = bits }
    }

    /// Has a relay refuse what carries less work, in these words, whatever it says of itself.
    public func refuse(lessThan bits: Int, at relay: RelayURL, saying words: String = "more work") {
        state.withLock { $0.leastWorks[relay] = (bits, words) }
    }

    /// Has a relay that is asked alone say what work it asks for only once something holds.
    public func delayWork(at relay: RelayURL, until holds: @escaping @Sendable () -> Bool) {
        state.withLock { $0.delays[relay] = holds }
    }

    /// What the relays say they ask for.
    public func requiredWork(at relays: Set<RelayURL>, deadline: Duration) async -> Int {
        if relays.count == 1, let relay = relays.first, let holds = state.withLock({ $0.delays[relay] }) {
            await wait { holds() }
        }
        return state.withLock { state in relays.compactMap { state.works[$0] }.max() ?? 0 }
    }

    /// Puts events on a relay, for the questions to come.
    public func put(_ events: [Event], on relays: RelayURL...) {
        state.withLock { state in
            for relay in relays { state.events[relay, default: []] += events }
        }
    }

    /// Lets a relay behave so from now on.
    public func set(_ relay: RelayURL, _ behaviour: Behaviour) {
        state.withLock { $0.behaviours[relay] = behaviour }
    }

    /// A new event comes in at a relay: kept, and passed to whoever listens there.
    public func arrive(_ event: Event, on relay: RelayURL) {
        let open = state.withLock { state in
            state.events[relay, default: []].append(event)
            return state.listeners.values.filter { ($0.requests[relay] ?? []).contains { $0.matches(event) } }
        }
        for listener in open { listener.continuation.yield(.events([event], from: relay)) }
    }

    /// Tells whoever listens at a relay that it is there again.
    public func comeBack(_ relay: RelayURL) {
        let open = state.withLock { state in
            state.behaviours[relay] = .answers
            return state.listeners.values.filter { $0.requests[relay] != nil }
        }
        for listener in open { listener.continuation.yield(.live(relay)) }
    }

    /// A relay goes away, and tells whoever listens there.
    public func goAway(_ relay: RelayURL) {
        let open = state.withLock { state in
            state.behaviours[relay] = .dead
            return state.listeners.values.filter { $0.requests[relay] != nil }
        }
        for listener in open { listener.continuation.yield(.interrupted(relay, .failed(.refused))) }
    }

    /// Ends the updates of every standing subscription.
    public func endSubscriptions() {
        let open = state.withLock { state in
            defer { state.listeners = [:] }
            return state.listeners.values
        }
        for listener in open { listener.continuation.finish() }
        note()
    }

    /// How often a standing subscription was given back by who had opened it, whether its updates had ended or not.
    public var cancelled: Int { state.withLock { $0.cancelled } }
    /// All questions so far, in order; standing ones are not among them.
    public var questions: [Question] { state.withLock { $0.questions } }
    /// All offers so far, in order.
    public var offers: [Offer] { state.withLock { $0.offers } }
    /// The relays of which it was asked again whether they may learn who the account is.
    public var refreshed: Set<RelayURL> { state.withLock { $0.refreshed } }
    /// What listens now at which relay.
    public var standing: [RelayURL: [Filter]] {
        state.withLock { state in
            state.listeners.values.reduce(into: [:]) { all, listener in
                all.merge(listener.requests) { $0 + $1 }
            }
        }
    }
    /// Waits until something holds; looks again whenever an event is offered or a standing subscription changes.
    public func wait(until holds: () async throws -> Bool) async rethrows {
        for await _ in happened.values() {
            if try await holds() { return }
        }
    }
}

// MARK: - What use cases call

extension ScriptedNetwork {
    /// Asks each relay its filters.
    public func fetch(_ requests: [RelayURL: [Filter]], deadline: Duration) async -> AsyncStream<FetchUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(of: FetchUpdate.self)
        let timeout = alarm(after: deadline, on: clock)
        var waiting: [RelayURL] = []
        var isStuck = false
        let sorted = requests.sorted { $0.key < $1.key }
        let behaviours = begin(sorted.map { Question(relay: $0.key, filters: $0.value) })
        for ((relay, filters), behaviour) in zip(sorted, behaviours) {
            switch behaviour {
            case .answers, .readOnly, .asksWho:
                let found = answer(filters, at: relay)
                if !found.isEmpty { continuation.yield(.events(found, from: relay)) }
                continuation.yield(.ended(relay, .complete))
            case .dead: continuation.yield(.ended(relay, .failed(.refused)))
            case .unnamed: continuation.yield(.ended(relay, .failed(.privateAddress)))
            case .refuses(let reason): continuation.yield(.ended(relay, .closed(reason)))
            case .silent: waiting.append(relay)
            case .stuck: isStuck = true
            }
        }
        if isStuck { return stream }
        guard !waiting.isEmpty else {
            continuation.finish()
            return stream
        }
        let late = waiting
        // Owned by the stream: whoever stops listening ends it.
        let timer = Task {
            // Cancelled means that nobody listens any more.
            try? await timeout()
            for relay in late { continuation.yield(.ended(relay, .deadline)) }
            continuation.finish()
        }
        continuation.onTermination = { _ in timer.cancel() }
        return stream
    }

    /// Opens a standing subscription.
    public func subscribe(_ requests: [RelayURL: [Filter]]) async -> any LiveSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: LiveUpdate.self)
        let key = state.withLock { state in
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(requests: requests, continuation: continuation)
            return state.nextListener
        }
        greet(Set(requests.keys), of: key)
        note()
        return ScriptedSubscription(updates: stream, key: key, network: self)
    }

    /// Offers an event to one relay.
    public func publish(_ event: Event, to relay: RelayURL, deadline: Duration) async -> PublishOutcome {
        let timeout = alarm(after: deadline, on: clock)
        let (behaviour, least) = state.withLock { state in
            state.offers.append(Offer(relay: relay, event: event))
            return (state.behaviours[relay] ?? .answers, state.leastWorks[relay])
        }
        note()
        switch behaviour {
        case .answers:
            if let least, !ProofOfWork(event).meets(least.bits, commitmentRequired: true) {
                return .rejected(Reason(.pow, least.words))
            }
            arrive(event, on: relay)
            return .accepted(Reason(nil, ""))
        case .dead: return .failed(.refused)
        case .unnamed: return .failed(.privateAddress)
        case .refuses(let reason), .readOnly(let reason): return .rejected(reason)
        case .asksWho: return .unauthenticated(.notSigned)
        case .silent:
            // Cancelled means that nobody waits any more.
            try? await timeout()
            return .timedOut
        case .stuck:
            // The same.
            try? await clock.sleep(for: .seconds(1_000_000))
            return .timedOut
        }
    }

    /// Notes that a relay may learn something else than before.
    public func refreshConsent(of relay: RelayURL) async {
        state.withLock { _ = $0.refreshed.insert(relay) }
    }

    /// Notes that a relay is to be tried again at once.
    public func retryNow(_ relay: RelayURL) async {
        state.withLock { $0.retried.append(relay) }
    }

    /// Relays that were to be tried again at once, in order.
    public var retried: [RelayURL] { state.withLock { $0.retried } }

    /// What is known of every relay met so far.
    public func statistics() async -> [RelayURL: RelayStatistics] {
        state.withLock { $0.statistics }
    }

    /// Sets what is known of a relay.
    public func setStatistics(_ statistics: RelayStatistics, of relay: RelayURL) {
        state.withLock { $0.statistics[relay] = statistics }
    }

    fileprivate func change(_ key: Int, to requests: [RelayURL: [Filter]]) {
        let new = state.withLock { state in
            let old = state.listeners[key]?.requests ?? [:]
            state.listeners[key]?.requests = requests
            return Set(requests.keys.filter { old[$0] != requests[$0] })
        }
        greet(new, of: key)
        note()
    }

    fileprivate func cancel(_ key: Int) {
        let listener = state.withLock { state in
            state.cancelled += 1
            return state.listeners.removeValue(forKey: key)
        }
        listener?.continuation.finish()
        note()
    }

    private func note() { happened.set(happened.value + 1) }

    private func greet(_ relays: Set<RelayURL>, of key: Int) {
        for relay in relays.sorted() {
            let (listener, behaviour) = state.withLock { ($0.listeners[key], $0.behaviours[relay] ?? .answers) }
            guard let listener else { return }
            switch behaviour {
            case .answers, .readOnly, .asksWho:
                let found = answer(listener.requests[relay] ?? [], at: relay)
                if !found.isEmpty { listener.continuation.yield(.events(found, from: relay)) }
                listener.continuation.yield(.live(relay))
            case .dead: listener.continuation.yield(.interrupted(relay, .failed(.refused)))
            case .unnamed:
                state.withLock { $0.statistics[relay, default: RelayStatistics()].awaitsPermission = true }
                listener.continuation.yield(.interrupted(relay, .failed(.privateAddress)))
            case .refuses(let reason): listener.continuation.yield(.interrupted(relay, .closed(reason)))
            case .silent, .stuck: break
            }
        }
    }

    /// Notes what relays are asked together, all at once: who counts questions sees all of it or nothing.
    private func begin(_ questions: [Question]) -> [Behaviour] {
        state.withLock { state in
            var behaviours: [Behaviour] = []
            for question in questions {
                state.questions.append(question)
                let behaviour = state.behaviours[question.relay] ?? .answers
                var figures = state.statistics[question.relay] ?? RelayStatistics()
                if behaviour == .dead || behaviour == .unnamed {
                    figures.failures += 1
                    figures.awaitsPermission = behaviour == .unnamed
                    figures.state = .waiting(retryAfter: .seconds(1))
                } else {
                    figures.connects = max(figures.connects, 1)
                    figures.state = .connected
                }
                state.statistics[question.relay] = figures
                behaviours.append(behaviour)
            }
            return behaviours
        }
    }

    /// Newest first, ties by lower id, the limit per filter; words are sought in the content.
    private func answer(_ filters: [Filter], at relay: RelayURL) -> [Event] {
        let events = state.withLock { $0.events[relay] ?? [] }
        var seen: Set<EventID> = []
        let sorted = events.filter { seen.insert($0.id).inserted }
            .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
        var found: Set<EventID> = []
        for filter in filters {
            let matching = sorted.filter { event in
                filter.matches(event)
                    && (filter.search.map { event.content.lowercased().contains($0.lowercased()) } ?? true)
            }
            found.formUnion(matching.prefix(filter.limit ?? .max).map(\.id))
        }
        return sorted.filter { found.contains($0.id) }
    }
}

/// A sleep that ends a span after this call: a test may move the clock before the sleeping itself has begun.
private func alarm<Ticking: Clock<Duration>>(
    after span: Duration, on clock: Ticking
) -> @Sendable () async throws -> Void {
    let end = clock.now.advanced(by: span)
    return { try await clock.sleep(until: end, tolerance: nil) }
}

/// A standing subscription of the script.
private struct ScriptedSubscription: LiveSubscription {
    let updates: AsyncStream<LiveUpdate>
    let key: Int
    let network: ScriptedNetwork

    func change(to requests: [RelayURL: [Filter]]) async { network.change(key, to: requests) }
    func cancel() async { network.cancel(key) }
}
