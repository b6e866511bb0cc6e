public import NostrCore

/// Drafts (NIP-37), as screens need them.
public protocol DraftKeeping: Sendable {
    /// The drafts, the one written last first.
    func drafts() async throws -> [NoteDraft]
    /// Keeps a draft here, encrypted, and on the relays for private content (kind 10013).
    ///
    /// - Parameter id: the draft it replaces; `nil` for a new one.
    func saveDraft(_ composition: Composition, id: String?) async throws -> NoteDraft
    /// Deletes a draft everywhere.
    func deleteDraft(_ id: String) async throws
    /// Earlier states of a draft (kind 1234) that its writer's programs kept, the newest first.
    func checkpoints(of id: String) async throws -> [NoteDraft]
    /// Where drafts go, and where they are looked for.
    func relays() async throws -> DraftRelays
    /// Puts relays on the list for private content (kind 10013), in its private part; drafts that are here go there.
    ///
    /// - Throws: ``AccountError``; what was put on the list before stays there.
    func keep(on relays: [RelayURL]) async throws
    /// Leaves drafts on this machine, and asks no more.
    func keepHere() async throws
    /// Says which relays are searched for drafts beside the account's own; none is an answer too.
    func search(_ relays: [RelayURL]) async throws
}

/// A note that is not published yet.
public struct NoteDraft: Hashable, Sendable, Identifiable {
    /// Its identifier (`d`).
    public var id: String
    /// What it will be.
    public var kind: Kind
    /// What was written.
    public var composition: Composition
    /// The addresses of pictures and other files that belong to it.
    public var media: [String]
    /// When it was last changed.
    public var changedAt: Timestamp
    /// When relays may drop it (NIP-40).
    public var expires: Timestamp?
    /// Whether earlier states of it are here; see ``DraftKeeping/checkpoints(of:)``.
    public var hasCheckpoints = false
    /// Whether Linnet can take it up again: a note; `false` for a draft of another kind, which is only shown.
    public var isEditable: Bool

    /// A draft as the vault or another device kept it.
    public init(
        id: String, kind: Kind = 1, composition: Composition, media: [String] = [], changedAt: Timestamp,
        expires: Timestamp?, isEditable: Bool
    ) {
        self.id = id
        self.kind = kind
        self.composition = composition
        self.media = media
        self.changedAt = changedAt
        self.expires = expires
        self.isEditable = isEditable
    }
}
