internal import NostrCore
internal import NostrNIPs
internal import Synchronization

extension LiveSigner {
    /// `connect`: pairs whoever has the secret, greets whoever is paired, refuses the rest.
    ///
    /// Source: NIP-46, "Direct connection initiated by remote-signer".
    func connect(
        _ hand: RequestInHand, _ introduction: RequestedAction.Introduction, _ client: SignerClient?, made: Timestamp
    ) async -> Handled {
        do {
            // Whoever brings no secret needs none opened.
            if introduction.secret != nil { _ = try await openSecret() }
        } catch { return failed(hand, error) }
        let pairing = state.withLock { state -> Pairing in
            let holdsSecret = introduction.secret.map { state.secret.map($0.isSame(as:)) ?? false } ?? false
            if holdsSecret { state.secret = nil }
            if let known = state.clients[hand.app] { return holdsSecret ? .again(known) : .known(known) }
            return holdsSecret ? .new : .stranger
        }
        do {
            switch pairing {
            case .stranger: return await refuse(hand)
            case .new: try await pair(hand, introduction)
            case .known, .again: try await meetAgain(hand.app, introduction, renews: pairing.usedSecret)
            }
        } catch {
            return failed(hand, error)
        }
        let answersAck = state.withLock { $0.clients[hand.app]?.answersAck ?? false }
        let word = answersAck ? "ack" : introduction.secret ?? "ack"
        return await reply(.done(RequestResult(text: word, summary: ""), by: .harmless), to: hand)
    }

    private enum Pairing {
        case new, stranger
        case known(SignerClient), again(SignerClient)

        var usedSecret: Bool {
            switch self {
            case .new, .again: true
            case .known, .stranger: false
            }
        }
    }

    /// The secret is used up: whatever happens now, it lets nobody else in.
    private func pair(_ hand: RequestInHand, _ introduction: RequestedAction.Introduction) async throws {
        try await renewSecret()
        var client = SignerClient(app: hand.app, account: account, connected: now())
        client.claims = introduction.claims
        client.requested = introduction.permissions
        client.grants = state.withLock { state in
            Policy.grantsByTrust(to: client, settings: state.settings, now: client.connected)
        }
        client.answersAck = !introduction.namesSigner
        client.lastSeen = client.connected
        let paired = state.withLock { state in
            // It found us by our relays, and stays there when ours change.
            client.relays = Array(
                Set(state.settings.relays).union(state.progress.relays(of: hand.event)).sorted().prefix(10))
            state.clients[hand.app] = client
            return client
        }
        try await records.save(paired)
        try await noteLine(about: paired, "Paired", method: RemoteMethod.connect.rawValue, at: paired.connected)
        relayChange.yield()
        tell(.clients, .settings, .activity)
    }

    /// A paired app connects again; what it asks for now is kept, its claims are not.
    private func meetAgain(
        _ app: RequestingApp, _ introduction: RequestedAction.Introduction, renews: Bool
    ) async throws {
        if renews {
            try await renewSecret()
            tell(.settings)
        }
        try await noteWishes(introduction.permissions, of: app)
    }

    /// Keeps what a paired app asks to be allowed now; it gets nothing by that.
    func noteWishes(_ permissions: [RemotePermission], of app: RequestingApp) async throws {
        let isNew = state.withLock { state in
            guard let known = state.clients[app] else { return false }
            let more = permissions.filter { !known.requested.contains($0) }
            guard !more.isEmpty, known.requested.count + more.count <= 200 else { return false }
            state.clients[app]?.requested += more
            return true
        }
        if isNew { try await keep(app) }
    }

    // MARK: The secret

    /// The secret that lets the next app in; it rests sealed by the account's own key, and is opened once.
    ///
    /// - Throws: ``SigningFailure`` when the key is not there.
    func openSecret() async throws -> String? {
        let (open, sealed) = state.withLock { ($0.secret, $0.sealedSecret) }
        guard open == nil, let sealed else { return open }
        let secret: String?
        do {
            secret = try await withKey { try await $0.decrypt(sealed, from: $0.publicKey, by: .nip44) }
        } catch is PayloadError {
            secret = nil  // Sealed by nobody we know: it lets nobody in, and a new one takes its place.
        }
        return state.withLock { state in
            // Whoever was faster has it already, or has replaced it.
            guard state.sealedSecret == sealed else { return state.secret }
            state.sealedSecret = nil
            state.secret = secret
            return secret
        }
    }

    /// Makes a new secret and keeps it; the one before lets nobody in any more.
    @discardableResult
    func renewSecret() async throws -> String {
        let fresh = newSecret()
        let sealed = try await withKey { try await $0.encrypt(fresh, for: $0.publicKey, by: .nip44) }
        try await records.setSecret(sealed, of: account)
        state.withLock { state in
            state.secret = fresh
            state.sealedSecret = nil
        }
        return fresh
    }

    /// No secret, or a wrong one.
    private func refuse(_ hand: RequestInHand) async -> Handled {
        guard state.withLock({ $0.mayAnswerStranger(now: now()) }) else { return over(hand.event, .tooMany) }
        return await reply(.refused(RefusalWords.wrongSecret, by: .notPaired), to: hand)
    }

    /// `logout`: answered, then the app is unpaired.
    ///
    /// One made before the app was paired, give or take five minutes, is a replay.
    func logOut(_ hand: RequestInHand, _ client: SignerClient, made: Timestamp) async -> Handled {
        guard made >= client.connected - .seconds(300) else { return over(hand.event, .outOfTime) }
        let farewell = await reply(.done(RequestResult(text: "ack", summary: ""), by: .harmless), to: hand)
        guard case .answer = farewell else { return farewell }
        do { try await unpair(client, "Logged out", by: .harmless) } catch { return failed(hand, error) }
        return farewell
    }

    /// `switch_relays`: our relays for an app that is on none of them, else `null`.
    ///
    /// Some apps stall when they are told to move to where they are.
    func relaysToSwitchTo(_ client: SignerClient, _ hand: RequestInHand) -> String {
        let (own, cameBy) = state.withLock { ($0.settings.relays, $0.progress.relays(of: hand.event)) }
        guard !own.isEmpty, cameBy.union(client.relays).isDisjoint(with: own) else { return "null" }
        return JSONValue.array(own.map { .string($0.text) }).text
    }

    /// An app leaves: what waits for it is gone, its lines stay.
    func unpair(_ client: SignerClient, _ words: String, by rule: Rule = .person) async throws {
        try await records.remove(client.id)
        let gone = state.withLock { state in
            state.clients[client.app] = nil
            state.uses[client.app] = nil
            return state.waiting.leaveAll(of: client.app).compactMap {
                state.callers.removeValue(forKey: $0.kept.event)
            }
        }
        for caller in gone {
            caller.yield(.refused(.notPaired))
            caller.finish()
        }
        try await noteLine(about: client, words, method: RemoteMethod.logout.rawValue, by: rule, at: now())
        relayChange.yield()
        tell(.clients, .waiting, .activity)
    }

    /// Writes a line that belongs to no request.
    func noteLine(
        about client: SignerClient, _ words: String, method: String, by rule: Rule = .person, at time: Timestamp
    ) async throws {
        try await records.note(
            ActivityEntry(
                time: time, account: account, app: client.app, title: client.title, method: method, outcome: .done,
                rule: rule, summary: words))
    }

    /// Keeps an app as it is in memory now, also when it changes meanwhile.
    func keep(_ app: RequestingApp) async throws {
        while let client = state.withLock({ $0.clients[app] }) {
            try await records.save(client)
            guard let later = state.withLock({ $0.clients[app] }), !later.isSame(as: client) else { return }
        }
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

extension String {
    /// Compares in a time that tells nothing about where two texts differ.
    func isSame(as other: String) -> Bool {
        let mine = Array(utf8), theirs = Array(other.utf8)
        guard mine.count == theirs.count else { return false }
        return zip(mine, theirs).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
