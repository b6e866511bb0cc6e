internal import NostrCore
internal import NostrNIPs

/// Turns what a person wrote into a draft with all its tags.
struct NoteComposer: Sendable {
    let account: PublicKey
    let emoji: [CustomEmoji]
    let now: Timestamp
    /// Where an event can be found.
    let hints: [EventID: RelayURL]

    /// The draft of a note (kind 1), or of a comment (kind 1111) where what it answers is no note.
    func draft(_ composition: Composition, parent: Event?, quote: Event?) throws -> EventDraft {
        var draft = try words(of: composition, parent: parent, quote: quote)
        if let client = composition.client { draft.tags.append(["client", client]) }
        return draft
    }

    private func words(of composition: Composition, parent: Event?, quote: Event?) throws -> EventDraft {
        if let post = composition.mediaPost, parent == nil, quote == nil { return try draft(of: post, composition) }
        let text = try self.text(of: composition, quote: quote)
        var further = references(in: text)
        if let quote { further += quoteTags(quote) }
        further += composition.attachments
        if let warning = composition.contentWarning { further.append(.contentWarning(warning)) }
        guard let parent else { return note(text, tags: further) }
        let relay = hints[parent.id]
        if parent.kind == 1 {
            return note(text, tags: ThreadReferences.replyTags(to: parent, relay: relay, author: account) + further)
        }
        var draft = Comment.draft(on: parent, relay: relay, text: text, createdAt: now)
        draft.tags = Self.merged(draft.tags + further, without: nil)
        return draft
    }

    /// The emoji a reaction names by `:shortcode:`.
    func emoji(named content: String) -> CustomEmoji? {
        emoji.first { ":\($0.shortcode):" == content }
    }

    /// The draft of a post of pictures or a film: its files stand in tags alone.
    private func draft(of post: MediaPost, _ composition: Composition) throws -> EventDraft {
        let text = composition.text.trimmingWhiteSpace()
        var further = references(in: text)
        if let warning = composition.contentWarning { further.append(.contentWarning(warning)) }
        var draft = try post.draft(text: text, files: composition.attachments, further: further, now: now)
        draft.tags = Self.merged(draft.tags, without: account)
        return draft
    }

    private func note(_ text: String, tags: [Tag]) -> EventDraft {
        EventDraft(kind: 1, tags: Self.merged(tags, without: account), content: text, createdAt: now)
    }

    // A quote is cited in the text, where readers that know no `q` tags find it (NIP-18, NIP-27).
    private func text(of composition: Composition, quote: Event?) throws -> String {
        let written = composition.text.trimmingWhiteSpace()
        // Readers that know no `imeta` find a file by its address in the text (NIP-92).
        let unnamed = composition.attachments.compactMap(\.mediaAddress).filter { !written.contains($0) }
        let words = ([written] + unnamed).filter { !$0.isEmpty }.joined(separator: "\n")
        guard let quote else {
            guard !words.isEmpty else { throw AccountError.empty }
            return words
        }
        let pointer = EventPointer(quote, relays: hints[quote.id].map { [$0] } ?? [])
        let uri = try NostrEntity.nevent(pointer).uri()
        if words.contains(quote.id.hex) || words.contains(uri) { return words }
        return words.isEmpty ? uri : words + "\n" + uri
    }

    private func references(in text: String) -> [Tag] {
        ContentToken.split(text, tags: emoji.map(\.tag)).referenceTags
    }

    private func quoteTags(_ quote: Event) -> [Tag] {
        let relays = hints[quote.id].map { [$0] } ?? []
        return [EventPointer(quote, relays: relays).tag("q"), ["p", quote.pubkey.hex]]
    }

    /// Each person, quote and topic once, the first tag stands; nobody is told of their own note.
    private static func merged(_ tags: [Tag], without author: PublicKey?) -> [Tag] {
        struct Subject: Hashable {
            let name: String
            let value: String
        }
        var seen: Set<Subject> = []
        return tags.filter { tag in
            guard let name = tag.name, let value = tag.value, ["p", "q", "t", "emoji"].contains(name) else {
                return true
            }
            if name == "p", value == author?.hex { return false }
            return seen.insert(Subject(name: name, value: value)).inserted
        }
    }
}

extension String {
    /// The text without white space at either end.
    package func trimmingWhiteSpace() -> String {
        guard let start = firstIndex(where: { !$0.isWhitespace }),
            let end = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[start...end])
    }
}
