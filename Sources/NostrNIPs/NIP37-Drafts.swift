public import NostrCore

/// A note that is not published yet, as it is kept on relays: the draft itself is encrypted inside.
///
/// Source: NIP-37.
public struct DraftWrap: Hashable, Sendable {
    /// The kind of a wrapped draft.
    public static let kind: Kind = 31_234
    /// The kind of a checkpoint: an earlier state of a draft.
    public static let checkpointKind: Kind = 1234
    /// How long relays should keep one: 90 days, as the NIP recommends.
    public static let lifetime: Duration = .seconds(90 * 86_400)

    /// Which draft (`d`).
    public let identifier: String
    /// What it will be (`k`).
    public let draftKind: Kind?
    /// When relays may drop it.
    public let expires: Timestamp?
    /// When it was last changed.
    public let changedAt: Timestamp
    /// The encrypted draft; empty for one that was deleted.
    public let payload: String

    /// Reads an event; `nil` unless it is a wrapped draft, or a checkpoint of one.
    public init?(_ event: Event) {
        switch event.kind {
        case Self.kind: identifier = event.tags.firstValue("d") ?? ""
        case Self.checkpointKind:
            guard let address = event.tags.first(where: { $0.name == "a" })?.address(at: 1),
                address.kind == Self.kind, address.author == event.pubkey
            else { return nil }
            identifier = address.identifier
        default: return nil
        }
        draftKind = event.tags.first { $0.name == "k" }?.kind(at: 1)
        expires = event.tags.expiration
        changedAt = event.createdAt
        payload = event.content
    }

    /// Whether its author deleted it: the content is blank.
    ///
    /// Some programs blank the draft inside instead: ``UnsignedDraft/isBlank``.
    public var isDeleted: Bool { payload.allSatisfy(\.isWhitespace) }

    /// Wraps an encrypted draft; an empty payload deletes it.
    ///
    /// - Parameter previous: when the version it replaces was made.
    public static func draft(
        identifier: String, of kind: Kind, payload: String, replacing previous: Timestamp?, now: Timestamp
    ) -> EventDraft {
        let moment = momentReplacing(previous, now: now)
        return EventDraft(
            kind: Self.kind,
            tags: [["d", identifier], ["k", String(kind.rawValue)], .expiration(moment + lifetime)],
            content: payload, createdAt: moment)
    }
}

extension Tag {
    /// The address of the file that an `imeta` tag is about; `nil` for another tag, or one without it.
    ///
    /// Source: NIP-92.
    public var mediaAddress: String? {
        guard name == "imeta" else { return nil }
        return elements.dropFirst().lazy.compactMap { element -> String? in
            let parts = element.split(separator: " ", maxSplits: 1)
            return parts.count == 2 && parts[0] == "url" ? parts[1].trimmingWhiteSpace() : nil
        }.first
    }
}

/// An event before it has an author's signature: what a wrapped draft holds.
///
/// Shape: JSON of an event without `id` and `sig`; programs differ in what else they leave away, so only the kind must be
/// there. Source: NIP-37.
public struct UnsignedDraft: Hashable, Sendable {
    /// What it will be.
    public var draft: EventDraft
    /// Who wrote it, where it says so.
    public var author: PublicKey?

    /// A draft to be wrapped; with an author, other programs can show whose it is.
    public init(_ draft: EventDraft, author: PublicKey?) {
        self.draft = draft
        self.author = author
    }

    /// Reads the decrypted text, or is `nil`.
    public init?(json text: String) {
        // What is not JSON is no draft.
        guard let value = try? JSONValue(Array(text.utf8)), case .object = value,
            let kind = value["kind"]?.integer.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        let tags = (value["tags"]?.elements ?? []).compactMap { tag -> Tag? in
            let strings = tag.elements.compactMap(\.string)
            return strings.isEmpty || strings.count != tag.elements.count ? nil : Tag(strings)
        }
        draft = EventDraft(
            kind: Kind(kind), tags: tags, content: value["content"]?.string ?? "",
            createdAt: Timestamp(seconds: value["created_at"]?.integer ?? 0))
        // A draft without a well-formed author is the reader's own all the same.
        author = value["pubkey"]?.string.flatMap { try? PublicKey(hex: $0) }
    }

    /// Whether there is nothing in it: Wisp deletes a draft by putting such a one in its place.
    ///
    /// A picture without words, or a quote, is not nothing.
    public var isBlank: Bool {
        draft.content.allSatisfy(\.isWhitespace) && !draft.tags.contains { Self.substance.contains($0.name ?? "") }
    }

    private static let substance: Set<String> = ["imeta", "q", "title", "option", "url", "image", "poll_option"]

    /// The files that belong to it, each once: those of `imeta` tags (NIP-92), then addresses that stand alone on the last
    /// lines of the text, where older programs put them.
    public var media: [String] {
        var found = draft.tags.filter { $0.name == "imeta" }.compactMap(\.mediaAddress)
        var trailing: [String] = []
        for line in draft.content.split(whereSeparator: \.isNewline).reversed() {
            let word = line.trimmingWhiteSpace()
            guard word.hasPrefix("https://") || word.hasPrefix("http://"), !word.contains(where: \.isWhitespace) else {
                break
            }
            trailing.insert(word, at: 0)
        }
        found += trailing
        var seen: Set<String> = []
        return found.filter { seen.insert($0).inserted }
    }

    /// The text to encrypt.
    public var json: String {
        var members = [JSONMember("kind", .number(String(draft.kind.rawValue)))]
        if let author { members.append(JSONMember("pubkey", .string(author.hex))) }
        members.append(JSONMember("created_at", .number(String(draft.createdAt.seconds))))
        members.append(
            JSONMember("tags", .array(draft.tags.map { .array($0.elements.map { .string($0) }) })))
        members.append(JSONMember("content", .string(draft.content)))
        return JSONValue.object(members).text
    }
}
