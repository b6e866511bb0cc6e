public import NostrCore

/// One person's account at work: a façade whose members are its services.
///
/// Reads answer from the store at once, the network follows behind and shows itself through ``changes()``. Each member is
/// a small protocol, so that screens are tested over a scripted one.
public protocol Account: Sendable {
    /// Whose account.
    var publicKey: PublicKey { get }
    /// Whether there is a key to sign with; `false` for a read-only account.
    var canSign: Bool { get }
    /// What happens from now on.
    func changes() async -> AsyncStream<AccountChange>

    /// Timelines, threads and searches.
    var timeline: any TimelineReading { get }
    /// People as the account sees them.
    var people: any PeopleReading { get }
    /// Notes, reactions, reposts and deletions, and where they were offered.
    var publishing: any NotePublishing { get }
    /// Work (NIP-13) that is put into what is published.
    var mining: any WorkControl { get }
    /// The account's own profile.
    var profile: any ProfileEditing { get }
    /// Whom the account follows.
    var follows: any Following { get }
    /// Where the account writes and reads.
    var ownRelays: any OwnRelayKeeping { get }
    /// Leads somebody in who is new; `nil` where nobody is.
    var firstRun: (any FirstRunKeeping)? { get }
    /// How the network stands, and how complete what is shown is.
    var network: any NetworkReporting { get }

    // What only the owner of the key has
    /// Whether messages can be read now, and how the account is reachable; `nil` for an account without a key.
    func messagingState() async -> MessagingState?
    /// Publishes where the account wants private messages (kind 10050).
    func setInbox(_ relays: [RelayURL]) async throws -> Event
    /// Private messages; `nil` while the account is locked, and for one without a key.
    var messages: (any Messaging)? { get }
    /// What the account can do while it is unlocked; `nil` while it is locked, and for an account without a key.
    var unlocked: UnlockedAccount? { get }
    /// The account's lists; `nil` for an account without a key.
    var lists: (any ListKeeping)? { get }
    /// Which relays may learn who the account is; `nil` for an account without a key.
    var consents: (any RelayConsentKeeping)? { get }
    /// Drafts; `nil` while the account is locked, and for one without a key.
    var drafts: (any DraftKeeping)? { get }
    /// Notes that wait for their signer; `nil` for an account without a key.
    var unsigned: (any UnsignedNoteKeeping)? { get }
    /// Earlier versions of what the account published; `nil` where none are kept.
    var history: (any VersionHistory)? { get }
}

extension Account {
    /// Nobody is new.
    public var firstRun: (any FirstRunKeeping)? { nil }
    /// No messages.
    public func messagingState() async -> MessagingState? { nil }
    /// Refuses: nobody can write to it.
    public func setInbox(_ relays: [RelayURL]) async throws -> Event { throw AccountError.readOnly }
    /// No messages.
    public var messages: (any Messaging)? { nil }
    /// Never unlocked.
    public var unlocked: UnlockedAccount? { nil }
    /// No lists.
    public var lists: (any ListKeeping)? { nil }
    /// Nobody to prove.
    public var consents: (any RelayConsentKeeping)? { nil }
    /// No drafts.
    public var drafts: (any DraftKeeping)? { nil }
    /// No notes to sign.
    public var unsigned: (any UnsignedNoteKeeping)? { nil }
    /// No history.
    public var history: (any VersionHistory)? { nil }
}
