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
}

/// A note that is not published yet.
public struct NoteDraft: Hashable, Sendable, Identifiable {
    /// Its identifier (`d`).
    public var id: String
    /// What was written.
    public var composition: Composition
    /// When it was last changed.
    public var changedAt: Timestamp
    /// When relays may drop it (NIP-40).
    public var expires: Timestamp?
    /// Whether Linnet can take it up again: a note; `false` for a draft of another kind, which is only shown.
    public var isEditable: Bool

    /// A draft as the vault or another device kept it.
    public init(id: String, composition: Composition, changedAt: Timestamp, expires: Timestamp?, isEditable: Bool) {
        self.id = id
        self.composition = composition
        self.changedAt = changedAt
        self.expires = expires
        self.isEditable = isEditable
    }
}
