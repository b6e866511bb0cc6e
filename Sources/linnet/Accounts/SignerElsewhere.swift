import AsyncPrimitives
import Logging
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner

/// The way to a signer elsewhere, and the relays it leads over.
struct SignerElsewhere: Sendable {
    let signer: RemoteSigner
    let relays: RelayPool

    /// Relays that the person named at the pairing are their choice; those that the signer moved to are its own.
    init(
        _ pairing: RemotePairing, client: LocalSigner, transport: any NamingTransport, blocked: BlockedRelaysInForce
    ) {
        let named = Set(pairing.named)
        relays = RelayPool(
            servingClient: client, transport: transport.naming { named.contains($0) }, blocked: blocked)
        signer = RemoteSigner(
            pairing, client: client, network: relays,
            time: Time<Timestamp>(clock: ContinuousClock(), now: { .current }),
            log: Logger(label: "linnet.signer"))
    }

    /// Works until cancelled or the signer is locked.
    ///
    /// - Parameters:
    ///   - keeping: gets the relays whenever the signer moves.
    ///   - returned: is called whenever it answers after a time in which it did not.
    func run(
        keeping: @escaping @Sendable ([RelayURL]) async -> Void, returned: @escaping @Sendable () async -> Void
    ) async {
        await withTaskGroup { group in
            group.addTask { await relays.run() }
            group.addTask {
                for await state in signer.states() where state == .ready { await returned() }
            }
            await signer.run(keeping: keeping)
            group.cancelAll()
        }
    }
}

/// A try to pair, and the relays it goes over.
struct SignerAttempt: Sendable {
    let attempt: PairingAttempt
    let client: LocalSigner
    let relays: RelayPool

    /// By a signer's token, or with an invitation where there is none.
    init(
        token: BunkerURI?, client: LocalSigner, invitingOver meeting: [RelayURL], transport: any NamingTransport
    ) {
        // A token is typed as a whole, and so are its relays.
        let named = Set(meeting + (token?.relays ?? []))
        let relays = RelayPool(servingClient: client, transport: transport.naming { named.contains($0) })
        let time = Time<Timestamp>(clock: ContinuousClock(), now: { .current })
        let log = Logger(label: "linnet.signer")
        // What this side says of itself.
        let claims = ClientMetadata(name: "Linnet")
        attempt =
            if let token {
                PairingAttempt(
                    token: token, client: client, metadata: claims, network: relays, time: time, log: log)
            } else {
                PairingAttempt(
                    inviting: client, over: meeting, metadata: claims, network: relays, time: time, log: log)
            }
        self.client = client
        self.relays = relays
    }

    /// Pairs.
    ///
    /// - Throws: ``/NostrSigner/SigningFailure`` or `CancellationError`.
    func run() async throws -> RemotePairing {
        try await withThrowingTaskGroup(of: RemotePairing?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await relays.run()
                return nil
            }
            group.addTask { try await attempt.run() }
            while let pairing = try await group.next() {
                if let pairing { return pairing }
            }
            throw CancellationError()
        }
    }
}

/// Proves to relays which client it is (NIP-42), with a key that stands for nobody.
private struct AsClient: RelayAuthenticator {
    let client: LocalSigner

    func consent(for relay: RelayURL) async -> AuthenticationConsent { .allow }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A locked key is the one reason not to sign; the relay is then left unanswered.
        try? await client.sign(draft)
    }
}

extension RelayPool {
    /// Relays for one pairing with a signer elsewhere: they know its client by a key of its own, and not whose it is.
    ///
    /// - Parameter blocked: what the account blocks; while a pairing is made there is no account yet.
    fileprivate init(
        servingClient client: LocalSigner, transport: any RelayTransport,
        blocked: BlockedRelaysInForce = BlockedRelaysInForce()
    ) {
        self.init(
            transport: transport, blocked: blocked, authenticator: AsClient(client: client), wall: { .current },
            logger: Logger(label: "linnet.signer.relays"))
    }
}
