public import NostrCore
public import NostrSigner

/// A service that lives as long as its account is unlocked: made after the key has come, dropped when it goes.
///
/// Locking cancels ``run()``, waits for its end, then wipes and drops the service. It never asks whether the account is
/// unlocked, and a call that is still under way when the key goes fails with what its signer or its records throw.
public protocol UnlockedService: AnyObject, Sendable {
    /// Works until cancelled.
    func run() async
    /// Forgets everything that was decrypted.
    func wipe() async
    /// The person answered whether a relay may learn who the account is, or took the answer back; what waits for that
    /// relay is judged anew.
    func consentDidChange(for relay: RelayURL) async
    /// What signs is there again: what waited for it goes on.
    func signerDidReturn() async
}

extension UnlockedService {
    /// Nothing follows for a service of which nothing waits for relays.
    public func consentDidChange(for relay: RelayURL) async {}

    /// Nothing follows for a service of which nothing waits for a signer.
    public func signerDidReturn() async {}
}

/// What a service that needs the key works with, beside the services of the account below it.
public struct UnlockedContext: Sendable {
    /// What every service of the account works with.
    public let account: AccountContext
    /// Signs, encrypts, decrypts and opens gift wraps with the account's key.
    public let signer: any EventSigner
    /// The account's records that nobody else reads.
    package let sealed: SealedRecords
    /// Who writes and reads where.
    public let gossip: Gossip
    /// What the account publishes.
    public let publishing: Publishing
    /// The account's own replaceable events.
    public let replaceable: ReplaceableEvents
    /// Who people are.
    package let people: People
    /// What the account does not want to see.
    public let mutes: MutesInForce
    /// Rumors that are no messages, in and out through gift wraps.
    ///
    /// `nil` where the messages could not be read from disk.
    package internal(set) var mail: (any RumorMail)?
    /// Where sealed files are put; `nil` where none are sent.
    package internal(set) var uploads: (any BlobUploading)?
}

/// Makes a service for an account that has just been unlocked.
///
/// The composition root registers those of targets above, as `Circles`; a factory that throws is logged, and the
/// account is unlocked without that service.
public typealias UnlockedServiceFactory = @Sendable (UnlockedContext) async throws -> any UnlockedService
