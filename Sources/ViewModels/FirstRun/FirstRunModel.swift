internal import NostrClient

extension ScreenModel where S == FirstRunState {
    /// The first screen over the accounts of this machine.
    ///
    /// - Parameters:
    ///   - keys: makes keys from words; without it words are refused.
    ///   - enter: receives the desk once the account is open.
    public init(
        _ opening: any AccountOpening, keys: (any KeyKeeping)? = nil,
        enter: @escaping @Sendable (Desk) async -> Void
    ) {
        self.init(FirstRunState()) { effect in
            do {
                if effect == .readAccounts {
                    return .accounts(try await opening.accounts(), offersDemo: opening.offersDemo)
                }
                let account = try await openAccount(effect, opening, keys)
                await enter(Desk(account))
                return .entered(account.publicKey)
            } catch {
                return .failed(effect.door, Trouble(error))
            }
        }
    }
}

private func openAccount(
    _ effect: FirstRunState.Effect, _ opening: any AccountOpening, _ keys: (any KeyKeeping)?
) async throws -> any Account {
    switch effect {
    case .bringWords(let words, let passphrase):
        guard let keys else { throw Trouble("This Linnet takes no words. Paste an nsec1… instead.", canRetry: false) }
        return try await opening.open(try await keys.importMnemonic(words, passphrase: passphrase, name: ""))
    case .create(let name, let passphrase): return try await opening.create(name: name, passphrase: passphrase)
    case .bring(let secret, let passphrase): return try await opening.importSecret(secret, passphrase: passphrase)
    case .read(let text): return try await opening.openReadOnly(text)
    case .demo: return try await opening.openDemo()
    case .open(let key): return try await opening.open(key)
    case .unlock(let key, let passphrase): return try await opening.unlock(key, passphrase: passphrase)
    case .readAccounts: throw Trouble("No account was chosen.")
    }
}

extension FirstRunState.Effect {
    fileprivate var door: FirstRunState.Door {
        switch self {
        case .create: .create
        case .bring, .bringWords: .bring
        case .read: .read
        case .demo: .demo
        case .open, .unlock, .readAccounts: .open
        }
    }
}
