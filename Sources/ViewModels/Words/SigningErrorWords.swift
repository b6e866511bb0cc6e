internal import NostrCore
internal import NostrRelay
public import NostrSigner

// Why something was not signed, and why a signer could not do what a person asked.

extension SigningServiceError {
    /// One plain sentence a person can act on.
    public var sentence: String {
        switch code {
        case .locked: "Unlock the account first."
        case .unknownRequest: "This request is no longer waiting."
        case .unknownApp: "This app is not paired."
        case .noRelays: "Name a relay where apps can reach the signer first."
        case .noRelaysInToken: "The token names no relay."
        case .notReached: "The current version could not be published again."
        case .needsSecondStep: "This would drop many entries, so it needs a second yes."
        case .nothingToRestore: "No current version is known here."
        case .cannotSign: "The key could not sign the current version again."
        case .keyUnusable: "The account's key cannot be used now."
        case .recordsUnreadable: "The signer's records cannot be read."
        case .recordsUnusable: "The signer's records cannot be changed now."
        case .passphraseNeeded: "This needs the passphrase of your key: type it with your answer. Nothing was changed."
        case .wrongPassphrase: "Wrong passphrase. Nothing was changed."
        case .tooManyTries: SignerWords.tooManyTries(wait: wait ?? .zero)
        case .noPassphrase: "This key is kept without a passphrase, so none can be asked for."
        }
    }

    /// Whether trying the same again can help.
    var canRetry: Bool {
        switch code {
        case .locked, .notReached, .cannotSign, .keyUnusable, .recordsUnreadable, .recordsUnusable: true
        case .passphraseNeeded, .wrongPassphrase, .tooManyTries: true
        case .unknownRequest, .unknownApp, .noRelays, .noRelaysInToken, .needsSecondStep, .nothingToRestore,
            .noPassphrase:
            false
        }
    }
}

extension SigningFailure {
    /// One plain sentence.
    public var sentence: String {
        switch self {
        case .locked: "The key is locked; unlock the account first."
        case .readOnly: "This account can only read."
        case .refused: "Signing was refused."
        case .timedOut: "The signer did not answer in time."
        case .cannotEncrypt: "This signer cannot encrypt or decrypt."
        case .unreachable: "The signer cannot be reached: none of its relays answers."
        case .noPage: "The key is in your browser; open a page of Linnet there."
        case .wrongAnswer: "The signer returned something other than what it was asked for."
        case .said(let words): "The signer says: \(words)"
        }
    }
}

extension SignerRelayReport.Problem {
    /// One plain sentence.
    public var sentence: String {
        switch self {
        case .ended(.complete): "It ended."
        case .ended(.deadline): "It did not answer in time."
        case .ended(.closed(let reason)): "It refuses: \(reason.text)."
        case .ended(.failed(let failure)): RelayProblem.failure(failure).sentence
        case .ended(.unauthenticated(let why)): "It cannot be read: \(why.words)."
        case .ended(.notAsked(let why)): "It was not asked: \(why.words)."
        case .unreachable(let problem): problem.sentence
        }
    }
}
