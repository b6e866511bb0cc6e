internal import NostrCore
internal import NostrNIPs

/// A request that was decrypted.
struct DecryptedRequest: Hashable, Sendable {
    let verified: VerifiedRequest
    /// The text of the request.
    let text: String
    /// How it was encrypted, and so how the response is.
    let cipher: ContentCipher

    /// Which cipher a content has: NIP-04 only when it shows its initialisation vector.
    static func cipher(of content: String) -> ContentCipher {
        LegacyEncryption.isPayload(content) ? .nip04 : .nip44
    }
}

extension VerifiedRequest {
    /// Decrypts.
    ///
    /// - Throws: ``SigningFailure`` when the key cannot be used now, ``RequestRejection/unreadable`` when it could.
    func decrypted(by signer: some EventSigner) async throws -> DecryptedRequest {
        let cipher = DecryptedRequest.cipher(of: event.content)
        do {
            let text = try await signer.decrypt(event.content, from: event.pubkey, by: cipher)
            return DecryptedRequest(verified: self, text: text, cipher: cipher)
        } catch let failure as SigningFailure {
            throw failure
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            throw RequestRejection.unreadable
        }
    }
}

/// What one request asks for, read as far as it can be.
struct ReadRequest: Hashable, Sendable {
    /// The request.
    let request: RemoteRequest
    /// What it asks for.
    let action: RequestedAction

    /// What must be allowed for it; `nil` for a method nobody knows.
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

extension DecryptedRequest {
    /// Parses.
    ///
    /// - Throws: ``/NostrNIPs/RemoteMessageError``.
    func read() throws(RemoteMessageError) -> ReadRequest {
        ReadRequest(try RemoteRequest(json: Array(text.utf8)), now: verified.moment)
    }
}
