internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// One client's connection as a value: what it said and what happened go in, what is to be done comes out.
///
/// Source: NIP-01, NIP-42 (AUTH), NIP-45 (COUNT), NIP-70 (protected events).
struct ConnectionState {
    /// What is to be done, in order.
    enum Action: Hashable {
        /// Say this to the client.
        case send(RelayMessage)
        /// Verify, judge and keep this event, then say what became of it.
        case publish(UnverifiedEvent)
        /// Verify this, then tell ``ConnectionState/authenticate(_:claimed:now:)``.
        case authenticate(UnverifiedEvent)
        /// Judge these filters, read the store, send what it holds, then EOSE.
        case answer(Question)
        /// Judge these filters and count.
        case count(SubscriptionID, [Filter])
        /// Close the connection.
        case disconnect
    }

    /// A question the store has to answer; `generation` tells it from a later one of the same name.
    struct Question: Hashable {
        var id: SubscriptionID
        var filters: [Filter]
        var generation: UInt64
    }

    /// One open subscription.
    struct Subscription {
        var filters: [Filter]
        var generation: UInt64
        /// How long the question was, in bytes.
        var length: Int
        /// How many words are still searched for.
        var searchWords: Int
        /// What came while the stored events are still on their way; `nil` once it is live.
        var held: [Event]? = []
        /// How much memory those take.
        var heldBytes = 0
        /// The newest stored events sent, which may show up once more as changes of the store.
        var sent: Set<EventID> = []
    }

    private(set) var subscriptions: [SubscriptionID: Subscription] = [:]
    private(set) var authenticated: Set<PublicKey> = []
    /// Whether the client is gone, so that nothing it asked is wanted any more.
    private(set) var hasLeft = false
    private var challengeWasSent = false
    private var invalidMessages = 0
    private var nextGeneration: UInt64 = 0
    /// How many words are searched for to count what has them.
    private var countedWords = 0

    private let limits: RelayLimits
    private let challenge: String
    private let addresses: [RelayURL]

    /// How many live events wait for a subscription whose stored events are still on their way.
    private let mostHeld = 512
    /// How many of the newest stored events are remembered per subscription.
    private let mostRemembered = 64

    /// - Parameters:
    ///   - challenge: what this connection's authentication must carry; unpredictable.
    ///   - addresses: where clients know this relay; authentication must name one of them.
    init(limits: RelayLimits, challenge: String, addresses: [RelayURL]) {
        self.limits = limits
        self.challenge = challenge
        self.addresses = addresses
    }

    /// The connection is up.
    mutating func opened(challengeNow: Bool) -> [RelayMessage] {
        challengeNow ? challengeOnce() : []
    }

    /// A message came.
    mutating func received(_ frame: [UInt8], now: Timestamp) -> [Action] {
        guard frame.count <= limits.messageLength else {
            return invalid(frame, "message longer than \(limits.messageLength) bytes")
        }
        let parsing = ParseLimits(bytes: limits.messageLength, tags: limits.eventTags)
        do {
            switch try ClientMessage(json: frame, limits: parsing) {
            case .event(let event): return publish(event, now: now)
            case .req(let id, let filters): return open(id, filters, length: frame.count)
            case .close(let id):
                subscriptions[id] = nil
                return []
            case .auth(let event): return [.authenticate(event)]
            case .count(let id, let filters): return count(id, filters)
            }
        } catch {
            return invalid(frame, Self.words(for: error.problem) + " at byte \(error.offset)")
        }
    }

    /// An authentication event has been verified, or has not.
    mutating func authenticate(
        _ result: Result<Event, EventRejection>, claimed id: EventID, now: Timestamp
    ) -> [RelayMessage] {
        do {
            let event = try result.get()
            try RelayAuthentication.check(event, addresses: addresses, challenge: challenge, now: now)
            authenticated.insert(event.pubkey)
            return [.ok(id, accepted: true, Reason(nil, ""))]
        } catch let rejection as EventRejection {
            return [.ok(id, accepted: false, rejection.reason)]
        } catch {
            let words = (error as? RelayAuthentication.Refusal)?.words ?? "not an authentication"
            return [.ok(id, accepted: false, Reason(.invalid, words))]
        }
    }

    /// A policy refused a question.
    mutating func refused(_ question: Question, _ reason: Reason) -> [RelayMessage] {
        guard subscriptions[question.id]?.generation == question.generation else { return [] }
        subscriptions[question.id] = nil
        return challengeIfAsked(by: reason) + [.closed(question.id, reason)]
    }

    /// Something was refused with this reason; sends the challenge it may ask for.
    mutating func challengeIfAsked(by reason: Reason) -> [RelayMessage] {
        reason.prefix == .authRequired ? challengeOnce() : []
    }

    /// Whether a question is still the newest of its name.
    func isOpen(_ question: Question) -> Bool {
        subscriptions[question.id]?.generation == question.generation
    }

    /// The store has nothing more for a question: its words count no longer, as a search is over with its stored answer.
    ///
    /// - Returns: whether the question is still the newest of its name.
    mutating func searched(_ question: Question) -> Bool {
        guard isOpen(question) else { return false }
        subscriptions[question.id]?.searchWords = 0
        return true
    }

    /// A COUNT has its answer: its words count no longer.
    mutating func counted(_ filters: [Filter]) {
        countedWords -= filters.searchWords
    }

    /// The stored events of a question, newest first, and EOSE have been sent: from now on events go straight through.
    ///
    /// - Returns: what came meanwhile and is still to be sent.
    mutating func finished(_ question: Question, stored: [EventID]) -> [Event] {
        guard isOpen(question), let held = subscriptions[question.id]?.held else { return [] }
        subscriptions[question.id]?.held = nil
        subscriptions[question.id]?.heldBytes = 0
        subscriptions[question.id]?.sent = Set(stored.prefix(mostRemembered))
        guard !held.isEmpty else { return [] }
        let known = Set(stored)
        return held.filter { !known.contains($0.id) }
    }

    /// What one subscription makes of something new.
    enum Delivery: Hashable {
        case send(SubscriptionID)
        /// More came than waits before EOSE; the subscription is over.
        case fellBehind(SubscriptionID)
    }

    /// An event is new in the store, or passes through.
    mutating func happened(_ event: Event) -> [Delivery] {
        var deliveries: [Delivery] = []
        for (id, subscription) in subscriptions where subscription.filters.contains(where: { $0.isLive(event) }) {
            guard let held = subscription.held else {
                if subscriptions[id]?.sent.remove(event.id) == nil { deliveries.append(.send(id)) }
                continue
            }
            if held.count < mostHeld, subscription.heldBytes < limits.answerBytes {
                subscriptions[id]?.held?.append(event)
                subscriptions[id]?.heldBytes += event.roughBytes
            } else {
                subscriptions[id] = nil
                deliveries.append(.fellBehind(id))
            }
        }
        return deliveries
    }

    /// The client is gone: its questions are withdrawn.
    mutating func left() {
        hasLeft = true
        subscriptions = [:]
    }

    /// A subscription's reader is too slow, or events were missed: it is over.
    mutating func drop(_ id: SubscriptionID) {
        subscriptions[id] = nil
    }
}

// What clients say.
extension ConnectionState {
    private mutating func open(_ id: SubscriptionID, _ filters: [Filter], length: Int) -> [Action] {
        if let refusal = refusal(of: filters) {
            subscriptions[id] = nil
            return [.send(.closed(id, refusal))]
        }
        guard subscriptions[id] != nil || subscriptions.count < limits.subscriptions else {
            return [.send(.closed(id, Reason(.rateLimited, "at most \(limits.subscriptions) subscriptions")))]
        }
        let others = subscriptions.reduce(0) { $0 + ($1.key == id ? 0 : $1.value.length) }
        guard others + length <= limits.questionBytes else {
            subscriptions[id] = nil
            return [.send(.closed(id, Reason(.rateLimited, "at most \(limits.questionBytes) bytes of questions")))]
        }
        let words = filters.searchWords
        let searched = subscriptions.reduce(countedWords) { $0 + ($1.key == id ? 0 : $1.value.searchWords) }
        guard words == 0 || searched + words <= limits.searchWords else {
            subscriptions[id] = nil
            return [.send(.closed(id, tooManyWords))]
        }
        nextGeneration += 1
        let question = Question(id: id, filters: filters.map(limited), generation: nextGeneration)
        subscriptions[id] = Subscription(
            filters: filters, generation: nextGeneration, length: length, searchWords: words)
        return [.answer(question)]
    }

    private mutating func count(_ id: SubscriptionID, _ filters: [Filter]) -> [Action] {
        if let refusal = refusal(of: filters) { return [.send(.closed(id, refusal))] }
        let words = filters.searchWords
        let searched = subscriptions.values.reduce(countedWords) { $0 + $1.searchWords }
        guard words == 0 || searched + words <= limits.searchWords else { return [.send(.closed(id, tooManyWords))] }
        countedWords += words
        return [.count(id, filters)]
    }

    private var tooManyWords: Reason {
        Reason(.rateLimited, "at most \(limits.searchWords) words searched for at a time")
    }

    private func refusal(of filters: [Filter]) -> Reason? {
        if filters.isEmpty { return Reason(.invalid, "a question needs a filter") }
        if filters.count > limits.filters { return Reason(.invalid, "at most \(limits.filters) filters") }
        if filters.reduce(0, { $0 + $1.listedValues }) > limits.listedValues {
            return Reason(.invalid, "at most \(limits.listedValues) values in the lists of a question")
        }
        if filters.searchWords > limits.searchWords {
            return Reason(.invalid, "at most \(limits.searchWords) words to search for in a question")
        }
        return nil
    }

    private func limited(_ filter: Filter) -> Filter {
        var filter = filter
        filter.limit = min(max(0, filter.limit ?? max(limits.defaultLimit, filter.ids?.count ?? 0)), limits.limit)
        return filter
    }

    private mutating func publish(_ event: UnverifiedEvent, now: Timestamp) -> [Action] {
        guard let reason = refusal(of: event, now: now) else { return [.publish(event)] }
        return (challengeIfAsked(by: reason) + [.ok(event.id, accepted: false, reason)]).map(Action.send)
    }

    private func refusal(of event: UnverifiedEvent, now: Timestamp) -> Reason? {
        if event.kind == RelayAuthentication.kind { return Reason(.invalid, "authentication events are not published") }
        if event.createdAt > now + limits.future { return Reason(.invalid, "created_at is too far in the future") }
        if let past = limits.past, event.createdAt < now - past { return Reason(.invalid, "created_at is too old") }
        if event.content.utf8.count > limits.contentLength,
            event.content.unicodeScalars.count > limits.contentLength
        {
            return Reason(.invalid, "content longer than \(limits.contentLength) characters")
        }
        if event.tags.isProtected, !authenticated.contains(event.pubkey) {
            return Reason(.authRequired, "this event may only be published by its author")
        }
        return nil
    }

    private mutating func challengeOnce() -> [RelayMessage] {
        guard !challengeWasSent else { return [] }
        challengeWasSent = true
        return [.auth(challenge: challenge)]
    }

    private mutating func invalid(_ frame: [UInt8], _ words: String) -> [Action] {
        invalidMessages += 1
        let reason = Reason(.invalid, words)
        var answer = RelayMessage.notice(reason.description)
        if let id = eventID(inBroken: frame) {
            answer = .ok(id, accepted: false, reason)
        } else if let id = subscriptionID(inBroken: frame) {
            subscriptions[id] = nil
            answer = .closed(id, reason)
        }
        return [.send(answer)] + (invalidMessages > limits.invalidMessages ? [.disconnect] : [])
    }
}

extension [Filter] {
    /// How many words they search for, all together.
    fileprivate var searchWords: Int { reduce(0) { $0 + $1.searchWords } }
}

extension Filter {
    /// How many values its lists hold.
    fileprivate var listedValues: Int {
        tags.values.reduce((ids?.count ?? 0) + (authors?.count ?? 0) + (kinds?.count ?? 0)) { $0 + $1.count }
    }

    /// How many words it searches for; of very many in one filter the store takes the first ones.
    fileprivate var searchWords: Int { search.map { SearchTerms($0).count } ?? 0 }

    /// Whether an event that just came belongs to this filter; a search is over with its stored answer.
    fileprivate func isLive(_ event: Event) -> Bool {
        search == nil && matches(event)
    }
}
