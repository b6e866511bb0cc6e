internal import Logging
internal import NostrCore
public import NostrNIPs
internal import NostrRelay
internal import Synchronization

// Apps, settings, relays and the log, as screens and commands see them.
extension LiveSigner: SigningService {
    /// Reads what is kept, or says that it cannot.
    func ready() async throws {
        guard await load() else { throw SigningServiceError(.unusable, "The signer's records cannot be read.") }
    }

    /// Turns what the disk and the key say into words for the person.
    func keeping<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as SigningServiceError {
            throw error
        } catch SigningFailure.locked {
            throw SigningServiceError(.locked, "Unlock the account first.")
        } catch is SigningFailure {
            throw SigningServiceError(.unusable, "The account's key cannot be used now.")
        } catch {
            logger.error("the signer's records could not be changed", metadata: ["problem": "\(error)"])
            throw SigningServiceError(.unusable, "The signer's records cannot be changed now.")
        }
    }

    /// All apps, the one seen last first.
    public func clients() async throws -> [SignerClient] {
        try await ready()
        return state.withLock { Array($0.clients.values) }.sorted {
            ($1.lastSeen ?? $1.connected, $0.app.text) < ($0.lastSeen ?? $0.connected, $1.app.text)
        }
    }

    /// One app.
    public func client(_ app: RequestingApp) async throws -> SignerClient? {
        try await ready()
        return state.withLock { $0.clients[app] }
    }

    /// Changes what its owner says of an app: name, trust, grants, limits.
    ///
    /// What it was given when it was paired goes with the trust it had then, when that becomes less.
    public func update(_ client: SignerClient) async throws {
        try await ready()
        let before = state.withLock { state -> SignerClient? in
            guard let before = state.clients[client.app] else { return nil }
            var after = client
            after.requests = before.requests
            after.lastSeen = before.lastSeen
            after.claims = before.claims
            if after.trust < before.trust { after.forgetGrants(ofPairing: before) }
            state.clients[client.app] = after
            return before
        }
        guard let before else { throw SigningServiceError(.unknownApp, "This app is not paired.") }
        try await keeping { try await keep(client.app) }
        if before.trust != client.trust {
            try await keeping {
                try await noteLine(
                    about: client, "Trust changed from \(before.trust.rawValue) to \(client.trust.rawValue)",
                    method: "trust", at: now())
            }
        }
        if before.relays != client.relays { relayChange.yield() }
        tell(.clients, .activity)
        job.yield(.reconsider)
    }

    /// Unpairs an app; it may not do anything any more.
    public func revoke(_ app: RequestingApp) async throws {
        try await ready()
        guard let client = state.withLock({ $0.clients[app] }) else {
            throw SigningServiceError(.unknownApp, "This app is not paired.")
        }
        try await keeping { try await unpair(client, "Unpaired") }
    }

    // MARK: Invitations

    /// The token that lets the next app in.
    public func invitation() async throws -> BunkerURI {
        try await ready()
        let relays = state.withLock { $0.settings.relays }
        guard !relays.isEmpty else {
            throw SigningServiceError(.noRelays, "Name a relay where apps can reach the signer first.")
        }
        let secret = try await keeping { try await openSecret() }
        if let secret { return BunkerURI(signer: account, relays: relays, secret: secret) }
        return try await renewInvitation()
    }

    /// Makes a new one; the one before lets nobody in any more.
    public func renewInvitation() async throws -> BunkerURI {
        try await ready()
        let relays = state.withLock { $0.settings.relays }
        guard !relays.isEmpty else {
            throw SigningServiceError(.noRelays, "Name a relay where apps can reach the signer first.")
        }
        let secret = try await keeping { try await renewSecret() }
        tell(.settings)
        return BunkerURI(signer: account, relays: relays, secret: secret)
    }

    // MARK: All apps

    /// What holds for all apps.
    public func settings() async throws -> SignerSettings {
        try await ready()
        return state.withLock { $0.settings }
    }

    /// Changes that.
    public func setSettings(_ settings: SignerSettings) async throws {
        try await ready()
        var settings = settings
        var seen: Set<RelayURL> = []
        settings.relays = settings.relays.filter { seen.insert($0).inserted }
        try await keeping { try await records.save(settings, of: account) }
        let before = state.withLock { state in
            defer { state.settings = settings }
            return state.settings
        }
        if before.relays != settings.relays { relayChange.yield() }
        tell(.settings, .relays)
        job.yield(.reconsider)
    }

    /// How each relay that requests come by is doing.
    public func relays() async throws -> [SignerRelayReport] {
        try await ready()
        let known = await network.statistics()
        return state.withLock { state in
            state.listeningRelays.sorted().map { relay in
                let figures = state.relays[relay] ?? SignerState.RelayFigures()
                let condition: SignerRelayReport.State =
                    if figures.isLive {
                        .listening
                    } else if let problem = figures.problem ?? known[relay]?.lastProblem {
                        .failing(problem)
                    } else {
                        .connecting
                    }
                return SignerRelayReport(
                    relay: relay, state: condition, isOwn: state.settings.relays.contains(relay),
                    apps: state.clients.values.filter { $0.relays.contains(relay) }.map(\.app)
                        .sorted { $0.text < $1.text },
                    lastRequest: figures.lastRequest, requests: figures.requests, answersTaken: figures.taken,
                    answersRefused: figures.refused)
            }
        }
    }

    // MARK: Log

    /// Lines of the log, newest first.
    public func activity(_ query: ActivityQuery) async throws -> [ActivityEntry] {
        try await ready()
        return try await keeping { try await records.activity(of: account, query) }
    }
}
