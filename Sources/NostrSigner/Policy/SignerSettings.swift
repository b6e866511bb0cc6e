public import NostrCore

/// What holds for all apps of one account.
public struct SignerSettings: Hashable, Sendable {
    /// Nothing is done for any app until this is taken back; requests wait.
    public var isPaused: Bool
    /// Kinds that only full trust or a grant of their own signs without asking.
    public var protectedKinds: Set<Kind>
    /// Where the signer listens, besides the relays of single apps.
    public var relays: [RelayURL]
    /// A yes to a protected kind, and one that gives full trust, needs the passphrase of the account's key typed with it.
    ///
    /// In force where the key rests under a passphrase; ``LiveSigner`` cannot be made to ask for one that is not there.
    public var asksForPassphrase: Bool

    /// Profile, follows, deletions, mutes, relays, app data (NIP-78); what holds money: the wallets of NIP-60 and NIP-61 and
    /// wallet connections (NIP-47); private messages (seals), vanishing, key packages of circles and where they lie,
    /// inboxes, and logins at relays and sites.
    public static let defaultProtectedKinds: Set<Kind> = [
        0, 3, 5, 10_000, 10_002, 30_078, 7374, 7375, 7376, 10_019, 13_194, 17_375, 23_194, 23_195,
        13, 62, 443, 30_443, 10_050, 10_051, 22_242, 27_235,
    ]

    /// The defaults, without relays.
    public init() {
        isPaused = false
        protectedKinds = Self.defaultProtectedKinds
        relays = []
        asksForPassphrase = false
    }
}
