public import NostrClient
public import NostrCore

extension ScreenModel where S == FirstRunState {
    /// The first screen over the accounts of this machine.
    ///
    /// - Parameters:
    ///   - keys: makes keys from words; without it words are refused.
    ///   - elsewhere: pairs with signers elsewhere; without it they are refused.
    ///   - now: the date, which a browser's proof must fit.
    ///   - enter: receives the account once it is open.
    public init(
        _ opening: any AccountOpening, keys: (any KeyKeeping)? = nil, elsewhere: (any SigningElsewhere)? = nil,
        now: @escaping @Sendable () -> Timestamp = { Timestamp(seconds: 0) },
        enter: @escaping @Sendable (any Account) async -> Void
    ) {
        self.init(FirstRunState()) { effect in
            do {
                if effect == .readAccounts {
                    return .accounts(try await opening.accounts(), offersDemo: opening.offersDemo)
                }
                if let id = try await beginPairing(effect, elsewhere) { return .pairing(id) }
                let account =
                    if case .openBrowser(let proof, let challenge) = effect {
                        try await openBrowser(proof, challenge, now(), elsewhere)
                    } else {
                        try await openAccount(effect, opening, keys)
                    }
                await enter(account)
                return .entered(account.publicKey)
            } catch {
                return .failed(effect.door, Trouble(error))
            }
        }
    }
}

private let nothingElsewhere = Trouble(FirstRunWords.nothingElsewhere, canRetry: false)

/// Begins to pair, when that is what is wanted.
private func beginPairing(
    _ effect: FirstRunState.Effect, _ elsewhere: (any SigningElsewhere)?
) async throws -> String? {
    switch effect {
    case .pair(let token, let passphrase):
        guard let elsewhere else { throw nothingElsewhere }
        return try await elsewhere.pair(token: token, passphrase: passphrase)
    case .invite(let passphrase):
        guard let elsewhere else { throw nothingElsewhere }
        return try await elsewhere.invite(passphrase: passphrase)
    default: return nil
    }
}

private func openBrowser(
    _ proof: String, _ challenge: String, _ now: Timestamp, _ elsewhere: (any SigningElsewhere)?
) async throws -> any Account {
    guard let elsewhere else { throw nothingElsewhere }
    return try await elsewhere.openBrowser(try BrowserProof(proof, of: challenge, now: now).key)
}

private func openAccount(
    _ effect: FirstRunState.Effect, _ opening: any AccountOpening, _ keys: (any KeyKeeping)?
) async throws -> any Account {
    switch effect {
    case .bringWords(let words, let passphrase):
        guard let keys else { throw Trouble(FirstRunWords.noWords, canRetry: false) }
        return try await opening.open(try await keys.importMnemonic(words, passphrase: passphrase, name: ""))
    case .create(let name, let passphrase): return try await opening.create(name: name, passphrase: passphrase)
    case .bring(let secret, let passphrase): return try await opening.importSecret(secret, passphrase: passphrase)
    case .read(let text): return try await opening.openReadOnly(text)
    case .demo: return try await opening.openDemo()
    case .open(let key): return try await opening.open(key)
    case .unlock(let key, let passphrase): return try await opening.unlock(key, passphrase: passphrase)
    case .readAccounts, .pair, .invite, .openBrowser: throw Trouble(FirstRunWords.noAccount)
    }
}

extension FirstRunState.Effect {
    fileprivate var door: FirstRunState.Door {
        switch self {
        case .create: .create
        case .bring, .bringWords: .bring
        case .pair, .invite: .signer
        case .openBrowser: .browser
        case .read: .read
        case .demo: .demo
        case .open, .unlock, .readAccounts: .open
        }
    }
}
