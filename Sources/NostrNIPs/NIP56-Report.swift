public import NostrCore

/// A report about an event or a person: kind 1984.
///
/// Reports are public and signed by whoever makes them. Source: NIP-56.
public struct Report: Hashable, Sendable {
    /// The kind of a report.
    public static let kind: Kind = 1984

    /// What is objectionable.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        case nudity, malware, profanity, illegal, spam, impersonation, other
    }

    /// Who is reported.
    public let person: PublicKey
    /// The event that is reported; `nil` for a report about the person alone.
    public let event: EventID?
    /// What is objectionable; `nil` for a word that NIP-56 does not know.
    public let reason: Reason?
    /// More about it, in the reporter's words.
    public let text: String

    /// Reads an event; `nil` unless it is of kind 1984 and names a person.
    ///
    /// The reason stands in the `e` tag where an event is reported, else in the `p` tag; some put it in the other one.
    public init?(_ event: Event) {
        guard event.kind == Self.kind,
            let named = event.tags.last(where: { $0.name == "p" && $0.publicKey(at: 1) != nil }),
            let key = named.publicKey(at: 1)
        else { return nil }
        let about = event.tags.first { $0.name == "e" && $0.eventID(at: 1) != nil }
        person = key
        self.event = about?.eventID(at: 1)
        let words = [about, named].compactMap { tag in
            tag.flatMap { $0.elements.count > 2 ? $0.elements[2].lowercased() : nil }
        }
        reason = words.lazy.compactMap(Reason.init(rawValue:)).first
        text = event.content
    }

    /// A report about an event and its author.
    public static func draft(
        about event: Event, reason: Reason, text: String = "", createdAt: Timestamp
    ) -> EventDraft {
        let tags: [Tag] = [["e", event.id.hex, reason.rawValue], ["p", event.pubkey.hex]]
        return EventDraft(kind: kind, tags: tags, content: text, createdAt: createdAt)
    }
}
