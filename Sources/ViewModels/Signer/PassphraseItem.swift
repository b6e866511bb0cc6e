public import NostrSigner

/// Where a form takes the passphrase of the key again, with a yes that needs it.
public struct PassphraseItem: Hashable, Sendable {
    /// What the field is called.
    public let label: String
    /// Whether every yes of the form needs it, and not only one that gives more.
    public let isAlwaysNeeded: Bool

    static let always = PassphraseItem(label: SignerWords.passphrase, isAlwaysNeeded: true)

    /// The field where it is needed; `nil` where no yes needs it.
    init?(_ need: PassphraseNeed) {
        switch need {
        case .never: return nil
        case .toGiveMore: self.init(label: SignerWords.passphraseToGiveMore, isAlwaysNeeded: false)
        case .always: self = .always
        }
    }

    /// The field of a form that may give more than is given, where the passphrase is asked for.
    init?(_ asking: PassphraseAsking) {
        self.init(asking == .on ? PassphraseNeed.toGiveMore : .never)
    }

    private init(label: String, isAlwaysNeeded: Bool) {
        (self.label, self.isAlwaysNeeded) = (label, isAlwaysNeeded)
    }
}

extension PassphraseAskingService {
    /// The same signer for a person who typed this into a form; empty for nothing.
    public func typing(_ field: String) -> AccountSigner { typing(TypedPassphrase(field)) }
}
