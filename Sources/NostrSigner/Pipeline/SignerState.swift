internal import NostrCore
internal import NostrNIPs

/// What a signer holds in memory while requests go through its steps; its records outlive it.
struct SignerState: Sendable {
    var clients: [RequestingApp: SignerClient] = [:]
    var settings = SignerSettings()
    /// The secret that lets the next app in, once it was opened.
    var secret: InvitationSecret?
    /// The same as it rests, by NIP-44 from the account to itself; `nil` when there is none, or when it is open.
    var sealedSecret: String?
    var uses: [RequestingApp: HourUses] = [:]
    var progress = RequestProgress()
    var pending = PendingRequestList()
    /// Requests of strangers that came while the key was locked.
    var lockedStrangers: [VerifiedRequest] = []
    /// When strangers were answered, so that they are not answered without end.
    var strangersAnswered: [Timestamp] = []
    /// Whether the disk or the key failed on a request that was admitted.
    var hasUnfinished = false
    /// What is to be told to others; the driver takes it after every step.
    var signals: [SignerSignal] = []

    /// Where requests may come by: the signer's own relays and those of every app.
    var listeningRelays: Set<RelayURL> {
        clients.values.reduce(into: Set(settings.relays)) { $0.formUnion($1.relays) }
    }

    /// An answer to where its app listens: the relays its request came by, those it uses, and our own.
    func outgoing(_ content: String, to client: PublicKey, about request: EventID) -> OutgoingAnswer {
        let relays = progress.relays(of: request).union(clients[.remote(client)]?.relays ?? [])
        return OutgoingAnswer(
            request: request, client: client, content: content, relays: relays.union(settings.relays).sorted())
    }

    /// `switch_relays`: our relays for an app that is on none of them, else `null`.
    ///
    /// Some apps stall when they are told to move to where they are.
    func relaysToSwitchTo(_ client: SignerClient, _ request: EventID) -> String {
        let own = settings.relays
        guard !own.isEmpty, progress.relays(of: request).union(client.relays).isDisjoint(with: own) else {
            return "null"
        }
        return JSONValue.array(own.map { .string($0.text) }).text
    }

    /// What an app is called; its key or where its answers go when it is not paired.
    func title(of app: RequestingApp) -> String { clients[app]?.title ?? app.text }

    /// What the app of a request is called; what it says of itself when it is not paired.
    func title(of request: IdentifiedRequest) -> String {
        clients[request.app]?.title ?? request.stranger.title
    }

    /// What decides about an app's requests now.
    func policy(for app: RequestingApp, now: Timestamp, minute: Int) -> Policy {
        Policy(
            settings: settings, client: clients[app], uses: uses[app] ?? HourUses(), now: now, minute: minute,
            siteRefusals: app.site.flatMap { clients[$0]?.grants } ?? [])
    }

    /// Decides, and counts what is done at once.
    mutating func decide(
        _ permission: RemotePermission, for audience: Audience?, of app: RequestingApp, now: Timestamp, minute: Int
    ) -> Decision {
        // In place: what an app did within the hour is not copied for every request.
        uses[app, default: HourUses()].forget(before: now - .seconds(3600))
        let decision = policy(for: app, now: now, minute: minute).decide(permission, for: audience)
        if case .allow = decision { uses[app]?.note(permission, at: now) }
        return decision
    }

    /// Counts a use the person allowed.
    mutating func note(_ permission: RemotePermission, of app: RequestingApp, now: Timestamp) {
        uses[app, default: HourUses()].note(permission, at: now)
    }

    /// Notes what a paired app asks to be allowed now, which gives it nothing; whether it is more than before.
    mutating func noteWishes(_ permissions: [RemotePermission], of app: RequestingApp) -> Bool {
        guard let known = clients[app] else { return false }
        let more = permissions.filter { !known.requested.contains($0) }
        guard !more.isEmpty, known.requested.count + more.count <= 200 else { return false }
        clients[app]?.requested += more
        return true
    }

    /// A paired app turned out to read NIP-44's long form, which is kept.
    mutating func noteLongForm(of app: RequestingApp) {
        clients[app]?.readsLongForm = true
        signals.append(.keep(app))
    }

    /// Lists a request that waited when the program ended; it is read as soon as the key is there.
    mutating func restore(_ kept: KeptRequest) {
        _ = progress.begin(kept.request.event, cameBy: kept.request.relay)
        progress.set(kept.request.event, .waiting)
        pending.insert(PendingRequest(kept: kept.request, request: nil, rule: kept.rule ?? .trust))
    }

    /// Whether a stranger may be answered now: at most 30 a minute in all.
    mutating func mayAnswerStranger(now: Timestamp) -> Bool {
        strangersAnswered.removeAll { $0 <= now - .seconds(60) }
        guard strangersAnswered.count < 30 else { return false }
        strangersAnswered.append(now)
        return true
    }

    /// Lets a request come again that could not be kept, and asks for another look at what was admitted.
    mutating func fail(_ event: EventID, _ error: any Error) {
        progress.forget(event)
        hasUnfinished = true
        if !(error is CancellationError) { signals.append(.trouble("\(error)")) }
    }

    /// Has screens read again what they show.
    mutating func announce(_ changes: SigningChange...) {
        signals += changes.map { .changed($0) }
    }
}
