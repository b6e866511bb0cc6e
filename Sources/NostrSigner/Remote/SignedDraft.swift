internal import NostrCore
internal import NostrNIPs

extension Event {
    /// Reads what a signer elsewhere gave back for a draft, and takes nothing on trust.
    ///
    /// - Throws: ``SigningFailure/wrongAnswer`` when id or signature do not check, or when author, kind, tags, content or
    ///   time are not those that were asked for.
    init(signed text: String, of draft: EventDraft, by author: PublicKey) throws(SigningFailure) {
        let event: Event
        do { event = try Event(verifying: UnverifiedEvent(json: text.utf8.span)) } catch { throw .wrongAnswer }
        guard event.pubkey == author, event.kind == draft.kind, event.tags == draft.tags,
            event.content == draft.content, event.createdAt == draft.createdAt
        else { throw .wrongAnswer }
        self = event
    }
}

extension EventDraft {
    /// As `sign_event` wants it: without id, author and signature.
    ///
    /// Some signers and extensions insist on a `pubkey`; where it is given they compare it.
    func json(author: PublicKey?) -> String {
        var members = [
            JSONMember("kind", .number("\(kind.rawValue)")), JSONMember("content", .string(content)),
            JSONMember("tags", .array(tags.map { .array($0.elements.map(JSONValue.string)) })),
            JSONMember("created_at", .number("\(createdAt.seconds)")),
        ]
        if let author { members.append(JSONMember("pubkey", .string(author.hex))) }
        return JSONValue.object(members).text
    }
}
