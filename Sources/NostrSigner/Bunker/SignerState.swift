internal import NostrCore
internal import NostrNIPs

/// What a signer holds in memory; its records are the durable copy.
struct SignerState {
    var isLoaded = false
    var clients: [RequestingApp: SignerClient] = [:]
    var settings = SignerSettings()
    /// The secret that lets the next app in, once it was opened.
    var secret: String?
    /// The same as it rests, by NIP-44 from the account to itself; `nil` when there is none, or when it is open.
    var sealedSecret: String?
    var uses: [RequestingApp: HourUses] = [:]
    var progress = RequestProgress()
    var waiting = WaitingRoom()
    var relays: [RelayURL: RelayFigures] = [:]
    /// Requests of strangers that came while the key was locked.
    var lockedStrangers: [VerifiedRequest] = []
    /// When strangers were answered, for not answering them without end.
    var strangersAnswered: [Timestamp] = []
    /// What a crash left admitted and unanswered, until it is worked through.
    var leftUndone: [AdmittedRequest] = []
    /// Whether the disk or the key failed on a request that was admitted.
    var hasUnfinished = false
    /// Callers of links that wait for the answer.
    var callers: [EventID: AsyncStream<DirectAnswer>.Continuation] = [:]
    var watchers: [Int: AsyncStream<SigningChange>.Continuation] = [:]
    var nextWatcher = 0

    /// How one relay did since the start.
    struct RelayFigures {
        var isLive = false
        var problem: String?
        var lastRequest: Timestamp?
        var requests = 0
        var taken = 0
        var refused = 0
        var inFlight = 0
    }

    /// Where requests may come by: the signer's own relays and those of every app.
    var listeningRelays: Set<RelayURL> {
        clients.values.reduce(into: Set(settings.relays)) { $0.formUnion($1.relays) }
    }

    /// Where the answer to an app goes: the relays its request came by, those it uses, and our own.
    func answerRelays(of app: RequestingApp, cameBy relays: Set<RelayURL>) -> [RelayURL] {
        relays.union(clients[app]?.relays ?? []).union(settings.relays).sorted()
    }

    /// Decides, and counts what is done at once.
    mutating func decide(
        _ permission: RemotePermission, of app: RequestingApp, now: Timestamp, minute: Int
    ) -> Decision {
        // In place: what an app did within the hour is not copied for every request.
        uses[app, default: HourUses()].forget(before: now - .seconds(3600))
        let decision = Policy(
            settings: settings, client: clients[app], uses: uses[app] ?? HourUses(), now: now, minute: minute
        ).decide(permission)
        if case .allow = decision { uses[app]?.note(permission, at: now) }
        return decision
    }

    /// Counts a use the person allowed.
    mutating func note(_ permission: RemotePermission, of app: RequestingApp, now: Timestamp) {
        uses[app, default: HourUses()].note(permission, at: now)
    }

    /// Seats what waited when the program ended; it is read as soon as the key is there.
    mutating func seat(_ kept: KeptRequest) {
        _ = progress.begin(kept.request.event, cameBy: kept.request.relay)
        progress.set(kept.request.event, .waiting)
        waiting.seat(WaitingRoom.Guest(kept: kept.request, hand: nil, rule: kept.rule ?? .trust))
    }

    /// Whether a stranger may be answered now: at most 30 a minute in all.
    mutating func mayAnswerStranger(now: Timestamp) -> Bool {
        strangersAnswered.removeAll { $0 <= now - .seconds(60) }
        guard strangersAnswered.count < 30 else { return false }
        strangersAnswered.append(now)
        return true
    }
}

/// How far the requests of late are, by their events; so that copies cost nothing.
struct RequestProgress {
    enum Phase: Hashable {
        case underWay
        case waiting
        /// Answered; with the content when no relay took it after all tries.
        case answered(undelivered: String?)
        /// Not to be answered.
        case over
    }

    struct Entry {
        var phase: Phase
        var relays: Set<RelayURL>
    }

    private var entries: [EventID: Entry] = [:]
    private var order: [EventID] = []
    private var head = 0
    /// When answers were last sent, by the ends of their contents.
    private var sent: [String: Timestamp] = [:]
    private static let capacity = 16_384
    private static let answersRemembered = 4096

    /// Takes a request in; `nil` when it is new.
    mutating func begin(_ id: EventID, cameBy relay: RelayURL?) -> Entry? {
        if var known = entries[id] {
            if let relay, known.relays.count < 16 { known.relays.insert(relay) }
            entries[id] = known
            return known
        }
        entries[id] = Entry(phase: .underWay, relays: relay.map { [$0] } ?? [])
        order.append(id)
        if order.count - head > Self.capacity {
            entries[order[head]] = nil
            head += 1
            if head > 4096 {
                order.removeFirst(head)
                head = 0
            }
        }
        return nil
    }

    /// The relays a request came by.
    func relays(of id: EventID) -> Set<RelayURL> { entries[id]?.relays ?? [] }

    mutating func set(_ id: EventID, _ phase: Phase) { entries[id]?.phase = phase }

    /// A relay took the answer.
    mutating func didDeliver(_ id: EventID) {
        if case .answered? = entries[id]?.phase { entries[id]?.phase = .answered(undelivered: nil) }
    }

    /// The moment for the next event that carries an answer: later than the last one's, so that no relay takes it for
    /// the same event.
    mutating func answerMoment(_ content: String, now: Timestamp) -> Timestamp {
        // The end of a payload is as good as random, whatever the cipher.
        let key = String(content.suffix(48))
        let moment = max(now, sent[key].map { $0 + .seconds(1) } ?? now)
        if sent.count >= Self.answersRemembered { sent.removeAll(keepingCapacity: true) }
        sent[key] = moment
        return moment
    }

    /// How far a request is.
    func phase(of id: EventID) -> Phase? { entries[id]?.phase }

    /// Lets a request come again.
    mutating func forget(_ id: EventID) { entries[id] = nil }
}
