internal import NostrClient
public import NostrCore
internal import NostrSigner

/// One draft as a screen shows it.
public struct DraftRow: Hashable, Sendable, Identifiable {
    /// Its identifier.
    public let id: String
    /// How it begins, in one line; empty for one without words.
    public let text: String
    /// The note it answers.
    public let replyTo: EventID?
    /// The note it quotes.
    public let quote: EventID?
    /// When it was last changed.
    public let changedAt: Timestamp
    /// When relays may drop it.
    public let expires: Timestamp?
    /// Whether it can be taken up again here.
    public let isEditable: Bool

    init(_ draft: NoteDraft) {
        id = draft.id
        text = oneLine(draft.composition.text, limit: 200)
        replyTo = draft.composition.replyTo
        quote = draft.composition.quote
        changedAt = draft.changedAt
        expires = draft.expires
        isEditable = draft.isEditable
    }
}

extension Desk {
    /// What the account wrote and did not publish yet, the newest first.
    public func drafts() async throws(Trouble) -> [DraftRow] {
        try await troubled { try await openDrafts(account).drafts().map(DraftRow.init) }
    }

    /// Deletes a draft, here and on relays.
    public func deleteDraft(_ id: String) async throws(Trouble) {
        try await troubled { try await openDrafts(account).deleteDraft(id) }
    }

    /// A draft on a page to write on; `nil` when it is gone or is no note.
    public func takeUp(_ id: String) async throws(Trouble) -> (ScreenModel<ComposeState>, ComposeState.Draft)? {
        do {
            guard let draft = try await openDrafts(account).drafts().first(where: { $0.id == id }), draft.isEditable
            else { return nil }
            let composition = draft.composition
            let model = ScreenModel(
                replyTo: composition.replyTo, quote: composition.quote, keptAs: id, of: account)
            return (model, ComposeState.Draft(text: composition.text, warning: composition.contentWarning))
        } catch {
            throw Trouble(error)
        }
    }

    /// Sets what the account's owner is doing now (NIP-38), or clears it with an empty text.
    ///
    /// - Parameter lasts: how long it holds; `nil` until it is changed.
    public func setStatus(
        _ text: String, link: String, lasts: Duration?, now: Timestamp
    ) async throws(Trouble) {
        do {
            guard let lists = account.lists else { throw Trouble.noLists }
            let words = oneLine(text, limit: 140)
            guard !holdsSecretKey(words) else { throw Trouble("This holds a secret key. Take it out.") }
            let address = link.trimmingSpace()
            let target = webAddress(address)
            guard address.isEmpty || target != nil else { throw Trouble("The link begins with https://.") }
            _ = try await lists.setStatus(
                words, link: words.isEmpty ? nil : target, expires: words.isEmpty ? nil : lasts.map { now + $0 })
        } catch {
            throw Trouble(error)
        }
    }
}

/// The drafts of an account that has a key and is unlocked.
func openDrafts(_ account: any Account) throws -> any DraftKeeping {
    guard account.lists != nil else { throw Trouble.noLists }
    guard let drafts = account.drafts else { throw SigningFailure.locked }
    return drafts
}
