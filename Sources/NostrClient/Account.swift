public import NostrCore

/// One person's account at work: a façade whose members are its services.
///
/// Reads answer from the store at once, the network follows behind and shows itself through ``changes()``. Each member is
/// a small protocol, so that screens are tested over a scripted one.
public protocol Account: AnyObject, Sendable {
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
    /// Live streams and their chats; `nil` where none are read.
    var streams: (any LiveStreaming)? { get }
    /// Notes, reactions, reposts and deletions, and where they were offered.
    var publishing: any NotePublishing { get }
    /// Voting and making polls; `nil` where there is none.
    var polls: (any Polling)? { get }
    /// Reactions by what they mean, and the account's emoji; `nil` where neither is looked into.
    var reactions: (any ReactionKeeping)? { get }
    /// Topics and people that much is made of; `nil` where that is not counted.
    var trends: (any TrendReading)? { get }
    /// What people the account follows reported; `nil` where that is not looked into.
    var reports: (any ReportReading)? { get }
    /// Apps for kinds that Linnet does not show; `nil` where none are looked for.
    var apps: (any AppOffering)? { get }
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
    /// What concerns the account; `nil` where that is not looked for.
    var notifications: (any NotificationReading)? { get }
    /// How the network stands, and how complete what is shown is.
    var network: any NetworkReporting { get }
    /// Articles; `nil` where none are read.
    var articles: (any ArticleKeeping)? { get }
    /// What people show on their pages beside their notes; `nil` where it is not read.
    var showcases: (any ShowcaseReading)? { get }

    /// Previews of pages that notes link to; `nil` where no page of the web is fetched.
    var previews: (any LinkPreviewing)? { get }

    /// The account's files on media servers; `nil` where none are kept.
    var files: (any FileKeeping)? { get }
    /// Pictures of others, fetched and kept by this machine; `nil` where none are.
    var pictures: (any PictureCaching)? { get }
    /// Films and sounds of others, handed on by this machine; `nil` where browsers ask their servers.
    var recordings: (any RecordingPlaying)? { get }

    /// GIFs that others published; `nil` where none are looked for.
    var gifs: (any GifFinding)? { get }
    /// GIFs of a host that is asked with a key; `nil` while the account is locked, and for one without a key.
    var gifHost: (any GifHosting)? { get }

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
    /// Relays in private networks rest after a refusal: one that the person has just allowed is tried at once, and what
    /// waits for it goes on.
    func didAllow(_ relay: RelayURL) async
    /// Drops what is stored of people who are muted; `nil` for an account without a key.
    var copies: (any CopyRemoving)? { get }
    /// Drafts; `nil` while the account is locked, and for one without a key.
    var drafts: (any DraftKeeping)? { get }
    /// Notes that wait for their signer; `nil` for an account without a key.
    var unsigned: (any UnsignedNoteKeeping)? { get }
    /// Earlier versions of what the account published; `nil` where none are kept.
    var history: (any VersionHistory)? { get }
}

extension Account {
    /// No articles.
    public var articles: (any ArticleKeeping)? { nil }
    /// Nothing is shown.
    public var showcases: (any ShowcaseReading)? { nil }
    /// No live streams.
    public var streams: (any LiveStreaming)? { nil }
    /// No polls.
    public var polls: (any Polling)? { nil }
    /// Nothing concerns it.
    public var notifications: (any NotificationReading)? { nil }
    /// No reactions.
    public var reactions: (any ReactionKeeping)? { nil }
    /// Nothing is dropped.
    public var copies: (any CopyRemoving)? { nil }
    /// No trends.
    public var trends: (any TrendReading)? { nil }
    /// No reports.
    public var reports: (any ReportReading)? { nil }
    /// No apps.
    public var apps: (any AppOffering)? { nil }
    /// No previews.
    public var previews: (any LinkPreviewing)? { nil }
    /// No files.
    public var files: (any FileKeeping)? { nil }
    /// No GIFs.
    public var gifs: (any GifFinding)? { nil }
    /// No host of GIFs.
    public var gifHost: (any GifHosting)? { nil }
    /// No pictures.
    public var pictures: (any PictureCaching)? { nil }
    /// No films and sounds.
    public var recordings: (any RecordingPlaying)? { nil }
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
    /// Nothing rests.
    public func didAllow(_ relay: RelayURL) async {}
    /// No drafts.
    public var drafts: (any DraftKeeping)? { nil }
    /// No notes to sign.
    public var unsigned: (any UnsignedNoteKeeping)? { nil }
    /// No history.
    public var history: (any VersionHistory)? { nil }
}
