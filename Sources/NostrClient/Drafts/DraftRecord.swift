internal import NostrCore
internal import NostrNIPs

/// A draft as it rests in the vault.
///
/// Shape: JSON of identifier, moment, expiration and the unsigned event, which is kept as it came so that nothing of
/// another program's draft is lost.
struct DraftRecord: Hashable, Sendable {
    static let table = "drafts"

    var id: String
    var changedAt: Timestamp
    var expires: Timestamp?
    /// The unsigned event as JSON.
    var text: String

    init(id: String, changedAt: Timestamp, expires: Timestamp?, text: String) {
        self.id = id
        self.changedAt = changedAt
        self.expires = expires
        self.text = text
    }

    init?(_ bytes: [UInt8]) {
        // What is damaged is no draft; the caller counts it.
        guard let value = try? JSONValue(bytes), let id = value["id"]?.string,
            let changed = value["changed_at"]?.integer, let text = value["draft"]?.string
        else { return nil }
        self.init(
            id: id, changedAt: Timestamp(seconds: changed),
            expires: value["expires"]?.integer.map(Timestamp.init(seconds:)), text: text)
    }

    var bytes: [UInt8] {
        var members = [
            JSONMember("id", .string(id)), JSONMember("changed_at", .number("\(changedAt.seconds)")),
            JSONMember("draft", .string(text)),
        ]
        if let expires { members.append(JSONMember("expires", .number("\(expires.seconds)"))) }
        return JSONValue.object(members).json
    }

    /// What screens show; `nil` when the text is no draft.
    var shown: NoteDraft? {
        guard let unsigned = UnsignedDraft(json: text) else { return nil }
        return NoteDraft(
            id: id, kind: unsigned.draft.kind, composition: Composition(unsigned.draft), media: unsigned.media,
            changedAt: changedAt, expires: expires, isEditable: unsigned.draft.canBeTakenUp)
    }

    /// What it will be; `nil` when the text is no draft.
    var kind: Kind? { UnsignedDraft(json: text)?.draft.kind }
}

extension Composition {
    /// What a draft says.
    init(_ draft: EventDraft) {
        let comment = draft.kind == 1111 ? draft.tags.first { $0.name == "e" }?.eventID(at: 1) : nil
        let quote = draft.tags.quotes.compactMap { quote -> EventID? in
            if case .event(let pointer) = quote { pointer.id } else { nil }
        }.first
        self.init(
            text: draft.content, replyTo: comment ?? ThreadReferences(draft.tags).parent?.id, quote: quote,
            contentWarning: draft.tags.contentWarning,
            attachments: draft.tags.filter { $0.mediaAddress != nil })
    }

    /// The draft that stands for it; its tags are completed when it is published.
    func draft(at moment: Timestamp) -> EventDraft {
        var tags: [Tag] = []
        if let replyTo { tags.append(["e", replyTo.hex, "", "reply"]) }
        if let quote { tags.append(["q", quote.hex]) }
        if let contentWarning { tags.append(.contentWarning(contentWarning)) }
        return EventDraft(kind: 1, tags: tags + attachments, content: text, createdAt: moment)
    }
}

extension EventDraft {
    // Tags that are made again when a note is published; any other would be lost by taking a draft up.
    private static let completed: Set<String> = [
        "e", "p", "q", "t", "emoji", "content-warning", "client", "a", "k", "E", "P", "A", "K", "expiration", "imeta",
    ]

    /// Whether Linnet can go on writing it without losing anything.
    var canBeTakenUp: Bool {
        (kind == 1 || kind == 1111) && tags.allSatisfy { Self.completed.contains($0.name ?? "") }
    }
}
