internal import NostrCore
public import NostrNIPs
internal import Synchronization

/// The answer to an app's token, until the app is heard of.
///
/// Source: NIP-46, "Direct connection initiated by the client".
struct Handshake: Sendable {
    let client: PublicKey
    let secret: String
    let relays: [RelayURL]
    /// When the first answer went out.
    let begun: Timestamp
    /// The moment of the last one's event.
    var last: Timestamp
}

extension LiveSigner {
    /// Pairs with the app that made a token, and answers it until it is heard of or the deadline.
    public func accept(
        _ token: NostrConnectURI, name: String?, trust: TrustLevel, grants: [Grant]
    ) async throws -> PairingOutcome {
        try await ready()
        guard !token.relays.isEmpty else { throw SigningServiceError(.noRelays, "The token names no relay.") }
        let app = RequestingApp.remote(token.client)
        let begun = now()
        let client = state.withLock { state -> SignerClient in
            var client = state.clients[app] ?? SignerClient(app: app, account: account, connected: begun)
            if client.claims.isEmpty { client.claims = token.metadata }
            if let name, !name.isEmpty { client.name = name }
            client.trust = trust
            for grant in grants { client.choose(grant) }
            client.requested += token.permissions.filter { !client.requested.contains($0) }
            client.relays += token.relays.filter { !client.relays.contains($0) }
            client.connected = begun
            client.lastSeen = nil
            state.clients[app] = client
            return client
        }
        try await keeping {
            try await keep(app)
            try await noteLine(about: client, "Paired", method: RemoteMethod.connect.rawValue, at: begun)
        }
        relayChange.yield()
        tell(.clients, .relays, .activity)
        var handshake = Handshake(
            client: token.client, secret: token.secret, relays: token.relays, begun: begun, last: begun - .seconds(1))
        return await shake(&handshake, client)
    }

    private func shake(_ handshake: inout Handshake, _ client: SignerClient) async -> PairingOutcome {
        var told: Set<RelayURL> = []
        for wait in configuration.handshakes {
            told.formUnion(await greet(&handshake))
            if isHeardOf(handshake) { break }
            // Cancelled: the person has left the page; the rest goes on behind it.
            guard (try? await clock.sleep(for: wait)) != nil else { break }
            if isHeardOf(handshake) { break }
        }
        let isHeardOf = isHeardOf(handshake)
        if !isHeardOf { job.yield(.handshake(handshake)) }
        let known = state.withLock { $0.clients[client.app] } ?? client
        return PairingOutcome(client: known, told: told.sorted(), isHeardOf: isHeardOf)
    }

    /// Answers a token for some minutes more: its app may have slept.
    func goOn(with handshake: Handshake) async {
        var handshake = handshake
        for wait in configuration.lateHandshakes {
            guard (try? await clock.sleep(for: wait)) != nil, !isHeardOf(handshake) else { return }
            _ = await greet(&handshake)
        }
    }

    private func isHeardOf(_ handshake: Handshake) -> Bool {
        state.withLock { state in
            // Unpaired meanwhile counts too: there is nobody to greet.
            guard let client = state.clients[.remote(handshake.client)] else { return true }
            return client.lastSeen != nil
        }
    }

    /// One fresh event with the token's secret, to all its relays.
    private func greet(_ handshake: inout Handshake) async -> [RelayURL] {
        handshake.last = max(now(), handshake.last + .seconds(1))
        let id = newSecret()
        let response = RemoteResponse(id: id, result: handshake.secret)
        let (client, moment) = (handshake.client, handshake.last)
        do {
            let content = try await sealed(response, for: client, .nip44)
            let draft = EventDraft(
                kind: RemoteSigning.kind, tags: [["p", client.hex]], content: content, createdAt: moment)
            let event = try await withKey { try await $0.sign(draft) }
            return await publish(event, to: handshake.relays)
        } catch {
            return []  // The key is locked or slow: the next greeting may do better.
        }
    }
}
