public import NostrCore
internal import NostrNIPs

// Received → opened: an event that came is checked, decrypted and read.

/// A request as it came, unchecked.
struct ReceivedRequest: Hashable, Sendable {
    /// The event, as its sender claims it.
    var event: UnverifiedEvent
    /// The relay it came by; `nil` for one that came by a push.
    var relay: RelayURL?
    /// When it came.
    var moment: Timestamp
}

/// Why an event that came is no request to be answered: it is dropped, and its sender hears nothing.
public enum RequestRejection: Error, Hashable, Sendable {
    /// Of another kind.
    case wrongKind
    /// Addressed to another key.
    case notForUs
    /// Made with our own key.
    case fromOurselves
    /// Longer than any request; unit: bytes of content.
    case tooLong(limit: Int)
    /// Older than requests are remembered, so that it might be a replay, or from the future.
    case outOfTime
    /// The id or the signature does not fit.
    case forged(EventRejection)
    /// It does not decrypt.
    case unreadable
    /// Its sender is not paired and asks too much.
    case tooMany
}

/// A request whose event is genuine, meant for this signer and of these days.
struct VerifiedRequest: Hashable, Sendable {
    /// The longest content taken: a text of 1 MiB encrypted and within an event.
    static let longestContent = 2_000_000
    /// How old a request may be; requests are remembered longer.
    static let oldest: Duration = .seconds(24 * 3600)
    /// How long apps wait for an answer, well measured.
    private static let patience: Duration = .seconds(600)
    /// How far in the future a request may be: clocks differ.
    static let newest: Duration = .seconds(3600)

    let event: Event
    let relay: RelayURL?
    let moment: Timestamp

    /// Who asks.
    var sender: PublicKey { event.pubkey }
    /// Whether its app may still wait: what a relay tells anew of long ago, nobody waits for.
    var isRecent: Bool { event.createdAt >= moment - Self.patience }

    /// Checks the cheap things first, the signature last.
    init(_ received: ReceivedRequest, for account: PublicKey) throws(RequestRejection) {
        try Self.check(received.event, at: received.moment, for: account)
        do throws(EventRejection) { event = try Event(verifying: received.event) } catch { throw .forged(error) }
        relay = received.relay
        moment = received.moment
    }

    /// As above, of an event whose signature was checked before.
    init(
        _ event: Event, relay: RelayURL?, moment: Timestamp, for account: PublicKey
    ) throws(RequestRejection) {
        try Self.check(event.unverified, at: moment, for: account)
        self.event = event
        self.relay = relay
        self.moment = moment
    }

    private static func check(
        _ event: UnverifiedEvent, at moment: Timestamp, for account: PublicKey
    ) throws(RequestRejection) {
        guard event.kind == RemoteSigning.kind else { throw .wrongKind }
        guard event.content.utf8.count <= longestContent else { throw .tooLong(limit: longestContent) }
        guard event.pubkey != account else { throw .fromOurselves }
        let hex = account.hex
        guard event.tags.contains(where: { $0.name == "p" && $0.value == hex }) else { throw .notForUs }
        guard event.createdAt >= moment - oldest, event.createdAt <= moment + newest else { throw .outOfTime }
    }
}

extension SigningStep {
    /// Begins with a genuine event: one that came before is answered again, at most.
    ///
    /// An app that hears no answer sends the same event again: it goes the whole way once more, and finds its answer in the
    /// records.
    static func receive(_ request: VerifiedRequest, _ state: inout SignerState) -> SigningStep {
        guard let known = state.progress.begin(request.event.id, cameBy: request.relay) else {
            return .open(OpeningStep(request: request))
        }
        switch known.phase {
        case .answered(let content?):
            return .end(.answer(state.outgoing(content, to: request.sender, about: request.event.id)))
        case .answered(nil) where known.isSentAgain && request.isRecent:
            state.progress.set(request.event.id, .underWay)
            return .open(OpeningStep(request: request))
        case .gone(let farewell) where known.isSentAgain && request.isRecent: return .end(.answer(farewell))
        case .answered, .gone, .underWay, .waiting, .over: return .end(.known)
        }
    }
}

// MARK: Opening

/// A request that came as a genuine event is decrypted and read.
struct OpeningStep: Hashable, Sendable {
    let request: VerifiedRequest

    /// Goes on with what was decrypted.
    ///
    /// - Parameter outcome: fails with ``RequestRejection`` when the content does not decrypt, with ``SigningFailure`` or
    ///   anything else when the key could not be used.
    func next(
        _ outcome: Result<OpenedRequest, any Error>, _ state: inout SignerState, _ context: StepContext
    ) -> SigningStep {
        switch outcome {
        case .success(let opened): return .identify(opened, &state, context)
        case .failure(let rejection as RequestRejection):
            state.progress.set(request.event.id, .over)
            return .end(.dropped(rejection))
        case .failure(SigningFailure.locked): return keepUnread(&state, context)
        case .failure:
            state.progress.forget(request.event.id)
            return .end(.failed)
        }
    }

    /// Keeps a request of a paired app that cannot be read while the key is locked; a few of strangers in memory.
    private func keepUnread(_ state: inout SignerState, _ context: StepContext) -> SigningStep {
        let app = RequestingApp.remote(request.sender)
        guard state.clients[app] != nil else {
            if state.lockedStrangers.count < context.lockedStrangers { state.lockedStrangers.append(request) }
            state.progress.forget(request.event.id)
            return .end(.waiting)
        }
        return .admit(
            AdmissionStep(
                kept: AdmittedRequest(
                    event: request.event.id, account: context.account, app: app, id: "", digest: "", permission: nil,
                    raw: String(decoding: request.event.json, as: UTF8.self), relay: request.relay,
                    received: request.moment),
                request: nil))
    }
}

/// A request that was decrypted, and read as far as it can be.
struct OpenedRequest: Hashable, Sendable {
    let verified: VerifiedRequest
    /// How it was encrypted, and so how the response is.
    let cipher: ContentCipher
    /// Whether it is in NIP-44's long form, so that its app reads that.
    let isLongForm: Bool
    /// What it says; fails when it is no request.
    let content: Result<ReadRequest, RemoteMessageError>

    /// Reads a decrypted text.
    init(_ verified: VerifiedRequest, text: String, cipher: ContentCipher) {
        self.verified = verified
        self.cipher = cipher
        isLongForm = cipher == .nip44 && text.utf8.count > ConversationKey.compatibleLength
        content = Result { () throws(RemoteMessageError) in
            ReadRequest(try RemoteRequest(json: Array(text.utf8)), now: verified.moment)
        }
    }
}

/// What one request asks for, read as far as it can be.
struct ReadRequest: Hashable, Sendable {
    /// The request.
    let request: RemoteRequest
    /// What it asks for.
    let action: RequestedAction

    /// What must be allowed for it; `nil` for an unknown method.
    var permission: RemotePermission? {
        switch action {
        case .sign(let draft): RemotePermission(.signEvent, kind: draft.kind)
        default: request.method.map { RemotePermission($0) }
        }
    }

    /// Reads a request; what makes no sense becomes ``RequestedAction/impossible(_:)``.
    init(_ request: RemoteRequest, now: Timestamp) {
        self.request = request
        action = RequestedAction(request, now: now)
    }
}

extension VerifiedRequest {
    /// Decrypts the content and reads it.
    ///
    /// - Throws: ``SigningFailure`` when the key cannot be used now, ``RequestRejection/unreadable`` when it could.
    func opened(by signer: some EventSigner) async throws -> OpenedRequest {
        // NIP-04 only where the content shows its initialisation vector.
        let cipher: ContentCipher = LegacyEncryption.isPayload(event.content) ? .nip04 : .nip44
        do {
            let text = try await signer.decrypt(event.content, from: event.pubkey, by: cipher)
            return OpenedRequest(self, text: text, cipher: cipher)
        } catch let failure as SigningFailure {
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RequestRejection.unreadable
        }
    }
}
