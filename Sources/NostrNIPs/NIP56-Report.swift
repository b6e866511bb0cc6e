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
    /// The address that is reported, whatever version of it; `nil` where none is named.
    public let address: EventAddress?
    /// What is objectionable; `nil` for a word that NIP-56 does not know.
    public let reason: Reason?
    /// More about it, in the reporter's words.
    public let text: String

    /// Reads an event; `nil` unless it is of kind 1984 and names a person.
    ///
    /// The reason stands in the `e` tag where an event is reported, else in the `p` tag; some put it in the other one,
    /// or in an `a` tag. An address names a person, too.
    public init?(_ event: Event) {
        guard event.kind == Self.kind else { return nil }
        let named = event.tags.last { $0.name == "p" && $0.publicKey(at: 1) != nil }
        let about = event.tags.first { $0.name == "e" && $0.eventID(at: 1) != nil }
        let place = event.tags.first { $0.name == "a" && $0.address(at: 1) != nil }
        let address = place?.address(at: 1)
        guard let key = named?.publicKey(at: 1) ?? address?.author else { return nil }
        person = key
        self.event = about?.eventID(at: 1)
        // Of somebody else's, it says only where something happened.
        self.address = address?.author == key ? address : nil
        let words = [about, place, named].compactMap { tag in
            tag.flatMap { $0.elements.count > 2 ? $0.elements[2].lowercased() : nil }
        }
        reason = words.lazy.compactMap(Reason.init(rawValue:)).first
        text = event.content
    }

    /// A report about an event and its author.
    public static func draft(
        about event: Event, reason: Reason, text: String = "", createdAt: Timestamp
    ) -> EventDraft {
        var tags: [Tag] = [["e", event.id.hex, reason.rawValue], ["p", event.pubkey.hex]]
        // Also the versions to come.
        if let address = event.address { tags.append(["a", address.description, reason.rawValue]) }
        return EventDraft(kind: kind, tags: tags, content: text, createdAt: createdAt)
    }

    /// A report about a person, whatever they wrote.
    public static func draft(
        about person: PublicKey, reason: Reason, text: String = "", createdAt: Timestamp
    ) -> EventDraft {
        EventDraft(
            kind: kind, tags: [["p", person.hex, reason.rawValue]], content: text, createdAt: createdAt)
    }
}
