internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs

// What the person proves with the passphrase of the account's key, whether or not the account is unlocked.
extension LiveSigner {
    /// Whether it asks for the passphrase again, or could.
    public func passphraseAsking() async throws -> PassphraseAsking {
        try await ready()
        guard try await hasPassphrase() else { return .noPassphrase }
        return state.settings.asksForPassphrase ? .on : .off
    }

    /// The same signer for a person who typed this.
    public nonisolated func typing(_ passphrase: TypedPassphrase?) -> any SigningService {
        guard let passphrase else { return self }
        return SignerWithPassphrase(signer: self, typed: passphrase)
    }

    /// Whether a yes has to be confirmed; the keystore is asked only where the person wants that.
    func asksForPassphrase() async throws -> Bool {
        guard state.settings.asksForPassphrase else { return false }
        return try await hasPassphrase()
    }

    /// What of the passphrase a yes to a request needs, where it is asked for.
    func passphraseNeed(of pending: PendingRequest) -> PassphraseNeed {
        if needsPassphrase(.once(allow: true), about: pending) { return .always }
        return pending.request?.action.pairs ?? false ? .toGiveMore : .never
    }

    func needsPassphrase(_ verdict: RequestVerdict, about pending: PendingRequest) -> Bool {
        state.settings.needPassphrase(for: verdict, about: pending.request?.permission)
    }

    /// Refuses what cannot be: to ask for a passphrase that the key does not have.
    func demandPassphrase() async throws {
        guard try await hasPassphrase() else { throw SigningServiceError(.noPassphrase) }
    }

    /// Makes sure that whoever acts knows the passphrase; a key that has none by now has nothing to ask for.
    ///
    /// The wrong ones are counted before they are checked, so that many at once are no way around the pauses.
    func confirm(_ typed: TypedPassphrase?) async throws {
        guard let passphrases = environment.passphrases else { throw SigningServiceError(.noPassphrase) }
        guard try await hasPassphrase() else { return }
        guard let typed else { throw SigningServiceError(.passphraseNeeded) }
        if let wait = tries.begin(at: environment.time.uptime()) {
            throw SigningServiceError(.tooManyTries, wait: wait)
        }
        let isRight: Bool
        do { isRight = try await passphrases.isPassphrase(typed, of: account) } catch {
            tries.takeBack()
            throw SigningServiceError(.keyUnusable)
        }
        guard isRight else { throw SigningServiceError(.wrongPassphrase) }
        tries.succeed()
    }

    private func hasPassphrase() async throws -> Bool {
        do { return try await environment.passphrases?.hasPassphrase(account) ?? false } catch {
            throw SigningServiceError(.keyUnusable)
        }
    }
}

extension RequestedAction {
    /// Whether a yes to it pairs its app.
    fileprivate var pairs: Bool {
        switch self {
        case .connect, .tellKey: true
        default: false
        }
    }
}
