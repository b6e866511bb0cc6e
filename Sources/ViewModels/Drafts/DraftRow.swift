public import NostrClient
public import NostrCore
internal import NostrSigner

/// One draft as a screen shows it.
public struct DraftRow: Hashable, Sendable, Identifiable {
    /// Its identifier.
    public let id: String
    /// How it begins, in one line; empty for one without words.
    public let text: String
    /// What it will be where that is no note, and how many files belong to it.
    public let marks: [String]
    /// The note it answers.
    public let replyTo: EventID?
    /// The note it quotes.
    public let quote: EventID?
    /// When it was last changed.
    public let changedAt: Timestamp
    /// When relays may drop it.
    public let expires: Timestamp?
    /// Whether earlier states of it are kept.
    public let hasEarlier: Bool
    /// Whether it can be taken up again here.
    public let isEditable: Bool

    init(_ draft: NoteDraft) {
        id = draft.id
        text = oneLine(draft.composition.text, limit: 200)
        marks = [DraftWords.kind(draft.kind), draft.media.isEmpty ? nil : DraftWords.files(draft.media.count)]
            .compactMap(\.self)
        replyTo = draft.composition.replyTo
        quote = draft.composition.quote
        changedAt = draft.changedAt
        expires = draft.expires
        hasEarlier = draft.hasCheckpoints
        isEditable = draft.isEditable
    }
}

extension DraftRow {
    /// Deletes a draft, here and on relays.
    public static func delete(_ id: String, of account: any Account) async throws(Trouble) {
        try await troubled { try await openDrafts(account).deleteDraft(id) }
    }
}

/// The drafts of an account that has a key and is unlocked.
func openDrafts(_ account: any Account) throws -> any DraftKeeping {
    _ = try openLists(account)
    guard let drafts = account.drafts else { throw SigningFailure.locked }
    return drafts
}
