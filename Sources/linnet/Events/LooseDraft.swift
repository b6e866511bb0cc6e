import NostrCore
import NostrNIPs

/// A draft as people write it by hand: an event without id and signature, of which anything may be left out.
struct LooseDraft {
    /// What it says.
    let draft: EventDraft
    /// Who wrote it, when it says.
    let author: PublicKey?

    /// Reads one JSON object; members of a finished event that a draft has no use for are passed over.
    ///
    /// - Parameter now: the moment of a draft without `created_at`.
    /// - Throws: ``CommandFailure``, which never carries the content.
    init(_ bytes: [UInt8], now: Timestamp) throws {
        // What is wrong with text that is no JSON is of no use to its author.
        guard case .object? = try? JSONValue(bytes), let json = try? JSONValue(bytes) else {
            throw CommandFailure("Standard input holds no JSON object: give a draft such as {\"content\":\"hello\"}.")
        }
        func wrong(_ member: String) -> CommandFailure {
            CommandFailure("The draft's \(member) is not what it must be.")
        }
        func integer<Number: FixedWidthInteger>(_ member: String, _ type: Number.Type) throws -> Number? {
            guard let value = json[member] else { return nil }
            guard let whole = value.integer, let number = Number(exactly: whole) else { throw wrong(member) }
            return number
        }
        var tags: [Tag] = []
        if let value = json["tags"] {
            guard case .array(let lists) = value else { throw wrong("tags") }
            for list in lists {
                guard case .array(let elements) = list else { throw wrong("tags") }
                let texts = elements.compactMap(\.string)
                guard texts.count == elements.count else { throw wrong("tags") }
                tags.append(Tag(texts))
            }
        }
        var content = ""
        if let value = json["content"] {
            guard let text = value.string else { throw wrong("content") }
            content = text
        }
        let seconds = try integer("created_at", Int64.self)
        guard seconds ?? 0 >= 0 else { throw wrong("created_at") }
        draft = EventDraft(
            kind: Kind(try integer("kind", UInt16.self) ?? 1), tags: tags, content: content,
            createdAt: seconds.map { Timestamp(seconds: $0) } ?? now)
        author = try json["pubkey"].map { value in
            // Anything but 64 hex characters gets the sentence of this member.
            guard let text = value.string, let key = try? PublicKey(hex: text) else { throw wrong("pubkey") }
            return key
        }
    }
}
