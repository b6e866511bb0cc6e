public import AsyncPrimitives
public import Logging
public import NostrCore
public import NostrNIPs

/// Signs with a signer elsewhere: Linnet as a client of NIP-46.
///
/// Nothing it gives back is taken on trust: a signed event is checked against what was asked, and a gift is opened only
/// with a seal that verifies. ``run(keeping:)`` owns its work; requests wait for it.
public final class RemoteSigner: EndingSigner {
    /// The key it signs with.
    public let publicKey: PublicKey
    private let link: RemoteLink
    private let random: @Sendable () -> String
    private let time: Time<Timestamp>
    private static let wrapsAtOnce = 8
    private static let relayCheck: Duration = .seconds(3600)
    private static let retry: Duration = .seconds(30)

    /// Takes a pairing and the key it was made with.
    ///
    /// - Parameters:
    ///   - client: the key of ``RemotePairing/client``.
    ///   - network: the relays; it should authenticate with the client's key and no other.
    ///   - random: draws the ids of requests.
    public init(
        _ pairing: RemotePairing, client: LocalSigner, network: any SignerNetwork, time: Time<Timestamp>,
        patience: RemotePatience = RemotePatience(), random: @escaping @Sendable () -> String = RemoteSigner.requestID,
        log: Logger
    ) {
        publicKey = pairing.user
        self.random = random
        self.time = time
        link = RemoteLink(
            signer: pairing.signer, client: client, relays: pairing.relays, network: network, time: time,
            patience: patience, log: log)
    }

    /// How it stands with the signer.
    public var state: RemoteSignerState { link.states.value }

    /// ``state`` now and whenever it changes; only the newest waits.
    public func states() -> AsyncStream<RemoteSignerState> { link.states.values() }

    /// The key is no longer used here.
    public var isLocked: Bool { link.client.isLocked }

    // MARK: Working

    /// Works until cancelled or ``end()``: listens, asks where the signer wants to be reached, and asks again a signer
    /// that was silent.
    ///
    /// - Parameter keeping: gets the relays whenever the signer moves to others.
    public func run(keeping: @escaping @Sendable ([RelayURL]) async -> Void) async {
        await withTaskGroup { group in
            group.addTask { await self.link.run() }
            group.addTask { await self.watchOver(keeping) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Wipes the client's key and ends ``run(keeping:)``; nothing is waited for.
    public func lock() {
        link.client.lock()
        link.hangUp()
    }

    /// Wipes the client's key and ends ``run(keeping:)``; requests under way fail.
    public func end() async {
        link.client.lock()
        await link.end()
    }

    /// Tells the signer that the session is over; it may not hear it (NIP-46, "Ending a session").
    public func logout() async {
        // A courtesy: the pairing is deleted here in any case.
        _ = try? await ask(.logout)
    }

    /// Asks whether the signer is there.
    ///
    /// - Throws: ``SigningFailure``.
    public func ping() async throws {
        _ = try await ask(.ping)
    }

    private func watchOver(_ keeping: @Sendable ([RelayURL]) async -> Void) async {
        var nextCheck = time.uptime()
        while !Task.isCancelled {
            if time.uptime() >= nextCheck {
                nextCheck = time.uptime() + Self.relayCheck
                await switchRelays(keeping)
            } else if state == .unreachable {
                // Its answer changes the state; a failure leaves it.
                try? await ping()
            }
            await time.pause(for: Self.retry)
        }
    }

    /// Asks where the signer wants to be reached (NIP-46, "Switching relays").
    private func switchRelays(_ keeping: @Sendable ([RelayURL]) async -> Void) async {
        // A signer that knows no such method stays where it is.
        guard let answer = try? await ask(.switchRelays), let relays = RemoteSigning.relays(result: answer) else {
            return
        }
        guard await Set(link.relays) != Set(relays) else { return }
        await link.move(to: relays)
        await keeping(relays)
    }

    private func ask(_ method: RemoteMethod, _ parameters: [String] = []) async throws -> String {
        try await link.ask(RemoteRequest(id: random(), method, parameters))
    }

    // MARK: Signing

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure``.
    public func sign(_ draft: EventDraft) async throws -> Event {
        let text = try await ask(.signEvent, [draft.json(author: publicKey)])
        return try Event(signed: text, of: draft, by: publicKey)
    }

    /// Encrypts a text.
    ///
    /// - Throws: ``SigningFailure`` or ``/NostrNIPs/PayloadError``.
    public func encrypt(_ plaintext: String, for other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await RemoteSigning.encrypt(plaintext, for: other, by: cipher) { try await ask($0, $1) }
    }

    /// Decrypts a payload.
    ///
    /// - Throws: ``SigningFailure`` or ``/NostrNIPs/PayloadError``.
    public func decrypt(_ payload: String, from other: PublicKey, by cipher: ContentCipher) async throws -> String {
        try await RemoteSigning.decrypt(payload, from: other, by: cipher) { try await ask($0, $1) }
    }

    /// Opens gift wraps, a few at a time, each by two decryptions.
    ///
    /// - Throws: ``SigningFailure`` when the signer cannot be asked now; then all are to be tried again.
    public func open(_ wraps: [Event]) async throws -> [Result<UnwrappedGift, GiftRejection>] {
        try await openOneByOne(wraps, atOnce: Self.wrapsAtOnce)
    }

    /// A new id for a request: 16 random bytes in hex.
    public static let requestID: @Sendable () -> String = {
        var random = SystemRandomNumberGenerator()
        return encodeHex(randomBytes(16, using: &random))
    }
}
