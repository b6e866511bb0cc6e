internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

// Apps, pairing, settings, relays and the log, as screens and commands see them.
extension LiveSigner: SigningService {
    /// Reads what is kept, or says that it cannot.
    func ready() async throws {
        guard await load() else { throw SigningServiceError(.recordsUnreadable) }
    }

    /// Turns what the disk and the key say into codes for the person.
    func keeping<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as SigningServiceError {
            throw error
        } catch SigningFailure.locked {
            throw SigningServiceError(.locked)
        } catch is SigningFailure {
            throw SigningServiceError(.keyUnusable)
        } catch {
            logger.error("the signer's records could not be changed", metadata: ["problem": "\(error)"])
            throw SigningServiceError(.recordsUnusable)
        }
    }

    /// All apps, the one seen last first.
    public func clients() async throws -> [SignerClient] {
        try await ready()
        return state.clients.values.sorted {
            ($1.lastSeen ?? $1.connected, $0.app.text) < ($0.lastSeen ?? $0.connected, $1.app.text)
        }
    }

    /// One app.
    public func client(_ app: RequestingApp) async throws -> SignerClient? {
        try await ready()
        return state.clients[app]
    }

    /// Changes what its owner says of an app: name, trust, grants, limits.
    ///
    /// What it was given when it was paired goes with the trust it had then, when that becomes less.
    public func update(_ client: SignerClient) async throws { try await update(client, typed: nil) }

    /// The same with the passphrase that was typed.
    func update(_ client: SignerClient, typed: TypedPassphrase?) async throws {
        try await ready()
        if state.settings.needPassphrase(toChange: state.clients[client.app], into: client) {
            try await confirm(typed)
        }
        guard let before = state.clients[client.app] else { throw SigningServiceError(.unknownApp) }
        var after = client
        after.requests = before.requests
        after.lastSeen = before.lastSeen
        after.claims = before.claims
        after.readsLongForm = before.readsLongForm
        if after.trust < before.trust { after.forgetGrants(ofPairing: before) }
        state.clients[client.app] = after
        try await keeping {
            try await keep(client.app)
            guard before.trust != client.trust else { return }
            try await noteLine(
                about: client, .trustChanged(from: before.trust, to: client.trust),
                method: "trust", at: environment.time.now())
        }
        if before.relays != client.relays { relayChanges.continuation.yield() }
        announce(.clients, .activity)
        jobs.continuation.yield(.reconsider)
    }

    /// Unpairs an app; it may not do anything any more.
    public func revoke(_ app: RequestingApp) async throws {
        try await ready()
        guard let client = state.clients[app] else { throw SigningServiceError(.unknownApp) }
        try await keeping { try await unpair(client, .unpaired) }
    }

    /// An app leaves: what waits for it is gone, its lines stay.
    func unpair(_ client: SignerClient, _ fact: ActivityFact, by rule: Rule = .person) async throws {
        // Gone here first: what the app asks meanwhile must not write it down again.
        state.clients[client.app] = nil
        state.uses[client.app] = nil
        do { try await records.remove(client.id) } catch {
            state.clients[client.app] = client
            throw error
        }
        for pending in state.pending.removeAll(of: client.app) {
            state.signals.append(.answered(pending.kept.event, .refused(.notPaired)))
        }
        flushSignals()
        try await noteLine(
            about: client, fact, method: RemoteMethod.logout.rawValue, by: rule, at: environment.time.now())
        relayChanges.continuation.yield()
        announce(.clients, .waiting, .activity)
    }

    /// Writes a line that belongs to no request.
    func noteLine(
        about client: SignerClient, _ fact: ActivityFact, method: String, by rule: Rule = .person, at time: Timestamp
    ) async throws {
        try await records.note(
            ActivityEntry(
                time: time, account: account, app: client.app, title: client.title, method: method, outcome: .done,
                rule: rule, fact: fact))
    }

    /// Keeps an app as it is in memory now, also when it changes meanwhile.
    func keep(_ app: RequestingApp) async throws {
        while let client = state.clients[app] {
            try await records.save(client)
            guard let later = state.clients[app], !later.isSame(as: client) else { return }
        }
    }

    // MARK: All apps

    /// What holds for all apps.
    public func settings() async throws -> SignerSettings {
        try await ready()
        return state.settings
    }

    /// Changes that.
    public func setSettings(_ settings: SignerSettings) async throws { try await setSettings(settings, typed: nil) }

    /// The same with the passphrase that was typed.
    func setSettings(_ settings: SignerSettings, typed: TypedPassphrase?) async throws {
        try await ready()
        if settings.asksForPassphrase, !state.settings.asksForPassphrase { try await demandPassphrase() }
        if state.settings.needPassphrase(toBecome: settings) { try await confirm(typed) }
        var settings = settings
        var seen: Set<RelayURL> = []
        settings.relays = settings.relays.filter { seen.insert($0).inserted }
        try await keeping { [settings] in try await records.save(settings, of: account) }
        let before = state.settings
        state.settings = settings
        if before.relays != settings.relays { relayChanges.continuation.yield() }
        announce(.settings, .relays)
        jobs.continuation.yield(.reconsider)
    }

    /// How each relay that requests come by is doing.
    public func relays() async throws -> [SignerRelayReport] {
        try await ready()
        let known = await environment.network.statistics()
        var reports: [SignerRelayReport] = []
        for relay in state.listeningRelays.sorted() {
            let sent = await sender.figures(of: relay)
            let figures = listening[relay] ?? ListeningFigures()
            reports.append(
                SignerRelayReport(
                    relay: relay, state: figures.condition(lastProblem: known[relay]?.lastProblem),
                    isOwn: state.settings.relays.contains(relay),
                    apps: state.clients.values.filter { $0.relays.contains(relay) }.map(\.app)
                        .sorted { $0.text < $1.text },
                    lastRequest: figures.lastRequest, requests: figures.requests, answersTaken: sent.taken,
                    answersRefused: sent.refused))
        }
        return reports
    }

    /// Lines of the log, newest first.
    public func activity(_ query: ActivityQuery) async throws -> [ActivityEntry] {
        try await ready()
        return try await keeping { try await records.activity(of: account, query) }
    }
}

extension ListeningFigures {
    func condition(lastProblem: RelayProblem?) -> SignerRelayReport.State {
        if isLive { return .listening }
        if let problem { return .failing(.ended(problem)) }
        return lastProblem.map { .failing(.unreachable($0)) } ?? .connecting
    }
}

extension SignerClient {
    /// Whether nothing but its counters differs.
    fileprivate func isSame(as other: SignerClient) -> Bool {
        var other = other
        other.lastSeen = lastSeen
        other.requests = requests
        return self == other
    }
}
