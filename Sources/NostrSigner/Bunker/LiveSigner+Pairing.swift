internal import AsyncPrimitives
internal import NostrCore
public import NostrNIPs

// The two ways in: the signer's token with its secret, and an app's own token.
extension LiveSigner {
    /// The token that lets the next app in.
    public func invitation() async throws -> SignerInvitation {
        try await ready()
        let relays = try ownRelays()
        let secret = try await keeping { try await openSecret() }
        if let secret { return invitation(by: secret, at: relays) }
        return try await renewInvitation(trust: .medium)
    }

    /// Makes a new one; the one before lets no app in any more.
    public func renewInvitation(trust: TrustLevel) async throws -> SignerInvitation {
        try await renewInvitation(trust: trust, typed: nil)
    }

    /// The same with the passphrase that was typed.
    func renewInvitation(trust: TrustLevel, typed: TypedPassphrase?) async throws -> SignerInvitation {
        try await ready()
        if trust == .full, state.settings.asksForPassphrase { try await confirm(typed) }
        let relays = try ownRelays()
        let secret = try await keeping { try await renewSecret(trust: trust) }
        announce(.settings)
        return invitation(by: secret, at: relays)
    }

    private func invitation(by secret: InvitationSecret, at relays: [RelayURL]) -> SignerInvitation {
        SignerInvitation(uri: BunkerURI(signer: account, relays: relays, secret: secret.text), trust: secret.trust)
    }

    private func ownRelays() throws -> [RelayURL] {
        guard !state.settings.relays.isEmpty else { throw SigningServiceError(.noRelays) }
        return state.settings.relays
    }

    /// The secret that lets the next app in; it rests sealed by the account's own key, and is opened once.
    ///
    /// - Throws: ``SigningFailure`` when the key is not there.
    func openSecret() async throws -> InvitationSecret? {
        guard state.secret == nil, let sealed = state.sealedSecret else { return state.secret }
        let secret: InvitationSecret?
        do {
            let text = try await environment.key.use { try await $0.decrypt(sealed, from: $0.publicKey, by: .nip44) }
            secret = InvitationSecret(resting: text)
        } catch is PayloadError {
            secret = nil  // Sealed by another key: it lets no app in, and a new one takes its place.
        }
        // Another task may have opened it already, or replaced it.
        guard state.sealedSecret == sealed else { return state.secret }
        state.sealedSecret = nil
        state.secret = secret
        return secret
    }

    /// Makes a new secret and keeps it; the one before lets no app in any more.
    func renewSecret(trust: TrustLevel) async throws -> InvitationSecret {
        let fresh = InvitationSecret(newSecret(), trust: trust)
        let sealed = try await environment.key.use { [resting = fresh.resting] in
            try await $0.encrypt(resting, for: $0.publicKey, by: .nip44)
        }
        try await records.setSecret(sealed, of: account)
        state.secret = fresh
        state.sealedSecret = nil
        return fresh
    }

    // MARK: An app's token

    /// Pairs with the app that made a token, and answers it until it is heard of or the deadline.
    public func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) async throws -> AppPairing {
        try await accept(token, name: name, trust: trust, grants: grants, typed: nil)
    }

    /// The same with the passphrase that was typed.
    func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant], typed: TypedPassphrase?
    ) async throws -> AppPairing {
        try await ready()
        guard !token.relays.isEmpty else { throw SigningServiceError(.noRelaysInToken) }
        let app = RequestingApp.remote(token.client)
        let wanted = client(of: token, name: name, trust: trust, grants: grants)
        if state.settings.needPassphrase(toChange: state.clients[app], into: wanted) { try await confirm(typed) }
        // What is known of it may have changed while the passphrase was checked.
        let client = client(of: token, name: name, trust: trust, grants: grants)
        let begun = client.connected
        state.clients[app] = client
        try await keeping {
            try await keep(app)
            try await noteLine(about: client, .paired, method: RemoteMethod.connect.rawValue, at: begun)
        }
        relayChanges.continuation.yield()
        announce(.clients, .relays, .activity)
        return await shakeHands(TokenHandshake(token, begun: begun), client)
    }

    /// The app that made a token, as it is to be paired now.
    private func client(
        of token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) -> SignerClient {
        let (app, now) = (RequestingApp.remote(token.client), environment.time.now())
        var client = state.clients[app] ?? SignerClient(app: app, account: account, connected: now)
        if client.claims.isEmpty { client.claims = token.metadata }
        if let name, !name.isEmpty { client.name = name }
        client.trust = trust
        for grant in grants { client.choose(grant) }
        client.requested += token.permissions.filter { !client.requested.contains($0) }
        client.relays += token.relays.filter { !client.relays.contains($0) }
        client.connected = now
        client.lastSeen = nil
        return client
    }

    private func shakeHands(_ handshake: TokenHandshake, _ client: SignerClient) async -> AppPairing {
        var handshake = handshake
        var told: Set<RelayURL> = []
        for wait in environment.configuration.pauses.handshakes {
            told.formUnion(await sender.greet(&handshake, id: newSecret()))
            if isHeardOf(handshake) { break }
            // Cancelled: the person has left the page; the rest goes on behind it.
            guard (try? await environment.time.clock.sleep(for: wait)) != nil else { break }
            if isHeardOf(handshake) { break }
        }
        let isHeardOf = isHeardOf(handshake)
        if !isHeardOf { jobs.continuation.yield(.handshake(handshake)) }
        return AppPairing(client: state.clients[client.app] ?? client, told: told.sorted(), isHeardOf: isHeardOf)
    }

    /// Answers a token for some minutes more: its app may have slept.
    func goOn(with handshake: TokenHandshake) async {
        var handshake = handshake
        for wait in environment.configuration.pauses.lateHandshakes {
            guard (try? await environment.time.clock.sleep(for: wait)) != nil, !isHeardOf(handshake) else { return }
            _ = await sender.greet(&handshake, id: newSecret())
        }
    }

    private func isHeardOf(_ handshake: TokenHandshake) -> Bool {
        // Unpaired meanwhile counts too: there is nobody to greet.
        guard let client = state.clients[.remote(handshake.client)] else { return true }
        return client.lastSeen != nil
    }
}
