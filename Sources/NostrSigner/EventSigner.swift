public import NostrCore

/// Whatever holds a key and signs with it: a local key, a bunker, a browser.
public protocol EventSigner: Sendable {
    /// The key it signs with.
    var publicKey: PublicKey { get }

    /// Signs a draft.
    ///
    /// - Throws: ``SigningFailure``.
    func sign(_ draft: EventDraft) async throws -> Event
}

/// Why a draft was not signed.
public enum SigningFailure: Error, Equatable, Sendable {
    /// The key is locked; unlock the account first.
    case locked
    /// This account can only read.
    case readOnly
    /// The person said no.
    case refused
    /// No answer within the deadline.
    case timedOut
}
