public import NostrClient
public import NostrCore

/// A note to go on writing: taken back before it went out, or kept as a draft.
public struct UnfinishedNote: Equatable, Sendable {
    /// What was filled in.
    public let draft: ComposeState.Draft
    /// The note it answers.
    public let replyTo: EventID?
    /// The note it quotes.
    public let quote: EventID?
    /// The kept draft it is taken up from.
    public let keptAs: String?

    init(_ composition: Composition, draft: ComposeState.Draft, keptAs: String?) {
        self.draft = draft
        replyTo = composition.replyTo
        quote = composition.quote
        self.keptAs = keptAs
    }

    /// Takes a kept draft up; `nil` when it is gone or is no note.
    public static func load(draft id: String, of account: any Account) async throws(Trouble) -> UnfinishedNote? {
        let drafts = try await troubled { try await openDrafts(account).drafts() }
        guard let kept = drafts.first(where: { $0.id == id }), kept.isEditable else { return nil }
        return UnfinishedNote(kept.composition, keptAs: id)
    }

    /// Takes an earlier state of a kept draft up; `nil` when it is gone or is no note.
    public static func load(
        checkpoint: String, of id: String, _ account: any Account
    ) async throws(Trouble) -> UnfinishedNote? {
        let earlier = try await troubled { try await openDrafts(account).checkpoints(of: id) }
        guard let kept = earlier.first(where: { $0.id == checkpoint }), kept.isEditable else { return nil }
        return UnfinishedNote(kept.composition, keptAs: id)
    }

    private init(_ composition: Composition, keptAs: String) {
        let written = ComposeState.Draft(
            text: composition.text, warning: composition.contentWarning, attachments: composition.attachments)
        self.init(composition, draft: written, keptAs: keptAs)
    }
}

extension ScreenModel where S == ComposeState {
    /// A page to go on writing on; open it with the note's draft.
    public init(_ note: UnfinishedNote, of account: any Account) {
        self.init(replyTo: note.replyTo, quote: note.quote, keptAs: note.keptAs, of: account)
    }
}
