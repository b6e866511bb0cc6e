public import NostrCore

/// A comment on anything but a note: kind 1111.
///
/// Source: NIP-22.
public struct Comment: Hashable, Sendable {
    /// The kind of a comment.
    public static let kind: Kind = 1111

    /// What is commented on.
    public enum Subject: Hashable, Sendable {
        /// An event.
        case event(EventPointer)
        /// An address; with the version that was read, where known.
        case address(AddressPointer, version: EventID?)
        /// Something outside of Nostr (NIP-73): its identifier, the name of its kind, a page to see it.
        case external(String, kind: String, page: String?)
    }

    /// What the whole conversation is about.
    public let root: Subject
    /// What this comment answers; equal to ``root`` for a first comment.
    public let parent: Subject
    /// The words.
    public let text: String

    /// Reads an event; `nil` unless it is of kind 1111 and names both subjects.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let root = Self.subject(event.tags, uppercase: true),
            let parent = Self.subject(event.tags, uppercase: false)
        else { return nil }
        self.root = root
        self.parent = parent
        text = event.content
    }

    /// A comment on an event, or an answer to a comment.
    ///
    /// - Parameters:
    ///   - subject: of any kind but 1, which NIP-10 answers.
    ///   - relay: where the subject can be found.
    ///   - tags: further tags, such as mentions and emoji.
    public static func draft(
        on subject: Event, relay: RelayURL?, text: String, tags further: [Tag] = [], createdAt: Timestamp
    ) -> EventDraft {
        var tags = subject.kind == kind ? rootTags(of: subject.tags) : []
        if tags.isEmpty { tags = self.tags(for: subject, relay: relay, uppercase: true) }
        tags += self.tags(for: subject, relay: relay, uppercase: false)
        return EventDraft(kind: kind, tags: tags + further, content: text, createdAt: createdAt)
    }

    /// A first comment on something outside of Nostr.
    public static func draft(
        on identifier: String, kind name: String, page: String? = nil, text: String, tags further: [Tag] = [],
        createdAt: Timestamp
    ) -> EventDraft {
        let tags: [Tag] = [
            Tag(trimming: ["I", identifier, page ?? ""]), ["K", name],
            Tag(trimming: ["i", identifier, page ?? ""]), ["k", name],
        ]
        return EventDraft(kind: kind, tags: tags + further, content: text, createdAt: createdAt)
    }

    private static func rootTags(of tags: [Tag]) -> [Tag] {
        tags.filter { ["A", "E", "I", "K", "P"].contains($0.name) }
    }

    private static func tags(for event: Event, relay: RelayURL?, uppercase: Bool) -> [Tag] {
        func name(_ letter: String) -> String { uppercase ? letter.uppercased() : letter }
        let relays = relay.map { [$0] } ?? []
        var tags: [Tag] = []
        if let address = event.address {
            tags.append(AddressPointer(address: address, relays: relays).tag(name("a")))
            if !uppercase { tags.append(EventPointer(event, relays: relays).tag("e")) }
        } else {
            tags.append(EventPointer(event, relays: relays).tag(name("e")))
        }
        tags.append([name("k"), String(event.kind.rawValue)])
        tags.append(Tag(trimming: [name("p"), event.pubkey.hex, relay?.text ?? ""]))
        return tags
    }

    private static func subject(_ tags: [Tag], uppercase: Bool) -> Subject? {
        func first(_ letter: String) -> Tag? {
            let name = uppercase ? letter.uppercased() : letter
            return tags.first { $0.name == name }
        }
        let kindTag = first("k")
        let kind = kindTag?.kind(at: 1)
        let version = first("e")?.eventID(at: 1)
        // A parent that is itself a comment may still carry the address of the root in lowercase.
        let isVersioned = kind.map { $0.retention == .addressable || $0.retention == .replaceable } ?? (version == nil)
        if isVersioned, let pointer = first("a").flatMap(AddressPointer.init(tag:)) {
            return .address(pointer, version: version)
        }
        if let tag = first("e"), var pointer = EventPointer(tag: tag) {
            pointer.author = pointer.author ?? first("p")?.publicKey(at: 1)
            pointer.kind = kind
            return .event(pointer)
        }
        if let pointer = first("a").flatMap(AddressPointer.init(tag:)) { return .address(pointer, version: version) }
        guard let tag = first("i"), let identifier = tag.text(at: 1) else { return nil }
        return .external(identifier, kind: kindTag?.text(at: 1) ?? "", page: tag.text(at: 2))
    }
}
