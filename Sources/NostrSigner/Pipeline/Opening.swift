internal import NostrCore
internal import NostrNIPs

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
