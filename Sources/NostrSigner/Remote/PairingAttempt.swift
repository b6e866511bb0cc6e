public import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrNIPs
internal import NostrRelay

/// One try to be let in by a signer elsewhere, in either of the two ways of NIP-46.
///
/// Source: NIP-46, "Initiating a connection".
public final class PairingAttempt: Sendable {
    /// How the two find each other.
    public enum Way: Hashable, Sendable {
        /// The signer gave out a token.
        case token(BunkerURI)
        /// This side gives out one and waits until a signer answers it.
        case invitation(NostrConnectURI)
    }

    /// How.
    public let way: Way
    private let client: LocalSigner
    private let permissions: [RemotePermission]
    private let metadata: ClientMetadata
    private let network: any SignerNetwork
    private let time: Time<Timestamp>
    private let patience: RemotePatience
    private let random: @Sendable () -> String
    private let log: Logger
    private let board = CurrentValue(RemoteSignerState.connecting)

    /// How long an invitation waits.
    private static let invitationLasts: Duration = .seconds(600)
    /// How many answers to an invitation are looked at; what is more is noise.
    private static let mostAnswers = 500

    /// Takes a signer's token.
    ///
    /// - Parameters:
    ///   - client: a key of this pairing alone.
    ///   - permissions: what to ask for; the signer gives what it likes.
    ///   - metadata: what to say of this side.
    public init(
        token: BunkerURI, client: LocalSigner, permissions: [RemotePermission] = [],
        metadata: ClientMetadata = ClientMetadata(), network: any SignerNetwork, time: Time<Timestamp>,
        patience: RemotePatience = RemotePatience(), random: @escaping @Sendable () -> String = RemoteSigner.requestID,
        log: Logger
    ) {
        way = .token(token)
        self.client = client
        self.permissions = permissions
        self.metadata = metadata
        self.network = network
        self.time = time
        self.patience = patience
        self.random = random
        self.log = log
    }

    /// Makes an invitation.
    ///
    /// - Parameters:
    ///   - relays: where this side waits; any of them will do.
    ///   - random: also draws the invitation's secret.
    public init(
        inviting client: LocalSigner, over relays: [RelayURL], permissions: [RemotePermission] = [],
        metadata: ClientMetadata = ClientMetadata(), network: any SignerNetwork, time: Time<Timestamp>,
        patience: RemotePatience = RemotePatience(), random: @escaping @Sendable () -> String = RemoteSigner.requestID,
        log: Logger
    ) {
        way = .invitation(
            NostrConnectURI(
                client: client.publicKey, relays: relays, secret: random(), permissions: permissions,
                metadata: metadata))
        self.client = client
        self.permissions = permissions
        self.metadata = metadata
        self.network = network
        self.time = time
        self.patience = patience
        self.random = random
        self.log = log
    }

    /// How it stands with the signer.
    public var state: RemoteSignerState { board.value }

    /// ``state`` now and whenever it changes; only the newest waits.
    public func states() -> AsyncStream<RemoteSignerState> { board.values() }

    /// Pairs; call once.
    ///
    /// - Throws: ``SigningFailure`` or `CancellationError`.
    public func run() async throws -> RemotePairing {
        do {
            let pairing =
                switch way {
                case .token(let token): try await pair(with: token)
                case .invitation(let invitation): try await answer(to: invitation)
                }
            board.set(.ready)
            return pairing
        } catch {
            board.set(.ended)
            throw error
        }
    }

    // MARK: The signer's token

    private func pair(with token: BunkerURI) async throws -> RemotePairing {
        try await speaking(with: token.signer, at: token.relays) { link in
            let answer = try await link.ask(
                .connect(
                    id: self.random(), to: token.signer, secret: token.secret, permissions: self.permissions,
                    metadata: self.metadata))
            // Both are right by the NIP; anything else is a misunderstanding.
            guard answer == "ack" || token.secret.map({ isSameSecret(answer, $0) }) == true else {
                throw SigningFailure.wrongAnswer
            }
        }
    }

    /// Asks whose key it is and where the signer wants to be reached, with a line open for as long as that takes.
    private func speaking(
        with signer: PublicKey, at relays: [RelayURL],
        _ connect: @escaping @Sendable (RemoteLink) async throws -> Void
    ) async throws -> RemotePairing {
        let link = RemoteLink(
            signer: signer, client: client, relays: relays, network: network, time: time, patience: patience, log: log)
        return try await withThrowingTaskGroup(of: RemotePairing?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                await link.run()
                return nil
            }
            group.addTask {
                for await state in link.states.values() { self.board.set(state) }
                return nil
            }
            group.addTask {
                try await connect(link)
                let told = try await link.ask(RemoteRequest(id: self.random(), .getPublicKey))
                guard let user = ProfilePointer(pasted: told)?.key else { throw SigningFailure.wrongAnswer }
                return RemotePairing(
                    signer: signer, user: user, client: self.client.publicKey,
                    relays: await self.relays(of: link, else: relays), named: relays)
            }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }

    private func relays(of link: RemoteLink, else relays: [RelayURL]) async -> [RelayURL] {
        // A signer that knows no such method stays where it is.
        let answer = try? await link.ask(RemoteRequest(id: random(), .switchRelays))
        return answer.flatMap(RemoteSigning.relays(result:)) ?? relays
    }

    // MARK: This side's invitation

    private func answer(to invitation: NostrConnectURI) async throws -> RemotePairing {
        let found = try await withDeadline(Self.invitationLasts, on: time.clock, throwing: SigningFailure.timedOut) {
            await self.whoAnswers(invitation)
        }
        try Task.checkCancellation()
        guard let signer = found else { throw SigningFailure.timedOut }
        return try await speaking(with: signer, at: invitation.relays) { _ in }
    }

    /// Listens until a signer answers that knows the secret.
    private func whoAnswers(_ invitation: NostrConnectURI) async -> PublicKey? {
        let filter = Filter(
            kinds: [RemoteSigning.kind], tags: ["p": [client.publicKey.hex]],
            since: time.now() - RemoteLink.overlap)
        let subscription = await network.subscribe(
            Dictionary(invitation.relays.map { ($0, [filter]) }) { first, _ in first })
        defer { withExtendedLifetime(subscription) {} }
        var looked = 0
        for await update in subscription.updates {
            guard case .events(let events, _) = update else {
                if case .live = update { board.set(.waiting) }
                continue
            }
            for event in events where RemoteSigning.isAddressed(event, to: client.publicKey) {
                looked += 1
                guard looked <= Self.mostAnswers else { return nil }
                guard let response = await RemoteSigning.response(in: event, for: client) else { continue }
                // A stranger who saw the invitation's public part can answer it; only the secret says who was meant.
                if response.error == nil, isSameSecret(response.result, invitation.secret) {
                    await subscription.cancel()
                    return event.pubkey
                }
            }
        }
        return nil
    }
}

/// Compares in constant time, but for the lengths.
func isSameSecret(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
}
