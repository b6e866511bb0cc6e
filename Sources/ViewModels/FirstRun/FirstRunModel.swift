internal import NostrClient

extension ScreenModel where S == FirstRunState {
    /// The first screen over the accounts of this machine.
    ///
    /// - Parameter enter: receives the desk once the account is open.
    public init(_ opening: any AccountOpening, enter: @escaping @Sendable (Desk) async -> Void) {
        self.init(FirstRunState()) { effect in
            do {
                if effect == .readAccounts {
                    return .accounts(try await opening.accounts(), offersDemo: opening.offersDemo)
                }
                let account = try await openAccount(effect, opening)
                await enter(Desk(account))
                return .entered(account.publicKey)
            } catch {
                return .failed(effect.door, Trouble(error))
            }
        }
    }
}

private func openAccount(
    _ effect: FirstRunState.Effect, _ opening: any AccountOpening
) async throws -> any Account {
    switch effect {
    case .create(let name, let passphrase): try await opening.create(name: name, passphrase: passphrase)
    case .bring(let secret, let passphrase): try await opening.importSecret(secret, passphrase: passphrase)
    case .read(let text): try await opening.openReadOnly(text)
    case .demo: try await opening.openDemo()
    case .open(let key): try await opening.open(key)
    case .unlock(let key, let passphrase): try await opening.unlock(key, passphrase: passphrase)
    case .readAccounts: throw Trouble("No account was chosen.")
    }
}

extension FirstRunState.Effect {
    fileprivate var door: FirstRunState.Door {
        switch self {
        case .create: .create
        case .bring: .bring
        case .read: .read
        case .demo: .demo
        case .open, .unlock, .readAccounts: .open
        }
    }
}
